// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/run/run_remarks.h"

#include <deal.II/base/parameter_acceptor.h>

#include <strut/base/exceptions.h>

#include <algorithm>
#include <sstream>

#include "plugin/deck/parameters/unread_entries.h"

namespace strut
{
namespace
{
constexpr double rounding = 1e-6;

/// Returns "1 to 4", or one number if all edges are equal.
std::string edges(const MeshSummary &summary)
{
  std::ostringstream text;
  text << summary.shortest_edge;
  if (summary.longest_edge > (1. + rounding) * summary.shortest_edge)
    text << " to " << summary.longest_edge;
  return text.str();
}

/// Returns the name of the first method or response of the deck that amplifies rounding errors;
/// empty if there is none.
std::string grows_rounding(const DeckParameters &parameters)
{
  if (!parameters.method_entry().solves_any_problem)
    return "the method '" + parameters.optimization.method + "'";
  std::vector<std::string> names = {parameters.optimization.objective};
  for (const auto &constraint : parameters.constraints)
    names.push_back(constraint->response);
  for (const std::string &name : names)
    if (const ResponseEntry &entry = find_response(name);
        entry.n_modes != nullptr || entry.takes_stresses)
      return "the response '" + name + "'";
  return "";
}

/// Notes on entries that the deck sets and nothing reads.
std::string notes_on_unread_entries(const RunPlan &plan)
{
  const DeckParameters &parameters           = plan.parameters;
  const OptimizationParameters &optimization = parameters.optimization;
  std::string text;
  for (const std::string &sentence :
       unread_entries(parameters.deck,
                      declared_parameters(dealii::ParameterAcceptor::prm),
                      {{"Solver / Preconditioner", plan.settings.preconditioner.name}}))
    text += "  NOTE: " + sentence + '\n';
  if (parameters.deck.find_entry({"Optimization"}, "Filter radius") != nullptr &&
      optimization.filter_radius > 0. && !optimization.uses_filter_radius())
    text += "  NOTE: " + parameters.deck.where({"Optimization"}, "Filter radius") +
            ": nothing reads 'Optimization / Filter radius': no filter and no map takes one\n";
  if (parameters.deck.find_entry({"Optimization"}, "Filter weights") != nullptr &&
      !optimization.uses_filter_weights())
    text += "  NOTE: " + parameters.deck.where({"Optimization"}, "Filter weights") +
            ": nothing reads 'Optimization / Filter weights': no filter and no map takes them\n";
  return text;
}
} // namespace

std::string remarks_on(const RunPlan &plan)
{
  const DeckParameters &parameters           = plan.parameters;
  const OptimizationParameters &optimization = parameters.optimization;
  const std::string objective                = parameters.objective_name();
  const std::size_t n_load_cases             = parameters.problem.load_cases().size();
  const ParameterValues &values              = plan.settings.preconditioner.values;
  std::ostringstream text;
  text << "  operator: " << plan.settings.strategy << '\n'
       << "  preconditioner: " << plan.preconditioner;
  // Parameters of the preconditioner that are not defaults.
  for (const Parameter &parameter :
       find_preconditioner(plan.settings.preconditioner.name).parameters)
    if (const auto value = values.find(parameter.name);
        value != values.end() && value->second.text() != parameter.default_value &&
        !parameter.choices.empty())
      text << "; " << parameter.name << " = " << value->second.text();
  text << '\n';
  if (optimization.method != "simp")
    text << "  method: " << optimization.method << ": " << parameters.method_entry().summary
         << '\n';
  if (optimization.uses_filter_radius() && optimization.filter_radius > 0.)
    text << describe_filter_radius(optimization.filter_radius, parameters.problem.summary());
  if (n_load_cases > 1)
    {
      const RobustFields fields = optimization.robust_fields();
      text << "  load cases: " << n_load_cases << "; the column '" << objective
           << (optimization.minimises_worst_case() ? "' is the largest of weight times "
                                                   : "' is the sum of weight times ")
           << objective << " over them"
           << (fields.kind == RobustFields::Kind::eroded ? " in the eroded field"
               : fields.enabled()                        ? " in the worst field"
                                                         : "")
           << ", 'PCG iter' the sum of their iterations\n";
    }
  if (optimization.has_map("helmholtz") &&
      plan.communicator.any(!parameters.problem.mesh().dependent.empty()))
    text
      << "  NOTE: the map 'helmholtz' goes over shared nodes, of which tied faces have none: each side is filtered as if it "
         "ended there. The map 'density' goes by distance, across them\n";
  text << optimization.describe_problem(parameters.constraints);
  if (optimization.objective == "compliance" && plan.prescribes_displacements())
    text << "  prescribed displacements: the column 'compliance' is 2 f.u - u.K u, which falls as "
            "the structure gets stiffer, and is negative without loads\n";
  text << notes_on_unread_entries(plan);
  // This map uses a grid of cubes.
  if (const MeshSummary &summary = parameters.problem.summary();
      optimization.has_map("overhang") && summary.longest_edge > 1.05 * summary.shortest_edge)
    text << "  NOTE: the map 'overhang' works on a grid of cubes, and the elements have edges of "
         << edges(summary)
         << ": some of them may be without support, or lean more than the angle says\n";
  if (plan.settings.control.accepts_limit)
    text
      << "  NOTE: solves end after " << plan.settings.control.max_iterations
      << " iterations: the column 'objective' is 2 f.u - u.K u of displacements on their way, and no compliance "
         "until the last design, which is solved to the tolerance\n";
  if (parameters.output.von_mises || parameters.limits_stresses())
    if (const std::string note = parameters.problem.note_on_layers(); !note.empty())
      text << "  " << note << '\n';
  if (plan.settings.precision == Precision::fp32)
    text << "  NOTE: in single precision the residual of slender structures stays above small "
            "tolerances (doc/verification.md)\n";
  if (const std::string cause = grows_rounding(parameters);
      !cause.empty() && plan.communicator.size() > 1 && !parameters.compute.deterministic)
    text
      << "  NOTE: on several ranks sums are rounded in another order, and " << cause
      << " may let that grow from design to design: other numbers of ranks may give another history. "
         "'Deterministic = true' gives the same one\n";
  return text.str();
}

void check_filter_radius(const double radius, const MeshSummary &summary)
{
  const auto &[lower, upper] = summary.box.get_boundary_points();
  const double diagonal      = lower.distance(upper);
  const double least         = 1e-6 * summary.shortest_edge;
  if (radius == 0. || (radius >= least && radius <= diagonal))
    return;
  std::ostringstream text;
  text
    << "A filter radius of " << radius << " does not fit the mesh, whose elements have edges of "
    << edges(summary) << " and whose box has a diagonal of " << diagonal << ".\n"
    << (radius > diagonal
          ? "Beyond the diagonal every element is averaged with all others. It is in length units "
            "of the mesh: two or three edges, say."
          : "Radii below a millionth of an edge are lost to rounding. For no filter 'set Filter "
            "radius = 0'.");
  throw EntryError({"Optimization"}, "Filter radius", text.str());
}

std::string describe_filter_radius(const double radius, const MeshSummary &summary)
{
  const double shortest_side =
    std::min({summary.box.side_length(0), summary.box.side_length(1), summary.box.side_length(2)});

  std::ostringstream text;
  text << "  filter radius: " << radius << "; the elements have edges of " << edges(summary)
       << "; h = " << summary.smallest_cell << " is the cube root of the smallest volume\n";
  // Centres of tetrahedra are nearer to each other than edges are long.
  if (!summary.has_hexahedra)
    return text.str();
  if (radius < (1. - rounding) * summary.shortest_edge)
    text << "  NOTE: the radius is below the shortest edge, so it filters nothing\n";
  else if (radius < (1. - rounding) * summary.longest_edge)
    text << "  NOTE: the radius is below the longest edge: along such edges it filters nothing\n";
  else if (radius > 0.5 * shortest_side)
    text << "  NOTE: the radius is more than half the shortest side of the mesh (" << shortest_side
         << "); designs will be blurred\n";
  return text.str();
}
} // namespace strut
