// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/output/cell_keys.h"

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/grid/tria.h>

#include <strut/base/exceptions.h>

#include <algorithm>
#include <limits>
#include <string>

#include "plugin/base/coarse_cell.h"

namespace strut::plugin
{
namespace
{
constexpr unsigned int available_bits = 61; // three more number the vertices

/// Three bits per level; fewer levels than the finest leave the low bits zero. Active cells do not
/// overlap, so no two have the same number.
std::uint64_t key_of(const dealii::CellAccessor<3, 3> &cell, const unsigned int n_levels)
{
  const dealii::CellId id = cell.id();
  std::uint64_t key       = coarse_cell_of(cell);
  const auto &children    = id.get_child_indices();
  for (unsigned int level = 0; level + 1 < n_levels; ++level)
    key = key << 3 | (level < children.size() ? children[level] : 0);
  return key;
}

/// Exchange `n_components` numbers per node of the halo: from owners to ghosts, or back.
template <typename T, typename Store>
void exchange(MPI_Comm communicator,
              const HaloPattern &halo,
              const std::vector<T> &values,
              const std::size_t n_components,
              const bool to_ghosts,
              const Store &store)
{
  const std::size_t n = halo.neighbours.size();
  std::vector<std::vector<T>> sent(n);
  std::vector<std::vector<T>> received(n);
  std::vector<MPI_Request> requests(2 * n);
  std::vector<std::vector<std::uint32_t>> ghosts(n);
  for (std::size_t k = 0; k < n; ++k)
    {
      const HaloPattern::Neighbour &neighbour = halo.neighbours[k];
      for (std::uint32_t node = neighbour.ghosts_begin; node < neighbour.ghosts_end; ++node)
        ghosts[k].push_back(node);
      const std::vector<std::uint32_t> &from = to_ghosts ? neighbour.send : ghosts[k];
      const std::vector<std::uint32_t> &to   = to_ghosts ? ghosts[k] : neighbour.send;

      for (const std::size_t node : from)
        for (std::size_t c = 0; c < n_components; ++c)
          sent[k].push_back(values[n_components * node + c]);
      received[k].resize(n_components * to.size());
      const auto bytes = [](const std::vector<T> &buffer) {
        return static_cast<int>(buffer.size() * sizeof(T));
      };
      MPI_Irecv(received[k].data(),
                bytes(received[k]),
                MPI_BYTE,
                neighbour.rank,
                0,
                communicator,
                &requests[2 * k]);
      MPI_Isend(sent[k].data(),
                bytes(sent[k]),
                MPI_BYTE,
                neighbour.rank,
                0,
                communicator,
                &requests[2 * k + 1]);
    }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  for (std::size_t k = 0; k < n; ++k)
    {
      const std::vector<std::uint32_t> &to = to_ghosts ? ghosts[k] : halo.neighbours[k].send;
      for (std::size_t i = 0; i < received[k].size(); ++i)
        store(n_components * to[i / n_components] + i % n_components, received[k][i]);
    }
}
} // namespace

std::vector<std::uint64_t> cell_keys(const dealii::DoFHandler<3> &dof_handler,
                                     const ElementMesh &mesh)
{
  const dealii::Triangulation<3> &triangulation = dof_handler.get_triangulation();
  const unsigned int n_levels                   = triangulation.n_global_levels();
  const std::uint64_t n_coarse_cells            = triangulation.n_global_coarse_cells();
  const unsigned int bits_of_levels             = 3 * (n_levels - 1);
  if (bits_of_levels >= available_bits ||
      n_coarse_cells > (std::uint64_t(1) << (available_bits - bits_of_levels)))
    throw Error(
      "A checkpoint cannot number the cells of this mesh: " + std::to_string(n_coarse_cells) +
      " coarse cells refined " + std::to_string(n_levels - 1) + " times need more than " +
      std::to_string(available_bits) +
      " bits. Use a coarse mesh with fewer cells or fewer refinements, or write no "
      "checkpoints.");

  std::vector<std::uint64_t> of_owned_cell;
  for (const auto &cell : dof_handler.active_cell_iterators())
    if (cell->is_locally_owned())
      of_owned_cell.push_back(key_of(*cell, n_levels));

  std::vector<std::uint64_t> keys(mesh.n_elements);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    keys[e] = of_owned_cell[mesh.element_to_cell[e]];
  return keys;
}

std::vector<std::uint64_t> node_keys(MPI_Comm communicator,
                                     const ElementMesh &mesh,
                                     const std::vector<std::uint64_t> &cell_keys)
{
  std::vector<std::uint64_t> keys(mesh.n_nodes, std::numeric_limits<std::uint64_t>::max());
  for (std::size_t v = 0; v < 8; ++v)
    for (std::size_t e = 0; e < mesh.n_elements; ++e)
      {
        std::uint64_t &key = keys[mesh.connectivity[v * mesh.n_elements + e]];
        key                = std::min(key, 8 * cell_keys[e] + v);
      }

  // Every rank with a cell at the node that does not own it has the node as a ghost.
  exchange(communicator,
           mesh.node_halo,
           keys,
           1,
           /*to_ghosts*/ false,
           [&](const std::size_t node, const std::uint64_t key) {
             keys[node] = std::min(keys[node], key);
           });
  keys.resize(mesh.n_owned_nodes);
  return keys;
}

void update_ghosts(MPI_Comm communicator, const ElementMesh &mesh, std::vector<double> &values)
{
  exchange(communicator,
           mesh.node_halo,
           values,
           3,
           /*to_ghosts*/ true,
           [&](const std::size_t i, const double value) { values[i] = value; });
}
} // namespace strut::plugin
