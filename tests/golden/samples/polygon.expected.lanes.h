namespace PYK_ISA {

// polygon.py:6  def inside_polygon(vertices, px, py, border_value): …
//     bool(float32[:,:], float32, float32, bool)
template <class L>
bool inside_polygon(pyk::array<const float, 2, L> vertices, float px, float py,
                    bool border_value) noexcept {
  int32_t counter = 0;
  const int64_t n = vertices.shape(0);
  float x1 = vertices(n - 1, 0);
  float y1 = vertices(n - 1, 1);
  for (int64_t i = 0; i < n; ++i) {
    if (x1 == px && y1 == py) return border_value;
    const float x2 = vertices(i, 0);
    const float y2 = vertices(i, 1);
    if (py > pyk::min(y1, y2)) {
      if (py <= pyk::max(y1, y2)) {
        if (px <= pyk::max(x1, x2)) {
          if (y1 != y2) {
            const float xinters = (py - y1) * (x2 - x1) / (y2 - y1) + x1;
            if (x1 == x2 || px <= xinters) counter = pyk::add(counter, 1);
          }
        }
      }
    }
    x1 = x2;
    y1 = y2;
  }
  return (counter & 1) != 0;
}
PYK_LAYOUTS(inside_polygon);

// polygon.py:42  def polygon_mask(vertices, mask, border_value): …
//     void(float32[:,:], bool[:,:], bool)
template <class L>
void polygon_mask(pyk::array<const float, 2, L> vertices, pyk::array<bool, 2, L> mask,
                  bool border_value) noexcept {
  const bool apart = pyk::lanes::disjoint(mask, vertices);
  for (int64_t y = 0; y < mask.shape(0); ++y) {
    if (apart && mask.shape(1) >= 16) {
      for (int64_t x = 0; x < mask.shape(1); x += 64) {
        const int32_t count = pyk::min(64, mask.shape(1) - x);
        pyk::lane<pyk::mask<int32_t>, 64> inside_polygon_2;
        #pragma omp simd
        for (int32_t k = 0; k < 64; ++k)
          inside_polygon_2.at[k] = false;
        const float py = y;
        pyk::lane<float, 64> px;
        pyk::lane<pyk::mask<int32_t>, 64> alive;
        #pragma omp simd
        for (int32_t k = 0; k < 64; ++k) {
          px[k] = double(x) + k;
          alive.at[k] = k < count;
        }
        const int64_t n = vertices.shape(0);
        float x1 = vertices(n - 1, 0);
        float y1 = vertices(n - 1, 1);
        pyk::lane<int32_t, 64> counter;
        #pragma omp simd
        for (int32_t k = 0; k < 64; ++k)
          counter[k] = 0;
        for (int64_t i = 0; i < n; ++i) {
          if (y1 == py) {
            #pragma omp simd
            for (int32_t k = 0; k < 64; ++k) {
              const bool taken = alive[k] & (x1 == px[k]);
              inside_polygon_2.at[k] = (taken & border_value) | (inside_polygon_2[k] & !taken);
              alive.at[k] = alive[k] & !taken;
            }
            if (!pyk::any(alive)) break;
          }
          const float x2 = vertices(i, 0);
          const float y2 = vertices(i, 1);
          if (py > pyk::min(y1, y2)) {
            if (py <= pyk::max(y1, y2)) {
              if (y1 != y2) {
                const float same = pyk::max(x1, x2);
                const float xinters = (py - y1) * (x2 - x1) / (y2 - y1) + x1;
                const bool same_2 = x1 == x2;
                #pragma omp simd
                for (int32_t k = 0; k < 64; ++k) {
                  const bool taken = alive[k] & (px[k] <= same);
                  const bool taken_2 = taken & (same_2 | (px[k] <= xinters));
                  counter[k] = pyk::lanes::choose(taken_2, pyk::add(counter[k], 1), counter[k]);
                }
              }
            }
          }
          x1 = x2;
          y1 = y2;
        }
        #pragma omp simd
        for (int32_t k = 0; k < 64; ++k)
          inside_polygon_2.at[k] =
              (alive[k] & pyk::lanes::is_odd(counter[k])) | (inside_polygon_2[k] & !alive[k]);
        #pragma omp simd
        for (int32_t k = 0; k < count; ++k)
          mask(y, x + k) = inside_polygon_2[k];
      }
    } else {
      for (int64_t x = 0; x < mask.shape(1); ++x)
        mask(y, x) = inside_polygon<L>(vertices, x, y, border_value);
    }
  }
}
PYK_LAYOUTS(polygon_mask);

// polygon.py:49  def polygon_mask_parallel(vertices, mask, border_value): …
//     void(float32[:,:], bool[:,:], bool)
template <class L>
void polygon_mask_parallel(pyk::array<const float, 2, L> vertices, pyk::array<bool, 2, L> mask,
                           bool border_value) noexcept {
  const bool apart = pyk::lanes::disjoint(mask, vertices);
  #pragma omp parallel for schedule(dynamic, pyk::small_portion(mask.shape(0))) firstprivate(mask, \
      vertices)
  for (int64_t y = 0; y < mask.shape(0); ++y) {
    if (apart && mask.shape(1) >= 16) {
      for (int64_t x = 0; x < mask.shape(1); x += 64) {
        const int32_t count = pyk::min(64, mask.shape(1) - x);
        pyk::lane<pyk::mask<int32_t>, 64> inside_polygon_2;
        #pragma omp simd
        for (int32_t k = 0; k < 64; ++k)
          inside_polygon_2.at[k] = false;
        const float py = y;
        pyk::lane<float, 64> px;
        pyk::lane<pyk::mask<int32_t>, 64> alive;
        #pragma omp simd
        for (int32_t k = 0; k < 64; ++k) {
          px[k] = double(x) + k;
          alive.at[k] = k < count;
        }
        const int64_t n = vertices.shape(0);
        float x1 = vertices(n - 1, 0);
        float y1 = vertices(n - 1, 1);
        pyk::lane<int32_t, 64> counter;
        #pragma omp simd
        for (int32_t k = 0; k < 64; ++k)
          counter[k] = 0;
        for (int64_t i = 0; i < n; ++i) {
          if (y1 == py) {
            #pragma omp simd
            for (int32_t k = 0; k < 64; ++k) {
              const bool taken = alive[k] & (x1 == px[k]);
              inside_polygon_2.at[k] = (taken & border_value) | (inside_polygon_2[k] & !taken);
              alive.at[k] = alive[k] & !taken;
            }
            if (!pyk::any(alive)) break;
          }
          const float x2 = vertices(i, 0);
          const float y2 = vertices(i, 1);
          if (py > pyk::min(y1, y2)) {
            if (py <= pyk::max(y1, y2)) {
              if (y1 != y2) {
                const float same = pyk::max(x1, x2);
                const float xinters = (py - y1) * (x2 - x1) / (y2 - y1) + x1;
                const bool same_2 = x1 == x2;
                #pragma omp simd
                for (int32_t k = 0; k < 64; ++k) {
                  const bool taken = alive[k] & (px[k] <= same);
                  const bool taken_2 = taken & (same_2 | (px[k] <= xinters));
                  counter[k] = pyk::lanes::choose(taken_2, pyk::add(counter[k], 1), counter[k]);
                }
              }
            }
          }
          x1 = x2;
          y1 = y2;
        }
        #pragma omp simd
        for (int32_t k = 0; k < 64; ++k)
          inside_polygon_2.at[k] =
              (alive[k] & pyk::lanes::is_odd(counter[k])) | (inside_polygon_2[k] & !alive[k]);
        #pragma omp simd
        for (int32_t k = 0; k < count; ++k)
          mask(y, x + k) = inside_polygon_2[k];
      }
    } else {
      for (int64_t x = 0; x < mask.shape(1); ++x)
        mask(y, x) = inside_polygon<L>(vertices, x, y, border_value);
    }
  }
}
PYK_LAYOUTS(polygon_mask_parallel);

}  // namespace PYK_ISA
