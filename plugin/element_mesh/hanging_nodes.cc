// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/element_mesh/hanging_nodes.h"

#include <deal.II/grid/tria.h>
#include <deal.II/grid/tria_accessor.h>

#include <algorithm>
#include <utility>

#include "source/base/parallel_loop.h"

namespace strut
{
namespace
{
using Triangulation = dealii::Triangulation<3, 3>;
using HangingNode   = HangingNodes::Node;

/// Midpoints of the edges and faces of a cell that are vertices of finer cells.
class Middles
{
public:
  /// @param level_at  level of each vertex of the triangulation; 0 if no cell of the mesh has it
  Middles(const std::vector<std::uint8_t> &level_at, std::vector<HangingNode> &found)
    : level_at_(level_at), found_(found)
  {}

  template <typename Line>
  void visit_line(const Line &line)
  {
    if (!line->has_children())
      return;
    add(
      {line->child(0)->vertex_index(1), 2, {{line->vertex_index(0), line->vertex_index(1), 0, 0}}});
    visit_line(line->child(0));
    visit_line(line->child(1));
  }

  template <typename Face>
  void visit_face(const Face &face)
  {
    for (unsigned int l = 0; l < 4; ++l)
      visit_line(face->line(l));
    if (!face->has_children())
      return;
    add({face->child(0)->vertex_index(3),
         4,
         {{face->vertex_index(0),
           face->vertex_index(1),
           face->vertex_index(2),
           face->vertex_index(3)}}});
    for (unsigned int c = 0; c < face->n_children(); ++c)
      visit_face(face->child(c));
  }

private:
  void add(const HangingNode &node)
  {
    if (level_at_[node.vertex] > 0)
      found_.push_back(node);
  }

  const std::vector<std::uint8_t> &level_at_;
  std::vector<HangingNode> &found_;
};
} // namespace

HangingNodes::HangingNodes(const Triangulation &triangulation,
                           const std::vector<CellPlace> &cells,
                           const std::vector<unsigned int> &vertices)
  : place_(triangulation.n_vertices(), nowhere)
{
  // (1) One more than the finest level of the cells around a vertex; 0 if the mesh does not have
  // the vertex.
  std::vector<std::uint8_t> level_at(triangulation.n_vertices(), 0);
  for (std::size_t e = 0; e < cells.size(); ++e)
    for (std::size_t v = 0; v < 8; ++v)
      {
        std::uint8_t &level = level_at[vertices[8 * e + v]];
        level               = std::max(level, static_cast<std::uint8_t>(cells[e].level + 1));
      }

  // (2) Finer neighbours of a cell share a vertex with it.
  const auto blocks = cpu::values_of_blocks(
    cpu::default_n_threads(), cells.size(), [&](const std::size_t begin, const std::size_t end) {
      std::vector<HangingNode> found;
      Middles middles(level_at, found);
      for (std::size_t e = begin; e < end; ++e)
        {
          const auto is_finer = [&](const unsigned int vertex) {
            return level_at[vertex] > cells[e].level + 1;
          };
          if (std::none_of(&vertices[8 * e], &vertices[8 * e] + 8, is_finer))
            continue;
          const Triangulation::cell_iterator cell(&triangulation, cells[e].level, cells[e].index);
          for (unsigned int f = 0; f < 6; ++f)
            middles.visit_face(cell->face(f));
        }
      return found;
    });
  for (const std::vector<HangingNode> &block : blocks)
    for (const HangingNode &node : block)
      if (place_[node.vertex] == nowhere) // all cells around an edge find its midpoint
        {
          place_[node.vertex] = static_cast<LocalIndex>(nodes_.size());
          nodes_.push_back(node);
        }
}

namespace
{
/// The masters of one dependent DoF.
class MastersOfDof
{
public:
  MastersOfDof(const HangingNodes &hanging,
               const std::vector<LocalIndex> &node_of,
               const std::vector<bool> &constrained)
    : hanging_(hanging), node_of_(node_of), constrained_(constrained)
  {}

  void find(const HangingNode &node, const unsigned int component)
  {
    weights_.clear();
    add_parents(node, component, 1.);
    std::sort(weights_.begin(), weights_.end());
  }

  /// Calls body(master, weight) in ascending order of the masters.
  template <typename Body>
  void for_each(const Body &body) const
  {
    for (std::size_t k = 0; k < weights_.size();)
      {
        const LocalIndex master = weights_[k].first;
        double weight           = 0.;
        for (; k < weights_.size() && weights_[k].first == master; ++k)
          weight += weights_[k].second;
        body(master, weight);
      }
  }

private:
  void add_parents(const HangingNode &node, const unsigned int component, const double weight)
  {
    for (unsigned int p = 0; p < node.n_parents; ++p)
      {
        const double share              = weight / node.n_parents;
        const unsigned int at           = node.parents[p];
        const LocalIndex dof            = 3 * node_of_[at] + component;
        const HangingNode *const parent = hanging_.find(at);
        if (constrained_[dof])
          continue;
        if (parent == nullptr)
          weights_.emplace_back(dof, share);
        else
          add_parents(*parent, component, share);
      }
  }

  const HangingNodes &hanging_;
  const std::vector<LocalIndex> &node_of_;
  const std::vector<bool> &constrained_;
  std::vector<std::pair<LocalIndex, double>> weights_;
};
} // namespace

AffineRows hanging_rows(const HangingNodes &hanging,
                        const std::vector<LocalIndex> &node_of,
                        const ElementMesh &mesh)
{
  std::vector<bool> constrained(mesh.n_dofs(), false);
  for (const LocalIndex dof : mesh.constrained_dofs)
    constrained[dof] = true;
  std::vector<std::pair<LocalIndex, const HangingNode *>> nodes; // by node number in the mesh
  nodes.reserve(hanging.all().size());
  for (const HangingNode &node : hanging.all())
    nodes.emplace_back(node_of[node.vertex], &node);
  std::sort(nodes.begin(), nodes.end());

  const auto blocks = cpu::values_of_blocks(
    cpu::default_n_threads(), nodes.size(), [&](const std::size_t begin, const std::size_t end) {
      AffineRows rows;
      MastersOfDof masters(hanging, node_of, constrained);
      for (std::size_t k = begin; k < end; ++k)
        for (unsigned int component = 0; component < 3; ++component)
          {
            const LocalIndex dof = 3 * nodes[k].first + component;
            if (constrained[dof])
              continue;
            rows.dofs.push_back(dof);
            masters.find(*nodes[k].second, component);
            masters.for_each([&](const LocalIndex master, const double weight) {
              rows.masters.push_back(master);
              rows.weights.push_back(weight);
            });
            rows.offsets.push_back(static_cast<std::uint32_t>(rows.masters.size()));
          }
      return rows;
    });

  AffineRows result;
  result.offsets = {0};
  for (const AffineRows &rows : blocks)
    {
      const auto before = static_cast<std::uint32_t>(result.masters.size());
      result.dofs.insert(result.dofs.end(), rows.dofs.begin(), rows.dofs.end());
      result.masters.insert(result.masters.end(), rows.masters.begin(), rows.masters.end());
      result.weights.insert(result.weights.end(), rows.weights.begin(), rows.weights.end());
      for (const std::uint32_t end : rows.offsets)
        result.offsets.push_back(before + end);
    }
  result.values.assign(result.dofs.size(), 0.);
  return result;
}
} // namespace strut
