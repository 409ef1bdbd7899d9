// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/parallel/whole_levels.h"
#include "source/base/team.h"
#include "source/mesh/transfer_arrays.h"
#include "source/parallel/node_numbers.h"

#include <strut/backend/backend.h>

#include <algorithm>
#include <numeric>

namespace strut
{
namespace
{
using Indices = std::vector<LocalIndex>;

/// Gathers and numbers the data of all ranks.
class Gatherer
{
public:
  Gatherer(Backend &backend, const Communicator &communicator)
    : backend_(backend), communicator_(communicator)
  {}

  std::size_t first_of(const std::size_t n_owned) const
  {
    return begins_over_ranks(communicator_, n_owned)[communicator_.rank()];
  }

  /// The global numbers of the entities of a layout, rank by rank.
  ///
  /// @param n  number including ghosts
  Indices numbers(const HaloPattern &pattern, const std::size_t n_owned, const std::size_t n) const
  {
    const std::vector<double> values =
      numbers_over_ranks(backend_, communicator_, pattern, n_owned, n);
    return {values.begin(), values.end()};
  }

  bool any(const bool value) const
  {
    return communicator_.any(value);
  }

  Indices all(const Indices &own) const
  {
    return communicator_.gather_indices(own);
  }
  std::vector<double> all(const std::vector<double> &own) const
  {
    return communicator_.gather(own);
  }

private:
  Backend &backend_;
  const Communicator &communicator_;
};

/// Transposes `[n][k]` to `[k][n]`.
template <typename T>
std::vector<T> transposed(const std::vector<T> &in, const std::size_t k)
{
  const std::size_t n = in.size() / k;
  std::vector<T> out(in.size());
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < k; ++j)
      out[j * n + i] = in[i * k + j];
  return out;
}

/// Gathers a mesh.
///
/// @param nodes  global numbers of its nodes
ElementMesh gather_mesh(const Gatherer &ranks, const ElementMesh &mesh, const Indices &nodes)
{
  ElementMesh whole;
  whole.n_components = mesh.n_components;
  std::vector<double> coordinates;
  for (std::size_t node = 0; node < mesh.n_owned_nodes; ++node)
    for (std::size_t d = 0; d < 3; ++d)
      coordinates.push_back(mesh.coordinates[d * mesh.n_nodes + node]);
  whole.coordinates   = transposed(ranks.all(coordinates), 3);
  whole.n_owned_nodes = whole.n_nodes = whole.coordinates.size() / 3;

  Indices vertices;
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    for (std::size_t v = 0; v < 8; ++v)
      vertices.push_back(nodes[mesh.connectivity[v * mesh.n_elements + e]]);
  whole.connectivity = transposed(ranks.all(vertices), 8);
  whole.n_elements   = whole.connectivity.size() / 8;

  Indices constrained;
  for (const LocalIndex dof : mesh.constrained_dofs)
    if (dof < mesh.n_owned_dofs())
      constrained.push_back(mesh.n_components * nodes[dof / mesh.n_components] +
                            dof % mesh.n_components);
  whole.constrained_dofs = ranks.all(constrained);
  std::sort(whole.constrained_dofs.begin(), whole.constrained_dofs.end());
  whole.constrained_values.assign(whole.constrained_dofs.size(), 0.);
  return whole;
}

/// Gathers the rows of shares of the coarse elements; several ranks may have a part of a row.
StiffnessShares gather_shares(const Gatherer &ranks,
                              const StiffnessShares &shares,
                              const Indices &coarse,
                              const std::size_t first_fine,
                              const std::size_t n_coarse)
{
  Indices rows, elements;
  for (std::size_t row = 0; row + 1 < shares.begin.size(); ++row)
    for (LocalIndex k = shares.begin[row]; k < shares.begin[row + 1]; ++k)
      {
        rows.push_back(coarse[row]);
        elements.push_back(static_cast<LocalIndex>(first_fine + shares.elements[k]));
      }
  rows     = ranks.all(rows);
  elements = ranks.all(elements);
  const std::vector<double> weights =
    ranks.all(std::vector<double>(shares.weights.begin(), shares.weights.end()));

  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::sort(order.begin(), order.end(), [&](const std::size_t a, const std::size_t b) {
    return rows[a] != rows[b] ? rows[a] < rows[b] : elements[a] < elements[b];
  });
  StiffnessShares whole;
  whole.begin.assign(n_coarse + 1, 0);
  for (const std::size_t k : order)
    {
      ++whole.begin[rows[k] + 1];
      whole.elements.push_back(elements[k]);
      whole.weights.push_back(static_cast<float>(weights[k]));
    }
  std::partial_sum(whole.begin.begin(), whole.begin.end(), whole.begin.begin());
  return whole;
}

LevelTransfer gather_transfer(const Gatherer &ranks,
                              const ElementMesh &fine,
                              const CoarseLevel &coarse,
                              const ElementMesh &whole)
{
  const TransferArrays arrays(coarse, cpu::default_n_threads());
  const LevelTransfer &own = *arrays;
  LevelTransfer all;
  all.n_coarse_nodes = whole.n_nodes;

  // (1) Parents: those of a rank follow those of the ranks before it. Two ranks may have the same.
  const Indices nodes =
    ranks.numbers(own.coarse_nodes, coarse.mesh.n_owned_nodes, own.n_coarse_nodes);
  Indices vertices;
  for (const std::array<LocalIndex, 8> &parent : own.parent_nodes)
    for (const LocalIndex node : parent)
      vertices.push_back(nodes[node]);
  vertices = ranks.all(vertices);
  all.parent_nodes.resize(vertices.size() / 8);
  for (std::size_t p = 0; p < all.parent_nodes.size(); ++p)
    std::copy_n(&vertices[8 * p], 8, all.parent_nodes[p].begin());
  const auto first_parent = static_cast<LocalIndex>(ranks.first_of(own.parent_nodes.size()));
  const auto behind       = [&](Indices parents) {
    for (LocalIndex &parent : parents)
      parent += first_parent;
    return ranks.all(parents);
  };
  all.parents           = behind(own.parents);
  const Indices octants = ranks.all(Indices(own.octants.begin(), own.octants.end()));
  all.octants.assign(octants.begin(), octants.end());
  all.places.elements = behind(own.places.elements);
  all.places.places   = ranks.all(own.places.places);

  // (2) Shares of the stiffness.
  const std::size_t first_fine = ranks.first_of(fine.n_elements);
  if (ranks.any(own.is_background()))
    {
      const std::size_t n_rows = own.is_background() ? own.shares.begin.size() - 1 : 0;
      all.shares               = gather_shares(ranks,
                                 own.shares,
                                 ranks.numbers(own.coarse_elements, coarse.mesh.n_elements, n_rows),
                                 first_fine,
                                 whole.n_elements);
    }
  else
    {
      const Indices elements = ranks.numbers(own.fine_elements, fine.n_elements, own.n_children);
      const std::size_t n    = coarse.mesh.n_elements;
      Indices children;
      for (std::size_t e = 0; e < n; ++e)
        for (std::size_t c = 0; c < 8; ++c)
          children.push_back(elements[own.children[c * n + e]]);
      all.children   = transposed(ranks.all(children), 8);
      all.n_children = all.octants.size();
    }
  return all;
}
} // namespace

WholeLevels gather_levels(Backend &backend,
                          const Communicator &communicator,
                          const MeshHierarchy &coarser,
                          const std::size_t first)
{
  const Gatherer ranks(backend, communicator);
  const auto whole_of = [&](const ElementMesh &mesh) {
    return gather_mesh(ranks,
                       mesh,
                       ranks.numbers(mesh.node_halo, mesh.n_owned_nodes, mesh.n_nodes));
  };
  WholeLevels whole;
  whole.mesh = whole_of(coarser[first].mesh);
  for (std::size_t l = first + 1; l < coarser.size(); ++l)
    {
      CoarseLevel level;
      level.mesh     = whole_of(coarser[l].mesh);
      level.transfer = gather_transfer(ranks, coarser[l - 1].mesh, coarser[l], level.mesh);
      whole.coarser.push_back(std::move(level));
    }
  return whole;
}
} // namespace strut
