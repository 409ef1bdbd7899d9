// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/updates/moving_asymptotes.h"
#include "source/backend/mma_operations.h"
#include "source/backend/to_host.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <string>

namespace strut
{
namespace
{
std::size_t count_design(const Array<DesignFlag> &flags)
{
  const auto on_host = flags.to_host();
  return static_cast<std::size_t>(std::count(on_host.begin(), on_host.end(), DesignFlag::design));
}
} // namespace

/// The approximations of one step, and the scales of its numbers.
struct MovingAsymptotes::Subproblem
{
  MmaApproximation approximation;
  std::vector<double> values; ///< f_0 ... f_m, relative to their sizes
  /// 1 / size, `[m + 1]`: derivatives and approximations are in the original units.
  std::vector<double> factors;
  std::vector<double> shares; ///< a_1 ... a_m
  double worst = 0.;          ///< z_k
  /// Means of |df_i/dx_e|, relative to the sizes of the functions, `[m + 1]`.
  std::vector<double> means;
  double main_mean = 0.;     ///< mean of the objective, or of the worst members
  std::vector<double> sizes; ///< sizes of the multipliers, `[m]`
  double accuracy = 0.;      ///< accuracy of the functions

  std::size_t n_constraints() const
  {
    return shares.size();
  }
  /// Multipliers for the functions in their original units, the objective's first.
  std::vector<double> bare(std::vector<double> multipliers) const
  {
    multipliers.insert(multipliers.begin(), 1.);
    for (std::size_t i = 0; i < multipliers.size(); ++i)
      multipliers[i] *= factors[i];
    return multipliers;
  }
  bool has_worst() const
  {
    return std::any_of(shares.begin(), shares.end(), [](const double a) { return a > 0.; });
  }
  /// The second derivative of the term of z.
  double stiffness() const
  {
    return 1. / std::max(worst, 0.01);
  }
  double z(const std::vector<double> &multipliers) const
  {
    const double sum = std::inner_product(shares.begin(), shares.end(), multipliers.begin(), 0.);
    return std::max(0., worst + (sum - 1.) / stiffness());
  }
};

MovingAsymptotes::MovingAsymptotes(Backend &backend,
                                   const Communicator &communicator,
                                   const Array<DesignFlag> &flags,
                                   const Settings &settings)
  : backend_(backend)
  , communicator_(communicator)
  , flags_(flags)
  , settings_(settings)
  , n_design_(communicator.sum(count_design(flags)))
  , old_(backend.memory(), flags.size())
  , distances_(backend.memory(), flags.size())
  , signs_(backend.memory(), flags.size())
{}

double MovingAsymptotes::bytes_per_element(const std::size_t n_constraints)
{
  return 2 * sizeof(double) + sizeof(std::int8_t) +
         (n_constraints > MmaOperations::tile ? sizeof(double) : 0);
}

void MovingAsymptotes::measure(Subproblem &problem, Step &step) const
{
  const MmaOperations &operations = backend_.mma_operations();
  const std::size_t m             = problem.n_constraints();
  problem.means = operations.derivative_sizes(problem.approximation.derivatives, flags_);
  communicator_.sum(problem.means.data(), m + 1);
  for (std::size_t i = 0; i <= m; ++i)
    problem.means[i] *=
      problem.factors[i] / static_cast<double>(std::max<std::size_t>(n_design_, 1));

  problem.main_mean = problem.means[0];
  for (std::size_t i = 0; i < m; ++i)
    if (problem.shares[i] > 0.)
      {
        problem.worst     = std::max(problem.worst, problem.values[i + 1] / problem.shares[i]);
        problem.main_mean = std::max(problem.main_mean, problem.means[i + 1] / problem.shares[i]);
      }
  for (std::size_t i = 0; i < m; ++i)
    {
      const double size = problem.shares[i] > 0.   ? 1. / problem.shares[i]
                          : problem.main_mean > 0. ? problem.main_mean / problem.means[i + 1]
                                                   : 1.;
      problem.sizes.push_back(
        std::min(size, settings_.dual.penalty)); // The size is infinite without a derivative.
    }

  if (multipliers_.size() != m || is_first_)
    return;
  const double range = settings_.upper - settings_.lower;
  step.kkt           = 0.;
  if (problem.main_mean > 0.)
    step.kkt = std::sqrt(communicator_.sum(operations.stationarity(problem.approximation,
                                                                   problem.bare(multipliers_),
                                                                   range / problem.main_mean)) /
                         static_cast<double>(n_design_));
  for (std::size_t i = 0; i < m; ++i)
    step.kkt =
      std::max(step.kkt,
               std::abs(std::min(multipliers_[i] / problem.sizes[i],
                                 problem.shares[i] * problem.worst - problem.values[i + 1])));
  if (problem.worst > 0.)
    step.kkt = std::max(step.kkt,
                        std::abs(1. - std::inner_product(problem.shares.begin(),
                                                         problem.shares.end(),
                                                         multipliers_.begin(),
                                                         0.)));
}

DualValue MovingAsymptotes::dual(const Subproblem &problem,
                                 const std::vector<double> &multipliers,
                                 std::vector<double> &changes,
                                 Array<double> &scratch)
{
  const std::size_t m = problem.n_constraints();
  DualValue result;
  std::vector<double> &curvature = result.curvature.entries;
  backend_.mma_operations().pass(
    problem.approximation, problem.bare(multipliers), scratch, weights_, changes, curvature);
  std::vector<double> sums = changes;
  sums.insert(sums.end(), curvature.begin(), curvature.end());
  communicator_.sum(sums.data(), sums.size());
  std::copy(sums.begin(), sums.begin() + static_cast<std::ptrdiff_t>(m + 1), changes.begin());
  std::copy(sums.begin() + static_cast<std::ptrdiff_t>(m + 1), sums.end(), curvature.begin());
  for (std::size_t i = 0; i <= m; ++i)
    changes[i] *= problem.factors[i];
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j <= i; ++j)
      curvature[PackedMatrix::index(i, j)] *= problem.factors[i + 1] * problem.factors[j + 1];

  result.value       = changes[0];
  const double z     = problem.z(multipliers);
  const double dz    = z - problem.worst;
  const bool z_bends = problem.has_worst() && z > 0.;
  if (problem.has_worst())
    result.value += z + 0.5 * problem.stiffness() * dz * dz;
  for (std::size_t i = 0; i < m; ++i)
    {
      const double f = problem.values[i + 1] + changes[i + 1] - problem.shares[i] * z;
      result.gradient.push_back(f);
      result.value += multipliers[i] * f;
      if (z_bends)
        for (std::size_t j = 0; j <= i; ++j)
          curvature[PackedMatrix::index(i, j)] +=
            problem.shares[i] * problem.shares[j] / problem.stiffness();
    }
  return result;
}

void MovingAsymptotes::solve(const Subproblem &problem, Step &step, Array<double> &scratch)
{
  const std::size_t m = problem.n_constraints();
  std::vector<double> scales, changes;
  for (std::size_t i = 0; i < m; ++i)
    scales.push_back(std::max(1., std::abs(problem.values[i + 1])));
  const DualMaximum maximum = maximise_dual(
    settings_.dual,
    [&](const std::vector<double> &multipliers) {
      return dual(problem, multipliers, changes, scratch);
    },
    multipliers_,
    problem.sizes,
    scales);
  multipliers_ = maximum.multipliers;
  step.passes += maximum.passes;
  step.is_solved  = maximum.holds;
  step.is_relaxed = std::any_of(multipliers_.begin(), multipliers_.end(), [&](const double lambda) {
    return lambda > settings_.dual.penalty;
  });
}

void MovingAsymptotes::find_conservative(Subproblem &problem,
                                         const Evaluate &evaluate,
                                         Step &step,
                                         Array<double> &next)
{
  // These are the inner iterations of GCMMA.
  // Relative tolerance of the functions.
  const double tolerance     = std::max(1e-12, problem.accuracy);
  const double range         = settings_.upper - settings_.lower;
  std::vector<double> &kappa = problem.approximation.convexities;
  for (step.trials = 1;; ++step.trials)
    {
      solve(problem, step, next);
      std::vector<double> changes;
      dual(problem, multipliers_, changes, next);
      ++step.passes;
      backend_.mma_operations().minimiser(problem.approximation, problem.bare(multipliers_), next);
      step.values = evaluate(next);
      assert(step.values.size() == problem.values.size());
      const double bend =
        communicator_.sum(backend_.mma_operations().convexity_of_step(problem.approximation, next));
      step.is_conservative = true;
      for (std::size_t i = 0; i < kappa.size(); ++i)
        {
          const double excess = step.values[i] - (problem.values[i] + changes[i]);
          const bool is_below = std::isfinite(step.values[i]) &&
                                excess <= tolerance * std::max(1., std::abs(step.values[i]));
          if (is_below || !(bend > 0.))
            continue;
          step.is_conservative = false;
          const double least   = 1e-6 / range / static_cast<double>(n_design_) / problem.factors[i];
          kappa[i] =
            std::min(10. * kappa[i], 1.1 * (kappa[i] + excess / problem.factors[i] / bend));
          kappa[i] = std::max(kappa[i], least);
        }
      if (step.is_conservative)
        return;
      if (step.trials == settings_.max_trials)
        {
          if (!std::isfinite(step.values[0]))
            throw SolverFailure("No design near the last one could be analysed, in " +
                                std::to_string(step.trials) + " trials.");
          return;
        }
    }
}

MovingAsymptotes::Step
MovingAsymptotes::step(const DesignPoint &point, Array<double> &next, const Evaluate &evaluate)
{
  const std::size_t m = point.constraints.size();
  assert(&next != &point.x);
  if (m >= MmaOperations::max_functions)
    throw Error("The method of moving asymptotes takes at most " +
                std::to_string(MmaOperations::max_functions - 1) + " constraints, and there are " +
                std::to_string(m) + ".");
  const double range = settings_.upper - settings_.lower;
  Subproblem problem{{point.x,
                      distances_,
                      flags_,
                      {settings_.lower, settings_.upper, settings_.move_limit},
                      {point.objective.derivative},
                      {}},
                     {point.objective.value / point.objective.size},
                     {1. / point.objective.size},
                     {},
                     0.,
                     {},
                     0.,
                     {},
                     point.accuracy};
  for (const DesignPoint::Function &constraint : point.constraints)
    {
      problem.approximation.derivatives.push_back(constraint.derivative);
      problem.values.push_back(constraint.value / constraint.size);
      problem.factors.push_back(1. / constraint.size);
      problem.shares.push_back(constraint.share);
    }
  problem.approximation.convexities.assign(m + 1, 0.);
  if (m > MmaOperations::tile && weights_.size() != flags_.size())
    weights_ = Array<double>(backend_.memory(), flags_.size());

  Step step;
  measure(problem, step);
  backend_.mma_operations().update_distances(
    settings_.asymptotes, range, is_first_, point.x, flags_, old_, signs_, distances_);
  // A step of constraints alone, or of a worst case, stays where it is unless they ask for more.
  const double largest = *std::max_element(problem.means.begin(), problem.means.end());
  for (std::size_t i = 0; i <= m; ++i)
    {
      const double mean = i > 0 ? problem.means[i] : std::max(problem.main_mean, 1e-3 * largest);
      problem.approximation.convexities[i] =
        (evaluate ? 0.1 : settings_.convexity) * mean / problem.factors[i];
    }
  if (multipliers_.size() != m || is_first_)
    {
      multipliers_         = problem.sizes;
      const auto n_members = static_cast<double>(std::count_if(
        problem.shares.begin(), problem.shares.end(), [](const double a) { return a > 0.; }));
      for (std::size_t i = 0; i < m; ++i)
        if (problem.shares[i] > 0.)
          multipliers_[i] /= n_members;
    }
  is_first_ = false;

  if (evaluate)
    find_conservative(problem, evaluate, step, next);
  else
    {
      solve(problem, step, next);
      backend_.mma_operations().minimiser(problem.approximation, problem.bare(multipliers_), next);
    }
  step.multipliers = multipliers_;
  step.worst       = problem.has_worst() ? problem.z(multipliers_) : 0.;
  return step;
}

DesignState MovingAsymptotes::state() const
{
  if (is_first_)
    return {{}, {0.}};
  Memory &memory                       = backend_.memory();
  const auto signs                     = to_host(memory, signs_);
  const int n_threads                  = cpu::default_n_threads();
  std::vector<double> numbers_of_signs = cpu::filled_vector<double>(n_threads, signs.size());
  cpu::parallel_for(n_threads, signs.size(), [&](const std::size_t e) {
    numbers_of_signs[e] = signs[e];
  });
  DesignState state{{}, {1.}};
  state.element_fields.push_back(to_host(memory, old_));
  state.element_fields.push_back(to_host(memory, distances_));
  state.element_fields.push_back(std::move(numbers_of_signs));
  state.numbers.insert(state.numbers.end(), multipliers_.begin(), multipliers_.end());
  return state;
}

void MovingAsymptotes::restore(const DesignState &state)
{
  is_first_ = state.numbers.empty() || state.numbers.front() == 0.;
  multipliers_.clear();
  if (is_first_)
    return;
  multipliers_.assign(state.numbers.begin() + 1, state.numbers.end());
  old_.copy_from_host(state.element_fields.at(0));
  distances_.copy_from_host(state.element_fields.at(1));
  const std::vector<double> &signs = state.element_fields.at(2);
  signs_.copy_from_host(std::vector<std::int8_t>(signs.begin(), signs.end()));
}
} // namespace strut
