// swaps.py:6  def median_of_3(a, out): …     void(float64[::1], float64[::1])
void median_of_3(pyk::array<const double, 1, pyk::C> a,
                 pyk::array<double, 1, pyk::C> out) noexcept {
  for (int64_t i = 1; i < a.size() - 1; ++i) {
    double x = a(i - 1);
    double y = a(i);
    double z = a(i + 1);
    const bool taken = x > y;
    const double old = x;
    x = taken ? y : x;
    y = taken ? old : y;
    const bool taken_2 = y > z;
    const double old_2 = y;
    y = taken_2 ? z : y;
    z = taken_2 ? old_2 : z;
    const bool taken_3 = x > y;
    const double old_3 = x;
    x = taken_3 ? y : x;
    y = taken_3 ? old_3 : y;
    out(i) = y;
  }
}

// swaps.py:21  def both_sides(a, out): …     void(float64[::1], float64[::1])
void both_sides(pyk::array<const double, 1, pyk::C> a, pyk::array<double, 1, pyk::C> out) noexcept {
  for (int64_t i = 0; i < a.size(); ++i) {
    const bool taken = a(i) > 0.5;
    const double t_2 = a(i) + 1.0;
    const double t_3 = a(i) - 1.0;
    const double t = taken ? t_2 : t_3;
    double u = taken ? t_2 * t_2 : t_3;
    u = u < t ? t : u;
    out(i) = u;
  }
}

// swaps.py:35  def stay(a, b, out): …        void(float64[::1], float64[::1], float64[::1])
void stay(pyk::array<const double, 1, pyk::C> a, pyk::array<const double, 1, pyk::C> b,
          pyk::array<double, 1, pyk::C> out) noexcept {
  for (int64_t i = 0; i < a.size(); ++i) {
    double x = a(i);
    x = x > 1.0 ? 1.0 / x : x;
    if (x > 0.5) x = b(i);
    out(i) = x;
  }
}

// swaps.py:46  def one(a, out): …            void(float64[::1], float64[::1])
void one(pyk::array<const double, 1, pyk::C> a, pyk::array<double, 1, pyk::C> out) noexcept {
  for (int64_t i = 0; i < a.size(); ++i) {
    double x = a(i);
    if (x < 0.0) x = -x;
    out(i) = x;
  }
}

// swaps.py:55  def guarded(a, b, out, use): …    void(bool[::1], bool[::1], bool[::1], bool)
void guarded(pyk::array<const bool, 1, pyk::C> a, pyk::array<const bool, 1, pyk::C> b,
             pyk::array<bool, 1, pyk::C> out, bool use) noexcept {
  for (int64_t i = 0; i < out.shape(0); ++i) {
    bool f = false;
    bool g = false;
    if (use && a(i) != b(i)) {
      f = a(i);
      g = !f;
    }
    g = f ? !g : g;
    out(i) = f ^ g;
  }
}
