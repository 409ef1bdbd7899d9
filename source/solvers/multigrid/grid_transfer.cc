// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/multigrid/grid_transfer.h"
#include "source/backend/multigrid_operations.h"
#include "source/backend/place_interpolation.h"
#include "source/base/inverse_map.h"
#include "source/base/parallel_loop.h"
#include "source/mesh/transfer_arrays.h"
#include "source/solvers/host_threads.h"
#include "source/solvers/multigrid/interpolation_tables.h"

#include <atomic>
#include <memory>
#include <utility>

namespace strut
{
namespace
{
/// Grid transfer with ghosts of the coarse level where several ranks need them. Interpolation is
/// NodeInterpolation or PlaceInterpolation<Number>.
template <typename Number, typename Interpolation>
class Transfer : public GridTransfer<Number>
{
public:
  Transfer(Backend &backend,
           const Communicator &communicator,
           const ElementMesh &fine,
           const CoarseLevel &coarse,
           const bool to_coarse_ghosts,
           Interpolation interpolation)
    : backend_(backend)
    , operations_(backend.multigrid_operations<Number>(fine.n_components))
    , n_owned_coarse_(coarse.mesh.n_owned_dofs())
    , interpolation_(std::move(interpolation))
    , has_ghosts_(communicator.size() > 1)
    , halo_(backend, communicator, coarse.transfer.coarse_nodes, fine.n_components)
    , fine_ghosts_(backend, communicator, fine.node_halo, fine.n_components)
    , coarse_ghosts_(backend,
                     communicator,
                     to_coarse_ghosts ? coarse.mesh.node_halo : HaloPattern(),
                     fine.n_components)
  {
    if (has_ghosts_)
      with_ghosts_ =
        Array<Number>(backend.memory(), fine.n_components * coarse.transfer.n_coarse_nodes);
  }

  void prolongate(const Array<Number> &coarse,
                  const Array<std::uint8_t> &held,
                  Array<Number> &fine) override
  {
    if (!has_ghosts_)
      return operations_.prolongate(interpolation_, coarse, held, fine);
    backend_.vector_operations<Number>().copy(n_owned_coarse_, coarse, with_ghosts_);
    halo_.update_ghosts(with_ghosts_);
    operations_.prolongate(interpolation_, with_ghosts_, held, fine);
    fine_ghosts_.update_ghosts(fine);
  }

  void restrict_to_parents(const Array<Number> &fine, Array<Number> &coarse) override
  {
    if (!has_ghosts_)
      return operations_.restrict_to_parents(interpolation_, fine, coarse);
    operations_.restrict_to_parents(interpolation_, fine, with_ghosts_);
    halo_.add_to_owners(with_ghosts_);
    backend_.vector_operations<Number>().copy(n_owned_coarse_, with_ghosts_, coarse);
    coarse_ghosts_.update_ghosts(coarse);
  }

private:
  Backend &backend_;
  const MultigridOperations<Number> &operations_;
  std::size_t n_owned_coarse_; ///< owned DoFs of the coarse level
  const Interpolation interpolation_;
  bool has_ghosts_;                                  ///< whether some rank has ghosts
  HaloExchange<Number> halo_;                        ///< nodes of the transfer
  HaloExchange<Number> fine_ghosts_, coarse_ghosts_; ///< nodes of the meshes
  Array<Number> with_ghosts_; ///< coarse vector in the layout of the transfer; used only if needed
};

/// Interpolation between a mesh, or background cells, and its refinement.
NodeInterpolation
interpolate_refinement(Backend &backend, const ElementMesh &fine, const CoarseLevel &coarse)
{
  Memory &memory        = backend.memory();
  const auto on_backend = [&](const InterpolationTables::Lists &lists) {
    return NodeLists{Array<std::uint32_t>(memory, lists.bases),
                     Array<std::uint32_t>(memory, lists.begins),
                     Array<std::uint32_t>(memory, lists.patterns)};
  };
  const InterpolationTables tables =
    InterpolationTables::build(fine,
                               *TransferArrays(coarse, host_threads(backend)),
                               host_threads(backend));
  NodeInterpolation interpolation;
  interpolation.places   = Array<std::uint32_t>(memory, tables.places);
  interpolation.elements = on_backend(tables.elements);
  interpolation.children = on_backend(tables.children);
  interpolation.n_fine   = fine.n_owned_nodes;
  interpolation.n_coarse = coarse.transfer.n_coarse_nodes;
  return interpolation;
}

/// Interpolation between a mesh and background cells that it was not refined from.
template <typename Number>
PlaceInterpolation<Number> interpolate_places(Backend &backend, const LevelTransfer &transfer)
{
  const NodePlaces &nodes      = transfer.places;
  const std::size_t n_elements = transfer.parent_nodes.size();
  std::vector<LocalIndex> element_nodes;
  element_nodes.reserve(8 * n_elements);
  for (const auto &of_element : transfer.parent_nodes)
    element_nodes.insert(element_nodes.end(), of_element.begin(), of_element.end());
  const InverseMap fine(nodes.elements, n_elements);
  const InverseMap around(element_nodes, transfer.n_coarse_nodes);

  Memory &memory = backend.memory();
  PlaceInterpolation<Number> interpolation;
  interpolation.elements      = Array<std::uint32_t>(memory, nodes.elements);
  interpolation.places        = Array<Number>(memory, {nodes.places.begin(), nodes.places.end()});
  interpolation.element_nodes = Array<std::uint32_t>(memory, element_nodes);
  interpolation.fine_begin    = Array<std::uint32_t>(memory, fine.begin);
  interpolation.fine          = Array<std::uint32_t>(memory, fine.entries);
  interpolation.around_begin  = Array<std::uint32_t>(memory, around.begin);
  interpolation.around        = Array<std::uint32_t>(memory, around.entries);
  interpolation.n_fine        = nodes.elements.size();
  interpolation.n_coarse      = transfer.n_coarse_nodes;
  return interpolation;
}

/// Whether the children of element e are 8 e, 8 e + 1, ..., 8 e + 7.
/// @param children  `[8][n]`
bool are_in_order(const std::vector<LocalIndex> &children, const int n_threads)
{
  const std::size_t n = children.size() / 8;
  std::atomic<bool> are{true};
  cpu::parallel_for(n_threads, n, [&](const std::size_t e) {
    for (std::size_t c = 0; c < 8; ++c)
      if (children[c * n + e] != 8 * e + c)
        are.store(false, std::memory_order_relaxed);
  });
  return are;
}

/// Coarse stiffness as the mean of the children.
class ChildrenMean : public CoarseStiffness
{
public:
  ChildrenMean(Backend &backend,
               const Communicator &communicator,
               const ElementMesh &fine,
               const CoarseLevel &coarse)
    : backend_(backend)
    , n_fine_(fine.n_elements)
    , n_coarse_(coarse.mesh.n_elements)
    , children_(backend.memory(),
                coarse.transfer.is_in_order ||
                    are_in_order(coarse.transfer.children, host_threads(backend))
                  ? std::vector<std::uint32_t>()
                  : coarse.transfer.children)
    , has_ghosts_(communicator.size() > 1)
    , halo_(backend, communicator, coarse.transfer.fine_elements, 1)
  {
    if (has_ghosts_)
      with_ghosts_ = Array<double>(backend.memory(), coarse.transfer.n_children);
  }

  void apply(const Array<double> &fine, Array<double> &coarse) override
  {
    const LevelOperations &levels = backend_.level_operations();
    if (!has_ghosts_)
      return levels.mean_of_children(n_coarse_, children_, fine, coarse);
    backend_.vector_operations<double>().copy(n_fine_, fine, with_ghosts_);
    halo_.update_ghosts(with_ghosts_);
    levels.mean_of_children(n_coarse_, children_, with_ghosts_, coarse);
  }

private:
  Backend &backend_;
  std::size_t n_fine_;
  std::size_t n_coarse_;
  Array<std::uint32_t> children_; ///< empty if those of element e are 8 e, 8 e + 1, ..., 8 e + 7
  bool has_ghosts_;
  HaloExchange<double> halo_;
  Array<double> with_ghosts_;
};

/// Coarse stiffness on the same elements.
class SameElements : public CoarseStiffness
{
public:
  SameElements(Backend &backend, const std::size_t n_elements)
    : backend_(backend), n_elements_(n_elements)
  {}

  void apply(const Array<double> &fine, Array<double> &coarse) override
  {
    backend_.vector_operations<double>().copy(n_elements_, fine, coarse);
  }

private:
  Backend &backend_;
  std::size_t n_elements_;
};

/// Coarse stiffness from shares of elements that need not be children. Each rank adds up the shares
/// of its own elements.
class SharedStiffness : public CoarseStiffness
{
public:
  SharedStiffness(Backend &backend, const Communicator &communicator, const CoarseLevel &coarse)
    : backend_(backend)
    , n_owned_(coarse.mesh.n_elements)
    , n_coarse_(coarse.transfer.shares.begin.size() - 1)
    , begin_(backend.memory(), coarse.transfer.shares.begin)
    , elements_(backend.memory(), coarse.transfer.shares.elements)
    , weights_(backend.memory(), coarse.transfer.shares.weights)
    , has_ghosts_(communicator.size() > 1)
    , halo_(backend, communicator, coarse.transfer.coarse_elements, 1)
  {
    if (has_ghosts_)
      with_ghosts_ = Array<double>(backend.memory(), n_coarse_);
  }

  void apply(const Array<double> &fine, Array<double> &coarse) override
  {
    const LevelOperations &levels = backend_.level_operations();
    if (!has_ghosts_)
      return levels.weighted_sums(n_coarse_, begin_, elements_, weights_, fine, coarse);
    levels.weighted_sums(n_coarse_, begin_, elements_, weights_, fine, with_ghosts_);
    halo_.add_to_owners(with_ghosts_);
    backend_.vector_operations<double>().copy(n_owned_, with_ghosts_, coarse);
  }

private:
  Backend &backend_;
  std::size_t n_owned_;  ///< coarse elements
  std::size_t n_coarse_; ///< coarse elements with those of other ranks
  Array<std::uint32_t> begin_, elements_;
  Array<float> weights_;
  bool has_ghosts_;
  HaloExchange<double> halo_;
  Array<double> with_ghosts_;
};
} // namespace

template <typename Number>
std::unique_ptr<GridTransfer<Number>> make_grid_transfer(Backend &backend,
                                                         const Communicator &communicator,
                                                         const ElementMesh &fine,
                                                         const CoarseLevel &coarse,
                                                         const bool to_coarse_ghosts)
{
  if (coarse.transfer.has_places())
    return std::make_unique<Transfer<Number, PlaceInterpolation<Number>>>(
      backend,
      communicator,
      fine,
      coarse,
      to_coarse_ghosts,
      interpolate_places<Number>(backend, coarse.transfer));
  return std::make_unique<Transfer<Number, NodeInterpolation>>(backend,
                                                               communicator,
                                                               fine,
                                                               coarse,
                                                               to_coarse_ghosts,
                                                               interpolate_refinement(backend,
                                                                                      fine,
                                                                                      coarse));
}

template decltype(make_grid_transfer<double>) make_grid_transfer<double>;
template decltype(make_grid_transfer<float>) make_grid_transfer<float>;

std::unique_ptr<CoarseStiffness> make_coarse_stiffness(Backend &backend,
                                                       const Communicator &communicator,
                                                       const ElementMesh &fine,
                                                       const CoarseLevel &coarse)
{
  if (coarse.transfer.is_background())
    return std::make_unique<SharedStiffness>(backend, communicator, coarse);
  if (fine.type != coarse.mesh.type)
    return std::make_unique<SameElements>(backend, fine.n_elements);
  return std::make_unique<ChildrenMean>(backend, communicator, fine, coarse);
}
} // namespace strut
