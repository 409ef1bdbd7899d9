// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/problem/mesh_maker.h"

#include <deal.II/distributed/tria.h>

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_system.h>

#include <deal.II/grid/tria.h>

#include <strut/base/communicator.h>

#include <omp.h>

#include <utility>

#include "plugin/element_mesh/cell_keys.h"
#include "plugin/element_mesh/cell_order.h"
#include "plugin/element_mesh/element_mesh_builder.h"
#include "plugin/element_mesh/macro_mesh_builder.h"
#include "plugin/element_mesh/mesh_hierarchy_builder.h"
#include "plugin/mesh/mesh_sets.h"
#include "source/base/parallel_loop.h"
#include "source/solvers/coarse_constraints.h"

namespace strut::plugin
{
namespace
{
CoarseCells coarse_cells(const dealii::Triangulation<3> &triangulation)
{
  const auto n = static_cast<std::size_t>(triangulation.n_cells(0));
  CoarseCells coarse;
  coarse.materials.resize(n);
  coarse.boundaries.resize(n);
  for (const auto &cell : triangulation.cell_iterators_on_level(0))
    {
      const auto c        = static_cast<std::size_t>(cell->index());
      coarse.materials[c] = cell->material_id();
      for (const unsigned int f : cell->face_indices())
        coarse.boundaries[c][f] =
          cell->at_boundary(f) ? cell->face(f)->boundary_id() : CoarseCells::interior;
    }
  return coarse;
}

/// The coarse cells in the order of their elements.
std::vector<std::uint32_t> order_coarse_cells(const dealii::Triangulation<3> &triangulation)
{
  std::vector<std::uint32_t> order;
  for (const CellPlace &place : order_active_cells(triangulation))
    order.push_back(static_cast<std::uint32_t>(place.index));
  return order;
}
} // namespace

/// deal.II's degrees of freedom on several ranks.
struct MeshMaker::Distributed
{
  explicit Distributed(const dealii::Triangulation<3> &triangulation)
    : fe(dealii::FE_Q<3>(1), 3), dof_handler(triangulation)
  {}

  dealii::FESystem<3> fe;
  dealii::DoFHandler<3> dof_handler;
};

MeshMaker::MeshMaker(MPI_Comm communicator, const bool with_hierarchy) : communicator_(communicator)
{
  // p4est's order of the coarse cells takes minutes where a flat mesh has a million of them, and one
  // rank has no use for it.
  using Triangulation = dealii::parallel::distributed::Triangulation<3>;
  if (Communicator(communicator).size() == 1)
    triangulation_ = std::make_unique<dealii::Triangulation<3>>();
  else
    {
      triangulation_ =
        std::make_unique<Triangulation>(communicator,
                                        dealii::Triangulation<3>::none,
                                        with_hierarchy
                                          ? Triangulation::construct_multigrid_hierarchy
                                          : Triangulation::default_setting);
      distributed_ = std::make_unique<Distributed>(*triangulation_);
    }
}

MeshMaker::~MeshMaker() = default;

DeckMesh MeshMaker::make_mesh(const unsigned int n_refinements, const MeshSets *const sets)
{
  n_refinements_ = n_refinements;
  if (distributed_ != nullptr)
    {
      triangulation_->refine_global(n_refinements);
      distributed_->dof_handler.distribute_dofs(distributed_->fe);
      ElementMesh mesh = build_element_mesh(distributed_->dof_handler, communicator_);
      std::vector<std::uint64_t> keys = cell_keys(distributed_->dof_handler, mesh);
      return {std::move(mesh), coarse_cells(*triangulation_), std::move(keys), n_refinements, sets};
    }

  const int n_threads                    = omp_get_max_threads();
  const std::vector<std::uint32_t> order = order_coarse_cells(*triangulation_);
  ElementMesh mesh = refine(build_macro_mesh(*triangulation_), order, n_refinements, n_threads);
  compute_volumes(mesh, communicator_);
  std::vector<std::uint64_t> keys(mesh.n_elements);
  const unsigned int bits = 3 * n_refinements;
  cpu::parallel_for(n_threads, keys.size(), [&](const std::size_t e) {
    keys[e] = std::uint64_t(order[e >> bits]) << bits | (e & ((std::size_t(1) << bits) - 1));
  });
  return {std::move(mesh), coarse_cells(*triangulation_), std::move(keys), n_refinements, sets};
}

MeshHierarchy MeshMaker::make_hierarchy(const ElementMesh &mesh)
{
  if (distributed_ != nullptr)
    return build_mesh_hierarchy(distributed_->dof_handler, mesh, communicator_);
  MeshHierarchy hierarchy  = coarser_meshes(mesh, n_refinements_, omp_get_max_threads());
  const ElementMesh *finer = &mesh;
  for (CoarseLevel &level : hierarchy)
    {
      constrain_coarse_dofs(Communicator(communicator_), *finer, level.transfer, level.mesh);
      finer = &level.mesh;
    }
  return hierarchy;
}
} // namespace strut::plugin
