// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/run/part_verdict.h"

#include <algorithm>
#include <utility>

#include "plugin/deck/output/piece_text.h"
#include "source/optimization/load_nodes.h"

namespace strut
{
namespace
{
/// Whether the objective is to use less material.
bool saves_material(const DeckParameters &parameters)
{
  return parameters.method_entry().solves_any_problem && !parameters.optimization.maximises() &&
         find_response(parameters.optimization.objective).is_amount;
}

/// Returns advice for a design that does not join its loads and supports, from the entries of the
/// deck that may cause it.
std::string against_loose_pieces(const RunContext &run, const Optimizer &optimizer)
{
  const DeckParameters &parameters           = run.parameters;
  const OptimizationParameters &optimization = parameters.optimization;
  std::vector<std::string> advice;
  if (!optimizer.method->converged())
    advice.push_back("allow more iterations");
  if (optimization
        .problem_without_responses(parameters.constraints, optimizer.state->n_load_cases())
        .limits_volume)
    advice.push_back("allow more volume");
  if (parameters.limits_stresses())
    advice.push_back(
      "make elements solid that are near loads and supports and outside of the region of the stress limit");
  const std::vector<std::string> maps = optimization.maps();
  if (std::any_of(maps.begin(), maps.end(), [](const std::string &name) {
        return name != "projection" && !find_design_map(name).needs_radius;
      }))
    advice.push_back("look at maps that let no material come there");
  if (parameters.method_entry().makes_grey && !optimization.has_map("projection"))
    advice.push_back("take 'Filter = projection', which leaves less grey");
  advice.push_back("refine the mesh, if members are no thicker than an element");
  std::string text = ". To mend it: ";
  for (std::size_t i = 0; i < advice.size(); ++i)
    text += (i == 0 ? "" : i + 1 < advice.size() ? ", " : ", or ") + advice[i];
  return text;
}

/// Returns the fault of the design as a part, empty if there is none. Collective.
/// @param all  pieces of the design
std::string find_fault(const RunContext &run,
                       const Optimizer &optimizer,
                       const std::vector<DesignPiece> &all,
                       const DesignElements &design,
                       const std::vector<double> &densities,
                       const bool has_loads)
{
  const DeckParameters &parameters = run.parameters;
  const StateSolver &state         = *optimizer.state;
  const ElementMesh &mesh          = parameters.problem.mesh();
  if (const std::string empty = describe_emptiness(design); !empty.empty())
    return empty +
           (parameters.optimization.n_modes(parameters.constraints) > 0
              ? ". A frequency needs a solid region or a mass that has to move: without them void vibrates "
                "as the solid does"
              : ". Allow more iterations or more volume, and look at limits that void keeps");
  constexpr double solid = 0.99;
  if (design.n > 0 && design.least >= solid && saves_material(parameters))
    return "all elements to design are solid: nothing was saved. The limits may ask for more than the solid "
           "has, or the first design was far from them";

  const auto lacks = [&](const auto &has) { return std::none_of(all.begin(), all.end(), has); };
  const std::string pieces =
    "no piece of the design, of elements with a density from 0.5 on that share faces, ";
  const std::string advice = against_loose_pieces(run, optimizer);
  const bool counts_loads =
    has_loads && parameters.optimization.needs_loads(parameters.constraints);
  if (!all.empty() && lacks([](const DesignPiece &piece) { return piece.has_support; }))
    return pieces + "has a support" + advice;
  if (!counts_loads)
    return "";
  // The two sides of tied faces are different pieces: a piece with a load need not have a support.
  const bool is_tied = run.communicator.any(!mesh.dependent.empty());
  const auto carries = [&](const DesignPiece &piece) {
    return is_tied ? piece.has_load : piece.joins();
  };
  const std::string what = is_tied ? "has a load" : "joins a load and a support";
  if (lacks(carries))
    return pieces + what + advice;

  // The same check for each load case.
  for (std::size_t l = 0; state.n_load_cases() > 1 && l < state.n_load_cases(); ++l)
    {
      const LoadCase &load_case = state.load_case(l);
      LoadNodes nodes(run.communicator, mesh, parameters.problem.mirrors());
      nodes.add(load_case);
      if (!load_case.follows_design() && !run.communicator.any(!nodes.loaded().empty()))
        continue;
      const std::vector<DesignPiece> of_case = find_design_pieces(
        run.backend(), run.communicator, mesh, densities, nodes, load_case.follows_design());
      if (std::none_of(of_case.begin(), of_case.end(), carries))
        return pieces + what + ", load case '" + load_case.name + "'" + advice;
    }
  return "";
}
} // namespace

PartVerdict judge_part(const RunContext &run, const Optimizer &optimizer)
{
  const StateSolver &state            = *optimizer.state;
  const ElementMesh &mesh             = run.parameters.problem.mesh();
  const std::vector<double> densities = optimizer.method->analysed_densities();
  LoadNodes nodes(run.communicator, mesh, run.parameters.problem.mirrors());
  bool weighs = false;
  for (std::size_t l = 0; l < state.n_load_cases(); ++l)
    {
      nodes.add(state.load_case(l));
      weighs = weighs || state.load_case(l).follows_design();
    }
  PartVerdict verdict;
  verdict.pieces =
    find_design_pieces(run.backend(), run.communicator, mesh, densities, nodes, weighs);
  const DesignElements design = measure_design_elements(run.communicator, mesh, densities);
  const bool has_loads        = weighs || run.communicator.any(!nodes.loaded().empty());
  const unsigned int n        = optimizer.method->history().back().iteration;
  const bool is_analysis =
    run.parameters.optimization.get().stopping.max_iterations == 1; // of a design as it is
  if (is_analysis || (n == 1 && !optimizer.method->converged()))
    return verdict;
  std::string fault = find_fault(run, optimizer, verdict.pieces, design, densities, has_loads);
  if (fault.empty())
    return verdict;
  if (n < few_designs && !optimizer.method->converged())
    verdict.note = "after " + std::to_string(n) + " designs " + fault;
  else
    {
      verdict.fault    = std::move(fault);
      verdict.is_empty = !describe_emptiness(design).empty();
    }
  return verdict;
}
} // namespace strut
