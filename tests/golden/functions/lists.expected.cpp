// lists.py:7  def primes(n): …               int64[:](int64)
pyk::status primes(int64_t n, pyk::owned<int64_t, 1, pyk::A>& result) noexcept {
  const pyk::list<bool> composite = pyk::list_full<bool>(pyk::add(n, 1), false);
  if (!composite.is_valid()) return pyk::no_memory;
  const pyk::list<int64_t> found = pyk::list_new<int64_t>(0);
  if (!found.is_valid()) return pyk::no_memory;
  const auto composite_items = pyk::list_view(composite);
  int64_t first = 2;
  int64_t busy = 0;
  while (first < pyk::add(n, 1)) {
    const int64_t last =
        first <= 9223372036854775551 ? pyk::min(first + (busy < 4 ? 32 : 256), pyk::add(n, 1))
        : pyk::add(n, 1);
    int64_t found_2 = last - first != 32 || first > composite_items.shape(0) - 32;
    if (found_2 == 0) {
      #pragma omp simd reduction(| : found_2)
      for (int64_t i = first; i < first + 32; ++i) {
        found_2 |= i >= composite_items.shape(0) ? -1 : 0;
        found_2 |= !composite_items(i) ? -1 : 0;
      }
    }
    if (found_2 != 0) {
      for (int64_t i = first; i < last; ++i) {
        if (i >= composite_items.shape(0)) return pyk::raise(site::index_11);
        if (!composite_items(i)) {
          if (!pyk::list_append(found, i)) return pyk::raise(site::memory_12);
          for (const int64_t k : pyk::range<int64_t>(pyk::mul(i, i), pyk::add(n, 1), i)) {
            if (k >= composite_items.shape(0) || k < -composite_items.shape(0))
              return pyk::raise(site::index_14);
            composite_items(pyk::wrap(k, composite_items.shape(0))) = true;
          }
        }
      }
      busy = busy < 4 ? busy + 1 : 3;
    } else {
      busy = 0;
    }
    first = last;
  }
  pyk::owned<int64_t, 1, pyk::C> result_2 = pyk::list_array(found);
  if (!result_2.is_valid()) return pyk::no_memory;
  result = std::move(result_2);
  return pyk::ok;
}

// lists.py:19  def shortest(heads, tails, lengths, n, start): …
//     List(float64)(int64[::1], int64[::1], float64[::1], int64, int64)
pyk::status shortest(pyk::array<const int64_t, 1, pyk::C> heads,
                     pyk::array<const int64_t, 1, pyk::C> tails,
                     pyk::array<const double, 1, pyk::C> lengths, int64_t n, int64_t start,
                     pyk::list<double>& result) noexcept {
  const int64_t count = n > 0 ? n : 0;
  const pyk::list<pyk::list<pyk::tuple<int64_t, double>>> items =
      pyk::list_new<pyk::list<pyk::tuple<int64_t, double>>>(count);
  if (!items.is_valid()) return pyk::no_memory;
  for (int64_t _ = 0; _ < count; ++_) {
    const int64_t count_2 = int64_t(0) > 0 ? 0 : 0;
    const pyk::list<pyk::tuple<int64_t, double>> items_2 =
        pyk::list_new<pyk::tuple<int64_t, double>>(count_2);
    if (!items_2.is_valid()) return pyk::no_memory;
    for (int64_t __2 = 0; __2 < count_2; ++__2)
      if (!pyk::list_append(items_2, pyk::tuple{start, 0.0})) return pyk::raise(site::memory_20);
    if (!pyk::list_append(items, items_2)) return pyk::raise(site::memory_20_2);
  }
  const pyk::list<pyk::list<pyk::tuple<int64_t, double>>> near_ = items;
  for (int64_t k = 0; k < heads.shape(0); ++k) {
    const int64_t at_2 = heads(k);
    if (pyk::list_lacks(near_, at_2)) return pyk::raise(site::index_22);
    if (!pyk::list_append(pyk::list_item(near_, at_2), pyk::tuple{tails(k), lengths(k)}))
      return pyk::raise(site::memory_22);
  }
  const pyk::list<double> best = pyk::list_full<double>(n, pyk::infinity<double>);
  if (!best.is_valid()) return pyk::no_memory;
  if (pyk::list_lacks(best, start)) return pyk::raise(site::index_24);
  pyk::list_set(best, start, 0.0);
  const pyk::list<pyk::tuple<double, int64_t>> queue =
      pyk::list_of<pyk::tuple<double, int64_t>>(pyk::tuple{0.0, start});
  if (!queue.is_valid()) return pyk::no_memory;
  const auto best_items = pyk::list_view(best);
  while (pyk::list_size(queue) != 0) {
    const auto [so_far, at] = pyk::heap_pop(queue);
    if (at >= best_items.shape(0) || at < -best_items.shape(0)) return pyk::raise(site::index_28);
    if (so_far > best_items(pyk::wrap(at, best_items.shape(0)))) continue;
    if (pyk::list_lacks(near_, at)) return pyk::raise(site::index_30);
    const pyk::list<pyk::tuple<int64_t, double>> items_2 = pyk::list_item(near_, at);
    int64_t next = 0;
    while (next < pyk::list_size(items_2)) {
      const int64_t at_2 = next;
      next = at_2 + 1;
      const auto [to, length] = pyk::list_item(items_2, at_2);
      if (to >= best_items.shape(0) || to < -best_items.shape(0)) return pyk::raise(site::index_31);
      if (so_far + length < best_items(pyk::wrap(to, best_items.shape(0)))) {
        if (to < -best_items.shape(0)) return pyk::raise(site::index_32);
        best_items(pyk::wrap(to, best_items.shape(0))) = so_far + length;
        if (to < -best_items.shape(0)) return pyk::raise(site::index_33);
        if (!pyk::heap_push(queue, pyk::tuple{best_items(pyk::wrap(to, best_items.shape(0))), to}))
          return pyk::raise(site::memory_33);
      }
    }
  }
  result = best;
  return pyk::ok;
}

// lists.py:38  def rows(a): …
//     Tuple((List(float64[::1]), List(float64[::1]), float64[::1]))(float64[:,::1])
pyk::status rows(pyk::array<double, 2, pyk::C> a,
                 pyk::tuple<pyk::list<pyk::owned<double, 1, pyk::C>>,
                            pyk::list<pyk::owned<double, 1, pyk::C>>,
                            pyk::owned<double, 1, pyk::C>>& result) noexcept {
  const int64_t part = a.shape(0);
  const pyk::list<pyk::owned<double, 1, pyk::C>> items =
      pyk::list_new<pyk::owned<double, 1, pyk::C>>(0);
  if (!items.is_valid()) return pyk::no_memory;
  const int64_t i_end = part > 0 ? part : 0;
  for (int64_t i = 0; i < i_end; ++i)
    if (a(i, 0) > 0.0) {
      if (!pyk::list_append(items, pyk::view<pyk::C>(a, i, pyk::all)))
        return pyk::raise(site::memory_39);
    }
  const pyk::list<pyk::owned<double, 1, pyk::C>> kept = items;
  int64_t next = 0;
  while (next < pyk::list_size(kept)) {
    const int64_t at = next;
    next = at + 1;
    const pyk::owned<double, 1, pyk::C> row = pyk::list_item(kept, at);
    const int64_t n = row.shape(0);
    auto array = pyk::empty<double, pyk::C>(n);
    if (!array.is_valid()) return pyk::no_memory;
    for (int64_t i_2 = 0; i_2 < n; ++i_2)
      array(i_2) = row(i_2) + 1.0;
    if (!pyk::list_append(kept, array)) return pyk::raise(site::memory_41);
    if (pyk::list_size(kept) > 5) break;
  }
  const pyk::list<pyk::owned<double, 1, pyk::C>> items_2 =
      pyk::list_slice(kept, 1, 9223372036854775807, 1);
  if (!items_2.is_valid()) return pyk::no_memory;
  if (pyk::list_size(kept) == 0) return pyk::raise(site::index_44);
  result =
      pyk::tuple<pyk::list<pyk::owned<double, 1, pyk::C>>, pyk::list<pyk::owned<double, 1, pyk::C>>,
                 pyk::owned<double, 1, pyk::C>>(kept, items_2, pyk::list_pop(kept, -1));
  return pyk::ok;
}
