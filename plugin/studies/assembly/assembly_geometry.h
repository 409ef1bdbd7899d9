// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <memory>

#include "plugin/studies/assembly/assembly_parameters.h"
#include "source/element/reference_element.h"

namespace strut::plugin
{
/// The triangulations of a deck: hexahedra as its mesh source makes them, and tetrahedra, into 24 of which
/// each hexahedron is cut (deal.II's convert_hypercube_to_simplex_mesh()), with the boundary ids, material
/// ids and manifolds of the hexahedra. A mesh file may hold tetrahedra itself.
class AssemblyGeometry
{
public:
  /// @throws EntryError for parameters that make no mesh
  explicit AssemblyGeometry(const AssemblyDeck &deck);
  ~AssemblyGeometry();

  /// The cells that elements of this type are made of.
  /// @throws EntryError if the mesh has tetrahedra and the type needs hexahedra
  const dealii::Triangulation<3, 3> &cells(ElementType type);

private:
  std::unique_ptr<dealii::Triangulation<3, 3>> cells_;
  std::unique_ptr<dealii::Triangulation<3, 3>> tetrahedra_;
};
} // namespace strut::plugin
