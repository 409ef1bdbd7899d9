// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/design_pieces.h"
#include "source/base/filled_vector.h"
#include "source/base/forest.h"
#include "source/mesh/node_to_element.h"
#include "source/optimization/load_nodes.h"
#include "source/parallel/node_numbers.h"
#include "source/solvers/host_threads.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace strut
{
namespace
{
/// Of face f = 2 d + s, which is at `xi_d = s`.
std::array<LocalIndex, 4>
nodes_of_face(const ElementMesh &mesh, const std::size_t e, const unsigned int f)
{
  std::array<LocalIndex, 4> nodes;
  std::size_t n = 0;
  for (std::size_t v = 0; v < 8; ++v)
    if ((v >> f / 2 & 1) == f % 2)
      nodes[n++] = mesh.connectivity[v * mesh.n_elements + e];
  return nodes;
}

/// Tied faces hold together: the elements around a dependent node, and those around the nodes that it depends on.
void unite_tied(const ElementMesh &mesh,
                const std::vector<bool> &counts,
                const NodeToElement &elements_of,
                Forest &forest)
{
  const auto none       = static_cast<LocalIndex>(mesh.n_elements);
  const auto element_at = [&](const LocalIndex node) {
    for (LocalIndex k = elements_of.begin[node]; k < elements_of.begin[node + 1]; ++k)
      if (counts[elements_of.entries[k] / 8])
        return elements_of.entries[k] / 8;
    return none;
  };
  const AffineRows &rows = mesh.dependent;
  for (std::size_t k = 0; k < rows.dofs.size(); ++k)
    for (std::uint32_t j = rows.offsets[k]; j < rows.offsets[k + 1]; ++j)
      {
        const LocalIndex a = element_at(rows.dofs[k] / 3), b = element_at(rows.masters[j] / 3);
        if (a != none && b != none)
          forest.unite(a, b);
      }
}

/// The piece of each element on this rank; each element that does not count is one of its own.
std::vector<LocalIndex>
find_on_rank(const ElementMesh &mesh, const std::vector<bool> &counts, const int n_threads)
{
  const NodeToElement elements_of = NodeToElement::build(mesh, n_threads);
  const auto is_at                = [&](const LocalIndex node, const LocalIndex e) {
    for (LocalIndex k = elements_of.begin[node]; k < elements_of.begin[node + 1]; ++k)
      if (elements_of.entries[k] / 8 == e)
        return true;
    return false;
  };
  Forest forest(mesh.n_elements);
  cpu::parallel_for(n_threads, mesh.n_elements, [&](const std::size_t e) {
    if (!counts[e])
      return;
    for (unsigned int f = 0; f < 6; ++f)
      {
        const std::array<LocalIndex, 4> face = nodes_of_face(mesh, e, f);
        for (LocalIndex k = elements_of.begin[face[0]]; k < elements_of.begin[face[0] + 1]; ++k)
          if (const LocalIndex other = elements_of.entries[k] / 8;
              other < e && counts[other] && is_at(face[2], other) && is_at(face[1], other) &&
              is_at(face[3], other))
            forest.unite(e, other);
      }
  });
  unite_tied(mesh, counts, elements_of, forest);
  std::size_t n_pieces = 0;
  return forest.trees(n_pieces);
}

/// Loads and supports, added up as bits; behind them LoadNodes::Holds, and the directions of loads.
constexpr unsigned int has_load = 1, has_support = 2, first_hold = 4, first_pull = 64;

/// The material around a node with a load.
enum class Around : std::uint8_t
{
  nothing,
  loose, ///< in no piece that is held
  held
};

/// @param loads  LoadNodes::marks()
std::vector<unsigned int> find_actions(const ElementMesh &mesh,
                                       const LoadNodes &nodes,
                                       const std::vector<double> &loads,
                                       const bool weighs,
                                       const int n_threads)
{
  std::vector<std::uint8_t> is_held(mesh.n_nodes, 0);
  for (const LocalIndex node : nodes.held())
    is_held[node] = 1;
  std::vector<unsigned int> actions = cpu::filled_vector(n_threads, mesh.n_elements, 0u);
  cpu::parallel_for(n_threads, mesh.n_elements, [&](const std::size_t e) {
    actions[e] = weighs ? has_load : 0;
    for (std::size_t v = 0; v < 8; ++v)
      {
        const LocalIndex node = mesh.connectivity[v * mesh.n_elements + e];
        if (is_held[node] != 0)
          actions[e] |= has_support;
        actions[e] |= first_hold * nodes.holds()[node];
        if (loads[node] > 0.)
          actions[e] |= has_load | first_pull * static_cast<unsigned int>(loads[node]);
      }
  });
  return actions;
}

/// The nodes that other ranks have, too: `[n_nodes]`.
std::vector<bool> shared_nodes(const ElementMesh &mesh)
{
  std::vector<bool> is_shared(mesh.n_nodes, false);
  std::fill(is_shared.begin() + static_cast<std::ptrdiff_t>(mesh.n_owned_nodes),
            is_shared.end(),
            true);
  for (const HaloPattern::Neighbour &neighbour : mesh.node_halo.neighbours)
    for (const std::uint32_t n : neighbour.send)
      is_shared[n] = true;
  return is_shared;
}

/// Four global numbers of nodes, ascending, and the piece, of each face that another rank may have, too.
std::vector<double> list_shared_faces(Backend &backend,
                                      const Communicator &communicator,
                                      const ElementMesh &mesh,
                                      const std::vector<bool> &counts,
                                      const std::vector<double> &piece_of)
{
  std::vector<double> faces;
  if (communicator.size() == 1)
    return faces;
  const std::vector<double> numbers = node_numbers(backend, communicator, mesh);
  const std::vector<bool> is_shared = shared_nodes(mesh);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    if (counts[e])
      for (unsigned int f = 0; f < 6; ++f)
        {
          const std::array<LocalIndex, 4> nodes = nodes_of_face(mesh, e, f);
          if (std::any_of(nodes.begin(), nodes.end(), [&](const LocalIndex n) {
                return !is_shared[n];
              }))
            continue;
          for (const LocalIndex n : nodes)
            faces.push_back(numbers[n]);
          std::sort(faces.end() - 4, faces.end());
          faces.push_back(piece_of[e]);
        }
  return communicator.gather(faces);
}

struct Pieces
{
  std::vector<DesignPiece> all; ///< of all ranks, the same on each
  std::vector<bool> is_held;    ///< each of them, against the loads on it
  std::vector<LocalIndex>
    of_element; ///< `[n_elements]`, of this rank: an index into `all`, if the element counts
};

Pieces find_pieces(Backend &backend,
                   const Communicator &communicator,
                   const ElementMesh &mesh,
                   const std::vector<bool> &counts,
                   const std::vector<unsigned int> &actions)
{
  // (1) On this rank: how many elements, their volume, and a number of each action.
  constexpr std::size_t n_bits = 7, length = 4 + n_bits;
  const int n_threads                   = host_threads(backend);
  const std::vector<LocalIndex> on_rank = find_on_rank(mesh, counts, n_threads);
  const auto no_piece                   = static_cast<LocalIndex>(mesh.n_elements);
  std::vector<LocalIndex> index         = // of the pieces that count
    cpu::filled_vector(n_threads, mesh.n_elements, no_piece);
  std::vector<double> sums;
  std::vector<double> piece_of = cpu::filled_vector(n_threads, mesh.n_elements, -1.);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    if (counts[e])
      {
        LocalIndex &piece = index[on_rank[e]];
        if (piece == no_piece)
          {
            piece = static_cast<LocalIndex>(sums.size() / length);
            sums.resize(sums.size() + length, 0.);
          }
        piece_of[e]            = piece;
        double *const of_piece = &sums[length * piece];
        of_piece[0] += 1.;
        of_piece[1] += mesh.volumes[e];
        of_piece[2] += (actions[e] & has_load) != 0 ? 1. : 0.;
        of_piece[3] += (actions[e] & has_support) != 0 ? 1. : 0.;
        for (std::size_t d = 0; d < n_bits; ++d)
          of_piece[4 + d] += (actions[e] & first_hold << d) != 0 ? 1. : 0.;
      }

  // (2) Those of different ranks that share a face.
  const std::vector<double> n_of_ranks =
    communicator.gather({static_cast<double>(sums.size() / length)});
  const double first =
    std::accumulate(n_of_ranks.begin(), n_of_ranks.begin() + communicator.rank(), 0.);
  for (double &piece : piece_of)
    piece += first;
  sums = communicator.gather(sums);
  const std::vector<double> words =
    list_shared_faces(backend, communicator, mesh, counts, piece_of);
  std::vector<std::array<double, 5>> faces(words.size() / 5);
  for (std::size_t i = 0; i < faces.size(); ++i)
    std::copy_n(words.begin() + static_cast<std::ptrdiff_t>(5 * i), 5, faces[i].begin());
  std::sort(faces.begin(), faces.end());
  Forest forest(sums.size() / length);
  for (std::size_t i = 1; i < faces.size(); ++i)
    if (std::equal(faces[i].begin(), faces[i].begin() + 4, faces[i - 1].begin()))
      forest.unite(static_cast<std::size_t>(faces[i - 1][4]),
                   static_cast<std::size_t>(faces[i][4]));

  // (3) Over all ranks.
  Pieces pieces;
  std::size_t n_pieces                  = 0;
  const std::vector<LocalIndex> numbers = forest.trees(n_pieces);
  pieces.all.resize(n_pieces);
  std::vector<unsigned int> bits(n_pieces, 0); // four of holds, three of loads
  for (std::size_t i = 0; i < numbers.size(); ++i)
    {
      DesignPiece &piece = pieces.all[numbers[i]];
      piece.n_elements += static_cast<std::size_t>(sums[length * i]);
      piece.volume += sums[length * i + 1];
      piece.has_load    = piece.has_load || sums[length * i + 2] > 0.;
      piece.has_support = piece.has_support || sums[length * i + 3] > 0.;
      for (std::size_t d = 0; d < n_bits; ++d)
        if (sums[length * i + 4 + d] > 0.)
          bits[numbers[i]] |= 1u << d;
    }
  for (const unsigned int of_piece : bits)
    {
      // planes balance loads along their normals by those on the mirror image
      const unsigned int holds = of_piece & 15u, pulls = of_piece >> 4;
      pieces.is_held.push_back(LoadNodes::suffice(static_cast<LoadNodes::Holds>(holds)) ||
                               (pulls & ~holds) == 0);
    }
  pieces.of_element.resize(mesh.n_elements, 0);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    if (counts[e])
      pieces.of_element[e] = numbers[static_cast<std::size_t>(piece_of[e])];
  return pieces;
}

std::vector<bool> those_from(const double least_density, const std::vector<double> &densities)
{
  std::vector<bool> counts(densities.size());
  for (std::size_t e = 0; e < densities.size(); ++e)
    counts[e] = densities[e] >= least_density;
  return counts;
}
} // namespace

std::vector<DesignPiece> find_design_pieces(Backend &backend,
                                            const Communicator &communicator,
                                            const ElementMesh &mesh,
                                            const std::vector<double> &densities,
                                            const LoadNodes &nodes,
                                            const bool weighs)
{
  std::vector<DesignPiece> pieces =
    find_pieces(
      backend,
      communicator,
      mesh,
      those_from(DesignPiece::least_density, densities),
      find_actions(mesh, nodes, nodes.marks(backend, communicator), weighs, host_threads(backend)))
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
  const std::vector<double> loads = nodes.marks(backend, communicator);
  const std::vector<bool> counts  = those_from(least_density, densities);
  const Pieces pieces             = find_pieces(backend,
                                    communicator,
                                    mesh,
                                    counts,
                                    find_actions(mesh, nodes, loads, false, host_threads(backend)));

  // (1) The nodes with a load on this rank: whether there is material around them, and whether that is held.
  std::vector<Around> around(mesh.n_nodes, Around::nothing);
  for (std::size_t v = 0; v < 8; ++v)
    for (std::size_t e = 0; e < mesh.n_elements; ++e)
      if (const LocalIndex node = mesh.connectivity[v * mesh.n_elements + e];
          counts[e] && loads[node] > 0.)
        around[node] =
          std::max(around[node],
                   pieces.is_held[pieces.of_element[e]] ? Around::held : Around::loose);

  // (2) What other ranks have around the nodes that are not held here.
  if (communicator.size() == 1)
    return std::count(around.begin(), around.end(), Around::loose) > 0;
  const std::vector<double> numbers  = node_numbers(backend, communicator, mesh);
  const std::vector<bool> may_differ = shared_nodes(mesh);
  std::vector<double> loose, held;
  for (std::size_t n = 0; n < mesh.n_nodes; ++n)
    if (around[n] == Around::loose)
      loose.push_back(numbers[n]);
    else if (around[n] == Around::held && may_differ[n])
      held.push_back(numbers[n]);
  held = communicator.gather(held);
  std::sort(held.begin(), held.end());
  return communicator.any(std::any_of(loose.begin(), loose.end(), [&](const double number) {
    return !std::binary_search(held.begin(), held.end(), number);
  }));
}
} // namespace strut
