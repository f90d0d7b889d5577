// pixels.py:6  def blended(front, back, out): …
//     void(uint8[:,:,::1], uint8[:,:,::1], uint8[:,:,::1])
void blended(pyk::array<const uint8_t, 3, pyk::C> front, pyk::array<const uint8_t, 3, pyk::C> back,
             pyk::array<uint8_t, 3, pyk::C> out) noexcept {
  const bool apart =
      pyk::lanes::disjoint(out, front, back) && front.shape(2) == 4 && back.shape(2) == 3 &&
      out.shape(2) == 3;
  #pragma omp parallel for firstprivate(front, out, back) \
      if (double(front.shape(0)) * front.shape(1) > 800.0)
  for (int64_t y = 0; y < front.shape(0); ++y) {
    if (apart && front.shape(1) >= 16) {
      for (int64_t x = 0; x < front.shape(1); x += 64) {
        const int32_t count = pyk::min(64, front.shape(1) - x);
        pyk::lanes::assume(front.shape(2) == 4 && back.shape(2) == 3 && out.shape(2) == 3);
        #pragma omp simd
        for (int32_t k_2 = 0; k_2 < count; ++k_2) {
          const uint8_t alpha = front(y, x + k_2, 3);
          out(y, x + k_2, 0) =
              (int32_t(alpha) * front(y, x + k_2, 0) + (255 - alpha) * back(y, x + k_2, 0) + 127) /
              255;
          out(y, x + k_2, 1) =
              (int32_t(alpha) * front(y, x + k_2, 1) + (255 - alpha) * back(y, x + k_2, 1) + 127) /
              255;
          out(y, x + k_2, 2) =
              (int32_t(alpha) * front(y, x + k_2, 2) + (255 - alpha) * back(y, x + k_2, 2) + 127) /
              255;
        }
      }
    } else {
      for (int64_t x = 0; x < front.shape(1); ++x) {
        const uint8_t alpha = front(y, x, 3);
        for (int64_t k = 0; k < 3; ++k)
          out(y, x, k) =
              (int32_t(alpha) * front(y, x, k) + (255 - alpha) * back(y, x, k) + 127) / 255;
      }
    }
  }
}

// pixels.py:15  def greys(rgb, out): …       void(uint8[:,::1], uint8[::1])
void greys(pyk::array<const uint8_t, 2, pyk::C> rgb, pyk::array<uint8_t, 1, pyk::C> out) noexcept {
  const bool apart = pyk::lanes::disjoint(out, rgb);
  if (apart && out.shape(0) >= 16) {
    for (int64_t i = 0; i < out.shape(0); i += 64) {
      const int32_t count = pyk::min(64, out.shape(0) - i);
      pyk::lanes::given(rgb.shape(1) == 3, [&](const auto known) PYK_INLINED {
        pyk::lanes::assume(!known || rgb.shape(1) == 3);
        pyk::lane<uint8_t, 64> value;
        #pragma omp simd
        for (int32_t k = 0; k < 64; ++k)
          value[k] = 0;
        pyk::lane<pyk::mask<int8_t>, 64> alive;
        #pragma omp simd
        for (int32_t k = 0; k < 64; ++k)
          alive.at[k] = k < count;
        #pragma omp simd
        for (int32_t k = 0; k < count; ++k)
          value[k] = (77 * rgb(i + k, 0) + 151 * rgb(i + k, 1) + 28 * rgb(i + k, 2)) >> 8;
        while (true) {
          #pragma omp simd
          for (int32_t k = 0; k < 64; ++k)
            alive.at[k] = alive[k] & (value[k] > 200);
          if (!pyk::any(alive)) break;
          #pragma omp simd
          for (int32_t k = 0; k < 64; ++k)
            value[k] = pyk::lanes::choose(alive[k], pyk::sub(value[k], uint8_t(13)), value[k]);
        }
        #pragma omp simd
        for (int32_t k = 0; k < count; ++k)
          out(i + k) = value[k];
      });
    }
  } else {
    for (int64_t i = 0; i < out.shape(0); ++i) {
      uint8_t value = (77 * rgb(i, 0) + 151 * rgb(i, 1) + 28 * rgb(i, 2)) >> 8;
      while (value > 200)
        value -= 13;
      out(i) = value;
    }
  }
}
