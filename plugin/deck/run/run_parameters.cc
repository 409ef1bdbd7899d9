// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/run/run_parameters.h"

#include <deal.II/base/patterns.h>

#include <strut/backend/backend.h>
#include <strut/backend/strategy.h>
#include <strut/base/exceptions.h>

#include <algorithm>
#include <cmath>

#include "plugin/base/spelling.h"
#include "plugin/deck/parameters/named_choice.h"
#include "plugin/deck/parameters/shared_libraries.h"

namespace strut
{
namespace
{
using dealii::Patterns::Integer;
using dealii::Patterns::List;
using dealii::Patterns::Selection;

/// Returns the names of the strategies of both backends, each name once.
std::string strategy_names()
{
  StrategyList<double> all = cpu_strategies<double>();
  for (const Strategy<double> &strategy : cuda_strategies<double>())
    if (std::none_of(all.begin(), all.end(), [&](const auto &s) {
          return s.name == strategy.name;
        }))
      all.push_back(strategy);
  return names_of(all);
}

void require(const bool condition,
             const std::string &section,
             const std::string &entry,
             const std::string &text)
{
  if (!condition)
    throw EntryError({section}, entry, text);
}

/// A subsection of `Optimization` that is not in a list of interchangeable parts.
struct SectionOfOptimization
{
  std::string name;
  std::vector<Parameter> parameters;
};

constexpr char robust_section[] = "robust";

/// The subsection `Optimization / Robust` of the deck, with the parameters of RobustFields.
std::vector<SectionOfOptimization> robust_sections()
{
  return {{robust_section, parameters_of<RobustFields>()}};
}
} // namespace

ComputeParameters::ComputeParameters() : dealii::ParameterAcceptor("/")
{
  add_parameter(
    shared_libraries_entry,
    libraries,
    "Shared libraries with operators, preconditioners, filters, objectives or loads of your own, which are then chosen "
    "by their names; relative to the folder of the deck, separated by commas.");
  add_parameter(
    "Backend",
    backend,
    "Where to compute: on the GPU (cuda), on the CPU (cpu), or on the GPU if there is one "
    "(auto). The log says which it was.",
    prm,
    Selection("auto|cuda|cpu"));
  add_choice<Precision>(
    *this,
    "Precision",
    precision,
    precision_words(),
    "Of displacements and operators. mixed: multigrid cycles in float for displacements "
    "and residuals in double. Design fields are always double.");
  add_parameter("Operator",
                strategy,
                "How the stiffness operator is applied. On the CPU: " +
                  summaries_of(cpu_strategies<double>()) +
                  ". On the GPU: " + summaries_of(cuda_strategies<double>()) + ".",
                prm,
                Selection(strategy_names()));
  add_parameter(
    "Threads",
    n_threads,
    "Threads of each rank on the CPU backend; 0: the cores that the machine gives (affinity, quota of "
    "the control group), shared among its ranks.",
    prm,
    Integer(0, 4096));
  add_choice<Communication>(
    *this,
    "Communication",
    communication,
    {{"auto", Communication::automatic},
     {"nccl", Communication::nccl},
     {"peer", Communication::peer},
     {"staged", Communication::staged}},
    "How the GPUs of several ranks exchange what they have. nccl: from GPU to GPU by NVIDIA's library, which is looked for when "
    "the program runs; it needs a GPU for each rank. peer: likewise without a library, through each other's memory, on one machine. "
    "staged: by way of host memory and MPI. auto: peer where that can be, else nccl, else staged. "
    "The log says which it was.");
  add_parameter(
    "Deterministic",
    deterministic,
    "Refuse an operator whose sums depend on the order in which threads arrive, so that "
    "two runs give the same bits.");
  add_parameter("Memory limit",
                memory_limit,
                "Megabytes of the backend's memory that each rank may take; 0: what is free.",
                prm,
                dealii::Patterns::Double(0.));
  add_parameters_of(*this, strategy_parameters(), strategy_values_);
}

SolverParameters::SolverParameters() : dealii::ParameterAcceptor("/Solver")
{
  using Criterion = SolverControl::Criterion;
  add_choice<Criterion>(
    *this,
    "Stopping criterion",
    settings_.control.criterion,
    {{"relative", Criterion::relative},
     {"preconditioned", Criterion::preconditioned},
     {"absolute", Criterion::absolute}},
    "relative: |r| <= tolerance |b|; preconditioned: sqrt(r^T M^-1 r) <= tolerance |b| (Martinez-Frutos and "
    "Herrero-Perez 2017, algorithm 1); absolute: r^T M^-1 r <= tolerance (Ratnakar 2022, algorithm 1). The last two depend "
    "on the units.");
  add_parameter(
    "Tolerance",
    settings_.control.tolerance,
    "For the stopping criterion; below 1 if that is relative. Then second solves, for the derivatives "
    "of stresses and displacements, end at ten times that, at most 1e-3.");
  add_parameter("Maximum iterations",
                settings_.control.max_iterations,
                "A solve that takes more ends the run, unless 'At limit = accept'.",
                prm,
                Integer(1));
  add_choice<bool>(
    *this,
    "At limit",
    settings_.control.accepts_limit,
    {{"fail", false}, {"accept", true}},
    "After the maximum of iterations: fail, or accept the displacements as they are. Then a few "
    "iterations per design move design and displacements forward together, and the last design is "
    "solved to the tolerance.");
  add_parameter("Preconditioner",
                preconditioner,
                summaries_of(preconditioners()) +
                  ". auto: multigrid if there are such meshes. The log says which.",
                prm,
                Selection("auto|" + names_of(preconditioners())));
  add_parameters_of(*this, preconditioners(), preconditioner_values_, beside);
  add_choice<InitialGuess>(
    *this,
    "Initial guess",
    settings_.initial_guess,
    {{"extrapolated", InitialGuess::extrapolated},
     {"previous", InitialGuess::previous},
     {"zero", InitialGuess::zero}},
    "Where a solve begins: at the displacement of the previous design, moved on along its "
    "last change as far as the energy of the error falls; there; or at zero. The first "
    "saves one iteration in ten or so, and keeps one more vector for each load case.");
}

SolverControl SolverParameters::control() const
{
  const SolverControl &control = settings_.control;
  require(control.tolerance > 0., "Solver", "Tolerance", "The tolerance must be positive.");
  require(
    control.criterion != SolverControl::Criterion::relative || control.tolerance < 1.,
    "Solver",
    "Tolerance",
    "The tolerance must be below 1: it is relative to the forces, and with 1 no displacement at "
    "all is good enough.\nThe default is 1e-5.");
  return control;
}

StateSettings SolverParameters::get(const ComputeParameters &compute,
                                    const std::string &chosen) const
{
  StateSettings settings                = settings_;
  settings.control                      = control();
  settings.strategy                     = compute.strategy;
  settings.precision                    = compute.precision;
  settings.preconditioner.name          = chosen;
  settings.preconditioner.values        = values_of(preconditioner_values_, chosen);
  settings.preconditioner.deterministic = compute.deterministic;
  return settings;
}

OptimizationParameters::OptimizationParameters() : dealii::ParameterAcceptor("/Optimization")
{
  add_parameter("Method",
                method,
                "How the design is found. " + summaries_of(design_methods()) +
                  ". A method's own entries are in the subsection of its name.",
                prm,
                Selection(names_of(design_methods())));
  add_parameter(
    "Minimise",
    objective,
    "What is minimised. " + summaries_of(responses()) +
      ". A response's own entries are in the subsection of its name. 'Constraints' has what is limited, besides "
      "the volume fraction.",
    prm,
    Selection(names_of(responses())));
  add_parameter(
    "Maximise",
    maximised_,
    "In place of 'Minimise': what is made as large as can be, as the frequency; none: nothing.",
    prm,
    Selection("none|" + names_of(responses_with_a_value())));
  parse_parameters_call_back.connect([this]() {
    if (maximised_ == "none")
      return;
    if (objective != "compliance" && objective != maximised_)
      throw EntryError(
        {"Optimization"},
        "Maximise",
        "'" + maximised_ + "' is maximised, and '" + objective +
          "' minimised: there is one objective.\nLeave one of them out, or make it one of the "
          "'Constraints'.");
    objective = maximised_;
  });
  add_choice<DesignFunction::Over>(
    *this,
    "Over load cases",
    over_,
    over_words(),
    "What is minimised of several load cases. sum: weight times response, added up; worst: the "
    "largest of them.");
  add_parameter("Update",
                settings_.update,
                "From one design to the next, of the method simp. " +
                  summaries_of(design_updates()) +
                  ". An update's own entries are in the subsection of its name.",
                prm,
                Selection(names_of(design_updates())));
  add_parameter(
    "Volume fraction",
    settings_.volume_fraction,
    "Volume of material, as a fraction of the volume of the mesh. In (0, 1], and greater than 'Minimum "
    "density'. Where volume or mass is minimised it is that of the first design, and no limit.");
  add_parameter(
    "Initial design",
    initial_design,
    "A result (.vtu) whose design is the first one, on any mesh, instead of a uniform one; of methods with 'Maps'. Its densities become the design variables, on which filters act again; they are raised or lowered alike until the volume is that of 'Volume fraction', where that is a limit. A relative name is looked up from the working directory, then from the folder of the parameter file.");
  add_parameter("Count non-design volume",
                settings_.count_non_design,
                "Whether solid and void regions are part of the volume and of what the fraction "
                "refers to; if not, both mean the design elements alone.");
  add_parameter(
    "Filter",
    filter_,
    "sensitivity: Sigmund's filter of the sensitivities, with cone weights; density: short for 'Maps = density'; projection: "
    "short for 'Maps = density, projection'; none: the result depends on the mesh and may show checkerboards. Of the "
    "methods simp takes it; leave it out for the others.",
    prm,
    Selection("sensitivity|density|projection|none"));
  add_parameter(
    "Maps",
    maps_,
    "From the design variables to the densities, one after the other; then Filter has no effect, and may be its default or none. " +
      summaries_of(design_maps()) + ". A map's own entries are in the subsection of its name.",
    prm,
    List(Selection(names_of(design_maps()))));
  add_parameter(
    "Filter radius",
    filter_radius,
    "In length units of the mesh, at most the diagonal of its box. One and a half elements at "
    "least keep checkerboards away; 0: no filter.");
  add_choice<FilterWeights>(
    *this,
    "Filter weights",
    settings_.filter_weights,
    {{"volumes", FilterWeights::volume}, {"count", FilterWeights::count}},
    "What an element weighs in the means of the filters sensitivity and density and of the method beso, besides the "
    "cone. volumes: its volume; count: 1, so that small elements weigh too much. Where all elements have one volume "
    "both are the same.");
  add_parameter(
    "Interpolation",
    interpolation_,
    "Stiffness factor of a density. simp: rho^p; modified simp: Emin + rho^p (1 - Emin).",
    prm,
    Selection("simp|modified simp"));
  add_parameter("Penalization",
                settings_.interpolation.penalization,
                "The exponent p, between 1 and 20.");
  add_parameter("Minimum density",
                settings_.criteria.minimum_density,
                "Lower bound of the densities.");
  settings_.interpolation.minimum_stiffness = 1e-9; // default of modified simp
  add_parameter("Minimum stiffness",
                settings_.interpolation.minimum_stiffness,
                "Emin of modified simp, relative to the solid.");
  add_parameter("Move limit",
                settings_.criteria.move_limit,
                "Largest change of a density in one iteration.");
  add_parameter("Damping exponent",
                settings_.criteria.damping,
                "The exponent eta of the optimality criteria.");
  using Criterion = StoppingRule::Criterion;
  add_choice<Criterion>(
    *this,
    "Stopping criterion",
    settings_.stopping.criterion,
    {{"compliance change", Criterion::compliance_change},
     {"relative compliance change", Criterion::relative_compliance_change},
     {"density change", Criterion::density_change},
     {"kkt", Criterion::kkt},
     {"none", Criterion::none}},
    "compliance change: |C_i - C_(i-1)| < tolerance (Ratnakar 2022), which depends on the units, of the "
    "objective if that is another; relative compliance change; density change: largest change of a density; kkt: norm of "
    "the KKT residual, of updates that have it; none: only the limit of iterations.");
  add_parameter("Stopping tolerance", settings_.stopping.tolerance, "For the stopping criterion.");
  add_parameter("Stopping designs",
                settings_.stopping.n_designs,
                "So many designs in a row must meet the stopping criterion.",
                prm,
                Integer(1));
  add_parameter("Maximum iterations",
                settings_.stopping.max_iterations,
                "Limit of design iterations; 1 analyses the uniform design.",
                prm,
                Integer(1));
  add_parameters_of(*this, design_methods(), method_values_);
  add_parameters_of(*this, design_maps(), map_values_);
  add_parameters_of(*this, responses(), response_values_);
  add_parameters_of(*this, design_updates(), update_values_);
  add_parameters_of(*this, robust_sections(), robust_values_);
}

std::unique_ptr<DesignMethod>
OptimizationParameters::make_method(const DesignContext &context) const
{
  return make_design_method(method, context, values_of(method_values_, method));
}

void OptimizationParameters::check_method(const DesignCheck &design) const
{
  check_design(method, design, values_of(method_values_, method));
}

bool OptimizationParameters::excludes_void() const
{
  const DesignMethodEntry &entry = find_design_method(method);
  return entry.excludes_void != nullptr && entry.excludes_void(values_of(method_values_, method));
}

void OptimizationParameters::require_material() const
{
  const double least = settings_.criteria.minimum_density, fraction = settings_.volume_fraction;
  if (!find_design_method(method).counts_void || least < fraction)
    return;
  // The entry that the deck has set, so that the message has a line.
  const bool is_default = least == OptimalityCriteria().minimum_density;
  throw EntryError({"Optimization"},
                   is_default ? "Volume fraction" : "Minimum density",
                   "The volume fraction, " + dealii::Patterns::Tools::to_string(fraction) +
                     ", must be greater than the minimum density, " +
                     dealii::Patterns::Tools::to_string(least) +
                     ": void has that density, and nothing is left for a design.\nRaise 'Volume "
                     "fraction', or lower 'Minimum density'.");
}

OptimizationSettings OptimizationParameters::get() const
{
  const auto require = [](const bool condition, const std::string &entry, const std::string &text) {
    strut::require(condition, "Optimization", entry, text);
  };
  require_filter();
  require(settings_.volume_fraction > 0. && settings_.volume_fraction <= 1.,
          "Volume fraction",
          "The volume fraction must lie in (0, 1]: 0.3 is 30 % of the volume.");
  require(filter_radius >= 0., "Filter radius", "The filter radius must not be negative.");
  for (const std::string &name : maps())
    require(
      filter_radius > 0. || !find_design_map(name).needs_radius,
      "Filter radius",
      (maps_.empty() ? "The filter '" + filter_ : "The map '" + name) +
        "' needs a positive radius: one and a half elements at least keep checkerboards away.");
  constexpr double largest_penalization = 20.; // 0.3^20 is 3e-11; designs use 3, rarely 5
  require(
    settings_.interpolation.penalization >= 1. &&
      settings_.interpolation.penalization <= largest_penalization,
    "Penalization",
    "The penalization must be between 1 and 20: with more, densities below 1 have no stiffness "
    "left.\n3 is what most of the literature has.");
  require(
    settings_.criteria.minimum_density > 0. && settings_.criteria.minimum_density < 1.,
    "Minimum density",
    "The minimum density must lie in (0, 1): the filter divides by the density, and with plain "
    "SIMP an element without stiffness makes the operator singular.");
  // Smallest stiffness of void: below it, solves do not reach their tolerances.
  constexpr double least_stiffness = 1e-18;
  const double stiffness_of_void =
    std::pow(settings_.criteria.minimum_density, settings_.interpolation.penalization);
  require(
    interpolation_ != "simp" || !(stiffness_of_void < least_stiffness),
    "Penalization",
    "With this penalization an element of the minimum density, " +
      dealii::Patterns::Tools::to_string(settings_.criteria.minimum_density) + ", has " +
      dealii::Patterns::Tools::to_string(stiffness_of_void) +
      " of the stiffness of a solid one. Below 1e-18 double precision cannot solve the equations.\n"
      "Lower it (most of the literature has 3), raise 'Minimum density', or 'set Interpolation = "
      "modified simp', where void keeps the 'Minimum stiffness'.");
  require_material();
  require(interpolation_ == "simp" || (settings_.interpolation.minimum_stiffness > 0. &&
                                       settings_.interpolation.minimum_stiffness < 1.),
          "Minimum stiffness",
          "The minimum stiffness must lie in (0, 1).");
  require(settings_.criteria.move_limit > 0. && settings_.criteria.move_limit <= 1.,
          "Move limit",
          "The move limit must lie in (0, 1].");
  require(settings_.criteria.damping > 0. && settings_.criteria.damping <= 1.,
          "Damping exponent",
          "The damping exponent must lie in (0, 1].");
  require(
    settings_.stopping.tolerance > 0.,
    "Stopping tolerance",
    "The stopping tolerance must be positive; for no early stop 'set Stopping criterion = none'.");

  OptimizationSettings settings = settings_;
  if (interpolation_ == "simp")
    settings.interpolation.minimum_stiffness = 0.;
  settings.sensitivity_radius = sensitivity_radius();
  settings.update_values      = values_of(update_values_, settings_.update);
  return settings;
}

RobustFields OptimizationParameters::robust_fields() const
{
  const auto robust = settings_from<RobustFields>(values_of(robust_values_, robust_section));
  const auto refuse = [](const std::string &entry, const std::string &text) {
    throw EntryError({"Optimization", subsection_of(robust_section)}, entry, text);
  };
  if (!robust.enabled())
    {
      const RobustFields defaults;
      for (const auto &[entry, differs] :
           {std::make_pair("Threshold distance", robust.distance != defaults.distance),
            std::make_pair("Iterations per volume limit",
                           robust.iterations_per_limit != defaults.iterations_per_limit)})
        if (differs)
          refuse(
            entry,
            "It belongs to the fields of a robust design, and with 'Fields = none' there are none.\n'set Fields = "
            "worst case', or leave this entry out.");
      return robust;
    }
  const std::string without = "\nOr leave 'Robust / Fields' out.";
  if (!find_design_method(method).solves_any_problem)
    refuse(
      "Fields",
      "The method '" + method +
        "' has no densities between void and solid that a threshold could move.\n'set Method = simp'." +
        without);
  if (maps().empty() || maps().back() != "projection")
    refuse("Fields",
           "The fields differ by the threshold of a projection, and here " +
             (maps().empty()
                ? "densities are the design variables" +
                    std::string(sensitivity_radius() > 0. ? ", with the filter 'sensitivity'" : "")
                : "the last map is '" + maps().back() + "'") +
             ".\n'set Filter = projection', or 'Maps' with 'projection' at their end." + without);
  const ParameterValues of_projection = values_of(map_values_, "projection");
  const auto found                    = of_projection.find("Threshold");
  const double threshold = found == of_projection.end() ? 0.5 : std::stod(found->second.text());
  if (!(threshold - robust.distance > 0. && threshold + robust.distance < 1.))
    refuse(
      "Threshold distance",
      "The thresholds of the fields would be " +
        dealii::Patterns::Tools::to_string(threshold - robust.distance) + " and " +
        dealii::Patterns::Tools::to_string(threshold + robust.distance) +
        ": they must lie between 0 and 1.\nLower this distance, or set 'Projection / Threshold' nearer to 0.5.");
  if (robust.kind == RobustFields::Kind::eroded && (objective != "compliance" || maximises()))
    refuse("Fields",
           "The eroded field alone is the worst one for the compliance, and '" + objective +
             "' is " + (maximises() ? "maximised" : "minimised") +
             ".\n'set Fields = worst case' with 'set Update = mma'." + without);
  if (find_response(objective).only_minimised)
    refuse(
      "Fields",
      "The response '" + objective +
        "' has limits of one field, and here are several.\nTake the constraint 'von mises' in its place." +
        without);
  return robust;
}

void OptimizationParameters::check_fields(const std::vector<LoadCase> &load_cases,
                                          const bool prescribes_displacements) const
{
  if (robust_fields().kind != RobustFields::Kind::eroded)
    return;
  const auto refuse = [](const std::string &reason) {
    throw EntryError(
      {"Optimization", subsection_of(robust_section)},
      "Fields",
      reason +
        ": the eroded field need not be the worst one.\n'set Fields = worst case' with 'set Update = mma'.");
  };
  for (const LoadCase &load_case : load_cases)
    if (load_case.follows_design())
      refuse("The load case '" + load_case.name +
             "' has loads that follow the design, and fall as material goes");
  if (prescribes_displacements)
    refuse("Displacements are prescribed, and a part that is less stiff takes less force for them");
}

std::size_t OptimizationParameters::n_displacement_sets() const
{
  return 1 + robust_fields().n_analysed_shifted(); // displacements of the blueprint are in results
}
} // namespace strut
