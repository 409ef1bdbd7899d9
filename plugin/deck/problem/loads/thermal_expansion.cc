// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/base/exceptions.h>
#include <strut/load_integrals.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <type_traits>

#include "plugin/deck/problem/loads/type_entries.h"
#include "plugin/deck/problem/number_parser.h"
#include "source/element/element_stiffness.h"
#include "source/element/elements.h"
#include <strut/base/communicator.h>
#include <strut/mesh_summary.h>

namespace strut::loads
{
namespace
{
constexpr const char *name_of_expansion = "thermal expansion";
constexpr const char *temperature_entry = "Temperature difference";

struct ExpansionSettings
{
  double coefficient = 0.;
  std::string temperature;

  void declare(ParameterList &list)
  {
    list.add("Coefficient",
             coefficient,
             {-1e300, 1e300},
             "Of linear thermal expansion of the region's solid, strain per degree. A load needs "
             "it.");
    list.add(temperature_entry,
             temperature,
             "From the state without stress: a number, or an expression in x, y and z with the "
             "constants of regions. A load needs it.");
  }
};

/// Assembles `int alpha T dN_v/dx_c dx` by the points of the stiffness, so that a uniform expansion
/// that nothing hinders has no stress.
std::string assemble_expansion(const LoadContext &context, const Load &load)
{
  const auto settings = settings_from<ExpansionSettings>(load.values());
  if (load.value().norm() > 0.)
    throw EntryError(load.path(),
                     "Value",
                     "A thermal expansion has no value here.\nSet 'Coefficient' and 'Temperature "
                     "difference' in its subsection, and leave this entry out.");
  if (settings.coefficient == 0.)
    refuse(load,
           name_of_expansion,
           "Coefficient",
           "No coefficient of expansion is given.\nSet the strain per degree, as 1.2e-5 of steel.");
  if (settings.temperature.empty())
    refuse(load,
           name_of_expansion,
           temperature_entry,
           "No difference of temperature is given.\nSet a number, or an expression in x, y and z "
           "such as '20 + 5 * z'.");
  std::unique_ptr<dealii::FunctionParser<3>> temperature;
  try
    {
      temperature = make_number_parser(settings.temperature, context.summary);
    }
  catch (const Error &error)
    {
      refuse(load, name_of_expansion, temperature_entry, error.what());
    }

  const ElementMesh &mesh = context.mesh.elements;
  const std::size_t n     = mesh.n_elements;
  context.expansion->resize(3 * mesh.type.n_nodes * n);
  double least = std::numeric_limits<double>::max(), most = -least;
  bool is_finite          = true;
  const std::string where = visit_elements(context, load, [&](const std::size_t e) {
    with_element(mesh.type, [&](const auto element) {
      using Element = std::decay_t<decltype(element)>;
      double X[3][Element::n_nodes], G[3][Element::n_nodes];
      nodes_of<Element>(mesh, e, X);
      for (int q = 0; q < Element::n_quadrature_points; ++q)
        {
          const double dx = element_stiffness::gradients<Element>(X, q, G);
          double xi[3];
          dealii::Point<3> x;
          Element::quadrature_point(q, xi);
          for (int v = 0; v < Element::n_nodes; ++v)
            for (unsigned int d = 0; d < 3; ++d)
              x[d] += Element::shape_value(v, xi) * X[d][v];
          const double T = temperature->value(x);
          is_finite      = is_finite && std::isfinite(T);
          least          = std::min(least, T);
          most           = std::max(most, T);
          for (std::size_t v = 0; v < Element::n_nodes; ++v)
            for (std::size_t c = 0; c < 3; ++c)
              (*context.expansion)[(3 * v + c) * n + e] += settings.coefficient * T * G[c][v] * dx;
        }
    });
  });
  const Communicator communicator(context.communicator);
  if (communicator.any(!is_finite))
    refuse(load,
           name_of_expansion,
           temperature_entry,
           "The expression is no finite number somewhere in the region.\nTake another one, or a "
           "smaller region.");
  least = -communicator.max(-least);
  most  = communicator.max(most);
  if (least == 0. && most == 0.)
    refuse(load,
           name_of_expansion,
           temperature_entry,
           "The difference of temperature is zero everywhere in the region.\nGive another one, or "
           "leave the load out.");
  std::ostringstream text;
  text << where << ", strains of a free expansion from "
       << std::min(settings.coefficient * least, settings.coefficient * most) << " to "
       << std::max(settings.coefficient * least, settings.coefficient * most);
  return text.str();
}
} // namespace

LoadType thermal_expansion()
{
  return {name_of_expansion,
          "the region's elements expand with their temperature, by their own stiffness, see "
          "subsection Thermal expansion",
          &assemble_expansion,
          parameters_of<ExpansionSettings>()};
}
} // namespace strut::loads
