// names.py:5  def names(new, int_): …        float64(float64, int64)
pyk::status names(double new_, int64_t int_, double& result_2) noexcept {
  const double double_ = new_;
  const double class_ = double_ * 2.0;
  const double status = class_;
  double result = status;
  for (int64_t i = 0; i < int_; ++i)
    result = pyk::in_order(result + i);
  for (int64_t i = 0; i < int_; ++i)
    result = pyk::in_order(result - i);
  if (result == 0.0) return pyk::raise(site::value_15);
  result_2 = result;
  return pyk::ok;
}
