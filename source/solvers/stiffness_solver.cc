// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/base/exceptions.h>
#include <strut/solvers/stiffness_solver.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <sstream>
#include <type_traits>
#include <utility>

namespace strut
{
namespace
{
/// A solve with cycles in float that has not halved its residual in so many iterations has stagnated;
/// others take a few dozen in all.
constexpr unsigned int look_every = 100;

std::string text(const double residual)
{
  std::ostringstream stream;
  stream << residual;
  return stream.str();
}
} // namespace

template <typename Number>
StiffnessSolver<Number>::StiffnessSolver(Backend &backend,
                                         const Communicator &communicator,
                                         ElasticityOperator<Number> &matrix,
                                         const ElementMesh &mesh,
                                         const MeshHierarchy &coarser,
                                         const Material &material,
                                         const StateSettings &settings,
                                         const bool mixed,
                                         TimingTable &timing)
  : backend_(backend)
  , communicator_(communicator)
  , settings_(settings)
  , matrix_(matrix)
  , make_multigrid_([&backend, communicator, &mesh, &coarser, material, settings]() {
    return make_multigrid_preconditioner<Number, Number>(
      backend, communicator, mesh, coarser, material, settings.multigrid);
  })
  , bytes_of_double_cycles_([&backend, &mesh, settings]() {
    const auto bytes = [&](auto number) {
      using Cycle = decltype(number);
      return multigrid_memory_estimate(find_strategy<Cycle>(backend, settings.multigrid.strategy),
                                       settings.multigrid.coarse_operators,
                                       mesh.n_elements,
                                       mesh.n_nodes);
    };
    return static_cast<std::size_t>(std::max(0., bytes(1.) - bytes(1.f))) +
           mesh.n_elements * sizeof(double);
  })
  , solver_(backend, communicator, timing)
{
  if (matrix_.has_prescribed_displacements())
    provide_lifting();
  if (settings.preconditioner == "jacobi")
    preconditioner_ = make_jacobi_preconditioner<Number>(backend);
  else if (!mixed)
    preconditioner_ = make_multigrid_();
  else if constexpr (std::is_same<Number, double>::value)
    {
      preconditioner_ = make_multigrid_preconditioner<double, float>(
        backend, communicator, mesh, coarser, material, settings.multigrid);
      mixed_factors_ = Array<float>(backend.memory(), mesh.n_elements);
    }
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
  if (preconditioner_ == nullptr)
    preconditioner_ = make_multigrid_(); // memory was short when it was needed first
  preconditioner_->update(matrix_, factors);
  if (!mixed_factors_.empty())
    backend_.level_operations().convert(factors.size(), factors, mixed_factors_);
}

template <typename Number>
SolverReport StiffnessSolver<Number>::solve(const Array<Number> &forces, Array<Number> &u)
{
  // u = g + v, with g the prescribed displacements and zero elsewhere: K v = f - K g on the free
  // DoFs, and v vanishes on the constrained ones.
  const bool lifted = matrix_.has_prescribed_displacements();
  if (lifted)
    {
      provide_lifting();
      lifting_.set_zero();
      matrix_.set_constrained(lifting_);
      matrix_.apply_unconstrained(lifting_, right_hand_side_);
      backend_.vector_operations<Number>().xpby(matrix_.n_owned(),
                                                forces,
                                                Number(-1),
                                                right_hand_side_);
      matrix_.zero_constrained(right_hand_side_);
    }
  const SolverReport report = solve_homogeneous(lifted ? right_hand_side_ : forces, u);
  matrix_.set_constrained(u);
  return report;
}

template <typename Number>
SolverReport StiffnessSolver<Number>::solve_homogeneous(const Array<Number> &b, Array<Number> &u)
{
  if (preconditioner_ == nullptr)
    throw SolverFailure("There was no memory for multigrid cycles in double.");
  if (settings_.warm_start)
    matrix_.zero_constrained(u);
  else
    u.set_zero();
  try
    {
      return mixed_factors_.empty() ? solve_for(settings_.control, b, u) : solve_mixed(b, u);
    }
  catch (const SolverFailure &)
    {
      u.set_zero(); // no start for anybody
      throw;
    }
}

template <typename Number>
std::string StiffnessSolver<Number>::take_remark()
{
  return std::exchange(remark_, "");
}

template <typename Number>
SolverReport StiffnessSolver<Number>::solve_for(const SolverControl &control,
                                                const Array<Number> &b,
                                                Array<Number> &u)
{
  return solver_.solve(control, matrix_, *preconditioner_, b, u);
}

/// With cycles in float; and if that stagnates, in double from there on.
template <typename Number>
SolverReport StiffnessSolver<Number>::solve_mixed(const Array<Number> &b, Array<Number> &u)
{
  const unsigned int limit = settings_.control.max_iterations;
  SolverControl control    = settings_.control;
  unsigned int iterations  = 0;
  double last              = 0.; // residual where it was looked at last
  std::string reason;
  while (reason.empty())
    {
      control.max_iterations = std::min(limit - iterations, look_every);
      try
        {
          SolverReport report = solve_for(control, b, u);
          report.iterations += iterations;
          if (report.converged)
            return report;
          iterations = report.iterations;
          reason     = "the residual does not fall below " + text(report.residual);
        }
      catch (const SolverFailure &failure)
        {
          if (!failure.at_limit)
            {
              reason = failure.what();
              u.set_zero(); // perhaps not numbers
              break;
            }
          iterations += control.max_iterations;
          if (iterations == control.max_iterations && iterations == limit)
            throw; // it says all
          const double now = residual(b, u);
          if (iterations == limit)
            throw SolverFailure("The conjugate gradient solver has not converged after " +
                                  std::to_string(limit) + " iterations (residual " + text(now) +
                                  ", tolerance " + text(control.tolerance) +
                                  ").\n  Raise 'Maximum iterations' or 'Tolerance' in subsection "
                                  "Solver.",
                                /*at_limit*/ true);
          if (last > 0. && size(now) > 0.5 * size(last))
            reason = "the residual fell from " + text(last) + " to " + text(now) + " only in " +
                     std::to_string(look_every) + " iterations";
          last = now;
        }
    }
  use_double_cycles(reason);
  remark_             = "Multigrid cycles in double from here on: in float, " + reason;
  SolverReport report = solve_for(settings_.control, b, u);
  report.iterations += iterations;
  return report;
}

/// As a report has it.
template <typename Number>
double StiffnessSolver<Number>::residual(const Array<Number> &b, Array<Number> &u)
{
  SolverControl any_will_do = settings_.control;
  any_will_do.tolerance     = std::numeric_limits<double>::infinity();
  return solve_for(any_will_do, b, u).residual;
}

/// As something linear in the residual.
template <typename Number>
double StiffnessSolver<Number>::size(const double residual) const
{
  return settings_.control.criterion == SolverControl::Criterion::relative ? residual
                                                                           : std::sqrt(residual);
}

/// Cycles in double instead of those in float. Throws SolverFailure, on all ranks together, where there
/// is no memory for them; those in float are kept then.
template <typename Number>
void StiffnessSolver<Number>::use_double_cycles(const std::string &reason)
{
  const auto give_up = [&](const std::string &why) -> SolverFailure {
    return SolverFailure(
      "Multigrid cycles in float are not enough, and there is no memory for those "
      "in double.\n  In float: " +
      reason + ".\n  In double: " + why +
      "\n  Use more ranks or GPUs, fewer elements, or a larger 'Minimum "
      "stiffness'.");
  };
  // To make the levels is collective: a rank that runs out of memory there leaves the others waiting.
  // So all take what they will need, beyond what those in float give back, and let go of it again.
  std::string why;
  Array<std::uint8_t> room;
  try
    {
      room = Array<std::uint8_t>(backend_.memory(), bytes_of_double_cycles_());
    }
  catch (const OutOfMemory &error)
    {
      why = error.what();
    }
  if (communicator_.any(!why.empty()))
    throw give_up(why.empty() ? "another rank has too little." : why);

  room = Array<std::uint8_t>(); // not before: ranks may share a GPU
  Array<double> factors;
  preconditioner_ = nullptr; // its memory first
  try
    {
      preconditioner_ = make_multigrid_();
      factors         = Array<double>(backend_.memory(), mixed_factors_.size());
    }
  catch (const OutOfMemory &error)
    {
      preconditioner_ = nullptr;
      if (communicator_.size() > 1) // alone: programs end all ranks
        throw;
      throw give_up(error.what());
    }
  backend_.level_operations().convert(factors.size(), mixed_factors_, factors);
  preconditioner_->update(matrix_, factors);
  mixed_factors_ = Array<float>();
}

template class StiffnessSolver<double>;
template class StiffnessSolver<float>;
} // namespace strut
