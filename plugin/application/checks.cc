// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/application/checks.h"

#include <deal.II/base/quadrature_lib.h>

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/fe/fe.h>
#include <deal.II/fe/fe_nothing.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/fe/mapping_fe.h>
#include <deal.II/fe/mapping_q1.h>

#include <deal.II/grid/tria.h>

#include <strut/base/exceptions.h>
#include <strut/solvers/krylov/preconditioner.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#include "plugin/base/spelling.h"
#include "plugin/element_mesh/finite_element.h"

namespace strut
{
namespace
{
/// The finite elements that a StiffnessOperator takes.
constexpr const char *taken_elements =
  "FESystem<3>(FE_Q<3>(1), 3) or FE_Q<3>(2) on hexahedra, FE_SimplexP<3>(1) or FE_SimplexP<3>(2) on "
  "tetrahedra";

void require_one_of(const std::string &option,
                    const std::string &value,
                    const std::vector<std::string> &allowed)
{
  if (std::find(allowed.begin(), allowed.end(), value) == allowed.end())
    throw Error("StiffnessOptions::" + option + " is '" + value +
                "'.\n  It may be: " + join(allowed) + ".");
}

/// Checks the names and values of the parameters that are given for a preconditioner.
void check_preconditioner_values(const StiffnessOptions &options)
{
  const std::string option = "StiffnessOptions::preconditioner_values";
  if (options.preconditioner_values.empty())
    return;
  if (options.preconditioner == "auto")
    throw Error(option + " are those of one preconditioner, and preconditioner is 'auto'.\n  Name "
                         "the preconditioner.");
  check_values(options.preconditioner_values,
               find_preconditioner(options.preconditioner).parameters,
               option + " of '" + options.preconditioner + "'");
}

/// Tolerance relative to a cell's diameter: larger than rounding errors of manifolds, smaller than
/// the deviation of any curve.
constexpr double rounding_of_mappings = 1e-8;
/// Tolerance relative to the size of the coordinates, because small cells far from the origin have
/// few digits.
constexpr double rounding_of_coordinates = 1e-14;

std::string name_of(const dealii::Mapping<3, 3> &mapping)
{
  if (const auto *const simplex = dynamic_cast<const dealii::MappingFE<3> *>(&mapping))
    return "a MappingFE of degree " + std::to_string(simplex->get_degree());
  const auto *const polynomial = dynamic_cast<const dealii::MappingQ<3> *>(&mapping);
  return polynomial == nullptr ? "a mapping that is no MappingQ"
                               : "a MappingQ of degree " + std::to_string(polynomial->get_degree());
}

/// Whether the mapping's type alone shows that it is linear in each direction. Derived classes may
/// move vertices, so they do not qualify.
bool is_linear(const dealii::Mapping<3, 3> &mapping)
{
  if (typeid(mapping) == typeid(dealii::MappingQ1<3>))
    return true;
  if (typeid(mapping) == typeid(dealii::MappingFE<3>))
    return dynamic_cast<const dealii::MappingFE<3> &>(mapping).get_degree() == 1;
  return typeid(mapping) == typeid(dealii::MappingQ<3>) &&
         dynamic_cast<const dealii::MappingQ<3> &>(mapping).get_degree() == 1;
}

/// Points of a cell with inner points of each edge: no curve of another degree passes through all.
std::vector<dealii::Point<3>> points_of(const ElementType &type)
{
  if (type.n_vertices == 8)
    return dealii::QGaussLobatto<3>(4).get_points();
  constexpr int n = 5;
  std::vector<dealii::Point<3>> points;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; i + j <= n; ++j)
      for (int k = 0; i + j + k <= n; ++k)
        points.emplace_back(i / double(n), j / double(n), k / double(n));
  return points;
}
} // namespace

void check_dof_handler(const dealii::DoFHandler<3, 3> &dof_handler)
{
  if (dof_handler.get_triangulation().n_global_active_cells() == 0)
    throw Error(
      "The triangulation of the StiffnessOperator has no cells.\n  Make or read the mesh, and call "
      "dof_handler.distribute_dofs(fe), before.");
  const std::vector<dealii::ReferenceCell> &cells =
    dof_handler.get_triangulation().get_reference_cells();
  if (cells.size() > 1 ||
      (cells.size() == 1 && !cells[0].is_hyper_cube() && !cells[0].is_simplex()))
    throw Error(
      "StiffnessOperator works on hexahedra alone or on tetrahedra alone, and the mesh has "
      "other cells.\n  Make a mesh of one kind of cells.");
  if (!dof_handler.has_active_dofs())
    throw Error("The DoFHandler of the StiffnessOperator has no degrees of freedom.\n  Call "
                "dof_handler.distribute_dofs(fe) before.");
  if (dof_handler.get_fe_collection().size() != 1)
    throw Error("StiffnessOperator works with one finite element, and the DoFHandler has a "
                "collection of " +
                std::to_string(dof_handler.get_fe_collection().size()) +
                ".\n  Distribute the degrees of freedom of one element: " + taken_elements + ".");
  if (!element_type_of(dof_handler.get_fe()))
    throw Error("StiffnessOperator works with displacements by some finite elements, and the "
                "DoFHandler has " +
                dof_handler.get_fe().get_name() +
                ".\n  Distribute the degrees of freedom of another element: " + taken_elements +
                ", three components each.");
  if (!cells.empty() && dof_handler.get_fe().reference_cell() != cells[0])
    throw Error("The DoFHandler of the StiffnessOperator has " + dof_handler.get_fe().get_name() +
                " on other cells than that element's: on " + cells[0].to_string() +
                ".\n  FE_Q is for hexahedra, FE_SimplexP for tetrahedra.");
}

void check_options(const StiffnessOptions &options, const bool is_double)
{
  require_one_of("backend", options.backend, {"auto", "cuda", "cpu"});
  if (options.device < -1)
    throw Error(
      "StiffnessOptions::device is " + std::to_string(options.device) +
      ".\n  It may be the number of a GPU, from 0, or -1: the ranks of a machine take its "
      "GPUs in turn.");
  std::vector<std::string> names = {"auto"};
  for (const PreconditionerEntry &entry : preconditioners())
    names.push_back(entry.name);
  require_one_of("preconditioner", options.preconditioner, names);
  check_preconditioner_values(options);
  if (is_double)
    require_one_of("precision", options.precision, {"auto", "double", "mixed"});
  else
    require_one_of("precision", options.precision, std::vector<std::string>{"auto", "float"});
  require_one_of("constrained_entries", options.constrained_entries, {"distribute", "zero"});
  require_one_of("criterion", options.criterion, {"relative", "preconditioned", "absolute"});
  if (!(options.tolerance > 0.))
    throw Error("StiffnessOptions::tolerance is " + std::to_string(options.tolerance) +
                ".\n  It must be positive.");
  if (options.precision == "mixed" && options.preconditioner == "jacobi")
    throw Error("StiffnessOptions ask for mixed precision, which means multigrid cycles in float, "
                "and for Jacobi.\n  Set precision or preconditioner to 'auto'.");
}

StiffnessOptions in_words_of_parameters(StiffnessOptions options)
{
  for (const PreconditionerEntry &entry : preconditioners())
    for (const Parameter &parameter : entry.parameters)
      if (const auto value = options.preconditioner_values.find(parameter.name);
          value != options.preconditioner_values.end() &&
          parameter.choices == std::vector<std::string>{"no", "yes"})
        {
          if (value->second.text() == "true")
            value->second = "yes";
          else if (value->second.text() == "false")
            value->second = "no";
        }
  return options;
}

void check_mapping_degree(const unsigned int degree, const dealii::DoFHandler<3, 3> &dof_handler)
{
  const ElementType type = element_type_of(dof_handler.get_fe()).value();
  if (degree == 1 || (degree == 2 && is_quadratic(type)))
    return;
  if (is_quadratic(type))
    throw Error(
      "StiffnessOperator has cells of degree 1 or 2, and the application assembles with a "
      "mapping of degree " +
      std::to_string(degree) + ".\n  Assemble with one of degree 2.");
  throw Error(std::string("StiffnessOperator has the ") +
              (type.n_vertices == 8 ? "trilinear" : "linear") +
              " mapping, and the application assembles with one of degree " +
              std::to_string(degree) + ".\n  Assemble the right-hand side with " +
              (type.n_vertices == 8 ? "MappingQ<3>(1)" : "MappingFE<3>(FE_SimplexP<3>(1))") +
              ": refinement has put the vertices on the curved boundary all the same.");
}

void check_mapping(const dealii::Mapping<3, 3> &mapping,
                   const dealii::DoFHandler<3, 3> &dof_handler)
{
  const dealii::FiniteElement<3> &fe = dof_handler.get_fe();
  const ElementType type             = element_type_of(fe).value();
  const bool is_hexahedron = type.n_vertices == 8, has_straight_lines = !is_quadratic(type);
  const std::string of_degree = has_straight_lines ? "1" : "2";
  const std::string instead   = is_hexahedron ? "MappingQ<3>(" + of_degree + ")"
                                              : "MappingFE<3>(FE_SimplexP<3>(" + of_degree + "))";
  if (!mapping.is_compatible_with(fe.reference_cell()))
    throw Error("The mapping of the StiffnessOperator is not made for the cells of the mesh, " +
                fe.reference_cell().to_string() + ": it is " + name_of(mapping) +
                ".\n  Assemble with " + instead + ".");
  if (is_linear(mapping))
    return;
  // Points of the cell after the nodes, and the shape functions there.
  std::vector<dealii::Point<3>> points = points_of(type);
  std::vector<std::vector<double>> shapes;
  for (const dealii::Point<3> &point : points)
    {
      shapes.emplace_back();
      for (unsigned int a = 0; a < type.n_nodes; ++a)
        shapes.back().push_back(fe.shape_value(3 * a, point));
    }
  const std::vector<dealii::Point<3>> nodes = reference_nodes(fe);
  points.insert(points.begin(), nodes.begin(), nodes.end());
  const dealii::FE_Nothing<3> nothing(fe.reference_cell());
  dealii::FEValues<3> mapped(mapping,
                             nothing,
                             dealii::Quadrature<3>(points),
                             dealii::update_quadrature_points);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::size_t n_cells = 0, n_other = 0;
  double largest = 0.; ///< relative to the diameter
  dealii::Point<3> place;
  for (const auto &cell : dof_handler.get_triangulation().active_cell_iterators())
    if (cell->is_locally_owned())
      {
        ++n_cells;
        mapped.reinit(cell);
        double deviation = 0., size = 0.;
        for (const unsigned int v : cell->vertex_indices())
          size = std::max(size, cell->vertex(v).norm());
        for (unsigned int q = 0; q < shapes.size(); ++q)
          {
            dealii::Tensor<1, 3> difference = mapped.quadrature_point(type.n_nodes + q);
            for (unsigned int a = 0; a < type.n_nodes; ++a)
              difference -=
                shapes[q][a] * (has_straight_lines ? cell->vertex(a) : mapped.quadrature_point(a));
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
  text << "StiffnessOperator has cells "
       << (has_straight_lines ? "with straight edges between the vertices of the mesh"
                              : "of degree 2 through the places of their nodes")
       << ", and the application assembles with " << name_of(mapping) << ", which bends or moves "
       << n_other << " of " << n_cells << " cells: that at (" << place << ") ";
  if (largest == infinity)
    text << "to points that are no numbers";
  else
    text << "by " << largest << " of its diameter";
  text << ".\n  Assemble with " << instead
       << (has_straight_lines
             ? ": refinement has put the vertices on the curved boundary all the same."
             : ".");
  throw Error(text.str());
}

void check_density(const double density)
{
  if (!(density > 0. && std::isfinite(density)))
    throw Error("AdditionalData::density is " + std::to_string(density) +
                ".\n  Give mass per volume, positive and finite.");
}

void check_material(const Material &material)
{
  if (material.youngs_modulus > 0. && material.poisson_ratio > -1. && material.poisson_ratio < 0.5)
    return;
  std::ostringstream text;
  text << "The material of the StiffnessOperator has E = " << material.youngs_modulus
       << ", nu = " << material.poisson_ratio
       << ".\n  E must be positive, and nu between -1 and 0.5.";
  throw Error(text.str());
}
} // namespace strut
