// Bodies, of which each instruction set has its own.
PYK_EACH_ISA(
  template <class L>
  void axpy_f4_f4_f4_loop(pyk::array<const float, 1, L> a, pyk::array<const float, 1, L> x,
                          pyk::array<const float, 1, L> y, pyk::array<float, 1, L> out) noexcept;
  void axpy_f4_f4_f4_loop_c_y(pyk::array<const float, 1, pyk::C> a,
                              pyk::array<const float, 1, pyk::C> x, float y,
                              pyk::array<float, 1, pyk::C> out) noexcept;
  void axpy_f4_f4_f4_loop_c_x(pyk::array<const float, 1, pyk::C> a, float x,
                              pyk::array<const float, 1, pyk::C> y,
                              pyk::array<float, 1, pyk::C> out) noexcept;
  void axpy_f4_f4_f4_loop_c_a(float a, pyk::array<const float, 1, pyk::C> x,
                              pyk::array<const float, 1, pyk::C> y,
                              pyk::array<float, 1, pyk::C> out) noexcept;
  template <class L>
  void axpy_f8_f8_f8_loop(pyk::array<const double, 1, L> a, pyk::array<const double, 1, L> x,
                          pyk::array<const double, 1, L> y, pyk::array<double, 1, L> out) noexcept;
  void axpy_f8_f8_f8_loop_c_y(pyk::array<const double, 1, pyk::C> a,
                              pyk::array<const double, 1, pyk::C> x, double y,
                              pyk::array<double, 1, pyk::C> out) noexcept;
  void axpy_f8_f8_f8_loop_c_x(pyk::array<const double, 1, pyk::C> a, double x,
                              pyk::array<const double, 1, pyk::C> y,
                              pyk::array<double, 1, pyk::C> out) noexcept;
  void axpy_f8_f8_f8_loop_c_a(double a, pyk::array<const double, 1, pyk::C> x,
                              pyk::array<const double, 1, pyk::C> y,
                              pyk::array<double, 1, pyk::C> out) noexcept;
  template <class L, class M>
  void gaussian_pdf_loop(pyk::array<const double, 1, L> x, pyk::array<const double, 1, L> mean,
                         pyk::array<const double, 1, L> sigma,
                         pyk::array<double, 1, L> out) noexcept;
  void gaussian_pdf_loop_c_sigma(pyk::array<const double, 1, pyk::C> x,
                                 pyk::array<const double, 1, pyk::C> mean, double sigma,
                                 pyk::array<double, 1, pyk::C> out) noexcept;
  void gaussian_pdf_loop_c_mean(pyk::array<const double, 1, pyk::C> x, double mean,
                                pyk::array<const double, 1, pyk::C> sigma,
                                pyk::array<double, 1, pyk::C> out) noexcept;
  void gaussian_pdf_loop_c_x(double x, pyk::array<const double, 1, pyk::C> mean,
                             pyk::array<const double, 1, pyk::C> sigma,
                             pyk::array<double, 1, pyk::C> out) noexcept;
  void sin_cos_loop(pyk::array<const double, 1, pyk::A> x,
                    pyk::array<double, 1, pyk::A> out) noexcept;
  void sin_cos_loop_c(pyk::array<const double, 1, pyk::C> x,
                      pyk::array<double, 1, pyk::C> out) noexcept;
  template <class L>
  void hypotenuse_f4_f4_loop(pyk::array<const float, 1, L> x, pyk::array<const float, 1, L> y,
                             pyk::array<float, 1, L> out) noexcept;
  void hypotenuse_f4_f4_loop_c_y(pyk::array<const float, 1, pyk::C> x, float y,
                                 pyk::array<float, 1, pyk::C> out) noexcept;
  void hypotenuse_f4_f4_loop_c_x(float x, pyk::array<const float, 1, pyk::C> y,
                                 pyk::array<float, 1, pyk::C> out) noexcept;
  template <class L>
  void hypotenuse_f8_f8_loop(pyk::array<const double, 1, L> x, pyk::array<const double, 1, L> y,
                             pyk::array<double, 1, L> out) noexcept;
  void hypotenuse_f8_f8_loop_c_y(pyk::array<const double, 1, pyk::C> x, double y,
                                 pyk::array<double, 1, pyk::C> out) noexcept;
  void hypotenuse_f8_f8_loop_c_x(double x, pyk::array<const double, 1, pyk::C> y,
                                 pyk::array<double, 1, pyk::C> out) noexcept;
  template <class L, class M>
  void cnd_loop(pyk::array<const double, 1, L> d, pyk::array<double, 1, L> out) noexcept;
  template <class L, class M>
  void call_price_loop(pyk::array<const double, 1, L> price, pyk::array<const double, 1, L> strike,
                       pyk::array<const double, 1, L> years, pyk::array<const double, 1, L> rate,
                       pyk::array<const double, 1, L> volatility,
                       pyk::array<double, 1, L> out) noexcept;
  void l2_norm_loop(pyk::array<const double, 2, pyk::A> vector,
                    pyk::array<double, 2, pyk::A> out) noexcept;
  void l2_norm_loop_c(pyk::array<const double, 2, pyk::C> vector,
                      pyk::array<double, 2, pyk::C> out) noexcept;
  void matmulcore_loop(pyk::array<const double, 3, pyk::A> a, pyk::array<const double, 3, pyk::A> b,
                       pyk::array<double, 3, pyk::A> c) noexcept;
  void matmulcore_loop_c_b(pyk::array<const double, 3, pyk::C> a,
                           pyk::array<const double, 2, pyk::C> b,
                           pyk::array<double, 3, pyk::C> c) noexcept;
  void matmulcore_loop_c_a(pyk::array<const double, 2, pyk::C> a,
                           pyk::array<const double, 3, pyk::C> b,
                           pyk::array<double, 3, pyk::C> c) noexcept;
  void matmulcore_loop_c(pyk::array<const double, 3, pyk::C> a,
                         pyk::array<const double, 3, pyk::C> b,
                         pyk::array<double, 3, pyk::C> c) noexcept;
  void in_polygon_loop(pyk::array<const float, 3, pyk::A> vertices,
                       pyk::array<const float, 2, pyk::A> point,
                       pyk::array<bool, 2, pyk::A> out) noexcept;
  void in_polygon_loop_c_point(pyk::array<const float, 3, pyk::C> vertices,
                               pyk::array<const float, 1, pyk::C> point,
                               pyk::array<bool, 2, pyk::C> out) noexcept;
  void in_polygon_loop_c_vertices(pyk::array<const float, 2, pyk::C> vertices,
                                  pyk::array<const float, 2, pyk::C> point,
                                  pyk::array<bool, 2, pyk::C> out) noexcept;
  void in_polygon_loop_c(pyk::array<const float, 3, pyk::C> vertices,
                         pyk::array<const float, 2, pyk::C> point,
                         pyk::array<bool, 2, pyk::C> out) noexcept;
)

// loop of ufuncs.py:9  def axpy(a, x, y): …
template <class L>
void axpy_f4_f4_f4_loop(pyk::array<const float, 1, L> a, pyk::array<const float, 1, L> x,
                        pyk::array<const float, 1, L> y, pyk::array<float, 1, L> out) noexcept {
  return PYK_BODY(axpy_f4_f4_f4_loop<L>)(a, x, y, out);
}
PYK_LAYOUTS(axpy_f4_f4_f4_loop);

// loop of ufuncs.py:9  def axpy(a, x, y): …
void axpy_f4_f4_f4_loop_c_y(pyk::array<const float, 1, pyk::C> a,
                            pyk::array<const float, 1, pyk::C> x, float y,
                            pyk::array<float, 1, pyk::C> out) noexcept {
  return PYK_BODY(axpy_f4_f4_f4_loop_c_y)(a, x, y, out);
}

// loop of ufuncs.py:9  def axpy(a, x, y): …
void axpy_f4_f4_f4_loop_c_x(pyk::array<const float, 1, pyk::C> a, float x,
                            pyk::array<const float, 1, pyk::C> y,
                            pyk::array<float, 1, pyk::C> out) noexcept {
  return PYK_BODY(axpy_f4_f4_f4_loop_c_x)(a, x, y, out);
}

// loop of ufuncs.py:9  def axpy(a, x, y): …
void axpy_f4_f4_f4_loop_c_a(float a, pyk::array<const float, 1, pyk::C> x,
                            pyk::array<const float, 1, pyk::C> y,
                            pyk::array<float, 1, pyk::C> out) noexcept {
  return PYK_BODY(axpy_f4_f4_f4_loop_c_a)(a, x, y, out);
}

// loop of ufuncs.py:9  def axpy(a, x, y): …
template <class L>
void axpy_f8_f8_f8_loop(pyk::array<const double, 1, L> a, pyk::array<const double, 1, L> x,
                        pyk::array<const double, 1, L> y, pyk::array<double, 1, L> out) noexcept {
  return PYK_BODY(axpy_f8_f8_f8_loop<L>)(a, x, y, out);
}
PYK_LAYOUTS(axpy_f8_f8_f8_loop);

// loop of ufuncs.py:9  def axpy(a, x, y): …
void axpy_f8_f8_f8_loop_c_y(pyk::array<const double, 1, pyk::C> a,
                            pyk::array<const double, 1, pyk::C> x, double y,
                            pyk::array<double, 1, pyk::C> out) noexcept {
  return PYK_BODY(axpy_f8_f8_f8_loop_c_y)(a, x, y, out);
}

// loop of ufuncs.py:9  def axpy(a, x, y): …
void axpy_f8_f8_f8_loop_c_x(pyk::array<const double, 1, pyk::C> a, double x,
                            pyk::array<const double, 1, pyk::C> y,
                            pyk::array<double, 1, pyk::C> out) noexcept {
  return PYK_BODY(axpy_f8_f8_f8_loop_c_x)(a, x, y, out);
}

// loop of ufuncs.py:9  def axpy(a, x, y): …
void axpy_f8_f8_f8_loop_c_a(double a, pyk::array<const double, 1, pyk::C> x,
                            pyk::array<const double, 1, pyk::C> y,
                            pyk::array<double, 1, pyk::C> out) noexcept {
  return PYK_BODY(axpy_f8_f8_f8_loop_c_a)(a, x, y, out);
}

// loop of ufuncs.py:15  def gaussian_pdf(x, mean, sigma): …
template <class L, class M>
void gaussian_pdf_loop(pyk::array<const double, 1, L> x, pyk::array<const double, 1, L> mean,
                       pyk::array<const double, 1, L> sigma,
                       pyk::array<double, 1, L> out) noexcept {
  return PYK_BODY(gaussian_pdf_loop<L, M>)(x, mean, sigma, out);
}
template decltype(gaussian_pdf_loop<pyk::C, pyk::lane_math>) gaussian_pdf_loop<pyk::C, pyk::lane_math>;
template decltype(gaussian_pdf_loop<pyk::A, pyk::libm>) gaussian_pdf_loop<pyk::A, pyk::libm>;

// loop of ufuncs.py:15  def gaussian_pdf(x, mean, sigma): …
void gaussian_pdf_loop_c_sigma(pyk::array<const double, 1, pyk::C> x,
                               pyk::array<const double, 1, pyk::C> mean, double sigma,
                               pyk::array<double, 1, pyk::C> out) noexcept {
  return PYK_BODY(gaussian_pdf_loop_c_sigma)(x, mean, sigma, out);
}

// loop of ufuncs.py:15  def gaussian_pdf(x, mean, sigma): …
void gaussian_pdf_loop_c_mean(pyk::array<const double, 1, pyk::C> x, double mean,
                              pyk::array<const double, 1, pyk::C> sigma,
                              pyk::array<double, 1, pyk::C> out) noexcept {
  return PYK_BODY(gaussian_pdf_loop_c_mean)(x, mean, sigma, out);
}

// loop of ufuncs.py:15  def gaussian_pdf(x, mean, sigma): …
void gaussian_pdf_loop_c_x(double x, pyk::array<const double, 1, pyk::C> mean,
                           pyk::array<const double, 1, pyk::C> sigma,
                           pyk::array<double, 1, pyk::C> out) noexcept {
  return PYK_BODY(gaussian_pdf_loop_c_x)(x, mean, sigma, out);
}

// loop of ufuncs.py:22  def sin_cos(x): …
void sin_cos_loop(pyk::array<const double, 1, pyk::A> x,
                  pyk::array<double, 1, pyk::A> out) noexcept {
  return PYK_BODY(sin_cos_loop)(x, out);
}

// loop of ufuncs.py:22  def sin_cos(x): …
void sin_cos_loop_c(pyk::array<const double, 1, pyk::C> x,
                    pyk::array<double, 1, pyk::C> out) noexcept {
  return PYK_BODY(sin_cos_loop_c)(x, out);
}

// loop of ufuncs.py:27  def hypotenuse(x, y): …
template <class L>
void hypotenuse_f4_f4_loop(pyk::array<const float, 1, L> x, pyk::array<const float, 1, L> y,
                           pyk::array<float, 1, L> out) noexcept {
  return PYK_BODY(hypotenuse_f4_f4_loop<L>)(x, y, out);
}
PYK_LAYOUTS(hypotenuse_f4_f4_loop);

// loop of ufuncs.py:27  def hypotenuse(x, y): …
void hypotenuse_f4_f4_loop_c_y(pyk::array<const float, 1, pyk::C> x, float y,
                               pyk::array<float, 1, pyk::C> out) noexcept {
  return PYK_BODY(hypotenuse_f4_f4_loop_c_y)(x, y, out);
}

// loop of ufuncs.py:27  def hypotenuse(x, y): …
void hypotenuse_f4_f4_loop_c_x(float x, pyk::array<const float, 1, pyk::C> y,
                               pyk::array<float, 1, pyk::C> out) noexcept {
  return PYK_BODY(hypotenuse_f4_f4_loop_c_x)(x, y, out);
}

// loop of ufuncs.py:27  def hypotenuse(x, y): …
template <class L>
void hypotenuse_f8_f8_loop(pyk::array<const double, 1, L> x, pyk::array<const double, 1, L> y,
                           pyk::array<double, 1, L> out) noexcept {
  return PYK_BODY(hypotenuse_f8_f8_loop<L>)(x, y, out);
}
PYK_LAYOUTS(hypotenuse_f8_f8_loop);

// loop of ufuncs.py:27  def hypotenuse(x, y): …
void hypotenuse_f8_f8_loop_c_y(pyk::array<const double, 1, pyk::C> x, double y,
                               pyk::array<double, 1, pyk::C> out) noexcept {
  return PYK_BODY(hypotenuse_f8_f8_loop_c_y)(x, y, out);
}

// loop of ufuncs.py:27  def hypotenuse(x, y): …
void hypotenuse_f8_f8_loop_c_x(double x, pyk::array<const double, 1, pyk::C> y,
                               pyk::array<double, 1, pyk::C> out) noexcept {
  return PYK_BODY(hypotenuse_f8_f8_loop_c_x)(x, y, out);
}

// loop of ufuncs.py:32  def cnd(d): …
template <class L, class M>
void cnd_loop(pyk::array<const double, 1, L> d, pyk::array<double, 1, L> out) noexcept {
  return PYK_BODY(cnd_loop<L, M>)(d, out);
}
template decltype(cnd_loop<pyk::C, pyk::lane_math>) cnd_loop<pyk::C, pyk::lane_math>;
template decltype(cnd_loop<pyk::A, pyk::libm>) cnd_loop<pyk::A, pyk::libm>;

// loop of ufuncs.py:41  def call_price(price, strike, years, rate, volatility): …
template <class L, class M>
void call_price_loop(pyk::array<const double, 1, L> price, pyk::array<const double, 1, L> strike,
                     pyk::array<const double, 1, L> years, pyk::array<const double, 1, L> rate,
                     pyk::array<const double, 1, L> volatility,
                     pyk::array<double, 1, L> out) noexcept {
  return PYK_BODY(call_price_loop<L, M>)(price, strike, years, rate, volatility, out);
}
template decltype(call_price_loop<pyk::C, pyk::lane_math>) call_price_loop<pyk::C, pyk::lane_math>;
template decltype(call_price_loop<pyk::A, pyk::libm>) call_price_loop<pyk::A, pyk::libm>;

// loop of ufuncs.py:49  def l2_norm(vector, out): …
void l2_norm_loop(pyk::array<const double, 2, pyk::A> vector,
                  pyk::array<double, 2, pyk::A> out) noexcept {
  return PYK_BODY(l2_norm_loop)(vector, out);
}

// loop of ufuncs.py:49  def l2_norm(vector, out): …
void l2_norm_loop_c(pyk::array<const double, 2, pyk::C> vector,
                    pyk::array<double, 2, pyk::C> out) noexcept {
  return PYK_BODY(l2_norm_loop_c)(vector, out);
}

// loop of ufuncs.py:57  def matmulcore(a, b, c): …
void matmulcore_loop(pyk::array<const double, 3, pyk::A> a, pyk::array<const double, 3, pyk::A> b,
                     pyk::array<double, 3, pyk::A> c) noexcept {
  return PYK_BODY(matmulcore_loop)(a, b, c);
}

// loop of ufuncs.py:57  def matmulcore(a, b, c): …
void matmulcore_loop_c_b(pyk::array<const double, 3, pyk::C> a,
                         pyk::array<const double, 2, pyk::C> b,
                         pyk::array<double, 3, pyk::C> c) noexcept {
  return PYK_BODY(matmulcore_loop_c_b)(a, b, c);
}

// loop of ufuncs.py:57  def matmulcore(a, b, c): …
void matmulcore_loop_c_a(pyk::array<const double, 2, pyk::C> a,
                         pyk::array<const double, 3, pyk::C> b,
                         pyk::array<double, 3, pyk::C> c) noexcept {
  return PYK_BODY(matmulcore_loop_c_a)(a, b, c);
}

// loop of ufuncs.py:57  def matmulcore(a, b, c): …
void matmulcore_loop_c(pyk::array<const double, 3, pyk::C> a, pyk::array<const double, 3, pyk::C> b,
                       pyk::array<double, 3, pyk::C> c) noexcept {
  return PYK_BODY(matmulcore_loop_c)(a, b, c);
}

// loop of ufuncs.py:68  def in_polygon(vertices, point, out): …
void in_polygon_loop(pyk::array<const float, 3, pyk::A> vertices,
                     pyk::array<const float, 2, pyk::A> point,
                     pyk::array<bool, 2, pyk::A> out) noexcept {
  return PYK_BODY(in_polygon_loop)(vertices, point, out);
}

// loop of ufuncs.py:68  def in_polygon(vertices, point, out): …
void in_polygon_loop_c_point(pyk::array<const float, 3, pyk::C> vertices,
                             pyk::array<const float, 1, pyk::C> point,
                             pyk::array<bool, 2, pyk::C> out) noexcept {
  return PYK_BODY(in_polygon_loop_c_point)(vertices, point, out);
}

// loop of ufuncs.py:68  def in_polygon(vertices, point, out): …
void in_polygon_loop_c_vertices(pyk::array<const float, 2, pyk::C> vertices,
                                pyk::array<const float, 2, pyk::C> point,
                                pyk::array<bool, 2, pyk::C> out) noexcept {
  return PYK_BODY(in_polygon_loop_c_vertices)(vertices, point, out);
}

// loop of ufuncs.py:68  def in_polygon(vertices, point, out): …
void in_polygon_loop_c(pyk::array<const float, 3, pyk::C> vertices,
                       pyk::array<const float, 2, pyk::C> point,
                       pyk::array<bool, 2, pyk::C> out) noexcept {
  return PYK_BODY(in_polygon_loop_c)(vertices, point, out);
}
