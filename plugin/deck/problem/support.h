// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/region.h>

namespace strut
{
/// Nodes with displacements prescribed in some components: the subsection `Supports / <name>` of
/// the deck.
class Support : public dealii::ParameterAcceptor
{
public:
  explicit Support(const std::string &name);

  const std::string name;
  Region region;

  /// Whether component c is held.
  bool holds(unsigned int c) const;

  /// Prescribed displacement of component c, in length units of the mesh.
  double displacement(unsigned int c) const;

  /// Returns a text such as "x, y = 0; z = 0.1".
  std::string describe() const;

  std::vector<std::string> path() const
  {
    return {"Supports", name};
  }

private:
  std::string components_            = "x, y, z";
  std::vector<double> displacements_ = {0.};
};

/// Planes of symmetry: the subsection `Symmetry` of the deck. Nodes on a plane may not leave it.
class SymmetryPlanes : public dealii::ParameterAcceptor
{
public:
  SymmetryPlanes();

  struct Plane
  {
    unsigned int component = 0; ///< direction of the normal
    double value           = 0;
    std::string text; ///< "x = xmin"

    /// Whether the mesh continues behind the plane, so that there is no image to be added.
    bool passes_through(const MeshSummary &summary) const;
  };

  /// The planes, with names of the mesh's box (xmin, ...) replaced by their values.
  /// @throws EntryError for text that is not a list of planes
  std::vector<Plane> planes(const MeshSummary &summary) const;

  /// Whether filters take the mirror image behind the planes into account.
  bool mirror_filters() const
  {
    return mirror_filters_;
  }

private:
  std::string planes_;
  bool mirror_filters_ = true;
};
} // namespace strut
