// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/application/check_mapping.h"

#include <deal.II/base/geometry_info.h>
#include <deal.II/base/quadrature_lib.h>

#include <deal.II/fe/fe_nothing.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/fe/mapping_q1.h>

#include <deal.II/grid/tria.h>

#include <strut/base/exceptions.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <typeinfo>

namespace strut
{
namespace
{
/// Tolerance relative to a cell's diameter: larger than rounding errors of manifolds, smaller than
/// the deviation of any curve.
constexpr double rounding_of_mappings = 1e-8;
/// Tolerance relative to the size of the coordinates, because small cells far from the origin have
/// few digits.
constexpr double rounding_of_coordinates = 1e-14;

std::string name_of(const dealii::Mapping<3, 3> &mapping)
{
  const auto *const polynomial = dynamic_cast<const dealii::MappingQ<3> *>(&mapping);
  return polynomial == nullptr ? "a mapping that is no MappingQ"
                               : "a MappingQ of degree " + std::to_string(polynomial->get_degree());
}

/// Whether the mapping's type alone shows that it is trilinear. Derived classes may move vertices,
/// so they do not qualify.
bool is_trilinear(const dealii::Mapping<3, 3> &mapping)
{
  if (typeid(mapping) == typeid(dealii::MappingQ1<3>))
    return true;
  const auto *const polynomial = dynamic_cast<const dealii::MappingQ<3> *>(&mapping);
  return polynomial != nullptr && polynomial->get_degree() == 1 &&
         typeid(mapping) == typeid(dealii::MappingQ<3>);
}
} // namespace

void check_mapping(const dealii::Mapping<3, 3> &mapping,
                   const dealii::Triangulation<3, 3> &triangulation)
{
  if (is_trilinear(mapping))
    return;
  const dealii::QGaussLobatto<3> points(
    // The vertices and two inner points of each edge: no curve passes through all four.
    4);
  const dealii::FE_Nothing<3> nothing;
  dealii::FEValues<3> mapped(mapping, nothing, points, dealii::update_quadrature_points);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::size_t n_cells = 0, n_other = 0;
  double largest = 0.; ///< relative to the diameter
  dealii::Point<3> place;
  for (const auto &cell : triangulation.active_cell_iterators())
    if (cell->is_locally_owned())
      {
        ++n_cells;
        mapped.reinit(cell);
        double deviation = 0., size = 0.;
        for (const unsigned int v : cell->vertex_indices())
          size = std::max(size, cell->vertex(v).norm());
        for (unsigned int q = 0; q < points.size(); ++q)
          {
            dealii::Tensor<1, 3> difference = mapped.quadrature_point(q);
            for (const unsigned int v : cell->vertex_indices())
              difference -= dealii::GeometryInfo<3>::d_linear_shape_function(points.point(q), v) *
                            cell->vertex(v);
            const double norm = difference.norm(); // std::max() would drop NaN
            deviation         = std::isfinite(norm) ? std::max(deviation, norm) : infinity;
            if (deviation == infinity)
              break;
          }
        const double diameter = cell->diameter();
        if (deviation <= rounding_of_mappings * diameter + rounding_of_coordinates * size)
          continue;
        ++n_other;
        if (deviation / diameter > largest)
          {
            largest = deviation / diameter;
            place   = cell->center();
          }
      }
  if (n_other == 0)
    return;
  std::ostringstream text;
  text
    << "StiffnessOperator has cells with straight edges between the vertices of the mesh, and the application "
       "assembles with "
    << name_of(mapping) << ", which bends or moves " << n_other << " of " << n_cells
    << " cells: that at (" << place << ") ";
  if (largest == infinity)
    text << "to points that are no numbers";
  else
    text << "by " << largest << " of its diameter";
  text
    << ".\n  Assemble with MappingQ<3>(1): refinement has put the vertices on the curved boundary all "
       "the same.";
  throw Error(text.str());
}
} // namespace strut
