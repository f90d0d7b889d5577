// whole_arrays.py:6  def spread(a, counts): …    float64(float64[:,:], int32[:])
template <class L>
pyk::status spread(pyk::array<const double, 2, L> a, pyk::array<const int32_t, 1, L> counts,
                   double& result) noexcept {
  const int64_t total = pyk::np::sum<int64_t>(counts);
  if (a.size() == 0) return pyk::raise(site::value_8);
  const double low = pyk::np::min(a);
  if (total == 0) return pyk::raise(site::division_9);
  if (counts.size() == 0) return pyk::raise(site::value_9);
  result = (pyk::np::max(a) - low) / total + pyk::np::argmax(counts);
  return pyk::ok;
}
PYK_LAYOUTS(spread);

// pyk2cu's axes.py:185  def sort(a): …       float64[::1](float64[:])
template <class L>
static inline pyk::status sort_f8_1a(pyk::array<const double, 1, L> a,
                                     pyk::owned<double, 1, pyk::C>& result) noexcept {
  auto array = pyk::empty_in<double, pyk::C>(result, a.shape(0));
  if (!array.is_valid()) return pyk::no_memory;
  for (int64_t i = 0; i < array.shape(0); ++i)
    array(i) = a(i);
  pyk::owned<double, 1, pyk::C> out = std::move(array);
  pyk::np::sort(out);
  result = std::move(out);
  return pyk::ok;
}

// whole_arrays.py:13  def ranks(a, n): …     int64[:](float64[:], int64)
template <class L>
pyk::status ranks(pyk::array<const double, 1, L> a, int64_t n,
                  pyk::owned<int64_t, 1, pyk::A>& result) noexcept {
  alignas(pyk::kAlignment) double edges_room[64];
  pyk::stack_array<double, 1, pyk::C, 64> edges{edges_room};
  if (const auto status = sort_f8_1a<L>(a, edges)) return status;
  pyk::np::sort(pyk::view<pyk::C>(edges, pyk::from(1)));
  auto array = pyk::empty<int64_t, pyk::C>(pyk::np::range_size((n - 0) / 1.0));
  if (!array.is_valid()) return pyk::no_memory;
  pyk::np::arange(array, int64_t(0), int64_t(1));
  const pyk::owned<int64_t, 1, pyk::C> steps = array;
  pyk::fill(steps, pyk::np::searchsorted<double>(edges, 0.5, false));
  auto array_2 = pyk::empty<int64_t, pyk::C>(steps.size());
  if (!array_2.is_valid()) return pyk::no_memory;
  pyk::np::cumsum(array_2, steps);
  result = std::move(array_2);
  return pyk::ok;
}
PYK_LAYOUTS(ranks);
