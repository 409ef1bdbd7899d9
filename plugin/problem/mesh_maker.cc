// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/problem/mesh_maker.h"

#include <deal.II/grid/tria.h>

#include <strut/base/communicator.h>

#include <omp.h>

#include <utility>

#include "plugin/element_mesh/cell_order.h"
#include "plugin/element_mesh/element_mesh_builder.h"
#include "plugin/element_mesh/macro_mesh_builder.h"
#include "plugin/element_mesh/macro_mesh_part.h"
#include "plugin/mesh/mesh_sets.h"
#include "source/base/parallel_loop.h"
#include "source/solvers/background.h"

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

MeshMaker::MeshMaker(MPI_Comm communicator)
  : communicator_(communicator), triangulation_(std::make_unique<dealii::Triangulation<3>>())
{}

MeshMaker::~MeshMaker() = default;

DeckMesh MeshMaker::make_mesh(const unsigned int n_refinements, const MeshSets *const sets)
{
  n_refinements_                         = n_refinements;
  const int n_threads                    = omp_get_max_threads();
  const std::vector<std::uint32_t> order = order_coarse_cells(*triangulation_);
  MacroMesh macro                        = build_macro_mesh(*triangulation_);
  ElementMesh mesh;
  std::uint64_t first = 0; // element of this rank
  if (Communicator(communicator_).size() == 1)
    mesh = refine(macro, order, n_refinements, n_threads);
  else
    {
      part_ =
        std::make_unique<MacroMeshPart>(std::move(macro), order, n_refinements, communicator_);
      mesh  = part_->mesh(n_threads);
      first = part_->first_element();
    }
  compute_volumes(mesh, communicator_);

  std::vector<std::uint64_t> keys(mesh.n_elements);
  const unsigned int bits = 3 * n_refinements;
  cpu::parallel_for(n_threads, keys.size(), [&](const std::size_t e) {
    const std::uint64_t element = first + e;
    keys[e] =
      std::uint64_t(order[element >> bits]) << bits | (element & ((std::uint64_t(1) << bits) - 1));
  });
  return {std::move(mesh), coarse_cells(*triangulation_), std::move(keys), n_refinements, sets};
}

MeshHierarchy MeshMaker::make_hierarchy(const ElementMesh &mesh) const
{
  const int n_threads = omp_get_max_threads();
  if (part_ != nullptr)
    return part_->hierarchy(mesh, n_threads);
  MeshHierarchy coarser = coarser_meshes(mesh, n_refinements_, n_threads);
  add_background(Communicator(communicator_), mesh, coarser, n_threads);
  return coarser;
}
} // namespace strut::plugin
