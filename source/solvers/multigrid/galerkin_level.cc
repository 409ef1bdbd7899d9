// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/multigrid/galerkin_level.h"
#include "source/element/components.h"
#include "source/element/galerkin.h"
#include "source/mesh/constrained_components.h"
#include "source/mesh/transfer_arrays.h"
#include "source/solvers/host_threads.h"

namespace strut
{
namespace
{
constexpr unsigned int n_packed = GalerkinMatrices<double>::n_packed;

GalerkinElements elements_of(const ElementMesh &mesh, const CoarseLevel *const next)
{
  require_displacements(mesh, "Galerkin's method for coarse operators");
  GalerkinElements elements;
  elements.n_elements = mesh.n_elements;
  elements.n_stored   = next == nullptr ? mesh.n_elements : next->transfer.n_children;
  elements.n_nodes    = mesh.n_nodes;
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    for (std::size_t v = 0; v < 8; ++v)
      elements.connectivity.push_back(mesh.connectivity[v * mesh.n_elements + e]);
  elements.constrained = constrained_components(mesh.constrained_dofs, mesh.n_nodes);
  return elements;
}

/// Makes the lattices of the coarse elements. Children that other ranks own have vertices of their
/// own, eight nodes each, behind the nodes of the mesh.
SubdividedElements subdivide(Backend &backend,
                             const Communicator &communicator,
                             const ElementMesh &fine,
                             const CoarseLevel &coarse)
{
  const std::size_t n_fine = fine.n_elements, n_coarse = coarse.mesh.n_elements;
  const TransferArrays arrays(coarse, host_threads(backend));
  const LevelTransfer &transfer = *arrays;
  std::vector<double> coordinates;
  for (std::size_t node = 0; node < fine.n_nodes; ++node)
    for (std::size_t d = 0; d < 3; ++d)
      coordinates.push_back(fine.coordinates[d * fine.n_nodes + node]);
  std::vector<std::uint8_t> constrained =
    constrained_components(fine.constrained_dofs, fine.n_nodes);

  // (1) Exchange the vertices of other ranks: coordinates and constraints, four numbers each.
  if (communicator.size() > 1)
    {
      std::vector<double> vertices(32 * transfer.n_children, 0.);
      for (std::size_t e = 0; e < n_fine; ++e)
        for (std::size_t v = 0; v < 8; ++v)
          {
            const std::size_t node = fine.connectivity[v * n_fine + e];
            for (std::size_t d = 0; d < 3; ++d)
              vertices[32 * e + 4 * v + d] = coordinates[3 * node + d];
            vertices[32 * e + 4 * v + 3] = constrained[node];
          }
      Array<double> on_backend(backend.memory(), vertices);
      HaloExchange<double>(backend, communicator, transfer.fine_elements, 32)
        .update_ghosts(on_backend);
      vertices = on_backend.to_host();
      for (std::size_t k = 8 * n_fine; k < 8 * transfer.n_children; ++k)
        {
          coordinates.insert(coordinates.end(), &vertices[4 * k], &vertices[4 * k] + 3);
          constrained.push_back(static_cast<std::uint8_t>(vertices[4 * k + 3]));
        }
    }

  // (2) Make the lattices.
  std::vector<LocalIndex> lattice(27 * n_coarse);
  for (std::size_t e = 0; e < n_coarse; ++e)
    for (std::size_t octant = 0; octant < 8; ++octant)
      for (std::size_t v = 0; v < 8; ++v)
        {
          const std::size_t child = transfer.children[octant * n_coarse + e];
          const std::size_t node  = child < n_fine ? fine.connectivity[v * n_fine + child]
                                                   : fine.n_nodes + 8 * (child - n_fine) + v;
          const int place =
            hexahedron::galerkin::lattice_place(static_cast<int>(octant), static_cast<int>(v));
          lattice[static_cast<std::size_t>(place) * n_coarse + e] = static_cast<LocalIndex>(node);
        }

  Memory &memory = backend.memory();
  SubdividedElements elements;
  elements.n_elements  = n_coarse;
  elements.lattice     = Array<LocalIndex>(memory, lattice);
  elements.children    = Array<LocalIndex>(memory, transfer.children);
  elements.coordinates = Array<double>(memory, coordinates);
  elements.constrained = Array<std::uint8_t>(memory, constrained);
  return elements;
}
} // namespace

template <typename Number>
GalerkinLevel<Number>::GalerkinLevel(Backend &backend,
                                     const Communicator &communicator,
                                     const ElementMesh &fine,
                                     const CoarseLevel &coarse,
                                     const CoarseLevel *const next,
                                     const Material &material,
                                     const GalerkinLevel *const finer)
  : backend_(backend)
  , communicator_(communicator)
  , material_(material)
  , finer_(finer)
  , n_fine_(fine.n_elements)
  , matrices_(
      backend.multigrid_operations<Number>().make_galerkin_matrices(backend.memory(),
                                                                    elements_of(coarse.mesh, next)))
  , node_sum_(backend, communicator, coarse.mesh.node_halo, 3)
  , block_sum_(backend, communicator, coarse.mesh.node_halo, 6)
  , factor_halo_(backend, communicator, coarse.transfer.fine_elements, 1)
{
  const bool with_others = communicator.size() > 1;
  if (finer == nullptr)
    {
      subdivided_ = subdivide(backend, communicator, fine, coarse);
      if (with_others)
        factors_ = Array<double>(backend.memory(), coarse.transfer.n_children);
    }
  else
    children_ =
      Array<LocalIndex>(backend.memory(), TransferArrays(coarse, host_threads(backend))->children);
  if (next == nullptr)
    packed_ = Array<Number>(backend.memory(), n_packed * coarse.mesh.n_elements);
  else if (with_others)
    {
      matrix_halo_ = std::make_unique<HaloExchange<Number>>(backend,
                                                            communicator,
                                                            next->transfer.fine_elements,
                                                            n_packed);
      packed_      = Array<Number>(backend.memory(), n_packed * next->transfer.n_children);
    }
}

template <typename Number>
void GalerkinLevel<Number>::set_from_finest(const Array<double> &factors)
{
  if (communicator_.size() == 1)
    return matrices_->set_from_geometry(subdivided_, material_, factors);
  backend_.vector_operations<double>().copy(n_fine_, factors, factors_);
  factor_halo_.update_ghosts(factors_);
  matrices_->set_from_geometry(subdivided_, material_, factors_);
}

template <typename Number>
void GalerkinLevel<Number>::set(const Stiffness &stiffness)
{
  if (stiffness.law().known() != Law::factor)
    throw SolverFailure(std::string("Galerkin's coarse operators take no ") + stiffness.law().name +
                        " of single elements.");
  if (finer_ == nullptr)
    {
      Array<double> work(backend_.memory(), stiffness.is_stored() ? 0 : n_fine_);
      set_from_finest(stiffness.component(0, 0, work));
    }
  else
    matrices_->set_from_children(children_, *finer_->matrices_);
  if (matrix_halo_ != nullptr)
    {
      matrices_->pack(packed_);
      matrix_halo_->update_ghosts(packed_);
      matrices_->unpack_others(packed_);
    }
}

template <typename Number>
void GalerkinLevel<Number>::apply(Array<Number> &x, Array<Number> &y)
{
  matrices_->apply(x, y);
  node_sum_.add(y);
}

template <typename Number>
void GalerkinLevel<Number>::diagonal_blocks(Array<Number> &blocks)
{
  matrices_->diagonal_blocks(blocks);
  block_sum_.add(blocks);
}

template <typename Number>
double GalerkinLevel<Number>::smoother_bound() const
{
  return communicator_.max(matrices_->smoother_bound());
}

template <typename Number>
void GalerkinLevel<Number>::factor(CoarseSolver<Number> &solver) const
{
  matrices_->pack(packed_);
  solver.set_matrices(packed_);
}

template class GalerkinLevel<double>;
template class GalerkinLevel<float>;
} // namespace strut
