// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/state/stiffness_solver.h"
#include "source/base/registry.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <type_traits>

namespace strut
{
namespace
{
/// Number of iterations in which a solve with cycles in float must halve its residual; otherwise it
/// has stagnated. Other solves take a few dozen in all.
constexpr unsigned int look_every = 100;
/// Least size of a load as a share of |f - K g|, since a residual must stay above rounding.
constexpr double least_scale = 1e-5;

std::string text(const double residual)
{
  std::ostringstream stream;
  stream << residual;
  return stream.str();
}

/// Whether the operator of a mesh will have ElasticityOperator::takes_float().
template <typename Number>
bool operator_takes_float(const Strategy<Number> &strategy, const MeshSize &size)
{
  // The values are the same on all ranks.
  return strategy.takes_float && !strategy.takes_two_passes(size.layout.law) &&
         size.n_product_nodes == 0 && size.n_mean_values == 0 && !size.has_shift;
}
} // namespace

template <typename Number>
StiffnessSolver<Number>::StiffnessSolver(const Execution &execution,
                                         ElasticityOperator<Number> &matrix,
                                         const Structure &structure,
                                         const StateSettings &settings)
  : backend_(execution.backend)
  , communicator_(execution.communicator)
  , settings_(settings)
  , matrix_(matrix)
  , preconditioner_(execution.backend,
                    execution.communicator,
                    matrix,
                    structure,
                    settings.preconditioner,
                    settings.precision)
  , solver_(execution.backend, execution.communicator, execution.timing)
{
  if (matrix_.has_prescribed_displacements())
    provide_lifting();
}

template <typename Number>
void StiffnessSolver<Number>::plan(MemoryPlan &plan,
                                   const StateSettings &settings,
                                   const StrategyLists &strategies,
                                   const MeshSize &size,
                                   const bool lifted)
{
  const PreconditionerEntry &entry = find_preconditioner(settings.preconditioner.name);
  if (entry.memory_estimate != nullptr)
    plan.preconditioner_bytes +=
      entry.memory_estimate(settings.preconditioner,
                            std::is_same_v<Number, double> ? settings.precision : Precision::fp32,
                            strategies,
                            size);
  const Strategy<Number> &strategy =
    find_named(strategies.of<Number>(), settings.strategy, "operator");
  const bool needs_z  = settings.control.criterion != SolverControl::Criterion::relative;
  const bool in_float = std::is_same_v<Number, double> && settings.precision == Precision::mixed &&
                        operator_takes_float(strategy, size) && entry.gives_float != nullptr &&
                        entry.gives_float(settings.preconditioner);
  const double n_vectors = // p; r, q; z; lifting and its right-hand side.
    (in_float ? 0.5 : 1.) + 2. + (needs_z ? 1. : 0.) + (lifted ? 2. : 0.);
  plan.vector_bytes += n_vectors * 3. * static_cast<double>(size.n_nodes) * sizeof(Number);
  const bool tells_factors = strategy.tells_factors && size.layout.law.answers().are_factors;
  if (settings.preconditioner.name != "jacobi" &&
      !tells_factors) // PreconditionerSequence keeps the factors.
    plan.preconditioner_bytes += sizeof(float) * static_cast<double>(size.n_elements);
  if (entry.takes_loan && std::is_same_v<Number, double>)
    plan.preconditioner_bytes -= 3. * static_cast<double>(size.n_nodes) * sizeof(Number);
}

template <typename Number>
void StiffnessSolver<Number>::provide_lifting()
{
  if (lifting_.size() == matrix_.n_local())
    return;
  lifting_         = Array<Number>(backend_.memory(), matrix_.n_local());
  right_hand_side_ = Array<Number>(backend_.memory(), matrix_.n_local());
}

template <typename Number>
void StiffnessSolver<Number>::update(const Array<double> &factors)
{
  preconditioner_.update(factors);
}

template <typename Number>
SolverReport StiffnessSolver<Number>::solve(const RightHandSide<Number> &forces,
                                            Array<Number> &u,
                                            PackedVector<Number> *const before)
{
  // u = g + v, with g the prescribed displacements and zero elsewhere. So K v = f - K g on the free
  // DoFs, and v vanishes on the constrained ones.
  const bool lifted = matrix_.has_prescribed_displacements();
  if (lifted)
    {
      provide_lifting();
      matrix_.lift(lifting_, right_hand_side_);
      forces.subtract(backend_, matrix_.n_owned(), right_hand_side_);
      matrix_.zero_constrained(right_hand_side_);
    }
  SolverReport report = solve_homogeneous(lifted ? right_hand_side_ : forces, u, before);
  matrix_.set_constrained(u);
  if (!lifted || !measures_by_reactions_ || !report.converged ||
      settings_.control.criterion != SolverControl::Criterion::relative)
    return report;

  // f - K g is no measure of the forces. It is large, since g moves single nodes against stiff
  // neighbours, for any load of the structure. Forces f with the displacements u do the work f.u;
  // the reactions R do R.g. So R.g / |g| is the size of a load, as |f| is. Where a rigid body
  // moves, R.g is rounding.
  const double norm_b = norm(right_hand_side_);
  const double norm_g = norm(lifting_);
  const double work   = std::abs(matrix_.reaction_work(u, lifting_));
  const double scale  = std::max({norm(forces), work / norm_g, least_scale * norm_b});
  if (norm_g > 0. && scale < norm_b)
    {
      if (report.residual * norm_b > settings_.control.tolerance * scale)
        {
          const unsigned int iterations = report.iterations;
          report = continue_solve(settings_.control.tolerance * scale / norm_b, iterations, u);
          report.iterations += iterations;
        }
      report.residual *= norm_b / scale;
    }
  matrix_.set_constrained(
    u); // The product for the reactions treated dependent DoFs as homogeneous.
  return report;
}

/// Continues from u to a smaller tolerance, with the right-hand side of the solve before, which
/// took so many iterations.
template <typename Number>
SolverReport StiffnessSolver<Number>::continue_solve(const double tolerance,
                                                     const unsigned int iterations,
                                                     Array<Number> &u)
{
  const StateSettings settings = settings_;
  settings_.control.tolerance  = tolerance;
  settings_.control.max_iterations -= std::min(iterations, settings_.control.max_iterations - 1);
  settings_.initial_guess = InitialGuess::previous;
  try
    {
      const SolverReport report = solve_homogeneous(right_hand_side_, u);
      settings_                 = settings;
      return report;
    }
  catch (...)
    {
      settings_ = settings;
      throw;
    }
}

template <typename Number>
double StiffnessSolver<Number>::norm(const RightHandSide<Number> &x) const
{
  return std::sqrt(communicator_.sum(x.square(backend_, matrix_.n_owned())));
}

template <typename Number>
SolverReport StiffnessSolver<Number>::solve_homogeneous(const RightHandSide<Number> &b,
                                                        Array<Number> &u,
                                                        PackedVector<Number> *const before)
{
  if (settings_.initial_guess == InitialGuess::zero)
    u.set_zero();
  else
    matrix_.zero_constrained(u);
  if (before != nullptr)
    solver_.extrapolate(matrix_, preconditioner_.current(), b, u, *before);
  unsigned int iterations = 0;
  for (;;)
    {
      std::string reason;
      try
        {
          SolverReport report = preconditioner_.in_float() ? solve_mixed(b, u, reason)
                                                           : solve_for(settings_.control, b, u);
          iterations += report.iterations;
          if (reason.empty())
            {
              report.iterations = iterations;
              return report;
            }
        }
      catch (const SolverFailure &failure)
        {
          u.set_zero(); // It may contain numbers that are not finite.
          if (failure.at_limit || !preconditioner_.has_next())
            throw preconditioner_.with_fallback(failure);
          reason = failure.reason;
        }
      preconditioner_.fall_back(reason);
    }
}

template <typename Number>
void StiffnessSolver<Number>::finish()
{
  preconditioner_.finish();
}

template <typename Number>
void StiffnessSolver<Number>::fit(const Array<Number> &b, Array<Number> &u)
{
  matrix_.zero_constrained(u);
  solver_.fit(matrix_, b, u);
}

template <typename Number>
void StiffnessSolver<Number>::precondition(const Array<Number> &r, Array<Number> &z)
{
  finish();
  preconditioner_.current().apply(r, z);
  matrix_.zero_constrained(z);
}

template <typename Number>
void StiffnessSolver<Number>::measure_by_reactions()
{
  measures_by_reactions_ = true;
}

template <typename Number>
void StiffnessSolver<Number>::set_control(const SolverControl &control)
{
  settings_.control = control;
}

template <typename Number>
void StiffnessSolver<Number>::begin_again()
{
  if (preconditioner_.fallen_back_to().empty())
    return;
  preconditioner_.begin_again();
  // The new preconditioner needs memory of its own until it borrows some.
  solver_.release_vectors();
}

template <typename Number>
const std::string &StiffnessSolver<Number>::preconditioner() const
{
  return preconditioner_.name();
}

template <typename Number>
std::string StiffnessSolver<Number>::fallen_back_to() const
{
  return preconditioner_.fallen_back_to();
}

template <typename Number>
std::string StiffnessSolver<Number>::take_warnings()
{
  return preconditioner_.take_warnings();
}

template <typename Number>
SolverReport StiffnessSolver<Number>::solve_for(const SolverControl &control,
                                                const RightHandSide<Number> &b,
                                                Array<Number> &u)
{
  StiffnessPreconditioner<Number> &preconditioner = preconditioner_.current();
  preconditioner.lend(solver_.result_of_preconditioner(control, matrix_, preconditioner));
  return solver_.solve(control, matrix_, preconditioner, b, u);
}

/// Solves with cycles in float. If that stagnates, `reason` describes it, and u is the last
/// iterate.
template <typename Number>
SolverReport StiffnessSolver<Number>::solve_mixed(const RightHandSide<Number> &b,
                                                  Array<Number> &u,
                                                  std::string &reason)
{
  const unsigned int limit = settings_.control.max_iterations;
  SolverControl control    = settings_.control;
  control.accepts_limit    = false; // These are parts of the solve.
  SolverReport report;
  unsigned int iterations = 0;
  double last             = 0.; // Residual at the last check.
  for (;;)
    {
      control.max_iterations = std::min(limit - iterations, look_every);
      try
        {
          report = solve_for(control, b, u);
          report.iterations += iterations;
          if (!report.converged && !report.at_limit)
            reason = "the residual does not fall below " + text(report.residual);
          return report;
        }
      catch (const SolverFailure &failure)
        {
          if (!failure.at_limit)
            throw;
          iterations += control.max_iterations;
          const bool accepted = iterations == limit && settings_.control.accepts_limit;
          if (iterations == control.max_iterations && iterations == limit && !accepted)
            throw; // Its message is complete.
          const double now = residual(b, u);
          if (accepted)
            return {iterations, now, false, true};
          if (iterations == limit)
            throw SolverFailure("The conjugate gradient solver has not converged after " +
                                  std::to_string(limit) + " iterations (residual " + text(now) +
                                  ", tolerance " + text(control.tolerance) + ").",
                                Remedy::allow_more_iterations,
                                /*at_limit*/ true);
          if (last > 0. && size(now) > 0.5 * size(last))
            {
              reason = "the residual fell from " + text(last) + " to " + text(now) + " only in " +
                       std::to_string(look_every) + " iterations";
              report.iterations = iterations;
              return report;
            }
          last = now;
        }
    }
}

/// Returns the residual of a report.
template <typename Number>
double StiffnessSolver<Number>::residual(const RightHandSide<Number> &b, Array<Number> &u)
{
  SolverControl any_will_do = settings_.control;
  any_will_do.tolerance     = std::numeric_limits<double>::infinity();
  any_will_do.monitor       = nullptr;
  return solve_for(any_will_do, b, u).residual;
}

/// Returns a residual of the criterion as a number that is linear in r.
template <typename Number>
double StiffnessSolver<Number>::size(const double residual) const
{
  return settings_.control.criterion == SolverControl::Criterion::absolute ? std::sqrt(residual)
                                                                           : residual;
}

template class StiffnessSolver<double>;
template class StiffnessSolver<float>;
} // namespace strut
