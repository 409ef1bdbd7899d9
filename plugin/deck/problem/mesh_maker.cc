// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/problem/mesh_maker.h"

#include <deal.II/grid/tria.h>

#include <strut/base/communicator.h>

#include <utility>

#include "plugin/deck/mesh/mesh_sets.h"
#include "plugin/element_mesh/element_mesh_builder.h"
#include "plugin/element_mesh/macro_mesh_builder.h"
#include "plugin/element_mesh/macro_mesh_part.h"
#include "source/base/parallel_loop.h"
#include "source/mesh/ordering.h"
#include "source/solvers/multigrid/background.h"

namespace strut
{
namespace
{
/// Returns the cells of a mesh in the order of their elements, along the Hilbert curve.
std::vector<std::uint32_t> order_cells(const CoarseMesh &mesh)
{
  const std::size_t n = mesh.cells.size();
  std::vector<double> centres(3 * n);
  cpu::parallel_for(cpu::default_n_threads(), n, [&](const std::size_t c) {
    const dealii::Point<3> centre = mesh.centre(c);
    for (unsigned int d = 0; d < 3; ++d)
      centres[d * n + c] = centre[d];
  });
  return hilbert_order(centres, n);
}

/// Returns cells and vertices only, which suffices if nothing is refined.
MacroMesh macro_mesh_of(const CoarseMesh &mesh)
{
  MacroMesh macro;
  for (const dealii::Point<3> &vertex : mesh.vertices)
    macro.vertices.push_back({{vertex[0], vertex[1], vertex[2]}});
  macro.cells.resize(mesh.cells.size());
  for (std::size_t c = 0; c < mesh.cells.size(); ++c)
    macro.cells[c].vertices = mesh.cells[c];
  return macro;
}
} // namespace

MeshMaker::MeshMaker(MPI_Comm communicator)
  : communicator_(communicator), triangulation_(std::make_unique<dealii::Triangulation<3>>())
{}

MeshMaker::~MeshMaker() = default;

DeckMesh MeshMaker::make_mesh(const unsigned int n_refinements, const MeshSets *const sets)
{
  n_refinements_ = n_refinements;
  coarse_        = coarse_mesh_of(*triangulation_);
  return make(build_macro_mesh(*triangulation_), sets);
}

DeckMesh MeshMaker::make_mesh(CoarseMesh cells, const MeshSets *const sets)
{
  n_refinements_ = 0;
  coarse_        = std::move(cells);
  return make(macro_mesh_of(coarse_), sets);
}

DeckMesh MeshMaker::make(MacroMesh macro, const MeshSets *const sets)
{
  const int n_threads              = cpu::default_n_threads();
  const unsigned int n_refinements = n_refinements_;
  std::vector<std::uint32_t> order = order_cells(coarse_);
  ElementMesh mesh;
  std::uint64_t first = 0; // first element of this rank
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

  return {std::move(mesh),
          coarse_.names,
          CellKeys(std::move(order), n_refinements, first),
          n_refinements,
          sets};
}

MeshHierarchy MeshMaker::make_hierarchy(const ElementMesh &mesh) const
{
  const int n_threads = cpu::default_n_threads();
  MeshHierarchy coarser;
  if (part_ != nullptr)
    coarser = part_->hierarchy(mesh, n_threads);
  // Ties are those of the fine mesh; only background cells support them.
  else if (mesh.dependent.empty())
    coarser = coarser_meshes(mesh, n_refinements_, n_threads);
  add_background(Communicator(communicator_), mesh, coarser, n_threads);
  return coarser;
}
} // namespace strut
