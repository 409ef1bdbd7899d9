// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/field_on_mesh.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <type_traits>

#include "source/base/begin_rows.h"
#include "source/base/filled_vector.h"
#include "source/base/parallel_loop.h"
#include "source/base/untouched_array.h"
#include "source/element/elements.h"
#include "source/element/reference_place.h"
#include "source/surface/axis_box.h"

namespace strut
{
namespace
{
/// Finds the element of a mesh that contains a point.
class ElementFinder
{
public:
  ElementFinder(const ElementMesh &mesh, const int n_threads) : mesh_(mesh)
  {
    AxisBox all;
    for (std::size_t node = 0; node < mesh.n_nodes; ++node)
      all.add({{mesh.coordinates[node],
                mesh.coordinates[mesh.n_nodes + node],
                mesh.coordinates[2 * mesh.n_nodes + node]}});
    low_          = all.low;
    double volume = 0.;
    for (const double v : mesh.volumes)
      volume += v;
    size_ = std::cbrt(volume / static_cast<double>(std::max<std::size_t>(mesh.n_elements, 1)));
    for (std::size_t d = 0; d < 3; ++d)
      {
        const double length = all.high[d] - all.low[d];
        // Bins and equal elements do not end in the same places. There are at most 400 of them
        // along an axis, however empty the box is.
        n_[d] =
          std::clamp<std::size_t>(static_cast<std::size_t>(length / (1.37 * size_)) + 1, 1, 400);
        step_[d] = std::max(length / static_cast<double>(n_[d]), 1e-300);
      }

    // (1) Count the elements of each bin, (2) list them, in ascending order.
    const std::size_t n_bins = n_[0] * n_[1] * n_[2];
    ends_                    = cpu::untouched_array<std::atomic<std::size_t>>(n_bins);
    cpu::parallel_for(n_threads, n_bins, [&](const std::size_t bin) {
      ends_[bin].store(0, std::memory_order_relaxed);
    });
    cpu::parallel_for(n_threads, mesh.n_elements, [&](const std::size_t e) {
      for_each_bin(e, [&](const std::size_t bin) {
        ends_[bin].fetch_add(1, std::memory_order_relaxed);
      });
    });
    elements_ =
      cpu::filled_vector<std::uint32_t>(n_threads, cpu::begin_rows(n_threads, n_bins, ends_.get()));
    cpu::parallel_for(n_threads, mesh.n_elements, [&](const std::size_t e) {
      for_each_bin(e, [&](const std::size_t bin) {
        elements_[ends_[bin].fetch_add(1, std::memory_order_relaxed)] =
          static_cast<std::uint32_t>(e);
      });
    });
    cpu::parallel_for(n_threads, n_bins, [&](const std::size_t bin) {
      std::sort(elements_.data() + begin(bin), elements_.data() + ends_[bin].load());
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
      for (std::size_t i = begin(bin); i < ends_[bin].load(); ++i)
        if (has<std::decay_t<decltype(element)>>(elements_[i], x))
          return std::size_t(elements_[i]);
      return none;
    });
  }

private:
  std::size_t begin(const std::size_t bin) const
  {
    return bin == 0 ? 0 : ends_[bin - 1].load();
  }

  Point place(const std::size_t e, const std::size_t a) const
  {
    Point x;
    for (std::size_t d = 0; d < 3; ++d)
      x[d] = mesh_.coordinates[d * mesh_.n_nodes + mesh_.node(e, a)];
    return x;
  }

  /// A box around an element.
  AxisBox box_of(const std::size_t e) const
  {
    AxisBox box;
    for (std::size_t a = 0; a < mesh_.type.n_nodes; ++a)
      box.add(place(e, a));
    // Curved elements are a little larger than the box of their nodes.
    const double beside = mesh_.type.n_nodes > mesh_.type.n_vertices ? 0.25 : 1e-4;
    for (std::size_t d = 0; d < 3; ++d)
      {
        const double most = beside * (box.high[d] - box.low[d]) + 1e-6 * size_;
        box.low[d] -= most;
        box.high[d] += most;
      }
    return box;
  }

  template <typename Visit>
  void for_each_bin(const std::size_t e, const Visit &visit) const
  {
    const AxisBox box = box_of(e);
    std::size_t first[3], last[3];
    for (std::size_t d = 0; d < 3; ++d)
      {
        const auto bin = [&](const double x) {
          return std::min(n_[d] - 1,
                          static_cast<std::size_t>(std::max((x - low_[d]) / step_[d], 0.)));
        };
        first[d] = bin(box.low[d]);
        last[d]  = bin(box.high[d]);
      }
    for (std::size_t k = first[2]; k <= last[2]; ++k)
      for (std::size_t j = first[1]; j <= last[1]; ++j)
        for (std::size_t i = first[0]; i <= last[0]; ++i)
          visit((k * n_[1] + j) * n_[0] + i);
  }

  /// Whether an element contains x, by its reference coordinates.
  template <typename Element>
  bool has(const std::size_t e, const Point &x) const
  {
    if (box_of(e).squared_distance(x) > 0.)
      return false;
    double X[3][Element::n_nodes], xi[3];
    nodes_of<Element>(mesh_, e, X);
    for (std::size_t i = 0; i < 3; ++i)
      for (double &coordinate : X[i])
        coordinate -= x[i];
    constexpr double rounding = 1e-5; // points in files are in single precision
    return find_reference_place<Element>(X, xi) && distance_outside<Element>(xi) < rounding;
  }

  const ElementMesh &mesh_;
  Point low_{};
  double step_[3]{};
  double size_ = 0.;
  std::size_t n_[3]{};
  std::unique_ptr<std::atomic<std::size_t>[]> ends_; ///< Each bin ends there in elements_.
  std::vector<std::uint32_t> elements_;
};

/// Whether two meshes have the same elements in the same order, but for the rounding of places: the
/// quadrature points of each are in its twin.
bool is_same(const ElementMesh &a, const ElementMesh &b, const int n_threads)
{
  if (a.type != b.type || a.n_elements != b.n_elements)
    return false;
  return cpu::parallel_max(n_threads, a.n_elements, [&](const std::size_t e) {
           double shortest = std::numeric_limits<double>::max(), farthest = 0.;
           for (std::size_t k = 0; k < a.type.n_nodes; ++k)
             {
               double length = 0.;
               for (std::size_t d = 0; d < 3; ++d)
                 {
                   const auto of = [&](const ElementMesh &mesh, const std::size_t node) {
                     return mesh.coordinates[d * mesh.n_nodes + mesh.node(e, node)];
                   };
                   length   = std::max(length, std::abs(of(b, k) - of(b, 0)));
                   farthest = std::max(farthest, std::abs(of(a, k) - of(b, k)));
                 }
               shortest = k == 0 ? shortest : std::min(shortest, length);
             }
           return farthest <= 1e-4 * shortest ? 0. : 1.;
         }) == 0.;
}
} // namespace

std::vector<double> field_on_mesh(const ElementMesh &from,
                                  const std::vector<double> &values,
                                  const ElementMesh &to,
                                  const int n_threads)
{
  if (is_same(from, to, n_threads))
    return values;
  const ElementFinder finder(from, n_threads);
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
