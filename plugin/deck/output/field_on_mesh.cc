// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/field_on_mesh.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "source/base/parallel_loop.h"
#include "source/element/elements.h"
#include "source/element/hexahedron.h"
#include "source/surface/axis_box.h"

namespace strut
{
namespace
{
/// Finds the element of a mesh that contains a point.
class ElementFinder
{
public:
  explicit ElementFinder(const ElementMesh &mesh) : mesh_(mesh)
  {
    constexpr double far = std::numeric_limits<double>::max();
    low_                 = {{far, far, far}};
    Point high           = {{-far, -far, -far}};
    for (std::size_t i = 0; i < mesh.coordinates.size(); ++i)
      {
        low_[i / mesh.n_nodes] = std::min(low_[i / mesh.n_nodes], mesh.coordinates[i]);
        high[i / mesh.n_nodes] = std::max(high[i / mesh.n_nodes], mesh.coordinates[i]);
      }
    double volume = 0.;
    for (const double v : mesh.volumes)
      volume += v;
    size_ = std::cbrt(volume / static_cast<double>(std::max<std::size_t>(mesh.n_elements, 1)));
    for (std::size_t d = 0; d < 3; ++d)
      // At most some millions of bins, however empty the box is.
      n_[d] =
        std::clamp<std::size_t>(static_cast<std::size_t>((high[d] - low_[d]) / size_) + 1, 1, 400);
    for (std::size_t d = 0; d < 3; ++d)
      step_[d] = std::max((high[d] - low_[d]) / static_cast<double>(n_[d]), 1e-300);

    // (1) Count the elements of each bin, (2) list them.
    begin_.assign(n_[0] * n_[1] * n_[2] + 1, 0);
    for (std::size_t e = 0; e < mesh.n_elements; ++e)
      for_each_bin(e, [&](const std::size_t bin) { ++begin_[bin + 1]; });
    for (std::size_t bin = 0; bin + 1 < begin_.size(); ++bin)
      begin_[bin + 1] += begin_[bin];
    elements_.resize(begin_.back());
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    for (std::size_t e = 0; e < mesh.n_elements; ++e)
      for_each_bin(e, [&](const std::size_t bin) {
        elements_[next[bin]++] = static_cast<std::uint32_t>(e);
      });
  }

  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  std::size_t find(const Point &x) const
  {
    std::size_t bin = 0;
    for (std::size_t d = 3; d-- > 0;)
      {
        const double place = (x[d] - low_[d]) / step_[d];
        if (place < -1e-6 || place > static_cast<double>(n_[d]) + 1e-6)
          return none;
        bin = bin * n_[d] + std::min(n_[d] - 1, static_cast<std::size_t>(std::max(place, 0.)));
      }
    return with_element(mesh_.type, [&](const auto element) {
      for (std::size_t i = begin_[bin]; i < begin_[bin + 1]; ++i)
        if (has<std::decay_t<decltype(element)>>(elements_[i], x))
          return std::size_t(elements_[i]);
      return none;
    });
  }

private:
  Point place(const std::size_t e, const std::size_t a) const
  {
    Point x;
    for (std::size_t d = 0; d < 3; ++d)
      x[d] = mesh_.coordinates[d * mesh_.n_nodes + mesh_.node(e, a)];
    return x;
  }

  template <typename Visit>
  void for_each_bin(const std::size_t e, const Visit &visit) const
  {
    AxisBox box;
    for (std::size_t a = 0; a < mesh_.type.n_nodes; ++a)
      box.add(place(e, a));
    std::size_t first[3], last[3];
    for (std::size_t d = 0; d < 3; ++d)
      {
        const auto bin = [&](const double x) {
          return std::min(n_[d] - 1,
                          static_cast<std::size_t>(std::max((x - low_[d]) / step_[d], 0.)));
        };
        first[d] = bin(box.low[d] - 1e-6 * size_);
        last[d]  = bin(box.high[d] + 1e-6 * size_);
      }
    for (std::size_t k = first[2]; k <= last[2]; ++k)
      for (std::size_t j = first[1]; j <= last[1]; ++j)
        for (std::size_t i = first[0]; i <= last[0]; ++i)
          visit((k * n_[1] + j) * n_[0] + i);
  }

  /// Whether an element contains x, by its reference coordinates. Newton's method solves the map of
  /// the element relative to x, so that differences stay accurate far from the origin.
  template <typename Element>
  bool has(const std::size_t e, const Point &x) const
  {
    double xi[3];
    std::fill_n(xi, 3, Element::n_vertices == 4 ? 0.25 : 0.5);
    for (int step = 0; step < 20; ++step)
      {
        Point miss{};
        double J[3][3] = {};
        for (int a = 0; a < Element::n_nodes; ++a)
          {
            Point X = place(e, static_cast<std::size_t>(a));
            double g[3];
            const double value = Element::shape_value(a, xi);
            Element::shape_gradient(a, xi, g);
            for (std::size_t i = 0; i < 3; ++i)
              {
                X[i] -= x[i];
                miss[i] -= value * X[i];
                for (int d = 0; d < 3; ++d)
                  J[i][d] += X[i] * g[d];
              }
          }
        double inverse[3][3];
        if (hexahedron::invert(J, inverse) == 0.)
          return false;
        double longest = 0.;
        for (std::size_t d = 0; d < 3; ++d)
          {
            const double way =
              inverse[d][0] * miss[0] + inverse[d][1] * miss[1] + inverse[d][2] * miss[2];
            xi[d]   = std::clamp(xi[d] + way, -2., 3.);
            longest = std::max(longest, std::abs(way));
          }
        if (longest < 1e-8)
          return is_inside<Element>(xi);
      }
    return false; // the point is outside
  }

  template <typename Element>
  static bool is_inside(const double (&xi)[3])
  {
    constexpr double rounding = 1e-5; // points in files are in single precision
    return std::all_of(xi,
                       xi + 3,
                       [](const double c) { return c > -rounding && c < 1. + rounding; }) &&
           (Element::n_vertices == 8 || xi[0] + xi[1] + xi[2] < 1. + rounding);
  }

  const ElementMesh &mesh_;
  Point low_{};
  double step_[3]{};
  double size_ = 0.;
  std::size_t n_[3]{};
  std::vector<std::size_t> begin_;
  std::vector<std::uint32_t> elements_;
};
} // namespace

std::vector<double> field_on_mesh(const ElementMesh &from,
                                  const std::vector<double> &values,
                                  const ElementMesh &to,
                                  const int n_threads)
{
  const ElementFinder finder(from);
  std::vector<double> result(to.n_elements, 0.);
  with_element(to.type, [&](const auto element) {
    using Element = std::decay_t<decltype(element)>;
    cpu::parallel_for_long(n_threads, to.n_elements, [&](const std::size_t e) {
      double sum = 0., weights = 0.;
      for (int q = 0; q < Element::n_quadrature_points; ++q)
        {
          double xi[3];
          const double weight = Element::quadrature_point(q, xi);
          Point x{};
          for (int a = 0; a < Element::n_nodes; ++a)
            {
              const double value = Element::shape_value(a, xi);
              for (std::size_t i = 0; i < 3; ++i)
                x[i] +=
                  value * to.coordinates[i * to.n_nodes + to.node(e, static_cast<std::size_t>(a))];
            }
          weights += weight;
          if (const std::size_t found = finder.find(x); found != ElementFinder::none)
            sum += weight * values[found];
        }
      result[e] = sum / weights;
    });
  });
  return result;
}
} // namespace strut
