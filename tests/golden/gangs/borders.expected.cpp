// borders.py:6  def erode(image, out, radius): …    void(uint8[:,::1], uint8[:,::1], int64)
void erode(pyk::array<const uint8_t, 2, pyk::C> image, pyk::array<uint8_t, 2, pyk::C> out,
           int64_t radius) noexcept {
  const int64_t height = image.shape(0);
  const int64_t width = image.shape(1);
  const bool small = radius >= -140737488355328 && radius <= 140737488355328;
  const bool apart = pyk::lanes::disjoint(out, image);
  for (int64_t y = 0; y < height; ++y) {
    const int64_t begin = small ? pyk::min(pyk::max(0, radius), width) : width;
    const int64_t end = small ? pyk::max(pyk::min(width, width - radius), begin) : width;
    const bool many = apart && pyk::sub(end, begin) >= 16;
    for (int64_t side = 0; side < 2; ++side) {
      if (side == 1 && many) {
        for (int64_t x = begin; x < end; x += 64) {
          pyk::lanes::gang<64>(end - x, [&](const auto count) PYK_INLINED {
            pyk::lane<uint8_t, 64> smallest;
            #pragma omp simd
            for (int32_t k = 0; k < 64; ++k)
              smallest[k] = 255;
            const int64_t yy_end = pyk::min(height, pyk::add(pyk::add(y, radius), 1));
            for (int64_t yy = pyk::max(0, pyk::sub(y, radius)); yy < yy_end; ++yy) {
              for (int64_t xx_step = 0; xx_step < 2 * radius + 1; ++xx_step) {
                #pragma omp simd
                for (int32_t k = 0; k < count; ++k) {
                  const uint8_t read = image(yy, x + k - radius + xx_step);
                  const bool taken = read < smallest[k];
                  const uint8_t smallest_2 = read;
                  smallest[k] = taken ? smallest_2 : smallest[k];
                }
              }
            }
            #pragma omp simd
            for (int32_t k = 0; k < count; ++k)
              out(y, x + k) = smallest[k];
          });
        }
      }
      const int64_t from = side == 0 ? 0 : many ? end : begin;
      const int64_t to = side == 0 ? begin : width;
      for (int64_t x = from; x < to; ++x) {
        uint8_t smallest = 255;
        const int64_t yy_end = pyk::min(height, pyk::add(pyk::add(y, radius), 1));
        for (int64_t yy = pyk::max(0, pyk::sub(y, radius)); yy < yy_end; ++yy) {
          const int64_t xx_end = pyk::min(width, pyk::add(pyk::add(x, radius), 1));
          for (int64_t xx = pyk::max(0, pyk::sub(x, radius)); xx < xx_end; ++xx) {
            if (image(yy, xx) < smallest) {
              const uint8_t smallest_2 = image(yy, xx);
              smallest = smallest_2;
            }
          }
        }
        out(y, x) = smallest;
      }
    }
  }
}

// borders.py:19  def life(cells, out): …     void(uint8[:,::1], uint8[:,::1])
void life(pyk::array<const uint8_t, 2, pyk::C> cells, pyk::array<uint8_t, 2, pyk::C> out) noexcept {
  const int64_t rows = cells.shape(0);
  const int64_t columns = cells.shape(1);
  #pragma omp parallel for firstprivate(cells, out) if (double(rows) * columns > 300.0)
  for (int64_t i = 0; i < rows; ++i) {
    const int64_t same = i == 0 ? rows - 1 : i - 1;
    const int64_t same_2 = i;
    const int64_t same_3 = i + 1 == rows ? 0 : i + 1;
    const int64_t begin = pyk::min(1, columns);
    const int64_t end = pyk::max(columns - 1, begin);
    for (int64_t side = 0; side < 2; ++side) {
      if (side == 1) {
        for (int64_t j = begin; j < end; ++j) {
          uint16_t n = 0;
          n += cells(same, j - 1);
          n += cells(same, j);
          n += cells(same, j + 1);
          n += cells(same_2, j - 1);
          n += cells(same_2, j);
          n += cells(same_2, j + 1);
          n += cells(same_3, j - 1);
          n += cells(same_3, j);
          n += cells(same_3, j + 1);
          out(i, j) = (n == 3) | ((n == 4) & (cells(i, j) == 1));
        }
      }
      const int64_t j_end = side == 0 ? begin : columns;
      for (int64_t j = side == 0 ? 0 : end; j < j_end; ++j) {
        uint16_t n = 0;
        n += cells(same, pyk::mod(j - 1, columns));
        n += cells(same, pyk::mod(j, columns));
        n += cells(same, pyk::mod(j + 1, columns));
        n += cells(same_2, pyk::mod(j - 1, columns));
        n += cells(same_2, pyk::mod(j, columns));
        n += cells(same_2, pyk::mod(j + 1, columns));
        n += cells(same_3, pyk::mod(j - 1, columns));
        n += cells(same_3, pyk::mod(j, columns));
        n += cells(same_3, pyk::mod(j + 1, columns));
        out(i, j) = (n == 3) | ((n == 4) & (cells(i, j) == 1));
      }
    }
  }
}

// borders.py:31  def rolling(x, window, out): …    void(float64[::1], int64, float64[::1])
pyk::status rolling(pyk::array<const double, 1, pyk::C> x, int64_t window,
                    pyk::array<double, 1, pyk::C> out) noexcept {
  const bool small = window >= -140737488355328 && window <= 140737488355328;
  const int64_t begin = small ? pyk::min(pyk::max(0, window - 1), x.shape(0)) : x.shape(0);
  const int64_t end = small ? pyk::max(x.shape(0), begin) : x.shape(0);
  const bool apart = window != 0 && pyk::lanes::disjoint(out, x);
  const bool many = apart && pyk::sub(end, begin) >= 8;
  for (int64_t side = 0; side < 2; ++side) {
    if (side == 1 && many) {
      for (int64_t i = begin; i < end; i += 32) {
        pyk::lanes::gang<32>(end - i, [&](const auto count) PYK_INLINED {
          pyk::lane<double, 32> total;
          #pragma omp simd
          for (int32_t k_2 = 0; k_2 < 32; ++k_2)
            total[k_2] = 0.0;
          for (int64_t k_step = 0; k_step < window; ++k_step) {
            #pragma omp simd
            for (int32_t k_2 = 0; k_2 < count; ++k_2)
              total[k_2] = total[k_2] + x(i + k_2 - window + 1 + k_step);
          }
          #pragma omp simd
          for (int32_t k_2 = 0; k_2 < count; ++k_2)
            out(i + k_2) = total[k_2] / window;
        });
      }
    }
    const int64_t from = side == 0 ? 0 : many ? end : begin;
    const int64_t to = side == 0 ? begin : x.shape(0);
    for (int64_t i = from; i < to; ++i) {
      if (i < pyk::sub(window, 1)) {
        out(i) = 0.0;
        continue;
      }
      double total = 0.0;
      for (int64_t k = pyk::add(pyk::sub(i, window), 1); k < i + 1; ++k)
        total = pyk::in_order(total + x(pyk::wrap(k, x.shape(0))));
      if (window == 0) return pyk::raise(site::division_39);
      out(i) = total / window;
    }
  }
  return pyk::ok;
}

// borders.py:43  def smooth(x, out): …       void(float64[::1], float64[::1])
void smooth(pyk::array<const double, 1, pyk::C> x, pyk::array<double, 1, pyk::C> out) noexcept {
  const int64_t begin = pyk::min(1, x.shape(0));
  const int64_t end = pyk::max(x.shape(0) - 1, begin);
  for (int64_t side = 0; side < 2; ++side) {
    if (side == 1) {
      #pragma omp parallel for firstprivate(out, x) if (x.shape(0) > 4000)
      for (int64_t i = begin; i < end; ++i)
        out(i) = x(i - 1) + x(i + 1);
    }
    const int64_t i_end = side == 0 ? begin : x.shape(0);
    #pragma omp parallel for firstprivate(out, x) \
        if ((side == 0 ? begin : x.shape(0)) - (side == 0 ? 0 : end) > 4096 && x.shape(0) > 4000)
    for (int64_t i = side == 0 ? 0 : end; i < i_end; ++i)
      out(i) = x(pyk::max(i - 1, 0)) + x(pyk::min(i + 1, x.shape(0) - 1));
  }
}

// borders.py:49  def chosen(x, wanted, out): …    void(float32[::1], uint8[::1], float32[::1])
void chosen(pyk::array<const float, 1, pyk::C> x, pyk::array<const uint8_t, 1, pyk::C> wanted,
            pyk::array<float, 1, pyk::C> out) noexcept {
  const int64_t begin = pyk::min(2, x.shape(0));
  const int64_t end = pyk::max(x.shape(0), begin);
  for (int64_t side = 0; side < 2; ++side) {
    if (side == 1) {
      for (int64_t i = begin; i < end; ++i) {
        float total = 0.0f;
        if (wanted(0) != 0) total += x(i);
        if (wanted(1) != 0) total += x(i - 1);
        if (wanted(2) != 0) total += x(i - 2);
        out(i) = total;
      }
    }
    const int64_t i_end = side == 0 ? begin : x.shape(0);
    for (int64_t i = side == 0 ? 0 : end; i < i_end; ++i) {
      float total = 0.0f;
      if (wanted(0) != 0) total += i >= 0 ? x(i) : x(i);
      if (wanted(1) != 0) total += i - 1 >= 0 ? x(i - 1) : x(i);
      if (wanted(2) != 0) total += i - 2 >= 0 ? x(i - 2) : x(i);
      out(i) = total;
    }
  }
}

// borders.py:59  def centred(x, taps, out): …    void(float64[::1], float64[::1], float64[::1])
void centred(pyk::array<const double, 1, pyk::C> x, pyk::array<const double, 1, pyk::C> taps,
             pyk::array<double, 1, pyk::C> out) noexcept {
  const int64_t begin = pyk::min(pyk::max(0, taps.shape(0) / 2), x.shape(0));
  const int64_t end =
      pyk::max(pyk::min(x.shape(0), x.shape(0) + taps.shape(0) / 2 + 1 - taps.shape(0)), begin);
  const bool apart = pyk::lanes::disjoint(out, x, taps);
  const bool many = apart && pyk::sub(end, begin) >= 8;
  for (int64_t side = 0; side < 2; ++side) {
    if (side == 1 && many) {
      for (int64_t i = begin; i < end; i += 32) {
        pyk::lanes::gang<32>(end - i, [&](const auto count) PYK_INLINED {
          pyk::lane<double, 32> total;
          #pragma omp simd
          for (int32_t k_2 = 0; k_2 < 32; ++k_2)
            total[k_2] = 0.0;
          for (int64_t j = 0; j < taps.shape(0); ++j) {
            const int64_t same = taps.shape(0) / 2;
            const double same_2 = taps(j);
            #pragma omp simd
            for (int32_t k_2 = 0; k_2 < count; ++k_2)
              total[k_2] = total[k_2] + x(i + k_2 + j - same) * same_2;
          }
          #pragma omp simd
          for (int32_t k_2 = 0; k_2 < count; ++k_2)
            out(i + k_2) = total[k_2];
        });
      }
    }
    const int64_t from = side == 0 ? 0 : many ? end : begin;
    const int64_t to = side == 0 ? begin : x.shape(0);
    if (apart && pyk::sub(to, from) >= 11) {
      for (const int64_t i : pyk::range<int64_t>(from, to, 32)) {
        const int32_t count = pyk::min(32, to - i);
        pyk::lane<double, 32> total;
        #pragma omp simd
        for (int32_t k_2 = 0; k_2 < 32; ++k_2)
          total[k_2] = 0.0;
        for (int64_t j = 0; j < taps.shape(0); ++j) {
          const int64_t same = taps.shape(0) / 2;
          pyk::lane<int64_t, 32> k;
          pyk::lane<pyk::mask<int64_t>, 32> taken;
          #pragma omp simd
          for (int32_t k_2 = 0; k_2 < 32; ++k_2) {
            k[k_2] = pyk::sub(pyk::add(i + k_2, j), same);
            taken.at[k_2] = (k_2 < count) & ((0 <= k[k_2]) & (k[k_2] < x.shape(0)));
          }
          if (pyk::any(taken)) {
            const double same_2 = taps(j);
            #pragma omp simd
            for (int32_t k_2 = 0; k_2 < 32; ++k_2)
              total[k_2] = taken[k_2] ? total[k_2] + x(k[k_2]) * same_2 : total[k_2];
          }
        }
        #pragma omp simd
        for (int32_t k_2 = 0; k_2 < count; ++k_2)
          out(i + k_2) = total[k_2];
      }
    } else {
      for (int64_t i = from; i < to; ++i) {
        double total = 0.0;
        for (int64_t j = 0; j < taps.shape(0); ++j) {
          const int64_t k = i + j - taps.shape(0) / 2;
          if (0 <= k && k < x.shape(0)) total += x(k) * taps(j);
        }
        out(i) = total;
      }
    }
  }
}

// borders.py:70  def causal(x, taps, out): …    void(float64[::1], float64[::1], float64[::1])
void causal(pyk::array<const double, 1, pyk::C> x, pyk::array<const double, 1, pyk::C> taps,
            pyk::array<double, 1, pyk::C> out) noexcept {
  const int64_t begin = pyk::min(pyk::max(0, taps.shape(0) - 1), x.shape(0));
  const int64_t end = pyk::max(x.shape(0), begin);
  const bool apart = pyk::lanes::disjoint(out, taps, x);
  const bool many = apart && pyk::sub(end, begin) >= 8;
  for (int64_t side = 0; side < 2; ++side) {
    if (side == 1 && many) {
      for (int64_t i = begin; i < end; i += 32) {
        pyk::lanes::gang<32>(end - i, [&](const auto count) PYK_INLINED {
          pyk::lane<double, 32> total;
          #pragma omp simd
          for (int32_t k = 0; k < 32; ++k)
            total[k] = 0.0;
          for (int64_t j = 0; j < taps.shape(0); ++j) {
            const double same = taps(j);
            #pragma omp simd
            for (int32_t k = 0; k < count; ++k)
              total[k] = total[k] + same * x(i + k - j);
          }
          #pragma omp simd
          for (int32_t k = 0; k < count; ++k)
            out(i + k) = total[k];
        });
      }
    }
    const int64_t from = side == 0 ? 0 : many ? end : begin;
    const int64_t to = side == 0 ? begin : x.shape(0);
    if (apart && pyk::sub(to, from) >= 13) {
      for (const int64_t i : pyk::range<int64_t>(from, to, 16)) {
        const int32_t count = pyk::min(16, to - i);
        int64_t j = 0;
        pyk::lane<double, 16> total;
        pyk::lane<int64_t, 16> j_end;
        pyk::lane<pyk::mask<int64_t>, 16> alive;
        #pragma omp simd
        for (int32_t k = 0; k < 16; ++k) {
          total[k] = 0.0;
          int64_t last = pyk::add(i + k, 1);
          const bool taken = last > taps.shape(0);
          last = taken ? taps.shape(0) : last;
          j_end[k] = last;
          alive.at[k] = (k < count) & (j < j_end[k]);
        }
        while (pyk::any(alive)) {
          const double same = taps(j);
          #pragma omp simd
          for (int32_t k = 0; k < 16; ++k)
            total[k] = alive[k] ? total[k] + same * x(pyk::wrap(i + k - j, x.shape(0))) : total[k];
          j = j + 1;
          #pragma omp simd
          for (int32_t k = 0; k < 16; ++k)
            alive.at[k] = alive[k] & (j < j_end[k]);
        }
        #pragma omp simd
        for (int32_t k = 0; k < count; ++k)
          out(i + k) = total[k];
      }
    } else {
      for (int64_t i = from; i < to; ++i) {
        double total = 0.0;
        int64_t last = i + 1;
        if (last > taps.shape(0)) last = taps.shape(0);
        for (int64_t j = 0; j < last; ++j)
          total = pyk::in_order(total + taps(j) * x(pyk::wrap(i - j, x.shape(0))));
        out(i) = total;
      }
    }
  }
}

// borders.py:81  def least_beside(image, out, r): …    void(float32[:,::1], float32[:,::1], int64)
void least_beside(pyk::array<const float, 2, pyk::C> image, pyk::array<float, 2, pyk::C> out,
                  int64_t r) noexcept {
  const int64_t h = image.shape(0);
  const int64_t w = image.shape(1);
  const bool small = r >= -140737488355328 && r <= 140737488355328;
  const bool apart = pyk::lanes::disjoint(out, image);
  for (int64_t i = 0; i < h; ++i) {
    const int64_t begin = small ? pyk::min(pyk::max(0, r), w) : w;
    const int64_t end = small ? pyk::max(pyk::min(w, w - r), begin) : w;
    const bool many = apart && pyk::sub(end, begin) >= 16;
    for (int64_t side = 0; side < 2; ++side) {
      if (side == 1 && many) {
        for (int64_t j = begin; j < end; j += 64) {
          pyk::lanes::gang<64>(end - j, [&](const auto count) PYK_INLINED {
            pyk::lane<float, 64> least;
            #pragma omp simd
            for (int32_t k = 0; k < count; ++k)
              least[k] = image(i, j + k);
            const int64_t a_end = pyk::min(h, pyk::add(pyk::add(i, r), 1));
            for (int64_t a = pyk::max(0, pyk::sub(i, r)); a < a_end; ++a) {
              for (int64_t b_step = 0; b_step < 2 * r + 1; ++b_step) {
                #pragma omp simd
                for (int32_t k = 0; k < count; ++k)
                  least[k] = pyk::min(least[k], image(a, j + k - r + b_step));
              }
            }
            #pragma omp simd
            for (int32_t k = 0; k < count; ++k)
              out(i, j + k) = least[k];
          });
        }
      }
      const int64_t from = side == 0 ? 0 : many ? end : begin;
      const int64_t to = side == 0 ? begin : w;
      for (int64_t j = from; j < to; ++j) {
        float least = image(i, j);
        const int64_t a_end = pyk::min(h, pyk::add(pyk::add(i, r), 1));
        for (int64_t a = pyk::max(0, pyk::sub(i, r)); a < a_end; ++a) {
          const int64_t b_end = pyk::min(w, pyk::add(pyk::add(j, r), 1));
          for (int64_t b = pyk::max(0, pyk::sub(j, r)); b < b_end; ++b)
            least = pyk::min(least, image(a, b));
        }
        out(i, j) = least;
      }
    }
  }
}

// borders.py:93  def of_a_constant_size(x, out, r): …    void(float64[::1], float64[::1], int64)
void of_a_constant_size(pyk::array<const double, 1, pyk::C> x, pyk::array<double, 1, pyk::C> out,
                        int64_t r) noexcept {
  const bool small = r >= -140737488355328 && r <= 140737488355328;
  const int64_t begin = small ? pyk::min(pyk::max(0, r), 1000) : 1000;
  const int64_t end = small ? pyk::max(1000, begin) : 1000;
  const bool apart = pyk::lanes::disjoint(out, x);
  const bool many = apart && pyk::sub(end, begin) >= 8;
  for (int64_t side = 0; side < 2; ++side) {
    if (side == 1 && many) {
      for (int64_t i = begin; i < end; i += 32) {
        pyk::lanes::gang<32>(end - i, [&](const auto count) PYK_INLINED {
          pyk::lane<double, 32> total;
          #pragma omp simd
          for (int32_t k = 0; k < 32; ++k)
            total[k] = 0.0;
          for (int64_t j_step = 0; j_step < r + 1; ++j_step) {
            #pragma omp simd
            for (int32_t k = 0; k < count; ++k)
              total[k] = total[k] + x(i + k - r + j_step);
          }
          #pragma omp simd
          for (int32_t k = 0; k < count; ++k)
            out(i + k) = total[k];
        });
      }
    }
    const int64_t from = side == 0 ? 0 : many ? end : begin;
    const int64_t to = side == 0 ? begin : 1000;
    for (int64_t i = from; i < to; ++i) {
      double total = 0.0;
      for (int64_t j = i < r ? 0 : pyk::sub(i, r); j < i + 1; ++j)
        total = pyk::in_order(total + x(pyk::wrap(j, x.shape(0))));
      out(i) = total;
    }
  }
}
