// order_of_effects.py:5  def bump(a, x): …    float64(float64[:], float64)
double bump(pyk::array<double, 1, pyk::A> a, double x) noexcept {
  a(0) += x;
  return a(0);
}

// order_of_effects.py:5  def bump(a, x): …    float64(float64[::1], float64)
double bump__c(pyk::array<double, 1, pyk::C> a, double x) noexcept {
  a(0) += x;
  return a(0);
}

// order_of_effects.py:10  def order1(a): …    float64(float64[:])
double order1(pyk::array<double, 1, pyk::A> a) noexcept {
  const double t = a(0);
  return t + bump(a, 1.0);
}

// order_of_effects.py:10  def order1(a): …    float64(float64[::1])
double order1__c(pyk::array<double, 1, pyk::C> a) noexcept {
  const double t = a(0);
  return t + bump__c(a, 1.0);
}

// order_of_effects.py:14  def order2(a): …    float64(float64[:])
double order2(pyk::array<double, 1, pyk::A> a) noexcept {
  const double value = bump(a, 1.0);
  return value + a(0) * 10.0;
}

// order_of_effects.py:14  def order2(a): …    float64(float64[::1])
double order2__c(pyk::array<double, 1, pyk::C> a) noexcept {
  const double value = bump__c(a, 1.0);
  return value + a(0) * 10.0;
}

// order_of_effects.py:18  def order3(a): …    float64(float64[:])
double order3(pyk::array<double, 1, pyk::A> a) noexcept {
  const double x = a(0);
  const double value = bump(a, 2.0);
  const double y = value - bump(a, 3.0) * x;
  const double value_2 = bump(a, 1.0);
  a(1) = value_2 + a(1);
  const double t = a(1);
  a(1) = t + bump(a, a(0));
  const double value_3 = bump(a, 1.0);
  return y + value_3 * a(1);
}

// order_of_effects.py:18  def order3(a): …    float64(float64[::1])
double order3__c(pyk::array<double, 1, pyk::C> a) noexcept {
  const double x = a(0);
  const double value = bump__c(a, 2.0);
  const double y = value - bump__c(a, 3.0) * x;
  const double value_2 = bump__c(a, 1.0);
  a(1) = value_2 + a(1);
  const double t = a(1);
  a(1) = t + bump__c(a, a(0));
  const double value_3 = bump__c(a, 1.0);
  return y + value_3 * a(1);
}

// order_of_effects.py:26  def order4(a): …    float64(float64[:])
double order4(pyk::array<double, 1, pyk::A> a) noexcept {
  const double b = bump(a, 1.0);
  const double c = a(0);
  const double value = bump(a, 1.0);
  return value > 3.0 ? b * 100.0 + c : a(0);
}

// order_of_effects.py:26  def order4(a): …    float64(float64[::1])
double order4__c(pyk::array<double, 1, pyk::C> a) noexcept {
  const double b = bump__c(a, 1.0);
  const double c = a(0);
  const double value = bump__c(a, 1.0);
  return value > 3.0 ? b * 100.0 + c : a(0);
}
