// tables.py:6  def distinct(a): …            int64(int64[:])
template <class L>
pyk::status distinct(pyk::array<const int64_t, 1, L> a, int64_t& result) noexcept {
  const pyk::set<int64_t> seen = pyk::table_new<pyk::set<int64_t>>();
  if (!seen.is_valid()) return pyk::no_memory;
  for (const int64_t x : a)
    if (!pyk::table_add(seen, x)) return pyk::raise(site::memory_9);
  result = pyk::table_size(seen);
  return pyk::ok;
}
PYK_LAYOUTS(distinct);

// tables.py:14  def greatest_sum(keys, a): …    float64(int64[:], float64[:])
template <class L>
pyk::status greatest_sum(pyk::array<const int64_t, 1, L> keys, pyk::array<const double, 1, L> a,
                         double& result) noexcept {
  const pyk::dict<int64_t, double> sums = pyk::table_new<pyk::dict<int64_t, double>>();
  if (!sums.is_valid()) return pyk::no_memory;
  for (int64_t i = 0; i < keys.shape(0); ++i) {
    if (pyk::table_find(sums, keys(i)) < 0) {
      const int64_t key_2 = keys(i);
      if (!pyk::table_put(sums, key_2, 0.0)) return pyk::raise(site::memory_18);
    }
    const int64_t at = pyk::table_find(sums, keys(i));
    if (at < 0) return pyk::raise(site::key_19);
    pyk::table_set(sums, at, pyk::table_value(sums, at) + a(i));
  }
  double greatest = 0.0;
  int64_t place = -1;
  const int64_t k_end = pyk::table_size(sums);
  for (int64_t k = 0; k < k_end; ++k) {
    place = pyk::table_next(sums, place);
    const auto [key, total] = pyk::table_entry(sums, place);
    if (key > 0) greatest = pyk::max(greatest, total);
  }
  result = greatest;
  return pyk::ok;
}
PYK_LAYOUTS(greatest_sum);

// tables.py:28  def sieve(n): …              int64(int64)
pyk::status sieve(int64_t n, int64_t& result) noexcept {
  const pyk::set<int64_t> entries = pyk::table_new<pyk::set<int64_t>>();
  if (!entries.is_valid()) return pyk::no_memory;
  const int64_t i_at_end = 2 < n ? n - 2 : 0;
  for (int64_t i_at = 0; i_at < i_at_end; ++i_at) {
    const int64_t i_ = 2 + i_at;
    if (!pyk::table_add(entries, i_)) return pyk::raise(site::memory_29);
  }
  const pyk::set<int64_t> left = entries;
  for (int64_t i = 2; i < n; ++i) {
    if (pyk::table_find(left, i) >= 0) {
      for (const int64_t k : pyk::range<int64_t>(pyk::mul(i, i), n, i)) {
        const int64_t at = pyk::table_find(left, k);
        if (at >= 0) {
          if (!pyk::table_drop(left, at)) return pyk::raise(site::memory_33);
        }
      }
    }
  }
  result = pyk::table_size(left);
  return pyk::ok;
}
