// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/assembly/assembly_geometry.h"

#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/tria.h>

#include <strut/base/exceptions.h>

#include "plugin/mesh/mesh_memory.h"

namespace strut::plugin
{
namespace
{
bool is_tetrahedron(const ElementType type)
{
  return type == ElementType::tet4 || type == ElementType::tet10;
}
} // namespace

AssemblyGeometry::AssemblyGeometry(const AssemblyDeck &deck)
  : cells_(std::make_unique<dealii::Triangulation<3>>())
{
  double bytes_per_element = bytes_of_hexahedron;
  for (const ElementType type : deck.assembly.element_types())
    if (is_tetrahedron(type))
      bytes_per_element = bytes_of_hexahedron + bytes_of_cut_hexahedron;
  for (const auto &source : deck.mesh_sources)
    if (source->name == deck.mesh.type)
      {
        source->takes_tetrahedra       = true;
        source->bytes_per_element      = bytes_per_element;
        const unsigned int refinements = source->create(*cells_) + deck.mesh.refinements;
        if (refinements > 0 && !cells_->all_reference_cells_are_hyper_cube())
          throw EntryError(
            {"Mesh"},
            deck.mesh.refinements > 0 ? "Additional refinements" : "Type",
            "A mesh of tetrahedra cannot be refined here.\n  Set all refinements to 0 "
            "and make the mesh finer where it comes from.");
        require_room_to_refine(cells_->n_active_cells(), refinements, bytes_per_element);
        cells_->refine_global(refinements);
      }
}

AssemblyGeometry::~AssemblyGeometry() = default;

const dealii::Triangulation<3> &AssemblyGeometry::cells(const ElementType type)
{
  const bool of_tetrahedra = is_tetrahedron(type);
  if (cells_->all_reference_cells_are_hyper_cube() != of_tetrahedra)
    return *cells_;
  if (!of_tetrahedra)
    throw EntryError(
      {"Assembly"},
      "Element types",
      "Elements of type " + std::string(name(type)) +
        " need hexahedra, and the mesh file has tetrahedra.\n  Choose tet4 or tet10.");
  if (tetrahedra_ == nullptr)
    {
      tetrahedra_ = std::make_unique<dealii::Triangulation<3>>();
      dealii::GridGenerator::convert_hypercube_to_simplex_mesh(*cells_, *tetrahedra_);
      for (const auto id : cells_->get_manifold_ids())
        if (id != dealii::numbers::flat_manifold_id)
          tetrahedra_->set_manifold(id, cells_->get_manifold(id));
    }
  return *tetrahedra_;
}
} // namespace strut::plugin
