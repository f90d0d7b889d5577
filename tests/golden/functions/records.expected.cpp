// records.py:13  def move(particles, dt): …
//     void(Record([('x', float64, 0), ('v', float64, 8), ('mass', float32, 16), ('id', int32, 20)], 24)[::1], float64)
void move(pyk::array<pyk::record<24, 8, 0x1fa258ca>, 1, pyk::C> particles, double dt) noexcept {
  const auto particles_x = pyk::field<double>(particles, 0);
  const auto particles_v = pyk::field<double>(particles, 8);
  const auto particles_id = pyk::field<int32_t>(particles, 20);
  for (int64_t p_at = 0; p_at < particles.shape(0); ++p_at) {
    particles_x(p_at) += particles_v(p_at) * dt;
    pyk::add_to(particles_id(p_at), 1);
  }
}

// records.py:20  def sum_packed(a): …
//     float64(Record([('id', int32, 0), ('x', float64, 4), ('pos', NestedArray(float32, (3,)), 12), ('name', 'S5', 24)], 29)[:])
template <class L>
double sum_packed(pyk::array<pyk::record<29, 1, 0xb9ba907f>, 1, L> a) noexcept {
  const auto a_x = pyk::packed_field<double>(a, 4);
  const auto a_pos = pyk::packed_field<float>(a, 12, 3);
  const auto a_id = pyk::packed_field<int32_t>(a, 0);
  double total = 0.0;
  for (int64_t i = 0; i < a.shape(0); ++i) {
    total = pyk::in_order(total + (a_x(i).value * a_pos(i, 1).value + a_id(i).value));
    a_id(i).value = pyk::add(a_id(i).value, 2);
  }
  return total;
}
PYK_LAYOUTS(sum_packed);

// records.py:29  def first(particles, n): …
//     Record([('x', float64, 0), ('v', float64, 8), ('mass', float32, 16), ('id', int32, 20)], 24)[:](Record([('x', float64, 0), ('v', float64, 8), ('mass', float32, 16), ('id', int32, 20)], 24)[:], int64)
template <class L>
pyk::status first(pyk::array<const pyk::record<24, 8, 0x1fa258ca>, 1, L> particles, int64_t n,
                  pyk::owned<pyk::record<24, 8, 0x1fa258ca>, 1, pyk::A>& result) noexcept {
  if (n < 0) return pyk::raise(site::value_30);
  auto out = pyk::zeros<pyk::record<24, 8, 0x1fa258ca>, pyk::C>(n);
  if (!out.is_valid()) return pyk::no_memory;
  for (int64_t i = 0; i < n; ++i)
    pyk::copy_record(pyk::view<pyk::C>(out, i), pyk::view<pyk::C>(particles, i));
  result = std::move(out);
  return pyk::ok;
}
PYK_LAYOUTS(first);

// records.py:37  def energy(p): …
//     float64(Record([('x', float64, 0), ('v', float64, 8), ('mass', float32, 16), ('id', int32, 20)], 24))
double energy(pyk::array<const pyk::record<24, 8, 0x1fa258ca>, 0, pyk::C> p) noexcept {
  const double x = pyk::flat(pyk::field<double>(p, 8))(0);
  return 0.5 * pyk::flat(pyk::field<float>(p, 16))(0) * (x * x);
}

// records.py:42  def energies(particles, one): …
//     float64(Record([('x', float64, 0), ('v', float64, 8), ('mass', float32, 16), ('id', int32, 20)], 24)[::1], Record([('x', float64, 0), ('v', float64, 8), ('mass', float32, 16), ('id', int32, 20)], 24))
double energies(pyk::array<const pyk::record<24, 8, 0x1fa258ca>, 1, pyk::C> particles,
                pyk::array<const pyk::record<24, 8, 0x1fa258ca>, 0, pyk::C> one) noexcept {
  double total = energy(one);
  for (int64_t p_at = 0; p_at < particles.shape(0); ++p_at) {
    const auto p = pyk::view<pyk::C>(particles, p_at);
    total += energy(p);
  }
  return total;
}
