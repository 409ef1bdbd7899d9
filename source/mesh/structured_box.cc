// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/mesh/structured_box.h"

namespace strut
{
namespace
{
constexpr LocalIndex none = ~LocalIndex(0);

/// Neighbours among elements of one orientation.
class Neighbours
{
public:
  explicit Neighbours(const ElementMesh &mesh) : mesh_(mesh)
  {
    for (std::vector<LocalIndex> &list : element_at_)
      list.assign(mesh.n_nodes, none);
    for (std::size_t e = 0; e < mesh.n_elements; ++e)
      for (std::size_t d = 0; d < 4; ++d)
        element_at_[d][node(e, vertex(d))] = static_cast<LocalIndex>(e);
  }

  /// The neighbour in direction d, whose vertex 0 is the next vertex of e.
  LocalIndex after(const std::size_t e, const std::size_t d) const
  {
    return element_at_[3][node(e, vertex(d))];
  }
  LocalIndex before(const std::size_t e, const std::size_t d) const
  {
    return element_at_[d][node(e, 0)];
  }

  LocalIndex node(const std::size_t e, const std::size_t v) const
  {
    return mesh_.connectivity[v * mesh_.n_elements + e];
  }

private:
  /// The vertex at the end of the edge in direction d; the origin for 3.
  static std::size_t vertex(const std::size_t d)
  {
    return d < 3 ? std::size_t(1) << d : 0;
  }

  const ElementMesh &mesh_;
  std::array<std::vector<LocalIndex>, 4> element_at_; ///< element that has the node as vertex(d)
};
} // namespace

StructuredBox StructuredBox::find(const ElementMesh &mesh)
{
  StructuredBox box;
  if (mesh.n_elements == 0)
    {
      if (mesh.n_nodes > 0)
        box.obstacle = "It has nodes without elements.";
      return box;
    }
  const Neighbours neighbours(mesh);
  const auto refuse = [&](const std::string &obstacle) {
    StructuredBox no_box;
    no_box.obstacle = obstacle;
    return no_box;
  };

  // (1) The element at the origin, and the sides. A ring has no first element.
  std::size_t first = 0;
  for (std::size_t d = 0; d < 3; ++d)
    for (std::size_t steps = 0; neighbours.before(first, d) != none; ++steps)
      {
        if (steps == mesh.n_elements)
          return refuse("It is closed to a ring.");
        first = neighbours.before(first, d);
      }
  for (std::size_t d = 0; d < 3; ++d)
    {
      box.n[d] = 1;
      for (LocalIndex e = neighbours.after(first, d); e != none; e = neighbours.after(e, d))
        if (++box.n[d] > mesh.n_elements)
          return refuse("It is closed to a ring.");
    }
  const auto &[n0, n1, n2] = box.n;
  const std::string sides =
    std::to_string(n0) + " x " + std::to_string(n1) + " x " + std::to_string(n2);
  if (n0 * n1 * n2 != mesh.n_elements || (n0 + 1) * (n1 + 1) * (n2 + 1) != mesh.n_nodes)
    return refuse("Its sides from one corner are " + sides + " elements long, but it has " +
                  std::to_string(mesh.n_elements) + " elements and " +
                  std::to_string(mesh.n_nodes) + " nodes.");

  // (2) Row by row from the elements before; each node has to be the same for all its elements.
  box.elements.assign(mesh.n_elements, none);
  box.nodes.assign(mesh.n_nodes, none);
  for (std::size_t k = 0, i = 0; k < n2; ++k)
    for (std::size_t j = 0; j < n1; ++j)
      for (std::size_t row = i; i < row + n0; ++i)
        {
          LocalIndex e = static_cast<LocalIndex>(first);
          if (i > row)
            e = neighbours.after(box.elements[i - 1], 0);
          else if (j > 0)
            e = neighbours.after(box.elements[i - n0], 1);
          else if (k > 0)
            e = neighbours.after(box.elements[i - n0 * n1], 2);
          if (e == none)
            return refuse("Elements are missing in its box of " + sides + ".");
          box.elements[i] = e;
          for (std::size_t v = 0; v < 8; ++v)
            {
              const std::size_t x = i - row + (v & 1), y = j + (v >> 1 & 1), z = k + (v >> 2);
              LocalIndex &node = box.nodes[(z * (n1 + 1) + y) * (n0 + 1) + x];
              if (node != none && node != neighbours.node(e, v))
                return refuse("Two of its nodes have one place in its box of " + sides + ".");
              node = neighbours.node(e, v);
            }
        }
  std::vector<bool> seen(mesh.n_nodes, false);
  for (const LocalIndex node : box.nodes)
    {
      if (seen[node])
        return refuse("A node has two places in its box of " + sides + ".");
      seen[node] = true;
    }
  return box;
}
} // namespace strut
