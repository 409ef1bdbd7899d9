// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/multigrid/grid_transfer.h"
#include "source/base/atomic_minimum.h"
#include "source/base/begin_rows.h"
#include "source/base/filled_vector.h"
#include "source/solvers/host_threads.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>

namespace strut
{
InterpolationTables InterpolationTables::build(const ElementMesh &fine,
                                               const LevelTransfer &transfer,
                                               const int n_threads)
{
  constexpr std::size_t most_nodes    = std::size_t(1) << 30;
  constexpr std::size_t most_elements = std::size_t(1) << (32 - NodeInterpolation::bits_of_place);
  if (fine.n_owned_nodes > most_nodes)
    throw Error("Multigrid can number " + std::to_string(most_nodes) +
                  " nodes of a rank, and the mesh has " + std::to_string(fine.n_owned_nodes) + ".",
                Remedy::use_more_ranks);
  if (transfer.parent_nodes.size() > most_elements)
    throw Error("Multigrid can number " + std::to_string(most_elements) +
                  " coarse elements of a rank, and there are " +
                  std::to_string(transfer.parent_nodes.size()) + ".",
                Remedy::use_more_ranks);
  const std::size_t n = fine.n_elements, n_nodes = fine.n_owned_nodes;
  InterpolationTables tables;
  tables.elements = cpu::filled_vector<std::uint32_t>(n_threads, 8 * transfer.parent_nodes.size());
  cpu::parallel_for(n_threads, transfer.parent_nodes.size(), [&](const std::size_t p) {
    std::copy_n(transfer.parent_nodes[p].begin(), 8, &tables.elements[8 * p]);
  });

  // (1) Vertex v of the child at octant c sits at place (c + v) of the lattice of its parent, that of an element left
  // whole at (2 v). Of the elements around a node the first one has the word.
  {
    const std::unique_ptr<std::atomic<LocalIndex>[]> first(new std::atomic<LocalIndex>[n_nodes]);
    cpu::parallel_for(n_threads, n_nodes, [&](const std::size_t node) {
      first[node].store(static_cast<LocalIndex>(n), std::memory_order_relaxed);
    });
    cpu::parallel_for(n_threads, n, [&](const std::size_t e) {
      for (std::size_t v = 0; v < 8; ++v)
        if (const LocalIndex node = fine.connectivity[v * n + e]; node < n_nodes)
          lower(first[node], static_cast<LocalIndex>(e));
    });
    tables.places = cpu::filled_vector<std::uint32_t>(n_threads, n_nodes);
    cpu::parallel_for(n_threads, n, [&](const std::size_t e) {
      for (unsigned int v = 0; v < 8; ++v)
        {
          const LocalIndex node = fine.connectivity[v * n + e];
          if (node >= n_nodes || first[node].load(std::memory_order_relaxed) != e)
            continue;
          const auto at = [&](const unsigned int d) {
            const unsigned int bit = v >> d & 1u;
            return transfer.octants[e] == LevelTransfer::whole
                     ? 2 * bit
                     : (transfer.octants[e] >> d & 1u) + bit;
          };
          tables.places[node] = transfer.parents[e] << NodeInterpolation::bits_of_place |
                                (at(0) + 3 * at(1) + 9 * at(2));
        }
    });
  }

  // (2) The transpose: the children of a coarse node ascend.
  const auto for_each_parent = [&](const std::size_t node, const auto &body) {
    NodeInterpolation::for_each_parent(tables.places[node], tables.elements.data(), body);
  };
  const std::size_t n_parents = transfer.n_coarse_nodes;
  const std::unique_ptr<std::atomic<std::uint32_t>[]> next(
    new std::atomic<std::uint32_t>[n_parents]);
  cpu::parallel_for(n_threads, n_parents, [&](const std::size_t parent) {
    next[parent].store(0, std::memory_order_relaxed);
  });
  cpu::parallel_for(n_threads, n_nodes, [&](const std::size_t node) {
    for_each_parent(node, [&](const std::uint32_t parent) {
      next[parent].fetch_add(1, std::memory_order_relaxed);
    });
  });
  tables.children_begin = cpu::filled_vector<std::uint32_t>(n_threads, n_parents + 1);
  tables.children_begin[n_parents] =
    static_cast<std::uint32_t>(cpu::begin_rows(n_threads, n_parents, next.get()));
  cpu::parallel_for(n_threads, n_parents, [&](const std::size_t parent) {
    tables.children_begin[parent] = next[parent].load(std::memory_order_relaxed);
  });
  tables.children = cpu::filled_vector<std::uint32_t>(n_threads, tables.children_begin.back());
  cpu::parallel_for(n_threads, n_nodes, [&](const std::size_t node) {
    const std::uint32_t child = static_cast<std::uint32_t>(node) << 2 |
                                NodeInterpolation::place(tables.places[node]).log2_parents();
    for_each_parent(node, [&](const std::uint32_t parent) {
      tables.children[next[parent].fetch_add(1, std::memory_order_relaxed)] = child;
    });
  });
  cpu::parallel_for(n_threads, n_parents, [&](const std::size_t parent) {
    std::sort(tables.children.data() + tables.children_begin[parent],
              tables.children.data() + tables.children_begin[parent + 1]);
  });
  return tables;
}

namespace
{
/// With ghosts of the coarse level where several ranks need them.
/// Interpolation: NodeInterpolation, or PlaceInterpolation<Number>.
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
    , n_owned_coarse_(coarse.mesh.n_owned_dofs())
    , interpolation_(std::move(interpolation))
    , has_ghosts_(communicator.size() > 1)
    , halo_(backend, communicator, coarse.transfer.coarse_nodes, 3)
    , fine_ghosts_(backend, communicator, fine.node_halo, 3)
    , coarse_ghosts_(backend,
                     communicator,
                     to_coarse_ghosts ? coarse.mesh.node_halo : HaloPattern(),
                     3)
  {
    if (has_ghosts_)
      with_ghosts_ = Array<Number>(backend.memory(), 3 * coarse.transfer.n_coarse_nodes);
  }

  void prolongate(const Array<Number> &coarse,
                  const Array<std::uint8_t> &held,
                  Array<Number> &fine) override
  {
    const auto &multigrid = backend_.multigrid_operations<Number>();
    if (!has_ghosts_)
      return multigrid.prolongate(interpolation_, coarse, held, fine);
    backend_.vector_operations<Number>().copy(n_owned_coarse_, coarse, with_ghosts_);
    halo_.update_ghosts(with_ghosts_);
    multigrid.prolongate(interpolation_, with_ghosts_, held, fine);
    fine_ghosts_.update_ghosts(fine);
  }

  void restrict_to_parents(const Array<Number> &fine, Array<Number> &coarse) override
  {
    const auto &multigrid = backend_.multigrid_operations<Number>();
    if (!has_ghosts_)
      return multigrid.restrict_to_parents(interpolation_, fine, coarse);
    multigrid.restrict_to_parents(interpolation_, fine, with_ghosts_);
    halo_.add_to_owners(with_ghosts_);
    backend_.vector_operations<Number>().copy(n_owned_coarse_, with_ghosts_, coarse);
    coarse_ghosts_.update_ghosts(coarse);
  }

private:
  Backend &backend_;
  std::size_t n_owned_coarse_; ///< DoFs
  const Interpolation interpolation_;
  bool has_ghosts_;                                  ///< on some rank
  HaloExchange<Number> halo_;                        ///< of the nodes of the transfer
  HaloExchange<Number> fine_ghosts_, coarse_ghosts_; ///< of those of the meshes
  Array<Number> with_ghosts_; ///< a coarse vector in the layout of the transfer; only if needed
};

/// Between a mesh, or background cells, and what it was refined into.
NodeInterpolation
interpolate_refinement(Backend &backend, const ElementMesh &fine, const LevelTransfer &transfer)
{
  const InterpolationTables tables =
    InterpolationTables::build(fine, transfer, host_threads(backend));
  Memory &memory = backend.memory();
  NodeInterpolation interpolation;
  interpolation.places         = Array<std::uint32_t>(memory, tables.places);
  interpolation.elements       = Array<std::uint32_t>(memory, tables.elements);
  interpolation.children_begin = Array<std::uint32_t>(memory, tables.children_begin);
  interpolation.children       = Array<std::uint32_t>(memory, tables.children);
  interpolation.n_fine         = fine.n_owned_nodes;
  interpolation.n_coarse       = transfer.n_coarse_nodes;
  return interpolation;
}

/// From the rows of a table, `[n]`, the entries of each of n_targets targets, ascending, in compressed rows.
struct Transposed
{
  std::vector<std::uint32_t> begin, entries;

  Transposed(const std::vector<LocalIndex> &target_of, const std::size_t n_targets)
    : begin(n_targets + 1, 0), entries(target_of.size())
  {
    for (const LocalIndex target : target_of)
      ++begin[target + 1];
    for (std::size_t target = 0; target < n_targets; ++target)
      begin[target + 1] += begin[target];
    std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
    for (std::size_t k = 0; k < entries.size(); ++k)
      entries[next[target_of[k]]++] = static_cast<std::uint32_t>(k);
  }
};

/// Between a mesh and background cells that it was not refined from.
template <typename Number>
PlaceInterpolation<Number> interpolate_places(Backend &backend, const LevelTransfer &transfer)
{
  const NodePlaces &nodes      = transfer.places;
  const std::size_t n_elements = transfer.parent_nodes.size();
  std::vector<LocalIndex> element_nodes;
  element_nodes.reserve(8 * n_elements);
  for (const auto &of_element : transfer.parent_nodes)
    element_nodes.insert(element_nodes.end(), of_element.begin(), of_element.end());
  const Transposed fine(nodes.elements, n_elements);
  const Transposed around(element_nodes, transfer.n_coarse_nodes);

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

/// Whether the children of element e are 8 e, 8 e + 1, ..., 8 e + 7. @param children  `[8][n]`
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

/// The mean of the children.
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
  Array<std::uint32_t> children_; ///< empty: those of element e are 8 e, 8 e + 1, ..., 8 e + 7
  bool has_ghosts_;
  HaloExchange<double> halo_;
  Array<double> with_ghosts_;
};

/// Shares of elements that need not be children. Each rank adds up those of its own.
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
  std::size_t n_coarse_; ///< with those of other ranks
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
  return std::make_unique<Transfer<Number, NodeInterpolation>>(
    backend,
    communicator,
    fine,
    coarse,
    to_coarse_ghosts,
    interpolate_refinement(backend, fine, coarse.transfer));
}

template std::unique_ptr<GridTransfer<double>>
make_grid_transfer(Backend &, const Communicator &, const ElementMesh &, const CoarseLevel &, bool);
template std::unique_ptr<GridTransfer<float>>
make_grid_transfer(Backend &, const Communicator &, const ElementMesh &, const CoarseLevel &, bool);

std::unique_ptr<CoarseStiffness> make_coarse_stiffness(Backend &backend,
                                                       const Communicator &communicator,
                                                       const ElementMesh &fine,
                                                       const CoarseLevel &coarse)
{
  if (coarse.transfer.is_background())
    return std::make_unique<SharedStiffness>(backend, communicator, coarse);
  return std::make_unique<ChildrenMean>(backend, communicator, fine, coarse);
}
} // namespace strut
