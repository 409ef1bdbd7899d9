// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/problem/mesh_maker.h"

#include <deal.II/base/array_view.h>

#include <deal.II/grid/manifold.h>
#include <deal.II/grid/tria.h>
#include <deal.II/grid/tria_accessor.h>

#include <strut/base/communicator.h>
#include <strut/base/exceptions.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "plugin/deck/mesh/mesh_sets.h"
#include "plugin/element_mesh/element_mesh_builder.h"
#include "source/base/filled_vector.h"
#include "source/base/parallel_loop.h"
#include "source/mesh/affine_rows.h"
#include "source/mesh/macro_mesh.h"
#include "source/mesh/macro_nodes.h"
#include "source/mesh/macro_numbering.h"
#include "source/mesh/macro_places.h"
#include "source/mesh/ordering.h"
#include "source/parallel/coarse_constraints.h"
#include "source/solvers/multigrid/background.h"

namespace strut
{
namespace
{
constexpr LocalIndex unnumbered = std::numeric_limits<LocalIndex>::max();

/// Most elements of a rank for which the numbers of nodes and DoFs fit into LocalIndex.
constexpr std::uint64_t most_elements = std::uint64_t(1) << 30;

/// Returns the cells of a mesh in the order of their elements, along the Hilbert curve.
std::vector<std::uint32_t> order_cells(const CoarseMesh &mesh)
{
  const std::size_t n = mesh.cells.size();
  std::vector<double> centres(3 * n);
  cpu::parallel_for(cpu::default_n_threads(), n, [&](const std::size_t c) {
    const dealii::Point<3> centre = mesh.centre(c);
    for (unsigned int d = 0; d < 3; ++d)
      centres[d * n + c] = centre[d];
  });
  return hilbert_order(centres, n);
}

/// Returns cells and vertices only, which suffices if nothing is refined.
MacroMesh macro_mesh_of(const CoarseMesh &mesh)
{
  MacroMesh macro;
  for (const dealii::Point<3> &vertex : mesh.vertices)
    macro.vertices.push_back({{vertex[0], vertex[1], vertex[2]}});
  macro.cells.resize(mesh.cells.size());
  for (std::size_t c = 0; c < mesh.cells.size(); ++c)
    macro.cells[c].vertices = mesh.cells[c];
  return macro;
}

/// The manifold of an edge, a face or a cell.
template <typename Object>
std::uint32_t manifold_of(const Object &object)
{
  const dealii::types::manifold_id id = object.manifold_id();
  return id == dealii::numbers::flat_manifold_id ? MacroMesh::flat : id;
}

template <typename Object, std::size_t n>
void copy_vertices(const Object &object, std::array<LocalIndex, n> &vertices)
{
  for (unsigned int v = 0; v < n; ++v)
    vertices[v] = object.vertex_index(v);
}
} // namespace

namespace
{
/// Makes a mesh that is not refined, of cells of any type, on one rank: nodes by first touch, then
/// the arrays.
/// @param order  order of the cells
ElementMesh mesh_of_cells(const CoarseMesh &coarse, const std::vector<std::uint32_t> &order)
{
  const int n_threads          = cpu::default_n_threads();
  const std::size_t n_vertices = coarse.type.n_vertices, n_nodes = coarse.type.n_nodes,
                    n = order.size();
  ElementMesh mesh;
  mesh.type         = coarse.type;
  mesh.n_elements   = n;
  mesh.flags        = cpu::filled_vector(n_threads, n, DesignFlag::design);
  mesh.connectivity = cpu::filled_vector<LocalIndex>(n_threads, n_nodes * n);
  cpu::parallel_for(n_threads, n, [&](const std::size_t e) {
    const std::size_t cell = order[e];
    for (std::size_t a = 0; a < n_nodes; ++a)
      mesh.connectivity[a * n + e] =
        a < n_vertices ? coarse.cells[cell][a]
                       : coarse.middles[(n_nodes - n_vertices) * cell + a - n_vertices];
  });
  const std::vector<LocalIndex> points =
    number_by_first_touch(coarse.vertices.size(), n, mesh.connectivity, n_threads);
  mesh.n_nodes = mesh.n_owned_nodes = points.size();
  mesh.coordinates                  = cpu::filled_vector<double>(n_threads, 3 * mesh.n_nodes);
  cpu::parallel_for(n_threads, mesh.n_nodes, [&](const std::size_t node) {
    for (unsigned int d = 0; d < 3; ++d)
      mesh.coordinates[d * mesh.n_nodes + node] = coarse.vertices[points[node]][d];
  });
  return mesh;
}

/// Makes this rank's part of a mesh that is not refined, of cells of any type. Every rank knows the
/// whole mesh, and so the owner of each node: the rank of the first element that has it.
/// Collective.
///
/// @param order  order of the cells
/// @param begins  the first element of each rank, and their number
ElementMesh part_of_cells(const CoarseMesh &coarse,
                          const std::vector<std::uint32_t> &order,
                          const std::vector<std::uint64_t> &begins,
                          MPI_Comm communicator)
{
  const auto rank              = static_cast<std::size_t>(Communicator(communicator).rank());
  const std::size_t n_nodes    = coarse.type.n_nodes;
  const std::size_t n_vertices = coarse.type.n_vertices;
  const auto point = [&](const std::size_t position, const std::size_t a) -> std::size_t {
    const std::size_t cell = order[position];
    return a < n_vertices ? coarse.cells[cell][a]
                          : coarse.middles[(n_nodes - n_vertices) * cell + a - n_vertices];
  };

  std::vector<LocalIndex> first(coarse.vertices.size(), unnumbered);
  for (std::size_t position = order.size(); position-- > 0;)
    for (std::size_t a = 0; a < n_nodes; ++a)
      first[point(position, a)] = static_cast<LocalIndex>(position);

  // (1) The owned nodes by first touch, then the ghosts by owner.
  const std::uint64_t begin = begins[rank], end = begins[rank + 1];
  ElementMesh mesh;
  mesh.type       = coarse.type;
  mesh.n_elements = static_cast<std::size_t>(end - begin);
  std::vector<LocalIndex> numbers(coarse.vertices.size(), unnumbered);
  std::vector<std::size_t> points; // of the nodes
  std::map<unsigned int, std::vector<std::uint64_t>> ghosts;
  for (std::uint64_t position = begin; position < end; ++position)
    for (std::size_t a = 0; a < n_nodes; ++a)
      {
        const std::size_t p = point(position, a);
        if (numbers[p] != unnumbered)
          continue;
        numbers[p] = static_cast<LocalIndex>(points.size());
        if (first[p] >= begin)
          points.push_back(p);
        else
          ghosts[static_cast<unsigned int>(
                   std::upper_bound(begins.begin(), begins.end(), first[p]) - begins.begin() - 1)]
            .push_back(p);
      }
  mesh.n_owned_nodes = points.size();
  for (auto &[owner, wanted] : ghosts)
    {
      std::sort(wanted.begin(), wanted.end());
      for (const std::uint64_t p : wanted)
        {
          numbers[p] = static_cast<LocalIndex>(points.size());
          points.push_back(p);
        }
    }
  mesh.n_nodes   = points.size();
  mesh.node_halo = ask_owners(communicator, ghosts, mesh.n_owned_nodes, [&](const std::uint64_t p) {
    return numbers[p];
  });

  // (2) The arrays.
  mesh.flags.assign(mesh.n_elements, DesignFlag::design);
  mesh.connectivity.resize(n_nodes * mesh.n_elements);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    for (std::size_t a = 0; a < n_nodes; ++a)
      mesh.connectivity[a * mesh.n_elements + e] = numbers[point(begin + e, a)];
  mesh.coordinates.resize(3 * mesh.n_nodes);
  for (std::size_t node = 0; node < mesh.n_nodes; ++node)
    for (unsigned int d = 0; d < 3; ++d)
      mesh.coordinates[d * mesh.n_nodes + node] = coarse.vertices[points[node]][d];
  return mesh;
}
} // namespace

/// Part of a uniformly refined macro mesh on this rank: a range of the elements in the order of
/// strut::refine(), and the ranges of their parents on each level. A rank makes its own elements,
/// and knows the keys and owners of their nodes by itself. Ranks ask each other for node numbers
/// only.
class MacroMeshPart
{
public:
  /// @param macro  the whole mesh, on every rank
  /// @param order  order of its cells
  MacroMeshPart(MacroMesh macro,
                std::vector<std::uint32_t> order,
                const unsigned int n_refinements,
                MPI_Comm communicator)
    : macro_(std::move(macro))
    , order_(std::move(order))
    , n_refinements_(n_refinements)
    , communicator_(communicator)
    , rank_(static_cast<std::size_t>(Communicator(communicator).rank()))
  {
    const auto n_ranks      = static_cast<std::uint64_t>(Communicator(communicator).size());
    const std::uint64_t all = std::uint64_t(order_.size()) << (3 * n_refinements);
    // groups of siblings stay together if each rank has many of them
    std::uint64_t together = 1;
    for (unsigned int level = 0; level < std::min(2u, n_refinements); ++level)
      if (64 * together * n_ranks <= all)
        together *= 8;
    const std::uint64_t n_groups = all / together;
    begins_.resize(n_refinements + 1);
    for (std::uint64_t rank = 0; rank <= n_ranks; ++rank)
      {
        std::uint64_t begin =
          together * (n_groups / n_ranks * rank + n_groups % n_ranks * rank / n_ranks);
        for (std::vector<std::uint64_t> &of_level : begins_)
          {
            of_level.push_back(begin);
            begin = (begin + 7) / 8; // a parent belongs to the rank of its first child
          }
      }
  }

  /// Number of this rank's first element among those of all ranks.
  std::uint64_t first_element() const
  {
    return begins_.front()[rank_];
  }

  /// The elements of this rank as refine() makes them, with ghosts. Collective.
  /// @throws Error if this rank has too many elements for their numbers
  ElementMesh mesh(const int n_threads) const
  {
    for (std::size_t rank = 0; rank + 1 < begins_[0].size(); ++rank) // all ranks throw together
      if (begins_[0][rank + 1] - begins_[0][rank] > most_elements)
        throw Error("The mesh would have more than " + std::to_string(most_elements) +
                    " elements on one rank.\n  Use fewer elements or refinements, or more ranks.");
    MacroNumbering numbering;
    ElementMesh mesh = make_level(0, numbering, n_threads);
    mesh.flags       = cpu::filled_vector(n_threads, mesh.n_elements, DesignFlag::design);
    return mesh;
  }

  /// The coarser meshes from which refinement made mesh(). Collective.
  /// @param fine  result of mesh(), with its constraints
  MeshHierarchy hierarchy(const ElementMesh &fine, const int n_threads) const
  {
    MeshHierarchy hierarchy;
    for (unsigned int level = 1; level <= n_refinements_; ++level)
      {
        CoarseLevel coarse;
        MacroNumbering numbering;
        coarse.mesh                    = make_level(level, numbering, n_threads);
        LevelTransfer &transfer        = coarse.transfer;
        const std::uint64_t fine_begin = range(level - 1).first, fine_end = range(level - 1).second;
        const std::uint64_t begin = range(level).first;
        const std::size_t n_fine = fine_end - fine_begin, n = coarse.mesh.n_elements;

        // (1) The nodes of the parents of our elements. The first parent may belong to another
        // rank.
        const std::uint64_t first_parent = fine_begin / 8;
        const std::size_t n_parents      = n_fine == 0 ? 0 : (fine_end - 1) / 8 + 1 - first_parent;
        const MacroNodes nodes(macro_, order_, n_refinements_ - level);
        transfer.parent_nodes = cpu::filled_vector<std::array<LocalIndex, 8>>(n_threads, n_parents);
        const MacroVertices vertices(nodes,
                                     numbering,
                                     first_parent,
                                     n_parents,
                                     n_threads,
                                     [&](const std::size_t p,
                                         const unsigned int v,
                                         const LocalIndex node) {
                                       transfer.parent_nodes[p][v] = node;
                                     });
        const std::size_t n_owned = numbering.n_owned();
        transfer.n_coarse_nodes   = n_owned + vertices.ghosts().size();
        transfer.coarse_nodes     = ask(
          level,
          vertices.ghosts(),
          n_owned,
          [](const std::uint64_t name) { return name / 8; },
          numbering);
        transfer.octants = cpu::filled_vector<std::uint8_t>(n_threads, n_fine);
        transfer.parents = cpu::filled_vector<LocalIndex>(n_threads, n_fine);
        cpu::parallel_for(n_threads, n_fine, [&](const std::size_t e) {
          transfer.octants[e] = static_cast<std::uint8_t>((fine_begin + e) % 8);
          transfer.parents[e] = static_cast<LocalIndex>((fine_begin + e) / 8 - first_parent);
        });

        // (2) The children of our elements. The last child may belong to another rank.
        transfer.children = cpu::filled_vector<LocalIndex>(n_threads, 8 * n);
        cpu::parallel_for(n_threads, n, [&](const std::size_t e) {
          for (std::size_t c = 0; c < 8;
               ++c) // in this order, children on other ranks get the numbers after our own
            transfer.children[c * n + e] =
              static_cast<LocalIndex>(8 * (begin + e) + c - fine_begin);
        });
        std::vector<std::uint64_t> others;
        for (std::uint64_t child = std::max(fine_end, 8 * begin); child < 8 * (begin + n); ++child)
          others.push_back(child);
        transfer.n_children    = n_fine + others.size();
        transfer.fine_elements = ask(
          level - 1,
          others,
          n_fine,
          [](const std::uint64_t child) { return child; },
          [&](const std::uint64_t child) { return static_cast<LocalIndex>(child - fine_begin); });

        constrain_coarse_dofs(Communicator(communicator_),
                              hierarchy.empty() ? fine : hierarchy.back().mesh,
                              transfer,
                              coarse.mesh);
        hierarchy.push_back(std::move(coarse));
      }
    return hierarchy;
  }

private:
  /// The range of this rank on a level; level 0 is the finest.
  std::pair<std::uint64_t, std::uint64_t> range(unsigned int level) const
  {
    return {begins_[level][rank_], begins_[level][rank_ + 1]};
  }
  unsigned int owner(const unsigned int level, const std::uint64_t element) const
  {
    const std::vector<std::uint64_t> &begins = begins_[level];
    return static_cast<unsigned int>(std::upper_bound(begins.begin(), begins.end(), element) -
                                     begins.begin() - 1);
  }

  /// Asks the owners of some nodes or elements, ascending, for their numbers.
  template <typename OfElement, typename NumberOf>
  HaloPattern ask(const unsigned int level,
                  const std::vector<std::uint64_t> &wanted,
                  const std::size_t n_before,
                  const OfElement &element_of,
                  const NumberOf &number_of) const
  {
    std::map<unsigned int, std::vector<std::uint64_t>> by_owner;
    for (const std::uint64_t name : wanted)
      by_owner[owner(level, element_of(name))].push_back(name);
    return ask_owners(communicator_, by_owner, n_before, number_of);
  }

  ElementMesh
  make_level(const unsigned int level, MacroNumbering &numbering, const int n_threads) const
  {
    const unsigned int n_refinements = n_refinements_ - level;
    const auto [begin, end]          = range(level);
    const std::uint64_t first        = begin; // structured bindings cannot be captured
    const auto n                     = static_cast<std::size_t>(end - begin);

    // (1) The owned nodes by first touch, then the ghosts.
    const MacroNodes nodes(macro_, order_, n_refinements);
    numbering = MacroNumbering(nodes, begin, n, n_threads);
    ElementMesh mesh;
    mesh.n_elements   = n;
    mesh.connectivity = cpu::filled_vector<LocalIndex>(n_threads, 8 * n);
    const MacroVertices vertices(nodes,
                                 numbering,
                                 begin,
                                 n,
                                 n_threads,
                                 [&](const std::size_t e,
                                     const unsigned int v,
                                     const LocalIndex node) {
                                   mesh.connectivity[v * n + e] = node;
                                 });
    mesh.n_owned_nodes = numbering.n_owned();
    mesh.n_nodes       = mesh.n_owned_nodes + vertices.ghosts().size();
    mesh.node_halo     = ask(
      level,
      vertices.ghosts(),
      mesh.n_owned_nodes,
      [](const std::uint64_t name) { return name / 8; },
      numbering);

    // (2) Coordinates, from the macro cells that have our elements.
    const MacroMesh part = own_cells(level);
    const MacroLattice lattice(part, n_refinements);
    const MacroPlaces places(part, lattice, n_threads);
    mesh.coordinates = cpu::filled_vector<double>(n_threads, 3 * mesh.n_nodes);
    auto has_ghost =
      cpu::filled_vector<std::uint8_t>(n_threads, n); // one flag for each vertex that sets a node
    std::vector<bool> is_set(vertices.ghosts().size());
    vertices.for_each_of_others([&](const std::size_t e, const unsigned int v) {
      const std::size_t ghost = mesh.connectivity[v * n + e] - mesh.n_owned_nodes;
      if (!is_set[ghost])
        has_ghost[e] = static_cast<std::uint8_t>(has_ghost[e] | 1u << v);
      is_set[ghost] = true;
    });
    places.for_each_element(
      first,
      n,
      [first_cell = first >> (3 * n_refinements)](const std::size_t position) {
        return position - first_cell;
      },
      [&](const std::size_t element, const MacroPlaces::Block &block) {
        const std::size_t e = element - first;
        for (unsigned int v = 0; v < 8; ++v)
          if (numbering.is_first(element, v) || (has_ghost[e] >> v & 1u) != 0)
            for (std::size_t d = 0; d < 3; ++d)
              mesh.coordinates[d * mesh.n_nodes + mesh.connectivity[v * n + e]] =
                block(element, v)[d];
      });
    return mesh;
  }

  MacroMesh own_cells(const unsigned int level) const
  {
    const unsigned int bits = 3 * (n_refinements_ - level);
    const auto [begin, end] = range(level);
    MacroMesh part;
    part.new_point = macro_.new_point;
    if (begin == end)
      return part;

    std::vector<LocalIndex> vertices(macro_.vertices.size(), unnumbered),
      edges(macro_.edges.size(), unnumbered), faces(macro_.faces.size(), unnumbered);
    const auto renumber =
      [](std::vector<LocalIndex> &numbers, auto &entities, const LocalIndex old, const auto &make) {
        if (numbers[old] == unnumbered)
          {
            auto entity  = make();
            numbers[old] = static_cast<LocalIndex>(entities.size());
            entities.push_back(std::move(entity));
          }
        return numbers[old];
      };
    const auto vertex = [&](const LocalIndex old) {
      return renumber(vertices, part.vertices, old, [&]() { return macro_.vertices[old]; });
    };
    const auto edge = [&](const LocalIndex old) {
      return renumber(edges, part.edges, old, [&]() {
        MacroMesh::Edge result = macro_.edges[old];
        for (LocalIndex &v : result.vertices)
          v = vertex(v);
        return result;
      });
    };
    const auto face = [&](const LocalIndex old) {
      return renumber(faces, part.faces, old, [&]() {
        MacroMesh::Face result = macro_.faces[old];
        for (LocalIndex &v : result.vertices)
          v = vertex(v);
        for (LocalIndex &e : result.edges)
          e = edge(e);
        return result;
      });
    };
    for (std::uint64_t position = begin >> bits; position <= (end - 1) >> bits; ++position)
      {
        MacroMesh::Cell cell = macro_.cells[order_[position]];
        for (LocalIndex &v : cell.vertices)
          v = vertex(v);
        for (LocalIndex &e : cell.edges)
          e = bits > 0 ? edge(e) : e;
        for (LocalIndex &f : cell.faces)
          f = bits > 0 ? face(f) : f;
        part.cells.push_back(cell);
      }
    return part;
  }

  MacroMesh macro_;
  std::vector<std::uint32_t> order_;
  unsigned int n_refinements_;
  MPI_Comm communicator_;
  std::size_t rank_;
  /// First element of each rank, by level.
  std::vector<std::vector<std::uint64_t>> begins_;
};

MacroMesh build_macro_mesh(const dealii::Triangulation<3, 3> &triangulation)
{
  if (triangulation.n_levels() > 1)
    throw Error("A macro mesh must not be refined yet.");
  MacroMesh macro;
  for (const dealii::Point<3> &vertex : triangulation.get_vertices())
    macro.vertices.push_back({{vertex[0], vertex[1], vertex[2]}});

  // Edges and faces are numbered as in deal.II, including unused ones.
  macro.edges.resize(triangulation.n_raw_lines());
  macro.faces.resize(triangulation.n_raw_quads());
  macro.cells.resize(triangulation.n_cells());
  for (const auto &cell : triangulation.cell_iterators())
    {
      MacroMesh::Cell &own = macro.cells[static_cast<std::size_t>(cell->index())];
      own.manifold         = manifold_of(*cell);
      copy_vertices(*cell, own.vertices);
      for (const unsigned int l : cell->line_indices())
        own.edges[l] = static_cast<LocalIndex>(cell->line_index(l));
      for (const unsigned int f : cell->face_indices())
        {
          const auto quad       = cell->face(f);
          own.faces[f]          = static_cast<LocalIndex>(quad->index());
          MacroMesh::Face &face = macro.faces[own.faces[f]];
          face.manifold         = manifold_of(*quad);
          copy_vertices(*quad, face.vertices);
          for (const unsigned int l : quad->line_indices())
            {
              const auto line       = quad->line(l);
              face.edges[l]         = static_cast<LocalIndex>(line->index());
              MacroMesh::Edge &edge = macro.edges[face.edges[l]];
              edge.manifold         = manifold_of(*line);
              copy_vertices(*line, edge.vertices);
            }
        }
    }

  macro.new_point = [&triangulation](const std::uint32_t manifold,
                                     const std::size_t n,
                                     const MacroMesh::Point *points,
                                     const double *weights) {
    constexpr std::size_t most = 26; // edges, faces and vertices around the centre of a cell
    std::array<dealii::Point<3>, most> places;
    for (std::size_t i = 0; i < n; ++i)
      places[i] = dealii::Point<3>(points[i][0], points[i][1], points[i][2]);
    const dealii::Point<3> point = triangulation.get_manifold(manifold).get_new_point(
      dealii::ArrayView<const dealii::Point<3>>(places.data(), n),
      dealii::ArrayView<const double>(weights, n));
    return MacroMesh::Point{{point[0], point[1], point[2]}};
  };
  return macro;
}

MeshMaker::MeshMaker(MPI_Comm communicator)
  : communicator_(communicator), triangulation_(std::make_unique<dealii::Triangulation<3>>())
{}

MeshMaker::~MeshMaker() = default;

DeckMesh MeshMaker::make_mesh(const unsigned int n_refinements, const MeshSets *const sets)
{
  n_refinements_ = n_refinements;
  coarse_        = coarse_mesh_of(*triangulation_);
  return make(build_macro_mesh(*triangulation_), sets);
}

DeckMesh MeshMaker::make_mesh(CoarseMesh cells, const MeshSets *const sets)
{
  n_refinements_     = 0;
  coarse_            = std::move(cells);
  const auto n_ranks = static_cast<std::uint64_t>(Communicator(communicator_).size());
  const bool is_one  = n_ranks == 1 && coarse_.vertices.size() <= most_elements;
  if (coarse_.type == ElementType() && !is_one)
    return make(macro_mesh_of(coarse_), sets);

  std::vector<std::uint32_t> order = order_cells(coarse_);
  std::vector<std::uint64_t> begins;
  for (std::uint64_t rank = 0; rank <= n_ranks; ++rank)
    begins.push_back(order.size() * rank / n_ranks);
  ElementMesh mesh =
    is_one ? mesh_of_cells(coarse_, order) : part_of_cells(coarse_, order, begins, communicator_);
  compute_volumes(mesh, communicator_);
  const std::uint64_t first = begins[static_cast<std::size_t>(Communicator(communicator_).rank())];
  return {std::move(mesh), coarse_.names, CellKeys(std::move(order), 0, first), 0, sets};
}

DeckMesh MeshMaker::make(MacroMesh macro, const MeshSets *const sets)
{
  const int n_threads              = cpu::default_n_threads();
  const unsigned int n_refinements = n_refinements_;
  std::vector<std::uint32_t> order = order_cells(coarse_);
  ElementMesh mesh;
  std::uint64_t first = 0; // first element of this rank
  if (Communicator(communicator_).size() == 1)
    mesh = refine(macro, order, n_refinements, n_threads);
  else
    {
      part_ =
        std::make_unique<MacroMeshPart>(std::move(macro), order, n_refinements, communicator_);
      mesh  = part_->mesh(n_threads);
      first = part_->first_element();
    }
  compute_volumes(mesh, communicator_);

  return {std::move(mesh),
          coarse_.names,
          CellKeys(std::move(order), n_refinements, first),
          n_refinements,
          sets};
}

MeshHierarchy MeshMaker::make_hierarchy(const ElementMesh &mesh) const
{
  const int n_threads = cpu::default_n_threads();
  MeshHierarchy coarser;
  if (part_ != nullptr)
    coarser = part_->hierarchy(mesh, n_threads);
  // Ties and rigid regions are those of the fine mesh; only background cells support them.
  else if (are_within_nodes(mesh.dependent, mesh.n_components))
    coarser = coarser_meshes(mesh, n_refinements_, n_threads);
  add_background(Communicator(communicator_), mesh, coarser, n_threads);
  return coarser;
}
} // namespace strut
