// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/run/named_points.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <limits>
#include <type_traits>

#include "plugin/base/coordinate_text.h"
#include "plugin/base/spelling.h"
#include "source/element/elements.h"
#include "source/element/reference_place.h"

namespace strut
{
namespace
{
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Sets the element of this rank that contains a point, or is nearest to containing it, and the
/// weights of its nodes.
/// @return how far the point is outside, in reference coordinates
template <typename Element>
double find_element(const ElementMesh &mesh, NamedPoint &point)
{
  double least = infinity;
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    {
      double X[3][Element::n_nodes], xi[3];
      nodes_of<Element>(mesh, e, X);
      bool is_near = true;
      for (unsigned int d = 0; d < 3; ++d)
        {
          const auto [low, high] = std::minmax_element(X[d], X[d] + Element::n_nodes);
          const double beside    = 0.25 * (*high - *low); // Curved elements are larger.
          is_near = is_near && point.place[d] >= *low - beside && point.place[d] <= *high + beside;
          for (double &x : X[d])
            x -= point.place[d];
        }
      if (!is_near || !find_reference_place<Element>(X, xi))
        continue;
      const double outside = distance_outside<Element>(xi);
      if (!(outside < least))
        continue;
      least         = outside;
      point.element = e;
      point.weights.clear();
      for (int a = 0; a < Element::n_nodes; ++a)
        point.weights.push_back(Element::shape_value(a, xi));
    }
  return least;
}

/// Returns the place of the node that is nearest to a point. Collective.
dealii::Point<3> nearest_node(const Communicator &communicator,
                              const ElementMesh &mesh,
                              const dealii::Point<3> &point)
{
  double least = infinity;
  dealii::Point<3> nearest;
  for (std::size_t node = 0; node < mesh.n_owned_nodes; ++node)
    {
      const dealii::Point<3> x(mesh.coordinates[node],
                               mesh.coordinates[mesh.n_nodes + node],
                               mesh.coordinates[2 * mesh.n_nodes + node]);
      if (x.distance_square(point) < least)
        {
          least   = x.distance_square(point);
          nearest = x;
        }
    }
  const int rank         = communicator.rank();
  const bool has_nearest = least == communicator.min(least);
  const double owner     = communicator.min(has_nearest ? double(rank) : infinity);
  for (unsigned int d = 0; d < 3; ++d)
    nearest[d] = communicator.sum(owner == double(rank) ? nearest[d] : 0.);
  return nearest;
}
} // namespace

std::vector<NamedPoint> find_points(const Communicator &communicator,
                                    const ElementMesh &mesh,
                                    const std::map<std::string, dealii::Point<3>> &points)
{
  constexpr double most = 1e-3;
  std::vector<NamedPoint> found;
  for (const auto &[name, place] : points)
    {
      NamedPoint point{name, place, 0, {}};
      double outside = infinity;
      with_element(mesh.type, [&](const auto type) {
        outside = find_element<std::decay_t<decltype(type)>>(mesh, point);
      });
      // Ranks whose elements meet there both contain it.
      const double least = communicator.min(std::max(outside, 0.));
      if (!(least <= most))
        throw EntryError({"Output"},
                         "Points",
                         "The point '" + shown(name) + "' at " + place_text(place) +
                           " is outside of the mesh. The nearest node is at " +
                           place_text(nearest_node(communicator, mesh, place)) + ".");
      const int rank = communicator.rank();
      const double owner =
        communicator.min(std::max(outside, 0.) == least ? double(rank) : infinity);
      if (owner != double(rank))
        point.weights.clear();
      found.push_back(std::move(point));
    }
  return found;
}
} // namespace strut
