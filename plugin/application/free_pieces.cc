// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/application/free_pieces.h"

#include <deal.II/base/mpi.h>

#include <deal.II/distributed/tria_base.h>

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/grid/tria.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include "plugin/base/host_halo.h"
#include "plugin/base/spelling.h"
#include "source/base/forest.h"
#include "source/mesh/rigid_motions.h"

namespace strut
{
namespace
{
using Triangulation = dealii::Triangulation<3, 3>;
using CoarseId      = std::uint64_t;
using CoarsePair    = std::pair<CoarseId, CoarseId>;

constexpr LocalIndex nobody = std::numeric_limits<LocalIndex>::max();

/// Index of the coarse cell that a cell was refined from. Neighbours of coarse cells can be refined
/// cells, so the function climbs to level 0.
std::size_t coarse_index(dealii::Triangulation<3, 3>::cell_iterator cell)
{
  while (cell->level() > 0)
    cell = cell->parent();
  return static_cast<std::size_t>(cell->index());
}

/// Merges the piece ids of all ranks, as each rank knows only some of the coarse cells. Collective.
/// @param pairs  pairs of ids that belong to one piece; the second is the id of a piece of this
/// rank
/// @return the least id of each piece, by the ids of the pieces of all ranks
std::map<CoarseId, CoarseId> join_ranks(const std::set<CoarsePair> &pairs, const MPI_Comm mpi)
{
  std::map<CoarseId, std::size_t> number;
  std::vector<CoarsePair> all;
  for (const auto &of_rank :
       dealii::Utilities::MPI::all_gather(mpi, std::vector<CoarsePair>(pairs.begin(), pairs.end())))
    all.insert(all.end(), of_rank.begin(), of_rank.end());
  for (const auto &[a, b] : all)
    number[a] = number[b] = 0;
  std::vector<CoarseId> ids;
  for (auto &[id, n] : number)
    {
      n = ids.size();
      ids.push_back(id);
    }
  Forest forest(ids.size());
  for (const auto &[a, b] : all)
    forest.unite(number.at(a), number.at(b));
  std::map<CoarseId, CoarseId> least;
  for (const auto &[id, n] : number)
    least[id] = ids[forest.root(n)];
  return least;
}

/// Piece of each coarse cell that this rank knows, by its index, and the number of pieces.
/// Collective.
std::vector<LocalIndex> pieces_of_coarse_cells(const Triangulation &triangulation,
                                               const Communicator &communicator,
                                               std::size_t &n_pieces)
{
  const std::size_t n = triangulation.n_levels() == 0 ? 0 : triangulation.n_raw_cells(0);
  // A rank without cells knows no coarse cell, or a dummy of parallel::fullydistributed, which has
  // no id.
  const auto *const parallel =
    dynamic_cast<const dealii::parallel::TriangulationBase<3, 3> *>(&triangulation);
  const bool has_cells =
    n > 0 && (parallel == nullptr || parallel->n_locally_owned_active_cells() > 0);
  Forest forest(n);
  std::vector<CoarseId> id(n, std::numeric_limits<CoarseId>::max());
  std::vector<LocalIndex> cells;
  if (has_cells)
    for (const auto &cell : triangulation.cell_iterators_on_level(0))
      {
        const auto c = static_cast<std::size_t>(cell->index());
        id[c]        = cell->id().get_coarse_cell_id();
        cells.push_back(static_cast<LocalIndex>(c));
        for (const unsigned int f : cell->face_indices())
          if (!cell->at_boundary(f))
            forest.unite(c, coarse_index(cell->neighbor(f)));
      }
  std::vector<CoarseId> least(n, std::numeric_limits<CoarseId>::max());
  for (const LocalIndex c : cells)
    least[forest.root(c)] = std::min(least[forest.root(c)], id[c]);

  const bool knows_all = cells.size() == triangulation.n_global_coarse_cells();
  if (communicator.any(!knows_all))
    {
      std::set<CoarsePair> pairs;
      if (has_cells)
        for (const auto &cell : triangulation.cell_iterators_on_level(0))
          {
            const auto is_shared = [](const auto &some) {
              return some->has_children() || !some->is_active() || !some->is_locally_owned();
            };
            bool shared = is_shared(cell);
            for (const unsigned int f : cell->face_indices())
              shared = shared || (!cell->at_boundary(f) && is_shared(cell->neighbor(f)));
            if (const auto c = static_cast<std::size_t>(cell->index()); shared)
              pairs.emplace(id[c], least[forest.root(c)]);
          }
      const std::map<CoarseId, CoarseId> joined = join_ranks(pairs, communicator.mpi());
      for (const LocalIndex c : cells)
        if (const auto found = joined.find(least[c]); forest.root(c) == c && found != joined.end())
          least[c] = std::min(least[c], found->second);
    }

  std::set<CoarseId> ids;
  for (const LocalIndex c : cells)
    if (forest.root(c) == c)
      ids.insert(least[c]);
  if (communicator.any(!knows_all))
    for (const auto &of_rank :
         dealii::Utilities::MPI::all_gather(communicator.mpi(),
                                            std::vector<CoarseId>(ids.begin(), ids.end())))
      ids.insert(of_rank.begin(), of_rank.end());
  n_pieces = ids.size();
  const std::vector<CoarseId> sorted(ids.begin(), ids.end());
  std::vector<LocalIndex> result(n, 0);
  for (const LocalIndex c : cells)
    result[c] = static_cast<LocalIndex>(
      std::lower_bound(sorted.begin(), sorted.end(), least[forest.root(c)]) - sorted.begin());
  return result;
}

/// Gathers the entries of all ranks. Collective.
std::vector<Bodies::Hinge> gather(const std::vector<Bodies::Hinge> &own,
                                  const Communicator &communicator)
{
  std::vector<double> numbers;
  for (const auto &[first, second, point] : own)
    {
      numbers.push_back(static_cast<double>(first));
      numbers.push_back(static_cast<double>(second));
      numbers.insert(numbers.end(), point.begin(), point.end());
    }
  std::vector<Bodies::Hinge> result;
  const std::vector<double> all = communicator.gather(numbers);
  for (std::size_t i = 0; i < all.size(); i += 5)
    result.push_back({static_cast<std::size_t>(all[i]),
                      static_cast<std::size_t>(all[i + 1]),
                      {{all[i + 2], all[i + 3], all[i + 4]}}});
  return result;
}

/// Parts of a mesh, each connected by faces of its cells.
struct MeshPieces
{
  Bodies bodies;
  std::vector<std::size_t> n_cells; ///< number of active cells of each piece, on all ranks
};

/// Finds the pieces on the coarse cells, as refinement does not change them. Empty if the mesh is
/// one piece. Collective.
MeshPieces find_pieces(const dealii::DoFHandler<3, 3> &dof_handler,
                       const ElementMesh &mesh,
                       const Communicator &communicator)
{
  const Triangulation &triangulation = dof_handler.get_triangulation();
  std::size_t n                      = 0;
  const std::vector<LocalIndex> of_coarse_cell =
    pieces_of_coarse_cells(triangulation, communicator, n);

  MeshPieces result;
  if (n < 2) // the usual case, without a loop over active cells
    return result;
  std::vector<double> lower(3 * n, std::numeric_limits<double>::max()),
    upper(3 * n, std::numeric_limits<double>::lowest());
  std::vector<std::uint64_t> n_cells(n, 0);
  std::vector<LocalIndex> of_cell; // by owned cell
  std::vector<LocalIndex> of_vertex(triangulation.n_vertices(), nobody);
  std::vector<Bodies::Hinge> hinges;
  for (const auto &cell : triangulation.active_cell_iterators())
    {
      if (cell->is_artificial())
        continue;
      const LocalIndex piece = of_coarse_cell[coarse_index(cell)];
      if (cell->is_locally_owned())
        {
          ++n_cells[piece];
          of_cell.push_back(piece);
        }
      for (const unsigned int v : cell->vertex_indices())
        {
          const dealii::Point<3> &point = cell->vertex(v);
          for (unsigned int d = 0; d < 3 && cell->is_locally_owned(); ++d)
            {
              lower[3 * piece + d] = std::min(lower[3 * piece + d], point[d]);
              upper[3 * piece + d] = std::max(upper[3 * piece + d], point[d]);
            }
          LocalIndex &here = of_vertex[cell->vertex_index(v)];
          if (here == nobody)
            here = piece;
          else if (here != piece)
            hinges.push_back({here, piece, {{point[0], point[1], point[2]}}});
        }
    }
  dealii::Utilities::MPI::min(lower, communicator.mpi(), lower);
  dealii::Utilities::MPI::max(upper, communicator.mpi(), upper);
  dealii::Utilities::MPI::sum(n_cells, communicator.mpi(), n_cells);
  for (std::size_t b = 0; b < n; ++b)
    {
      Box3 box;
      for (unsigned int d = 0; d < 3; ++d)
        {
          box.lower[d] = lower[3 * b + d];
          box.upper[d] = upper[3 * b + d];
        }
      result.bodies.boxes.push_back(box);
      result.n_cells.push_back(n_cells[b]);
    }

  result.bodies.hinges = gather(hinges, communicator);
  std::vector<LocalIndex> of_element;
  for (const LocalIndex cell : mesh.element_to_cell)
    of_element.push_back(of_cell[cell]);
  result.bodies.of_node = bodies_of_nodes(mesh, of_element);
  if (communicator.size() > 1) // some ghost cells are not among the elements here
    {
      std::vector<double> of_node(result.bodies.of_node.begin(), result.bodies.of_node.end());
      update_ghosts(communicator.mpi(), mesh, of_node);
      for (std::size_t i = mesh.n_owned_nodes; i < mesh.n_nodes; ++i)
        result.bodies.of_node[i] = static_cast<LocalIndex>(of_node[i]);
    }
  return result;
}

/// "translation along x" becomes "move along x".
std::string verb_of(const std::string &motion)
{
  const std::string translation = "translation ", rotation = "rotation ";
  return motion.rfind(translation, 0) == 0 ? "move " + motion.substr(translation.size())
                                           : "turn " + motion.substr(rotation.size());
}
} // namespace

std::string describe_free_pieces(const dealii::DoFHandler<3, 3> &dof_handler,
                                 const ElementMesh &mesh,
                                 const Communicator &communicator)
{
  const MeshPieces pieces = find_pieces(dof_handler, mesh, communicator);
  if (pieces.n_cells.empty())
    {
      const std::vector<std::string> motions = free_rigid_motions(communicator, mesh);
      return motions.empty()
               ? ""
               : "The constraints of the StiffnessOperator leave a rigid motion free: " +
                   join(motions, "; ") + ".";
    }
  std::map<std::size_t, std::vector<std::string>> free; // by index of the piece
  for (const FreeMotion &motion : free_rigid_motions(communicator, mesh, pieces.bodies))
    free[motion.body].push_back(motion.text);
  if (free.empty())
    return "";
  std::ostringstream text;
  text.precision(4);
  text << "The mesh of the StiffnessOperator has " << pieces.n_cells.size()
       << " pieces that share no faces, and the constraints do not hold all of them:";
  std::size_t n_listed = 0;
  for (const auto &[piece, motions] : free)
    {
      if (++n_listed > 5)
        {
          text << "\n  and " << free.size() - 5 << " more";
          break;
        }
      const Box3 &box = pieces.bodies.boxes[piece];
      text << "\n  the piece of " << pieces.n_cells[piece]
           << (pieces.n_cells[piece] == 1 ? " cell" : " cells") << " around (";
      for (std::size_t d = 0; d < 3; ++d)
        text << (d > 0 ? ", " : "") << (box.lower[d] + box.upper[d]) / 2.;
      std::vector<std::string> verbs;
      for (const std::string &motion : motions)
        verbs.push_back(verb_of(motion));
      std::stable_sort(verbs.begin(), verbs.end(), [](const auto &a, const auto &b) {
        return a.front() < b.front(); // translations before rotations
      });
      text << ") can " << (verbs.size() == 6 ? "move and turn in all six ways" : join(verbs, ", "));
    }
  text << "\n  Vertices of different pieces that are to be one are joined before refinement, as by "
          "GridGenerator::merge_triangulations() with a larger tolerance.";
  return text.str();
}
} // namespace strut
