// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/base/team.h"
#include "source/element/elements.h"
#include "source/mesh/identical_elements.h"
#include "source/mesh/mean_value_rows.h"
#include "source/mesh/patches.h"
#include "source/mesh/rigid_motions.h"
#include "source/mesh/transfer_arrays.h"
#include "source/solvers/coarse/direct_solver.h"
#include "source/solvers/multigrid/background.h"
#include "source/solvers/multigrid/interpolation_tables.h"
#include "source/solvers/multigrid/multigrid.h"
#include "source/solvers/two_pass_operator.h"

#include <algorithm>
#include <cmath>

namespace strut
{
namespace
{
/// Number of entities that a rank sends to others.
std::size_t n_sent(const HaloPattern &pattern)
{
  std::size_t n = 0;
  for (const HaloPattern::Neighbour &neighbour : pattern.neighbours)
    n += neighbour.send.size();
  return n;
}

/// Numbers that HaloSum adds up on a level: products, residuals and nodal blocks on the nodes that
/// other ranks have as well.
std::size_t n_summed(const ElementMesh &mesh)
{
  const std::size_t n = mesh.n_components;
  return (n + n + n * (n + 1) / 2) * (n_sent(mesh.node_halo) + mesh.n_nodes - mesh.n_owned_nodes);
}

/// Adds the products of a level with a smoother, with so many dependent DoFs.
void add_products(MeshSize &size,
                  const Communicator &communicator,
                  const ElementMesh &mesh,
                  const std::size_t n_dependent_dofs)
{
  size.n_dependent_dofs += n_dependent_dofs;
  if (communicator.any(n_dependent_dofs > 0) || size.has_shift)
    size.n_product_nodes += mesh.n_nodes;
}

/// Words of the patterns (NodeLists) of each level that a finer one was refined from, 0 for others.
/// They are counted on small levels.
///
/// On a larger level there are four times as many as on the next coarser one. Most patterns are on
/// the faces of the cells that the mesh was refined from, whose number grows so. If nearly all
/// lists of the coarser level differ, or there is no such level, there are as many as lists.
std::vector<std::size_t> pattern_words(const Structure &structure)
{
  constexpr std::size_t most_counted = std::size_t(1) << 18; // Number of fine nodes.
  std::vector<std::size_t> words(structure.coarser.size(), 0);
  bool are_different  = true; // State of the next coarser level; true if there is none.
  std::size_t coarser = 0;    // Words of the next coarser level.
  for (std::size_t l = words.size(); l-- > 0;)
    {
      const CoarseLevel &coarse     = structure.coarser[l];
      const LevelTransfer &transfer = coarse.transfer;
      const ElementMesh &fine       = l == 0 ? structure.mesh : structure.coarser[l - 1].mesh;
      if (transfer.has_places())
        {
          are_different = true;
          continue;
        }
      const std::size_t n_parents =
        transfer.is_in_order ? coarse.mesh.n_elements : transfer.parent_nodes.size();
      const std::size_t most = 28 * transfer.n_coarse_nodes + 8 * n_parents;
      if (fine.n_owned_nodes <= most_counted)
        {
          const int n_threads = cpu::default_n_threads();
          const auto tables =
            InterpolationTables::build(fine, *TransferArrays(coarse, n_threads), n_threads);
          words[l]      = tables.elements.patterns.size() + tables.children.patterns.size();
          are_different = 10 * words[l] > 9 * most;
        }
      else
        {
          words[l]      = are_different ? most : std::min(4 * coarser, most);
          are_different = false;
        }
      coarser = words[l];
    }
  return words;
}

/// Adds the data that supports and dependent DoFs require on the finest level.
void add_conditions(MeshSize &size, const Communicator &communicator, const ElementMesh &mesh)
{
  size.has_springs   = communicator.any(!mesh.spring_dofs.empty());
  size.has_shift     = size.has_springs;
  const auto rows    = mean_value_rows(communicator, mesh);
  const auto n_own   = std::count_if(rows.begin(), rows.end(), [&](const std::size_t row) {
    return mesh.dependent.dofs[row] < mesh.n_owned_dofs();
  });
  size.n_mean_values = communicator.sum(static_cast<std::size_t>(n_own));
  if (communicator.any(!rows.empty()) && !free_rigid_motions(communicator, mesh, rows).empty())
    size.has_shift = true;
  size.n_own_dependent_dofs = mesh.dependent.dofs.size();
  add_products(size, communicator, mesh, size.n_own_dependent_dofs - rows.size());
}
} // namespace

MeshSize size_of(const Communicator &communicator, const Structure &structure, const bool on_device)
{
  MeshSize size{structure.mesh.n_elements, structure.mesh.n_nodes};
  size.type           = structure.mesh.type;
  const std::size_t n = size.n_components = structure.mesh.n_components;
  size.layout.law                         = law_of_solids(communicator, structure).known();
  if (const auto slots = Patches::slots_per_element(structure.mesh); slots.has_value())
    size.more_slots_per_element =
      *slots - 1.5 -
      static_cast<double>(structure.mesh.n_nodes) / static_cast<double>(structure.mesh.n_elements);
  // Elements of other ranks may move here on coarser levels.
  size.has_similar_elements =
    !communicator.any(structure.mesh.n_elements > 0 && !are_similar_elements(structure.mesh));
  const std::size_t n_usable =
    n_coarser_levels(communicator, structure.coarser, MultigridSettings());
  const std::size_t gathered = first_gathered_level(
    communicator, structure.mesh.type, structure.coarser, n_usable, MultigridSettings(), on_device);
  const std::size_t n_coarser = std::min(n_usable, gathered + 1);
  if (gathered < n_usable)
    {
      const ElementMesh &first = structure.coarser[gathered].mesh;
      size.n_gathered_elements = communicator.sum(first.n_elements);
      size.n_gathered_nodes    = communicator.sum(first.n_owned_nodes);
      size.n_own_levels        = static_cast<unsigned int>(gathered + 2);
    }
  const std::vector<std::size_t> words = pattern_words(structure);
  // Behind the first gathered level each rank has the patterns of all ranks.
  for (std::size_t l = 0; l < n_usable; ++l)
    size.n_pattern_words += l < n_coarser ? words[l] : communicator.sum(words[l]);
  for (std::size_t l = first_background_level(structure.coarser); l < n_coarser; ++l)
    {
      const auto &[mesh, transfer] = structure.coarser[l];
      size.n_background_elements += transfer.parent_nodes.size();
      size.n_background_nodes += mesh.n_nodes;
      size.n_stiffness_shares += transfer.shares.elements.size();
      size.n_placed_nodes += transfer.places.elements.size();
      if (communicator.size() > 1)
        {
          size.n_transfer_elements += transfer.parent_nodes.size();
          size.n_transfer_nodes += transfer.n_coarse_nodes;
        }
    }
  // Vectors of an operator, of both directions between two levels, and of the residual.
  add_conditions(size, communicator, structure.mesh);
  size.n_summed    = n_summed(structure.mesh);
  size.n_exchanged = 3 * n * n_sent(structure.mesh.node_halo);
  for (std::size_t l = 0; l < n_coarser; ++l)
    {
      const auto &[mesh, transfer] = structure.coarser[l];
      size.n_summed += n_summed(mesh);
      if (l + 1 < n_coarser)
        add_products(size, communicator, mesh, mesh.dependent.dofs.size());
      size.n_exchanged +=
        n * (l + 1 < n_coarser ? 3 : 1) * n_sent(mesh.node_halo) +
        n * n_sent(transfer.coarse_nodes) +
        n_sent(transfer.is_background() ? transfer.coarse_elements : transfer.fine_elements);
      if (l + 1 == n_coarser && communicator.any(!mesh.dependent.empty()))
        size.n_exchanged += n * n_sent(mesh.node_halo);
    }
  const bool has_linear =
    n_coarser > 0 && communicator.any(structure.coarser[0].transfer.is_linear());
  size.n_linear_nodes = has_linear ? structure.coarser[0].mesh.n_nodes : 0;
  size.is_flat = n_coarser > 0 && (has_linear || first_background_level(structure.coarser) == 0);
  if (on_device && n_coarser > 0)
    {
      const auto inverted = [&](const std::size_t n_levels) {
        const std::size_t n_dofs =
          communicator.sum(structure.coarser[n_levels - 1].mesh.n_owned_dofs());
        return n_dofs <= most_inverted_dofs ? n_dofs : 0;
      };
      MultigridSettings galerkin;
      galerkin.coarse_operators = CoarseOperators::galerkin;
      size.n_inverted_dofs      = inverted(n_usable);
      size.n_inverted_galerkin_dofs =
        inverted(n_coarser_levels(communicator, structure.coarser, galerkin));
    }
  return size;
}

namespace
{
/// Number of vectors of a level. A product has one only where it is not subtracted at once; see
/// also MeshSize::n_product_nodes.
template <typename Number>
double n_vectors(const Strategy<Number> &strategy)
{
  return strategy.subtracts ? 3. : 4.;
}

/// Bytes of the inverse block of a node.
template <typename Number>
double of_block(const MeshSize &size)
{
  return static_cast<double>(StoredBlock<Number>::n_words(size.n_components) *
                             sizeof(typename StoredBlock<Number>::Word));
}

/// Bytes of a node: blocks, vectors, constrained components. Packed blocks are made in the vectors.
template <typename Number>
double of_a_node(const Strategy<Number> &strategy, const MeshSize &size)
{
  return of_block<Number>(size) + size.n_components * n_vectors(strategy) * sizeof(Number) + 1.;
}

/// Bytes of the operator of a level, and of numbers that are kept beside it. With tangents there is
/// one operator more; tangents() has their numbers.
template <typename Number>
double operator_of_level(const Strategy<Number> &strategy,
                         const MeshSize &size,
                         const std::size_t n_elements,
                         const std::size_t n_nodes)
{
  const double one = operator_memory(strategy, size, n_elements, n_nodes);
  const Law &law   = size.layout.law;
  if (law.answers().are_factors)
    return one;
  if (!law.answers().have_points)
    return one + law.n_components * sizeof(double) * static_cast<double>(n_elements);
  MeshSize of_any_shape             = size;
  of_any_shape.has_similar_elements = false;
  return one + operator_memory(strategy, of_any_shape, n_elements, n_nodes);
}

/// Bytes of the numbers of tangents: by points on the finest level, one for each element on the
/// others. Two fields are in double while they are set; largest_level_eigenvalue() needs two
/// vectors.
template <typename Number>
double tangents(const MeshSize &size)
{
  if (!size.layout.law.answers().have_points)
    return 0.;
  const auto finest      = static_cast<double>(size.n_elements);
  const double refined   = size.is_flat ? 0. : finest / 7.;
  const double of_others = refined + static_cast<double>(size.n_background_elements) +
                           8. / 7. * static_cast<double>(size.n_gathered_elements);
  return n_tangent_components * sizeof(Number) * (size.layout.n_points * finest + of_others) +
         2. * sizeof(double) * finest +
         6. * sizeof(Number) * 8. / 7. * static_cast<double>(size.n_nodes);
}

/// Bytes of conditions: vectors of products that n_vectors() does not count, and of shifts;
/// components that are held; the dependence of DoFs.
template <typename Number>
double conditions(const Strategy<Number> &strategy, const MeshSize &size)
{
  const double n_more = (strategy.subtracts ? 1. : 0.) + (size.has_shift ? 1. : 0.);
  return (size.n_components * n_more * sizeof(Number) + 1.) *
           static_cast<double>(size.n_product_nodes) +
         bytes_of_dependent_dof<Number> * static_cast<double>(size.n_dependent_dofs);
}

/// Bytes of a flat mesh itself, without its connection to the background.
template <typename Number>
double flat_mesh(const Strategy<Number> &strategy, const MeshSize &size)
{
  return operator_of_level(strategy, size, size.n_elements, size.n_nodes) +
         of_a_node(strategy, size) * static_cast<double>(size.n_nodes);
}

/// Bytes that elements other than hexahedra of eight nodes need beside the mesh and its background.
/// These are vectors that estimate eigenvalues and combine cycles, and the level of linear
/// elements. That has springs, factors, the nodes of its elements, and places of the finer nodes.
template <typename Number>
double linear_level(const Strategy<Number> &strategy, const MeshSize &size)
{
  if (size.type == ElementType())
    return 0.;
  const double vector  = size.n_components * sizeof(Number);
  const auto n_nodes   = static_cast<double>(size.n_nodes),
             n_second  = static_cast<double>(size.n_linear_nodes > 0 ? size.n_linear_nodes
                                                                     : size.n_background_nodes);
  const double vectors = vector * (n_nodes + 5. * n_second);
  if (size.n_linear_nodes == 0)
    return vectors;
  MeshSize linear = size;
  linear.type     = size.type.n_vertices == 8 ? ElementType() : type_of<Tet4>();
  return vectors + operator_of_level(strategy, linear, size.n_elements, size.n_linear_nodes) +
         (of_a_node(strategy, size) + vector + 4.) * static_cast<double>(size.n_linear_nodes) +
         (sizeof(double) + 8.) * static_cast<double>(size.n_elements) + 4. * n_nodes;
}

/// Bytes of the background levels: springs; factors; nodes of elements and elements of nodes, with
/// the beginnings of both; shares; places.
template <typename Number>
double background(const Strategy<Number> &strategy, const MeshSize &size)
{
  const std::size_t n_elements = size.n_background_elements, n_nodes = size.n_background_nodes;
  if (n_elements == 0)
    return 0.;
  const double n        = size.n_components;
  MeshSize of_hexahedra = size;
  of_hexahedra.type     = ElementType();
  return operator_of_level(strategy, of_hexahedra, n_elements, n_nodes) +
         (of_a_node(strategy, size) + n * sizeof(Number) + 4.) * static_cast<double>(n_nodes) +
         (sizeof(double) + 2. * 32. + 2. * 4.) * static_cast<double>(n_elements) +
         8. * static_cast<double>(size.n_stiffness_shares) +
         (8. + 3. * sizeof(Number)) * static_cast<double>(size.n_placed_nodes) +
         sizeof(double) * static_cast<double>(size.n_transfer_elements) +
         (n * sizeof(Number) + 4.) * static_cast<double>(size.n_transfer_nodes);
}
/// Bytes of smoothed aggregation behind the second level, on the host. A node of that level has 27
/// blocks of 3x3 numbers and about five of 3x6, with indices; the levels behind take a tenth of
/// that. The dense factor follows.
double aggregation(const MeshSize &size)
{
  const double n_nodes = size.is_flat ? static_cast<double>(size.n_background_nodes)
                                      : static_cast<double>(size.n_nodes) / 8.;
  const auto direct    = static_cast<double>(MultigridSettings().direct_dofs);
  return 3100. * n_nodes + 8. * direct * direct;
}
} // namespace

template <typename Number>
double multigrid_memory_estimate(const Strategy<Number> &strategy,
                                 const CoarseOperators coarse_operators,
                                 const MeshSize &size)
{
  const std::size_t n_elements = size.n_elements, n_nodes = size.n_nodes;
  const std::size_t n_inverted = coarse_operators == CoarseOperators::galerkin
                                   ? size.n_inverted_galerkin_dofs
                                   : size.n_inverted_dofs;
  const double inverse         = 8. * static_cast<double>(n_inverted * n_inverted);

  // - Nodes: blocks, vectors, springs of the next coarser level, constrained components; for the
  //   interpolation the place of a node, and the list of children of each coarse one.
  // - Elements: list of nodes, children (half, where they are not in order) and factors of the next
  //   coarser level.
  // Patterns of lists are counted elsewhere.
  const double n    = size.n_components;
  const double node = of_block<Number>(size) + (n * n_vectors(strategy) + n / 8.) * sizeof(Number) +
                      4. + 8. / 8. + 1.;
  const double element = 8. / 8. + 2. + sizeof(double) / 8.;
  const auto level     = [&](const std::size_t elements, const std::size_t nodes) {
    return operator_of_level(strategy, size, elements, nodes) + node * static_cast<double>(nodes) +
           element * static_cast<double>(elements);
  };
  const double finest = level(n_elements, n_nodes);
  double refined = finest * 8. / 7., gathered = 0.;
  if (coarse_operators == CoarseOperators::rediscretised && size.n_own_levels > 0)
    {
      refined  = finest * (8. - std::pow(8., 1. - size.n_own_levels)) / 7.;
      gathered = level(size.n_gathered_elements, size.n_gathered_nodes) * 8. / 7.;
    }
  const double levels = (size.is_flat ? flat_mesh(strategy, size) : refined) + gathered +
                        linear_level(strategy, size) + background(strategy, size) +
                        tangents<Number>(size) + inverse + conditions(strategy, size) +
                        4. * static_cast<double>(size.n_pattern_words) +
                        (5. * 4. + sizeof(Number)) * static_cast<double>(size.n_exchanged) +
                        (5. * 4. + 2. * sizeof(Number)) * static_cast<double>(size.n_summed);
  if (coarse_operators == CoarseOperators::rediscretised)
    return levels;
  if (coarse_operators == CoarseOperators::aggregation)
    return levels + aggregation(size);

  // Matrices and their products, nodes of an element and elements of a node. The finest level has
  // 27 nodes for 8 elements, children, coordinates and constraints.
  const double matrix = (300. + 24.) * sizeof(Number) + 16. * 4. + 8.;
  return levels + static_cast<double>(n_elements) * (matrix / 7. + 27. / 8. * 4. + 4.) +
         static_cast<double>(n_nodes) * 25.;
}

template decltype(multigrid_memory_estimate<double>) multigrid_memory_estimate<double>;
template decltype(multigrid_memory_estimate<float>) multigrid_memory_estimate<float>;
} // namespace strut
