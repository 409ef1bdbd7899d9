// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/problem/mesh_maker.h"

#include <deal.II/base/array_view.h>

#include <deal.II/grid/manifold.h>
#include <deal.II/grid/tria.h>
#include <deal.II/grid/tria_accessor.h>

#include <strut/base/communicator.h>
#include <strut/base/exceptions.h>

#include <utility>

#include "plugin/deck/mesh/mesh_sets.h"
#include "plugin/element_mesh/element_mesh_builder.h"
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

/// The manifold of an edge, a face or a cell.
template <typename Object>
std::uint32_t manifold_of(const Object &object)
{
  const dealii::types::manifold_id id = object.manifold_id();
  return id == dealii::numbers::flat_manifold_id ? MacroMesh::flat : id;
}

template <typename Object, std::size_t n>
void copy_vertices(const Object &object, std::array<LocalIndex, n> &vertices)
{
  for (unsigned int v = 0; v < n; ++v)
    vertices[v] = object.vertex_index(v);
}
} // namespace

MacroMesh build_macro_mesh(const dealii::Triangulation<3, 3> &triangulation)
{
  if (triangulation.n_levels() > 1)
    throw Error("A macro mesh must not be refined yet.");
  MacroMesh macro;
  for (const dealii::Point<3> &vertex : triangulation.get_vertices())
    macro.vertices.push_back({{vertex[0], vertex[1], vertex[2]}});

  // Edges and faces are numbered as in deal.II, including unused ones.
  macro.edges.resize(triangulation.n_raw_lines());
  macro.faces.resize(triangulation.n_raw_quads());
  macro.cells.resize(triangulation.n_cells());
  for (const auto &cell : triangulation.cell_iterators())
    {
      MacroMesh::Cell &own = macro.cells[static_cast<std::size_t>(cell->index())];
      own.manifold         = manifold_of(*cell);
      copy_vertices(*cell, own.vertices);
      for (const unsigned int l : cell->line_indices())
        own.edges[l] = static_cast<LocalIndex>(cell->line_index(l));
      for (const unsigned int f : cell->face_indices())
        {
          const auto quad       = cell->face(f);
          own.faces[f]          = static_cast<LocalIndex>(quad->index());
          MacroMesh::Face &face = macro.faces[own.faces[f]];
          face.manifold         = manifold_of(*quad);
          copy_vertices(*quad, face.vertices);
          for (const unsigned int l : quad->line_indices())
            {
              const auto line       = quad->line(l);
              face.edges[l]         = static_cast<LocalIndex>(line->index());
              MacroMesh::Edge &edge = macro.edges[face.edges[l]];
              edge.manifold         = manifold_of(*line);
              copy_vertices(*line, edge.vertices);
            }
        }
    }

  macro.new_point = [&triangulation](const std::uint32_t manifold,
                                     const std::size_t n,
                                     const MacroMesh::Point *points,
                                     const double *weights) {
    constexpr std::size_t most = 26; // edges, faces and vertices around the centre of a cell
    std::array<dealii::Point<3>, most> places;
    for (std::size_t i = 0; i < n; ++i)
      places[i] = dealii::Point<3>(points[i][0], points[i][1], points[i][2]);
    const dealii::Point<3> point = triangulation.get_manifold(manifold).get_new_point(
      dealii::ArrayView<const dealii::Point<3>>(places.data(), n),
      dealii::ArrayView<const double>(weights, n));
    return MacroMesh::Point{{point[0], point[1], point[2]}};
  };
  return macro;
}

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
