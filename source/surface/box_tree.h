// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/base/parallel_loop.h"
#include "source/surface/axis_box.h"
#include "source/surface/vector3.h"

#include <algorithm>
#include <vector>

namespace strut
{
/// A balanced tree of boxes over triangles. Node i has the children 2 i + 1 and 2 i + 2, and a leaf
/// has some triangles.
class BoxTree
{
public:
  explicit BoxTree(const TriangleMesh &mesh, const int n_threads = 1)
    : boxes_(mesh.triangles.size()), order_(mesh.triangles.size())
  {
    std::vector<Point> centres(boxes_.size());
    cpu::parallel_for(n_threads, boxes_.size(), [&](const std::size_t t) {
      for (const std::uint32_t v : mesh.triangles[t])
        boxes_[t].add(mesh.vertices[v]);
      centres[t] = 0.5 * (boxes_[t].low + boxes_[t].high);
      order_[t]  = static_cast<std::uint32_t>(t);
    });
    std::size_t n_leaves = 1;
    while (order_.size() > n_leaves * leaf_size)
      n_leaves *= 2;
    nodes_.resize(2 * n_leaves - 1);
    // level by level, since the parts of a level are disjoint
    std::vector<std::size_t> begins{0, order_.size()};
    for (std::size_t first = 0; first < nodes_.size(); first = 2 * first + 1)
      {
        const std::size_t n = begins.size() - 1;
        std::vector<std::size_t> halves(2 * n + 1, order_.size());
        cpu::parallel_blocks(n_threads, n, 1, [&](const std::size_t i, std::size_t) {
          halves[2 * i]     = begins[i];
          halves[2 * i + 1] = split(first + i, begins[i], begins[i + 1], centres);
        });
        begins.swap(halves);
      }
  }

  /// Calls visit(u) for the triangles whose boxes overlap that of triangle t, until it returns
  /// true.
  template <typename Visit>
  bool any_meeting(const std::size_t t, const Visit &visit) const
  {
    return any_where(0, 0, order_.size(), visit, [&](const AxisBox &box) {
      return box.meets(boxes_[t]);
    });
  }

  /// Calls visit(u) for the triangles whose boxes a ray crosses, until it returns true.
  template <typename Visit>
  bool any_on_ray(const Point &begin, const Point &direction, const Visit &visit) const
  {
    return any_where(0, 0, order_.size(), visit, [&](const AxisBox &box) {
      return box.is_on_ray(begin, direction);
    });
  }

  /// Calls visit(u) for the triangles whose boxes are nearer to a point than a distance, which
  /// visit() may lower.
  template <typename Visit>
  bool any_near(const Point &x, const double &distance, const Visit &visit) const
  {
    return any_where(0, 0, order_.size(), visit, [&](const AxisBox &box) {
      return box.squared_distance(x) < distance * distance;
    });
  }

private:
  static constexpr std::size_t leaf_size = 8;

  bool is_leaf(const std::size_t node) const
  {
    return 2 * node + 1 >= nodes_.size();
  }

  /// Computes the box of a node, and distributes its triangles to its children.
  ///
  /// @return begin of those of the second child
  std::size_t split(const std::size_t node,
                    const std::size_t begin,
                    const std::size_t end,
                    const std::vector<Point> &centres)
  {
    AxisBox of_centres;
    for (std::size_t i = begin; i < end; ++i)
      {
        nodes_[node].add(boxes_[order_[i]].low);
        nodes_[node].add(boxes_[order_[i]].high);
        of_centres.add(centres[order_[i]]);
      }
    if (is_leaf(node))
      return end;
    std::size_t axis = 0;
    for (std::size_t d = 1; d < 3; ++d)
      if (of_centres.high[d] - of_centres.low[d] > of_centres.high[axis] - of_centres.low[axis])
        axis = d;
    const std::size_t middle = begin + (end - begin) / 2;
    const auto at            = [&](const std::size_t i) {
      return order_.begin() + static_cast<std::ptrdiff_t>(i);
    };
    std::nth_element(at(begin),
                     at(middle),
                     at(end),
                     [&](const std::uint32_t a, const std::uint32_t b) {
                       return centres[a][axis] < centres[b][axis];
                     });
    return middle;
  }

  template <typename Visit, typename Meets>
  bool any_where(const std::size_t node,
                 const std::size_t begin,
                 const std::size_t end,
                 const Visit &visit,
                 const Meets &meets) const
  {
    if (begin == end || !meets(nodes_[node]))
      return false;
    if (!is_leaf(node))
      {
        const std::size_t middle = begin + (end - begin) / 2;
        return any_where(2 * node + 1, begin, middle, visit, meets) ||
               any_where(2 * node + 2, middle, end, visit, meets);
      }
    for (std::size_t i = begin; i < end; ++i)
      if (meets(boxes_[order_[i]]) && visit(order_[i]))
        return true;
    return false;
  }

  std::vector<AxisBox> boxes_;
  std::vector<std::uint32_t> order_;
  std::vector<AxisBox> nodes_;
};
} // namespace strut
