// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/application/checks.h"

#include <deal.II/base/geometry_info.h>
#include <deal.II/base/quadrature_lib.h>

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/fe/fe.h>
#include <deal.II/fe/fe_nothing.h>
#include <deal.II/fe/fe_values.h>
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

namespace strut
{
namespace
{
/// Whether all innermost base elements are FE_Q of degree 1, as in FESystem(FESystem(FE_Q(1), 3),
/// 1).
bool has_trilinear_bases(const dealii::FiniteElement<3> &fe)
{
  if (fe.get_name() == "FE_Q<3>(1)")
    return true;
  for (unsigned int b = 0; b < fe.n_base_elements(); ++b)
    if (&fe.base_element(b) == &fe || !has_trilinear_bases(fe.base_element(b)))
      return false;
  return true;
}

/// Whether DoF `3 * v + d` of a cell is component d at vertex v.
bool is_trilinear_vector(const dealii::FiniteElement<3> &fe)
{
  if (fe.n_components() != 3 || fe.n_dofs_per_cell() != 24 || fe.n_dofs_per_vertex() != 3 ||
      !fe.is_primitive() || !has_trilinear_bases(fe))
    return false;
  for (unsigned int i = 0; i < 24; ++i)
    if (fe.system_to_component_index(i) != std::make_pair(i % 3, i / 3))
      return false;
  return true;
}

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

void check_dof_handler(const dealii::DoFHandler<3, 3> &dof_handler)
{
  if (dof_handler.get_triangulation().n_global_active_cells() == 0)
    throw Error(
      "The triangulation of the StiffnessOperator has no cells.\n  Make or read the mesh, and call "
      "dof_handler.distribute_dofs(fe), before.");
  if (!dof_handler.get_triangulation().all_reference_cells_are_hyper_cube())
    throw Error(
      "StiffnessOperator works on hexahedra, and the mesh has other cells.\n  Make a mesh "
      "of hexahedra (GridGenerator::convert_hypercube_to_simplex_mesh() has no way back).");
  if (!dof_handler.has_active_dofs())
    throw Error("The DoFHandler of the StiffnessOperator has no degrees of freedom.\n  Call "
                "dof_handler.distribute_dofs(fe) before.");
  if (dof_handler.get_fe_collection().size() != 1)
    throw Error("StiffnessOperator works with one finite element, FESystem<3>(FE_Q<3>(1), 3), and "
                "the DoFHandler has a collection of " +
                std::to_string(dof_handler.get_fe_collection().size()) +
                ".\n  Distribute the degrees of freedom of that element alone.");
  if (!is_trilinear_vector(dof_handler.get_fe()))
    throw Error("StiffnessOperator works with FESystem<3>(FE_Q<3>(1), 3), and the DoFHandler has " +
                dof_handler.get_fe().get_name() +
                ".\n  Distribute the degrees of freedom of that element.");
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

void check_mapping_degree(const unsigned int degree)
{
  if (degree != 1)
    throw Error(
      "StiffnessOperator has the trilinear mapping, and the application assembles with one of degree " +
      std::to_string(degree) +
      ".\n  Assemble the right-hand side with MappingQ<3>(1): refinement has put the vertices on the curved "
      "boundary all the same.");
}

void check_mapping(const dealii::Mapping<3, 3> &mapping,
                   const dealii::Triangulation<3, 3> &triangulation)
{
  if (is_trilinear(mapping))
    return;
  // The vertices and two inner points of each edge: no curve passes through all four.
  const dealii::QGaussLobatto<3> points(4);
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
