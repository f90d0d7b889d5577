// order_of_effects.py:5  def bump(a, x): …    float64(float64[:], float64)
template <class L>
double bump(pyk::array<double, 1, L> a, double x) noexcept {
  a(0) += x;
  return a(0);
}
PYK_LAYOUTS(bump);

// order_of_effects.py:10  def order1(a): …    float64(float64[:])
template <class L>
double order1(pyk::array<double, 1, L> a) noexcept {
  const double t = a(0);
  return t + bump<L>(a, 1.0);
}
PYK_LAYOUTS(order1);

// order_of_effects.py:14  def order2(a): …    float64(float64[:])
template <class L>
double order2(pyk::array<double, 1, L> a) noexcept {
  const double value = bump<L>(a, 1.0);
  return value + a(0) * 10.0;
}
PYK_LAYOUTS(order2);

// order_of_effects.py:18  def order3(a): …    float64(float64[:])
template <class L>
double order3(pyk::array<double, 1, L> a) noexcept {
  const double x = a(0);
  const double value = bump<L>(a, 2.0);
  const double y = value - bump<L>(a, 3.0) * x;
  const double value_2 = bump<L>(a, 1.0);
  a(1) = value_2 + a(1);
  const double t = a(1);
  a(1) = t + bump<L>(a, a(0));
  const double value_3 = bump<L>(a, 1.0);
  return y + value_3 * a(1);
}
PYK_LAYOUTS(order3);

// order_of_effects.py:26  def order4(a): …    float64(float64[:])
template <class L>
double order4(pyk::array<double, 1, L> a) noexcept {
  const double b = bump<L>(a, 1.0);
  const double c = a(0);
  const double value = bump<L>(a, 1.0);
  return value > 3.0 ? b * 100.0 + c : a(0);
}
PYK_LAYOUTS(order4);
