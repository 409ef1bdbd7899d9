// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/design_pieces.h"
#include "source/base/filled_vector.h"
#include "source/base/forest.h"
#include "source/base/parallel_loop.h"
#include "source/mesh/connected_by_faces.h"
#include "source/mesh/faces.h"
#include "source/optimization/load_nodes.h"
#include "source/parallel/node_numbers.h"
#include "source/parallel/nodes_of_several_ranks.h"
#include "source/solvers/host_threads.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace strut
{
namespace
{
/// Marks of elements, `[n_elements]`, 1 or 0. Not a vector of bits, as several threads write it.
using Marks = std::vector<std::uint8_t>;

/// Loads and supports of a node as bits, combined by or. LoadNodes::Holds and the directions of
/// loads follow.
using Actions                   = std::uint16_t;
constexpr unsigned int has_load = 1, has_support = 2, first_hold = 4, first_pull = 64;

/// State of the material around a node with a load.
enum class Around : std::uint8_t
{
  nothing,
  loose, ///< in no piece that is held
  held
};

/// Returns the actions on each node, `[n_nodes]`.
/// @param loads  LoadNodes::directions()
std::vector<Actions> find_actions(const ElementMesh &mesh,
                                  const LoadNodes &nodes,
                                  const std::vector<std::uint8_t> &loads,
                                  const int n_threads)
{
  std::vector<Actions> actions = cpu::filled_vector<Actions>(n_threads, mesh.n_nodes);
  cpu::parallel_for(n_threads, mesh.n_nodes, [&](const std::size_t node) {
    const unsigned int pulls = loads[node];
    actions[node]            = static_cast<Actions>(first_hold * nodes.holds()[node] |
                                         (pulls > 0 ? has_load | first_pull * pulls : 0));
  });
  for (const LocalIndex node : nodes.held())
    actions[node] = static_cast<Actions>(actions[node] | has_support);
  return actions;
}

/// Faces that another rank may share: for each face the global numbers of its four nodes,
/// ascending, and its piece.
/// @param first  number of this rank's first piece among all
std::vector<double> list_shared_faces(Backend &backend,
                                      const Communicator &communicator,
                                      const ElementMesh &mesh,
                                      const Marks &counts,
                                      const std::vector<LocalIndex> &piece_of,
                                      const double first)
{
  std::vector<double> faces;
  if (communicator.size() == 1)
    return faces;
  const std::vector<double> numbers = node_numbers(backend, communicator, mesh);
  const Marks is_shared             = nodes_of_several_ranks(mesh);
  const auto faces_of_block         = [&](const std::size_t begin, const std::size_t end) {
    std::vector<double> of_block;
    for (std::size_t e = begin; e < end; ++e)
      if (counts[e] != 0)
        for (unsigned int f = 0; f < n_faces(mesh.type); ++f)
          {
            const std::array<LocalIndex, 4> nodes = nodes_of_face(mesh, e, f);
            if (std::any_of(nodes.begin(), nodes.end(), [&](const LocalIndex n) {
                  return is_shared[n] == 0;
                }))
              continue;
            for (const LocalIndex n : nodes)
              of_block.push_back(numbers[n]);
            std::sort(of_block.end() - 4, of_block.end());
            of_block.push_back(first + piece_of[e]);
          }
    return of_block;
  };
  for (const std::vector<double> &of_block :
       cpu::values_of_blocks(host_threads(backend), mesh.n_elements, faces_of_block))
    faces.insert(faces.end(), of_block.begin(), of_block.end());
  return communicator.gather(faces);
}

struct Pieces
{
  std::vector<DesignPiece> all; ///< pieces of all ranks, the same on each rank
  /// Index into `all` of each element of this rank that counts, `[n_elements]`.
  std::vector<LocalIndex> of_element;
};

/// Consecutive elements of one piece.
struct Run
{
  LocalIndex piece;
  LocalIndex n_elements = 0;
  double volume         = 0.;
  unsigned int actions  = 0;
};

/// Number the pieces in the order of their least elements.
/// @param piece_of  connected_by_faces(); on return the number of the piece of each element that
///   counts
/// @return the number of pieces
std::size_t
number_pieces(const Marks &counts, const int n_threads, std::vector<LocalIndex> &piece_of)
{
  const std::size_t n_elements = piece_of.size();
  const auto least_of_block    = [&](const std::size_t begin, const std::size_t end) {
    std::vector<LocalIndex> least;
    for (std::size_t e = begin; e < end; ++e)
      if (counts[e] != 0 && piece_of[e] == e)
        least.push_back(static_cast<LocalIndex>(e));
    return least;
  };
  std::vector<LocalIndex> least; // Least element of each piece, ascending.
  for (const std::vector<LocalIndex> &of_block :
       cpu::values_of_blocks(n_threads, n_elements, least_of_block))
    least.insert(least.end(), of_block.begin(), of_block.end());
  cpu::parallel_for(n_threads, n_elements, [&](const std::size_t e) {
    if (counts[e] != 0)
      piece_of[e] = static_cast<LocalIndex>(
        std::lower_bound(least.begin(), least.end(), piece_of[e]) - least.begin());
  });
  return least.size();
}

/// Find the pieces of all ranks.
/// @param actions  find_actions()
/// @param weighs  whether every element has a load
Pieces find_pieces(Backend &backend,
                   const Communicator &communicator,
                   const ElementMesh &mesh,
                   const Marks &counts,
                   const std::vector<Actions> &actions,
                   const bool weighs)
{
  // (1) On this rank: how many elements, their volume, and the actions on them.
  constexpr std::size_t length     = 3;
  const int n_threads              = host_threads(backend);
  std::vector<LocalIndex> piece_of = connected_by_faces(mesh, counts, n_threads);
  std::vector<double> sums(length * number_pieces(counts, n_threads, piece_of), 0.);
  const auto runs_of_block = [&](const std::size_t begin, const std::size_t end) {
    std::vector<Run> runs;
    for (std::size_t e = begin; e < end; ++e)
      if (counts[e] != 0)
        {
          if (runs.empty() || runs.back().piece != piece_of[e])
            runs.push_back({piece_of[e]});
          Run &run = runs.back();
          ++run.n_elements;
          run.volume += mesh.volumes[e];
          run.actions |= weighs ? has_load : 0;
          for (std::size_t v = 0; v < mesh.type.n_nodes; ++v)
            run.actions |= actions[mesh.node(e, v)];
        }
    return runs;
  };
  for (const std::vector<Run> &runs :
       cpu::values_of_blocks(n_threads, mesh.n_elements, runs_of_block))
    for (const Run &run : runs)
      {
        double *const of_piece = &sums[length * run.piece];
        of_piece[0] += run.n_elements;
        of_piece[1] += run.volume;
        of_piece[2] = static_cast<unsigned int>(of_piece[2]) | run.actions;
      }

  // (2) Connect pieces of different ranks that share a face.
  const std::vector<double> n_of_ranks =
    communicator.gather({static_cast<double>(sums.size() / length)});
  const double first =
    std::accumulate(n_of_ranks.begin(), n_of_ranks.begin() + communicator.rank(), 0.);
  sums = communicator.gather(sums);
  const std::vector<double> words =
    list_shared_faces(backend, communicator, mesh, counts, piece_of, first);
  std::vector<std::array<double, 5>> faces(words.size() / 5);
  for (std::size_t i = 0; i < faces.size(); ++i)
    std::copy_n(words.begin() + static_cast<std::ptrdiff_t>(5 * i), 5, faces[i].begin());
  std::sort(faces.begin(), faces.end());
  Forest forest(sums.size() / length);
  for (std::size_t i = 1; i < faces.size(); ++i)
    if (std::equal(faces[i].begin(), faces[i].begin() + 4, faces[i - 1].begin()))
      forest.unite(static_cast<std::size_t>(faces[i - 1][4]),
                   static_cast<std::size_t>(faces[i][4]));

  // (3) Add up over all ranks.
  Pieces pieces;
  std::size_t n_pieces                  = 0;
  const std::vector<LocalIndex> numbers = forest.trees(n_pieces);
  pieces.all.resize(n_pieces);
  std::vector<unsigned int> actions_on(n_pieces, 0);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    {
      DesignPiece &piece = pieces.all[numbers[i]];
      piece.n_elements += static_cast<std::size_t>(sums[length * i]);
      piece.volume += sums[length * i + 1];
      actions_on[numbers[i]] |= static_cast<unsigned int>(sums[length * i + 2]);
    }
  for (std::size_t i = 0; i < n_pieces; ++i)
    {
      pieces.all[i].has_load    = (actions_on[i] & has_load) != 0;
      pieces.all[i].has_support = (actions_on[i] & has_support) != 0;
      // Planes balance loads along their normals by the loads on the mirror image.
      const unsigned int holds = actions_on[i] / first_hold & 15u,
                         pulls = actions_on[i] / first_pull;
      pieces.all[i].is_held    = LoadNodes::suffice(static_cast<LoadNodes::Holds>(holds)) ||
                              (!weighs && (pulls & ~holds) == 0);
    }
  cpu::parallel_for(n_threads, mesh.n_elements, [&](const std::size_t e) {
    if (counts[e] != 0)
      piece_of[e] = numbers[static_cast<std::size_t>(first) + piece_of[e]];
  });
  pieces.of_element = std::move(piece_of);
  return pieces;
}

/// Nodes with a spring to the ground, which is a support, ghosts among them. Collective.
std::vector<LocalIndex>
sprung_nodes(Backend &backend, const Communicator &communicator, const ElementMesh &mesh)
{
  std::vector<LocalIndex> nodes;
  for (const LocalIndex dof : mesh.spring_dofs)
    nodes.push_back(dof / 3);
  if (communicator.size() == 1 || !communicator.any(!nodes.empty()))
    return nodes;
  const std::vector<double> numbers = node_numbers(backend, communicator, mesh);
  std::vector<double> sprung;
  for (const LocalIndex node : nodes)
    sprung.push_back(numbers[node]);
  sprung = communicator.gather(sprung);
  std::sort(sprung.begin(), sprung.end());
  nodes.clear();
  for (std::size_t n = 0; n < mesh.n_nodes; ++n)
    if (std::binary_search(sprung.begin(), sprung.end(), numbers[n]))
      nodes.push_back(static_cast<LocalIndex>(n));
  return nodes;
}

Marks those_from(const double least_density,
                 const std::vector<double> &densities,
                 const int n_threads)
{
  Marks counts = cpu::filled_vector<std::uint8_t>(n_threads, densities.size());
  cpu::parallel_for(n_threads, densities.size(), [&](const std::size_t e) {
    counts[e] = densities[e] >= least_density ? 1 : 0;
  });
  return counts;
}
} // namespace

DesignElements measure_design_elements(const Communicator &communicator,
                                       const ElementMesh &mesh,
                                       const std::vector<double> &densities)
{
  DesignElements design;
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    if (mesh.flags[e] == DesignFlag::design)
      {
        ++design.n;
        design.least = std::min(design.least, densities[e]);
        design.most  = std::max(design.most, densities[e]);
      }
  return {communicator.sum(design.n),
          communicator.min(design.least),
          communicator.max(design.most)};
}

std::vector<DesignPiece> find_design_pieces(Backend &backend,
                                            const Communicator &communicator,
                                            const ElementMesh &mesh,
                                            const std::vector<double> &densities,
                                            const LoadNodes &nodes,
                                            const bool weighs)
{
  const int n_threads = host_threads(backend);
  std::vector<Actions> actions =
    find_actions(mesh, nodes, nodes.directions(backend, communicator), n_threads);
  for (const LocalIndex node : sprung_nodes(backend, communicator, mesh))
    actions[node] =
      static_cast<Actions>(actions[node] | has_support | first_hold * LoadNodes::support);
  std::vector<DesignPiece> pieces =
    find_pieces(backend,
                communicator,
                mesh,
                those_from(DesignPiece::least_density, densities, n_threads),
                actions,
                weighs)
      .all;
  std::stable_sort(pieces.begin(), pieces.end(), [](const DesignPiece &a, const DesignPiece &b) {
    return a.volume > b.volume;
  });
  return pieces;
}

bool parts_load_from_supports(Backend &backend,
                              const Communicator &communicator,
                              const ElementMesh &mesh,
                              const std::vector<double> &densities,
                              const LoadNodes &nodes,
                              const double least_density)
{
  const std::vector<std::uint8_t> loads = nodes.directions(backend, communicator);
  const int n_threads                   = host_threads(backend);
  const Marks counts                    = those_from(least_density, densities, n_threads);
  const Pieces pieces                   = find_pieces(
    backend, communicator, mesh, counts, find_actions(mesh, nodes, loads, n_threads), false);

  // (1) Nodes with a load on this rank: is there material around them, and is it held?
  std::vector<Around> around(mesh.n_nodes, Around::nothing);
  for (std::size_t v = 0; v < mesh.type.n_nodes; ++v)
    for (std::size_t e = 0; e < mesh.n_elements; ++e)
      if (const LocalIndex node = mesh.node(e, v); counts[e] != 0 && loads[node] != 0)
        around[node] =
          std::max(around[node],
                   pieces.all[pieces.of_element[e]].is_held ? Around::held : Around::loose);

  // (2) Material of other ranks around nodes that are not held here.
  if (communicator.size() == 1)
    return std::count(around.begin(), around.end(), Around::loose) > 0;
  const std::vector<double> numbers = node_numbers(backend, communicator, mesh);
  const Marks may_differ            = nodes_of_several_ranks(mesh);
  std::vector<double> loose, held;
  for (std::size_t n = 0; n < mesh.n_nodes; ++n)
    if (around[n] == Around::loose)
      loose.push_back(numbers[n]);
    else if (around[n] == Around::held && may_differ[n] != 0)
      held.push_back(numbers[n]);
  held = communicator.gather(held);
  std::sort(held.begin(), held.end());
  return communicator.any(std::any_of(loose.begin(), loose.end(), [&](const double number) {
    return !std::binary_search(held.begin(), held.end(), number);
  }));
}

std::vector<double> stiffness_of_design(std::vector<double> stiffness,
                                        const std::vector<double> &densities,
                                        const int n_threads)
{
  cpu::parallel_for(n_threads, stiffness.size(), [&](const std::size_t e) {
    if (densities[e] < DesignPiece::least_density)
      stiffness[e] = 0.;
  });
  return stiffness;
}
} // namespace strut
