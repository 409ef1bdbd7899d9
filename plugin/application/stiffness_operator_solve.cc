// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <deal.II/dofs/dof_handler.h>

#include <deal.II/grid/tria.h>

#include <strut/base/exceptions.h>
#include <strut/mesh/hierarchy.h>

#include <algorithm>
#include <limits>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>

#include "plugin/application/option_remedies.h"
#include "plugin/application/require_room.h"
#include "plugin/application/stiffness_operator_implementation.h"
#include "plugin/base/attempt.h"
#include "plugin/base/choose_backend.h"
#include "plugin/base/coordinate_text.h"
#include "plugin/base/spelling.h"
#include "plugin/element_mesh/adapted_hierarchy.h"
#include "plugin/element_mesh/mesh_hierarchy_builder.h"
#include "source/base/measure.h"
#include "source/base/team.h"
#include "source/base/text.h"
#include "source/mesh/bytes_of_mesh.h"
#include "source/mesh/mean_value_rows.h"
#include "source/solvers/multigrid/background.h"
#include "source/solvers/multigrid/level_operator.h"

namespace strut
{
namespace
{
using Triangulation = dealii::Triangulation<3, 3>;

/// Gives a solver a control for the duration of one solve, because the control's monitor may point
/// to temporary objects.
template <typename Solver>
class ControlOfSolve
{
public:
  ControlOfSolve(Solver &solver, const SolverControl &control, SolverControl afterwards)
    : solver_(solver), afterwards_(std::move(afterwards))
  {
    solver_.set_control(control);
  }
  ~ControlOfSolve()
  {
    solver_.set_control(afterwards_);
  }
  ControlOfSolve(const ControlOfSolve &)            = delete;
  ControlOfSolve &operator=(const ControlOfSolve &) = delete;

private:
  Solver &solver_;
  const SolverControl afterwards_;
};

/// The coarser meshes of an application's mesh, or the reason why multigrid is not available.
struct MultigridChoice
{
  MeshHierarchy coarser; ///< empty if there is an obstacle
  std::string obstacle;  ///< empty if there is none
};

/// Whether all cells that this rank sees are refined equally often, each time into eight.
bool is_refined_globally(const Triangulation &triangulation)
{
  const int finest = static_cast<int>(triangulation.n_global_levels()) - 1;
  for (const auto &cell : triangulation.cell_iterators())
    if (cell->has_children() ? cell->n_children() != 8
                             : cell->is_locally_owned() && cell->level() != finest)
      return false;
  return true;
}

std::string obstacle_of(const Triangulation &triangulation, const Communicator &communicator)
{
  if (triangulation.n_global_levels() == 1)
    return "the mesh was refined from no coarser one. Multigrid wants a coarse mesh and "
           "refine_global()";
  if (communicator.size() == 1)
    return obstacle_to_adapted_hierarchy(triangulation);
  if (communicator.any(!is_refined_globally(triangulation)))
    return obstacle_to_distributed_adapted_hierarchy(triangulation, communicator);
  if (!knows_level_owners(triangulation, communicator.mpi()))
    return "the triangulation does not know which rank owns which coarser cell. On several ranks "
           "multigrid wants a parallel::distributed::Triangulation constructed with "
           "construct_multigrid_hierarchy";
  return "";
}

/// @param whole  mesh made from the DoFHandler, with its constraints. Collective.
MultigridChoice choose_multigrid(const dealii::DoFHandler<3, 3> &dof_handler,
                                 const ElementMesh &whole,
                                 const Communicator &communicator)
{
  // levels do not support mean-value constraints
  const auto without      = without_mean_values(communicator, whole);
  const ElementMesh &mesh = without == nullptr ? whole : *without;
  MultigridChoice choice;
  const Triangulation &triangulation = dof_handler.get_triangulation();
  choice.obstacle =
    mesh.type == ElementType()
      ? obstacle_of(triangulation, communicator)
      : "levels of refined meshes are made for FE_Q(1) alone, and other elements have "
        "background cells, which take no dependent degrees of freedom";
  constexpr auto all_levels = std::numeric_limits<std::size_t>::max();
  const bool adapted        = communicator.any(!is_refined_globally(triangulation));
  if (choice.obstacle.empty())
    choice.coarser =
      !adapted
        ? build_mesh_hierarchy(dof_handler, mesh, communicator.mpi(), all_levels, &choice.obstacle)
      : communicator.size() == 1
        ? build_adapted_hierarchy(triangulation, mesh, choice.obstacle)
        : build_distributed_adapted_hierarchy(dof_handler, mesh, communicator, choice.obstacle);
  if (communicator.any(!mesh.dependent.empty()))
    return choice; // background cells do not support dependent degrees of freedom
  add_background(communicator, mesh, choice.coarser, cpu::default_n_threads());
  if (!choice.coarser.empty())
    choice.obstacle.clear();
  return choice;
}
} // namespace

template <typename Number>
void StiffnessOperator<Number>::Implementation::require_no_conflict() const
{
  if (options_.preconditioner_values.empty())
    return;
  const auto refused =
    find_conflict({options_.preconditioner, options_.preconditioner_values},
                  {communicator, {mesh_, material_, coarser_}, in_force_.law, shift_ != 0.});
  if (refused)
    throw Error("StiffnessOptions::preconditioner_values, '" + refused->name +
                "': " + refused->reason);
}

template <typename Number>
void StiffnessOperator<Number>::Implementation::choose_preconditioner()
{
  require_solvable();
  const std::string &wanted = options_.preconditioner;
  MultigridChoice levels;
  if (wanted == "auto" || find_preconditioner(wanted).needs_levels)
    levels = choose_multigrid(*dof_handler, mesh_, communicator);
  coarser_                  = std::move(levels.coarser);
  using Refusal             = PreconditionerChoice::Refusal;
  const Precision precision = solver_precision();
  const PreconditionerChoice choice =
    strut::choose_preconditioner(wanted, precision, communicator, {mesh_, material_, coarser_});
  std::string obstacle; // the hierarchy may stop early and still suffice
  if (!choice.obstacle.empty())
    obstacle = levels.obstacle.empty()
                 ? choice.obstacle + ". A coarser mesh that is refined more often would do"
                 : levels.obstacle;

  if (choice.refusal == Refusal::preconditioner)
    throw Error("StiffnessOptions ask for " + wanted + ", and there can be none: " + obstacle +
                ".\n  Or set preconditioner to 'jacobi' (or 'auto').");
  if (choice.refusal == Refusal::precision && precision == Precision::mixed)
    throw Error("StiffnessOptions ask for mixed precision, which means multigrid cycles in float, "
                "and there can be no multigrid: " +
                (obstacle.empty() ? "they ask for " + choice.text : obstacle) +
                ".\n  Or set precision to 'auto'.");
  if (choice.refusal == Refusal::precision)
    throw Error("StiffnessOptions ask for the preconditioner '" + wanted +
                "', which is not made for displacements in " + to_string(precision) +
                ".\n  Or set preconditioner to 'auto'.");
  preconditioner_      = choice.name;
  preconditioner_text_ = choice.text + (precision == Precision::mixed ? ", cycles in float" : "");
  if (!obstacle.empty())
    preconditioner_text_ += ": " + obstacle;
  else if (wanted == "jacobi")
    preconditioner_text_ += ", as asked";
  if (!find_preconditioner(preconditioner_).needs_levels)
    coarser_.clear();
}

template <typename Number>
Precision StiffnessOperator<Number>::Implementation::solver_precision() const
{
  if constexpr (std::is_same<Number, float>::value)
    return Precision::fp32;
  else
    return options_.precision == "mixed" ? Precision::mixed : Precision::fp64;
}

template <typename Number>
Material StiffnessOperator<Number>::Implementation::material_of_solver() const
{
  if (material_.formulation != Formulation::mean_dilatation || matrix_->law() != Law::lame)
    return material_;
  constexpr double most = 1e6; // larger with cells without mu, which a shift holds
  return Material::from_lame(std::min(largest_ratio_, most), 1., material_.formulation);
}

template <typename Number>
bool StiffnessOperator<Number>::Implementation::has_outgrown_solver() const
{
  const Material now = material_of_solver();
  if (solver_material_.youngs_modulus == now.youngs_modulus &&
      solver_material_.poisson_ratio == now.poisson_ratio)
    return false;
  if (matrix_->law() != Law::lame) // also factors of the material itself
    return true;
  const auto ratio = [](const Material &material) { return material.lambda() / material.mu(); };
  return ratio(now) > 1.5 * ratio(solver_material_);
}

template <typename Number>
SolverControl StiffnessOperator<Number>::Implementation::control() const
{
  using Criterion = SolverControl::Criterion;
  SolverControl control;
  control.criterion      = options_.criterion == "absolute"         ? Criterion::absolute
                           : options_.criterion == "preconditioned" ? Criterion::preconditioned
                                                                    : Criterion::relative;
  control.tolerance      = options_.tolerance;
  control.max_iterations = options_.max_iterations;
  return control;
}

template <typename Number>
StateSettings StiffnessOperator<Number>::Implementation::settings_of_solver() const
{
  StateSettings settings;
  settings.strategy              = options_.strategy;
  settings.precision             = solver_precision();
  settings.preconditioner.name   = preconditioner_;
  settings.preconditioner.values = options_.preconditioner_values;
  settings.initial_guess = options_.initial_guess ? InitialGuess::previous : InitialGuess::zero;
  settings.control       = control();
  return settings;
}

template <typename Number>
MeshSize
StiffnessOperator<Number>::Implementation::size_of_mesh(const StiffnessLayout &layout) const
{
  MeshSize size =
    size_of(communicator, {mesh_, solver_material_, coarser_}, !chosen.backend->memory().is_host());
  size.layout = layout;
  // a stream of the application, which the levels get too
  if (matrix_->has_shift() && !size.has_shift)
    {
      size.has_shift            = true;
      const std::size_t refined = size.is_flat ? size.n_nodes : size.n_nodes * 8 / 7;
      size.n_product_nodes      = std::max(size.n_product_nodes, refined + size.n_background_nodes);
    }
  return size;
}

template <typename Number>
MemoryPlan StiffnessOperator<Number>::Implementation::plan_of_solver(const MeshSize &size) const
{
  MemoryPlan plan;
  StiffnessSolver<Number>::plan(plan,
                                settings_of_solver(),
                                {chosen.backend->template strategies<double>(),
                                 chosen.backend->template strategies<float>()},
                                size,
                                /*lifted*/ true);
  return plan;
}

template <typename Number>
void StiffnessOperator<Number>::Implementation::provide_solver()
{
  if (solver_ != nullptr)
    return;
  attempt_or_abort(communicator, [&]() { choose_preconditioner(); });
  const StateSettings settings = settings_of_solver();

  // Ranks communicate while the levels are made, so a rank that ran out of memory there would leave
  // the others waiting. All ranks therefore allocate the required memory, and free it again,
  // beforehand.
  solver_material_ = material_of_solver();
  const Structure structure{mesh_, solver_material_, coarser_};
  require_room(communicator,
               chosen,
               static_cast<std::size_t>(plan_of_solver(size_of_mesh(matrix_->layout())).total()));
  std::unique_ptr<StiffnessSolver<Number>> solver;
  const auto set_up = [&]() {
    solver = std::make_unique<StiffnessSolver<Number>>(
      Execution{*chosen.backend, communicator, timing_}, *matrix_, structure, settings);
  };
  attempt_or_abort(communicator, [&]() { in_words_of_options(set_up); });
  update(*solver);
  solver_ = std::move(solver);
}

template <typename Number>
void StiffnessOperator<Number>::Implementation::update(StiffnessSolver<Number> &solver)
{
  const auto follow = [&]() {
    solver.begin_again();
    // drops warnings about preconditioners that were given up and are now back
    solver.take_warnings();
    solver.update(factors_);
    solver.finish(); // the application may ask for the preconditioner's name next
  };
  attempt_or_abort(communicator, [&]() { in_words_of_options(follow); });
}

template <typename Number>
void StiffnessOperator<Number>::Implementation::make_preconditioner()
{
  const InUse in_use(occupied_);
  const HostThreads threads(chosen);
  provide_solver();
}

template <typename Number>
SolveReport StiffnessOperator<Number>::Implementation::solve(const Entries &x,
                                                             const Entries &forces,
                                                             ControlMonitor &monitor)
{
  const WallClock clock;
  const InUse in_use(occupied_);
  const HostThreads threads(chosen);
  provide_solver();

  exchange->upload(forces, x_);
  matrix_->condense(x_);
  if (!matrix_->has_prescribed_displacements())
    matrix_->zero_constrained(x_);
  if (options_.initial_guess)
    exchange->upload(x, y_);
  SolverControl settings = control();
  monitor.take_over(settings);
  SolverReport solved;
  try
    {
      const ControlOfSolve<StiffnessSolver<Number>> in_control(*solver_, settings, control());
      attempt_or_abort(communicator,
                       [&]() { in_words_of_options([&]() { solved = solver_->solve(x_, y_); }); });
    }
  catch (const SolverFailure &failure) // thrown on all ranks
    {
      // No preconditioner helped. The forces may be the reason, so the next ones get the requested
      // preconditioner again.
      std::string given_up = solver_->take_warnings();
      if (auto solver = std::move(solver_); solver->fallen_back_to().empty())
        solver_ = std::move(solver);
      else
        try
          {
            update(*solver);
            solver_ = std::move(solver);
          }
        catch (const SolverFailure &)
          {} // on all ranks; the next solve makes another solver
      if (given_up.empty())
        throw;
      for (std::size_t i; (i = given_up.find(".;")) != std::string::npos;)
        given_up.erase(i, 1);
      throw SolverFailure(failure.reason + "\n  Before that: " + given_up +
                            (given_up.back() == '.' ? "" : "."),
                          Remedy::none,
                          failure.at_limit);
    }
  exchange->download(y_, x);
  if (options_.constrained_entries == "zero")
    exchange->zero_constrained(x);

  SolveReport report;
  report.iterations     = solved.iterations;
  report.residual       = solved.residual;
  report.converged      = solved.converged;
  report.seconds        = clock.seconds();
  report.preconditioner = preconditioner_name();
  report.remark         = solver_->take_warnings();
  if (!report.converged && report.remark.empty())
    report.remark = "the residual does not fall below " + number_with_digits(report.residual, 6) +
                    ", which is what the precision allows; the tolerance is " +
                    number_with_digits(options_.tolerance, 6);
  return report;
}

template <typename Number>
std::size_t StiffnessOperator<Number>::Implementation::host_memory() const
{
  std::size_t bytes = sizeof(*this) + bytes_of(mesh_) + bytes_of(owned_cells) + bytes_of(diagonal) +
                      bytes_of(constrained_) + bytes_of(constraints_) + bytes_of(densities_) +
                      bytes_of(masses_) + exchange->host_memory();
  for (const std::vector<DependentDiagonal> &diagonals : diagonals_)
    bytes += bytes_of(diagonals);
  for (const CoarseLevel &level : coarser_)
    bytes += bytes_of(level.mesh) + bytes_of(level.transfer);
  return bytes;
}

template <typename Number>
std::string StiffnessOperator<Number>::Implementation::describe() const
{
  const Backend &backend  = *chosen.backend;
  const char *const name  = sizeof(Number) == 8 ? "double" : "float";
  const std::string other = solver_ == nullptr ? "" : solver_->fallen_back_to();
  std::ostringstream out;
  out << "StiffnessOperator<" << name << ">: " << n_elements_ << " elements"
      << (mesh_.type == ElementType() ? "" : std::string(" of type ") + mesh_.type.name) << ", "
      << n_dofs << " degrees of freedom, " << communicator.size()
      << (communicator.size() == 1 ? " rank\n" : " ranks\n") << "  backend: " << backend.name()
      << " (" << (chosen.reason.empty() ? "as asked" : chosen.reason) << "), " << backend.device()
      << "\n  strategy: " << options_.strategy << " in " << name << "\n  solve(): "
      << (preconditioner_text_.empty()
            ? "not called yet; preconditioner: " + options_.preconditioner
            : preconditioner_text_)
      << (other.empty() ? "" : "; fell back on " + other)
      << "\n  memory of this rank: " << format_bytes(chosen.backend->memory().in_use())
      << " on the backend, " << format_bytes(host_memory())
      << " on the host\n  transfers: " << exchange->transfers << '\n';
  return out.str();
}

template class StiffnessOperator<double>::Implementation;
template class StiffnessOperator<float>::Implementation;
} // namespace strut
