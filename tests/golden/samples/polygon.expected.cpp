// polygon.py:28  def inside_tuple(vertices, px, py): …
//     bool(UniTuple(UniTuple(float64, 2), 4), float64, float64)
bool inside_tuple(pyk::tuple<pyk::tuple<double, double>, pyk::tuple<double, double>,
                             pyk::tuple<double, double>, pyk::tuple<double, double>> vertices,
                  double px, double py) noexcept {
  int64_t counter = 0;
  const auto items = pyk::get<3>(vertices);
  double x1 = pyk::get<0>(items);
  double y1 = pyk::get<1>(items);
  for (int64_t vertex_at = 0; vertex_at < 4; ++vertex_at) {
    const auto vertex = vertices.at(vertex_at);
    const auto [x2, y2] = vertex;
    if (pyk::min(y1, y2) < py && py <= pyk::max(y1, y2) && px <= pyk::max(x1, x2) && y1 != y2) {
      const double xinters = (py - y1) * (x2 - x1) / (y2 - y1) + x1;
      if (x1 == x2 || px <= xinters) counter += 1;
    }
    x1 = x2;
    y1 = y2;
  }
  return counter % 2 == 1;
}

// Bodies, of which each instruction set has its own.
PYK_EACH_ISA(
  template <class L>
  bool inside_polygon(pyk::array<const float, 2, L> vertices, float px, float py,
                      bool border_value) noexcept;
  template <class L>
  void polygon_mask(pyk::array<const float, 2, L> vertices, pyk::array<bool, 2, L> mask,
                    bool border_value) noexcept;
  template <class L>
  void polygon_mask_parallel(pyk::array<const float, 2, L> vertices, pyk::array<bool, 2, L> mask,
                             bool border_value) noexcept;
)

// polygon.py:6  def inside_polygon(vertices, px, py, border_value): …
//     bool(float32[:,:], float32, float32, bool)
template <class L>
bool inside_polygon(pyk::array<const float, 2, L> vertices, float px, float py,
                    bool border_value) noexcept {
  return PYK_BODY(inside_polygon<L>)(vertices, px, py, border_value);
}
PYK_LAYOUTS(inside_polygon);

// polygon.py:42  def polygon_mask(vertices, mask, border_value): …
//     void(float32[:,:], bool[:,:], bool)
template <class L>
void polygon_mask(pyk::array<const float, 2, L> vertices, pyk::array<bool, 2, L> mask,
                  bool border_value) noexcept {
  return PYK_BODY(polygon_mask<L>)(vertices, mask, border_value);
}
PYK_LAYOUTS(polygon_mask);

// polygon.py:49  def polygon_mask_parallel(vertices, mask, border_value): …
//     void(float32[:,:], bool[:,:], bool)
template <class L>
void polygon_mask_parallel(pyk::array<const float, 2, L> vertices, pyk::array<bool, 2, L> mask,
                           bool border_value) noexcept {
  return PYK_BODY(polygon_mask_parallel<L>)(vertices, mask, border_value);
}
PYK_LAYOUTS(polygon_mask_parallel);
