// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/point.h>

#include <strut/base/communicator.h>
#include <strut/mesh/element_mesh.h>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace strut
{
/// A point with a name, `Points` of the subsection `Output`, in the element that contains it.
struct NamedPoint
{
  std::string name;
  dealii::Point<3> place;
  std::size_t element = 0; ///< element of this rank; read only with weights
  /// Values of the element's shape functions there; empty on all ranks but one.
  std::vector<double> weights;
};

/// Finds the elements of points. A point may be outside by a thousandth of an element, as decks
/// round. Collective.
/// @throws EntryError for a point outside of the mesh, with the place of the nearest node
std::vector<NamedPoint> find_points(const Communicator &communicator,
                                    const ElementMesh &mesh,
                                    const std::map<std::string, dealii::Point<3>> &points);
} // namespace strut
