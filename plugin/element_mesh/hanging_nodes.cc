// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/element_mesh/hanging_nodes.h"

#include <deal.II/grid/tria.h>
#include <deal.II/grid/tria_accessor.h>

#include <functional>

namespace strut::plugin
{
std::map<unsigned int, std::vector<unsigned int>>
find_hanging_nodes(const dealii::Triangulation<3, 3> &triangulation,
                   const std::vector<CellPlace> &cells)
{
  std::vector<bool> used(triangulation.n_vertices(), false);
  const auto cell_at = [&](const CellPlace &place) {
    return dealii::Triangulation<3, 3>::cell_iterator(&triangulation, place.level, place.index);
  };
  for (const CellPlace &place : cells)
    for (unsigned int v = 0; v < 8; ++v)
      used[cell_at(place)->vertex_index(v)] = true;

  std::map<unsigned int, std::vector<unsigned int>> hanging;
  for (const CellPlace &place : cells)
    {
      const auto cell = cell_at(place);
      for (const unsigned int l : cell->line_indices())
        if (const auto line = cell->line(l); line->has_children())
          if (const unsigned int middle = line->child(0)->vertex_index(1); used[middle])
            hanging[middle] = {line->vertex_index(0), line->vertex_index(1)};
      for (const unsigned int f : cell->face_indices())
        if (const auto face = cell->face(f); face->has_children())
          if (const unsigned int middle = face->child(0)->vertex_index(3); used[middle])
            hanging[middle] = {face->vertex_index(0),
                               face->vertex_index(1),
                               face->vertex_index(2),
                               face->vertex_index(3)};
    }
  return hanging;
}

AffineRows hanging_rows(const std::map<unsigned int, std::vector<unsigned int>> &hanging,
                        const std::vector<LocalIndex> &node_of,
                        const ElementMesh &mesh)
{
  std::vector<bool> constrained(mesh.n_dofs(), false);
  for (const LocalIndex dof : mesh.constrained_dofs)
    constrained[dof] = true;

  using Weights = std::map<LocalIndex, double>;
  const std::function<void(unsigned int, unsigned int, double, Weights &)> add =
    [&](const unsigned int vertex, const unsigned int component, const double weight, Weights &to) {
      const LocalIndex dof = 3 * node_of[vertex] + component;
      if (constrained[dof])
        return;
      const auto found = hanging.find(vertex);
      if (found == hanging.end())
        to[dof] += weight;
      else
        for (const unsigned int master : found->second)
          add(master, component, weight / static_cast<double>(found->second.size()), to);
    };

  std::map<LocalIndex, Weights> rows;
  for (const auto &[vertex, masters] : hanging)
    for (unsigned int component = 0; component < 3; ++component)
      if (const LocalIndex dof = 3 * node_of[vertex] + component; !constrained[dof])
        add(vertex, component, 1., rows[dof]);

  AffineRows result;
  result.offsets = {0};
  for (const auto &[dof, weights] : rows)
    {
      result.dofs.push_back(dof);
      result.values.push_back(0.);
      for (const auto &[master, weight] : weights)
        {
          result.masters.push_back(master);
          result.weights.push_back(weight);
        }
      result.offsets.push_back(static_cast<std::uint32_t>(result.masters.size()));
    }
  return result;
}
} // namespace strut::plugin
