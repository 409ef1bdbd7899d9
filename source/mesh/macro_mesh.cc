// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/mesh/macro_mesh.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "source/base/filled_vector.h"
#include "source/mesh/affine_rows.h"
#include "source/mesh/constrained_components.h"
#include "source/mesh/macro_lattice.h"
#include "source/mesh/macro_nodes.h"
#include "source/mesh/macro_numbering.h"
#include "source/mesh/macro_places.h"
#include "source/mesh/numbers_where.h"
#include "source/mesh/ordering.h"

namespace strut
{
namespace
{
/// The most elements for which nodes and their DoFs have numbers that fit into LocalIndex.
constexpr std::size_t most_elements = std::size_t(1) << 30;

/// Constrains the DoFs of a mesh as in a finer one, whose rows are within nodes.
///
/// @param nodes  node of the finer mesh for each node
void set_constraints(ElementMesh &mesh,
                     const std::vector<LocalIndex> &nodes,
                     const ElementMesh &finer,
                     const int n_threads)
{
  const unsigned int n  = finer.n_components;
  const auto components = constrained_components(finer.constrained_dofs, finer.n_nodes, n);
  mesh.n_components     = n;
  mesh.constrained_dofs = numbers_where(n_threads, n * nodes.size(), [&](const std::size_t dof) {
    return (components[nodes[dof / n]] >> dof % n & 1u) != 0;
  });
  mesh.constrained_values.assign(mesh.constrained_dofs.size(), 0.);

  const AffineRows &rows = finer.dependent;
  if (rows.empty())
    return;
  for (std::size_t node = 0; node < nodes.size(); ++node)
    {
      const LocalIndex begin = n * nodes[node];
      auto k                 = static_cast<std::size_t>(
        std::lower_bound(rows.dofs.begin(), rows.dofs.end(), begin) - rows.dofs.begin());
      for (; k < rows.dofs.size() && rows.dofs[k] < begin + n; ++k)
        {
          append_row(rows, k, mesh.dependent);
          const auto to_coarse = [&](LocalIndex &dof) {
            dof = static_cast<LocalIndex>(n * node + dof % n);
          };
          to_coarse(mesh.dependent.dofs.back());
          mesh.dependent.values.back() = 0.;
          for (std::size_t j = mesh.dependent.offsets.end()[-2]; j < mesh.dependent.masters.size();
               ++j)
            to_coarse(mesh.dependent.masters[j]);
        }
    }
}
} // namespace

ElementMesh refine(const MacroMesh &macro,
                   const std::vector<std::uint32_t> &order,
                   const unsigned int n_refinements,
                   const int n_threads)
{
  if (n_refinements > 10 || order.size() > most_elements >> (3 * n_refinements))
    throw Error("The mesh would have more than " + std::to_string(most_elements) +
                " elements on one rank.\n  Use fewer elements or refinements, or several ranks.");
  const MacroLattice lattice(macro, n_refinements);
  if (lattice.n_points() > std::numeric_limits<LocalIndex>::max() / 3)
    throw Error("The mesh would have " + std::to_string(lattice.n_points()) +
                " nodes, too many for one rank.\n  Use fewer elements or refinements, or several "
                "ranks.");

  ElementMesh mesh;
  const std::size_t n = order.size() << (3 * n_refinements);
  mesh.n_elements     = n;
  mesh.flags          = cpu::filled_vector(n_threads, n, DesignFlag::design);

  // (1) Nodes by first touch.
  const MacroNodes nodes(macro, order, n_refinements);
  const MacroNumbering numbering(nodes, 0, n, n_threads);
  mesh.n_nodes = mesh.n_owned_nodes = numbering.n_owned();
  mesh.connectivity                 = cpu::filled_vector<LocalIndex>(n_threads, 8 * n);
  cpu::parallel_for(n_threads, n, [&](const std::size_t e) {
    const std::array<std::uint64_t, 8> names = nodes.names(e);
    for (std::size_t v = 0; v < 8; ++v)
      mesh.connectivity[v * n + e] = numbering(names[v]);
  });

  // (2) Coordinates, set by the first element of each node.
  const MacroPlaces places(macro, lattice, n_threads);
  mesh.coordinates = cpu::filled_vector<double>(n_threads, 3 * mesh.n_nodes);
  places.for_each_element(
    0,
    n,
    [&](const std::size_t position) { return order[position]; },
    [&](const std::size_t e, const MacroPlaces::Block &block) {
      for (unsigned int v = 0; v < 8; ++v)
        if (numbering.is_first(e, v))
          for (std::size_t d = 0; d < 3; ++d)
            mesh.coordinates[d * mesh.n_nodes + mesh.connectivity[v * n + e]] = block(e, v)[d];
    });
  return mesh;
}

MeshHierarchy
coarser_meshes(const ElementMesh &fine, const unsigned int n_refinements, const int n_threads)
{
  MeshHierarchy hierarchy;
  for (unsigned int level = n_refinements; level-- > 0;)
    {
      // (1) The mesh: vertex v of an element is that of its child v.
      const ElementMesh &finer = hierarchy.empty() ? fine : hierarchy.back().mesh;
      const std::size_t n_fine = finer.n_elements, n = n_fine / 8;
      CoarseLevel coarse;
      ElementMesh &mesh = coarse.mesh;
      mesh.n_elements   = n;
      mesh.connectivity = cpu::filled_vector<LocalIndex>(n_threads, 8 * n);
      cpu::parallel_for(n_threads, n, [&](const std::size_t e) {
        for (std::size_t v = 0; v < 8; ++v)
          mesh.connectivity[v * n + e] = finer.connectivity[v * n_fine + 8 * e + v];
      });
      const std::vector<LocalIndex> nodes =
        number_by_first_touch(finer.n_nodes, n, mesh.connectivity, n_threads);
      mesh.n_nodes = mesh.n_owned_nodes = nodes.size();
      mesh.coordinates                  = cpu::filled_vector<double>(n_threads, 3 * mesh.n_nodes);
      cpu::parallel_for(n_threads, mesh.n_nodes, [&](const std::size_t node) {
        for (std::size_t d = 0; d < 3; ++d)
          mesh.coordinates[d * mesh.n_nodes + node] =
            finer.coordinates[d * finer.n_nodes + nodes[node]];
      });
      set_constraints(mesh, nodes, finer, n_threads);

      // (2) The transfer.
      LevelTransfer &transfer = coarse.transfer;
      transfer.n_coarse_nodes = mesh.n_nodes;
      transfer.n_children     = n_fine;
      transfer.is_in_order    = true;
      hierarchy.push_back(std::move(coarse));
    }
  return hierarchy;
}
} // namespace strut
