// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/element_mesh/adapted_hierarchy.h"

#include <deal.II/base/index_set.h>

#include <deal.II/grid/tria.h>
#include <deal.II/grid/tria_accessor.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "plugin/element_mesh/cell_order.h"
#include "plugin/element_mesh/constraint_lines.h"
#include "source/base/parallel_loop.h"
#include "source/parallel/coarse_constraints.h"

namespace strut
{
namespace
{
using Triangulation = dealii::Triangulation<3, 3>;

constexpr LocalIndex nowhere = std::numeric_limits<LocalIndex>::max();

/// A vertex with its parents: two for the middle of an edge, four for that of a face.
struct HangingNode
{
  unsigned int vertex, n_parents;
  std::array<unsigned int, 4> parents;
};

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

/// The hanging nodes of a mesh on one rank, by the triangulation's vertex numbers. Each takes the
/// mean of its parents: the two ends of its edge or the four corners of its face. Parents may hang,
/// too.
class HangingNodes
{
public:
  /// @param cells     cells of the mesh: the leaves of the tree of cells, possibly cut off at some
  /// level
  /// @param vertices  vertices of these cells, `[n_cells][8]`
  HangingNodes(const Triangulation &triangulation,
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

  /// Returns the hanging node at a vertex; null if the vertex does not hang.
  const HangingNode *find(const unsigned int vertex) const
  {
    return place_[vertex] == nowhere ? nullptr : &nodes_[place_[vertex]];
  }

  const std::vector<HangingNode> &all() const
  {
    return nodes_;
  }

private:
  std::vector<HangingNode> nodes_;
  std::vector<LocalIndex> place_; ///< index of each vertex in `nodes_`
};

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

/// The dependent DoFs of hanging nodes. DoFs with other constraints keep them. Constrained masters
/// drop out, and hanging masters are replaced by their own.
///
/// @param node_of  node by the number of a vertex
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

/// A mesh after coarsening: each parent whose eight children are all cells of the mesh has replaced
/// them. A locally refined mesh so gets about an eighth of its cells. Neighbouring cells may then
/// differ by two levels. Limiting the difference took more cells and no fewer PCG iterations.
struct CoarsenedCells
{
  std::vector<CellPlace> cells; ///< in the order of the elements (cell_order.h)
  /// First of the finer cells of each cell, `[n_cells + 1]`. A cell replaces eight of them, or is
  /// one of them.
  std::vector<LocalIndex> first_child;

  bool was_left_whole(const std::size_t cell) const
  {
    return first_child[cell + 1] - first_child[cell] == 1;
  }
};

/// @param cells  in the order of the elements, refined only by cutting into eight, all of one rank
CoarsenedCells coarsen(const Triangulation &triangulation, const std::vector<CellPlace> &cells)
{
  constexpr std::size_t n_children = 8; // consecutive in the order of the elements
  const auto parent_of             = [&](const CellPlace &place) {
    return Triangulation::cell_iterator(&triangulation, place.level, place.index)->parent_index();
  };
  const auto siblings_begin = [&](const std::size_t e) {
    if (e + n_children > cells.size())
      return false;
    const CellPlace &first = cells[e], &last = cells[e + n_children - 1];
    return first.level > 0 && first.level == last.level && parent_of(first) == parent_of(last);
  };
  CoarsenedCells coarse;
  for (std::size_t e = 0; e < cells.size();)
    {
      coarse.first_child.push_back(static_cast<LocalIndex>(e));
      const bool gives_way = siblings_begin(e);
      coarse.cells.push_back(gives_way ? CellPlace{cells[e].level - 1, parent_of(cells[e])}
                                       : cells[e]);
      e += gives_way ? n_children : 1;
    }
  coarse.first_child.push_back(static_cast<LocalIndex>(cells.size()));
  return coarse;
}

/// Vertices of the cells by their numbers in the triangulation, `[n_cells][8]`.
std::vector<unsigned int> vertices_of(const Triangulation &triangulation,
                                      const std::vector<CellPlace> &cells)
{
  std::vector<unsigned int> vertices(8 * cells.size());
  cpu::parallel_for(cpu::default_n_threads(), cells.size(), [&](const std::size_t e) {
    const dealii::TriaAccessor<3, 3, 3> cell(&triangulation, cells[e].level, cells[e].index);
    for (unsigned int v = 0; v < 8; ++v)
      vertices[8 * e + v] = cell.vertex_index(v);
  });
  return vertices;
}

/// Numbers the nodes in the order of their first occurrence in the elements, and fills in elements
/// and coordinates.
/// @return the node at each vertex of the triangulation
std::vector<LocalIndex> make_elements(const Triangulation &triangulation,
                                      const std::vector<unsigned int> &vertices,
                                      ElementMesh &mesh)
{
  const std::size_t n = vertices.size() / 8;
  std::vector<LocalIndex> node_of(triangulation.n_vertices(), nowhere);
  std::vector<unsigned int> vertex_of;
  for (const unsigned int vertex : vertices)
    if (node_of[vertex] == nowhere)
      {
        node_of[vertex] = static_cast<LocalIndex>(vertex_of.size());
        vertex_of.push_back(vertex);
      }
  mesh.n_elements = n;
  mesh.n_nodes = mesh.n_owned_nodes = vertex_of.size();
  mesh.connectivity.resize(8 * n);
  mesh.coordinates.resize(3 * mesh.n_nodes);
  const int n_threads = cpu::default_n_threads();
  cpu::parallel_for(n_threads, n, [&](const std::size_t e) {
    for (std::size_t v = 0; v < 8; ++v)
      mesh.connectivity[v * n + e] = node_of[vertices[8 * e + v]];
  });
  const std::vector<dealii::Point<3>> &points = triangulation.get_vertices();
  cpu::parallel_for(n_threads, mesh.n_nodes, [&](const std::size_t node) {
    for (unsigned int d = 0; d < 3; ++d)
      mesh.coordinates[d * mesh.n_nodes + node] = points[vertex_of[node]][d];
  });
  return node_of;
}

LevelTransfer make_transfer(const CoarsenedCells &coarse, const ElementMesh &mesh)
{
  const std::size_t n = coarse.cells.size(), n_fine = coarse.first_child.back();
  LevelTransfer transfer;
  transfer.octants.resize(n_fine);
  transfer.parents.resize(n_fine);
  transfer.parent_nodes.resize(n);
  transfer.n_coarse_nodes = mesh.n_nodes;
  transfer.children.resize(8 * n);
  transfer.n_children = n_fine;
  cpu::parallel_for(cpu::default_n_threads(), n, [&](const std::size_t e) {
    for (std::size_t v = 0; v < 8; ++v)
      transfer.parent_nodes[e][v] = mesh.connectivity[v * n + e];
    const bool whole = coarse.was_left_whole(e);
    for (std::size_t c = 0; c < 8; ++c)
      {
        const auto child = static_cast<LocalIndex>(coarse.first_child[e] + (whole ? 0 : c));
        transfer.children[c * n + e] = child;
        transfer.parents[child]      = static_cast<LocalIndex>(e);
        transfer.octants[child]      = whole ? LevelTransfer::whole : static_cast<std::uint8_t>(c);
      }
  });
  return transfer;
}

/// Whether DoFs depend on others, except at hanging nodes.
bool is_tied(const Triangulation &triangulation, const ElementMesh &fine)
{
  const auto &dofs = fine.dependent.dofs;
  if (dofs.empty())
    return false;
  const std::vector<CellPlace> cells       = order_active_cells(triangulation);
  const std::vector<unsigned int> vertices = vertices_of(triangulation, cells);
  const HangingNodes hanging(triangulation, cells, vertices);
  std::vector<bool> hangs(fine.n_nodes, false);
  for (std::size_t k = 0; k < vertices.size() && !hanging.all().empty(); ++k)
    if (hanging.find(vertices[k]) != nullptr)
      hangs[fine.connectivity[k % 8 * fine.n_elements + k / 8]] = true;
  return !std::all_of(dofs.begin(), dofs.end(), [&](const LocalIndex dof) {
    return hangs[dof / 3];
  });
}

ConstraintLines lines_of(const HangingNodes &hanging, const std::vector<LocalIndex> &node_of)
{
  ConstraintLines lines;
  for (const HangingNode &node : hanging.all())
    for (unsigned int c = 0; c < 3; ++c)
      {
        ConstraintLine line;
        line.dof = 3 * node_of[node.vertex] + c;
        for (unsigned int p = 0; p < node.n_parents; ++p)
          line.masters.emplace_back(3 * node_of[node.parents[p]] + c, 1. / node.n_parents);
        lines.push_back(line);
      }
  return lines;
}

/// Ties the DoFs of a level. Returns false, and sets the obstacle, if they cannot follow others.
bool tie_level(const ElementMesh &fine,
               const ConstraintLines &hanging,
               CoarseLevel &coarse,
               std::string &obstacle)
{
  const Communicator alone(MPI_COMM_SELF);
  const auto owned =
    dealii::complete_index_set(static_cast<dealii::types::global_dof_index>(coarse.mesh.n_dofs()));
  coarse.mesh.dof_indices.resize(coarse.mesh.n_dofs());
  std::iota(coarse.mesh.dof_indices.begin(), coarse.mesh.dof_indices.end(), 0);
  const auto constraints =
    tie_coarse_dofs(alone, fine, coarse.transfer, hanging, owned, coarse.mesh, obstacle);
  if (constraints)
    set_constraints(*constraints, owned, alone, coarse.mesh);
  coarse.mesh.dof_indices = {};
  return constraints.has_value();
}
} // namespace

MeshHierarchy build_adapted_hierarchy(const Triangulation &triangulation,
                                      const ElementMesh &fine,
                                      std::string &obstacle)
{
  const bool tied = is_tied(triangulation, fine);
  MeshHierarchy hierarchy;
  std::vector<CellPlace> finer = order_active_cells(triangulation);
  for (;;)
    {
      CoarsenedCells coarsened = coarsen(triangulation, finer);
      if (coarsened.cells.size() == finer.size())
        return hierarchy;
      CoarseLevel coarse;
      const std::vector<unsigned int> vertices = vertices_of(triangulation, coarsened.cells);
      const std::vector<LocalIndex> node_of = make_elements(triangulation, vertices, coarse.mesh);
      coarse.transfer                       = make_transfer(coarsened, coarse.mesh);
      const ElementMesh &finer_mesh         = hierarchy.empty() ? fine : hierarchy.back().mesh;
      constrain_coarse_dofs(Communicator(MPI_COMM_SELF), finer_mesh, coarse.transfer, coarse.mesh);
      const HangingNodes hanging(triangulation, coarsened.cells, vertices);
      if (!tied)
        coarse.mesh.dependent = hanging_rows(hanging, node_of, coarse.mesh);
      else if (!tie_level(finer_mesh, lines_of(hanging, node_of), coarse, obstacle))
        return hierarchy;
      hierarchy.push_back(std::move(coarse));
      finer = std::move(coarsened.cells);
    }
}

std::string obstacle_to_adapted_hierarchy(const Triangulation &triangulation)
{
  for (const auto &cell : triangulation.cell_iterators())
    if (cell->has_children() && cell->n_children() != 8)
      return anisotropic_refinement;
  return "";
}
} // namespace strut
