// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/updates/dual_ascent.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace strut
{
namespace
{
std::vector<double>
gradient(const PackedMatrix &A, const std::vector<double> &g, const std::vector<double> &p)
{
  std::vector<double> result = g;
  for (std::size_t i = 0; i < g.size(); ++i)
    for (std::size_t j = 0; j < g.size(); ++j)
      result[i] += A(i, j) * p[j];
  return result;
}

double dot(const std::vector<double> &a, const std::vector<double> &b)
{
  double sum = 0.;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += a[i] * b[i];
  return sum;
}

/// Computes `-A_ff^-1 r_f` by Cholesky's factors of the matrix with unit diagonal.
std::vector<double> newton_step(const PackedMatrix &A,
                                const std::vector<std::size_t> &free,
                                const std::vector<double> &r)
{
  constexpr double least_pivot = 1e-13; // Smaller pivots are rounding.
  const std::size_t n          = free.size();
  std::vector<double> L(n * n), scale(n), y(n);
  for (std::size_t i = 0; i < n; ++i)
    scale[i] = 1. / std::sqrt(A(free[i], free[i]));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j)
      {
        double value = i == j ? 1. + least_pivot : scale[i] * scale[j] * A(free[i], free[j]);
        for (std::size_t k = 0; k < j; ++k)
          value -= L[i * n + k] * L[j * n + k];
        L[i * n + j] = i == j ? std::sqrt(std::max(value, least_pivot)) : value / L[j * n + j];
      }
  for (std::size_t i = 0; i < n; ++i)
    {
      y[i] = -scale[i] * r[free[i]];
      for (std::size_t k = 0; k < i; ++k)
        y[i] -= L[i * n + k] * y[k];
      y[i] /= L[i * n + i];
    }
  for (std::size_t i = n; i-- > 0;)
    {
      for (std::size_t k = i + 1; k < n; ++k)
        y[i] -= L[k * n + i] * y[k];
      y[i] /= L[i * n + i];
    }
  for (std::size_t i = 0; i < n; ++i)
    y[i] *= scale[i];
  return y;
}

double residual(const std::vector<double> &multipliers,
                const std::vector<double> &gradient,
                const std::vector<double> &sizes,
                const std::vector<double> &scales)
{
  double largest = 0.;
  for (std::size_t i = 0; i < multipliers.size(); ++i)
    {
      const double entry = std::abs(std::min(multipliers[i] / sizes[i], -gradient[i] / scales[i]));
      if (!std::isfinite(gradient[i]) || !std::isfinite(entry))
        return std::numeric_limits<double>::infinity();
      largest = std::max(largest, entry);
    }
  return largest;
}

/// Adds the term of the elastic variables, `-c sum_i y_i^2 / 2` with `y_i = (lambda_i / c - 1)^+`.
void add_elastic(const double c, const std::vector<double> &multipliers, DualValue &at)
{
  for (std::size_t i = 0; i < multipliers.size(); ++i)
    {
      const double y = std::max(0., multipliers[i] / c - 1.);
      at.value -= 0.5 * c * y * y;
      at.gradient[i] -= y;
    }
}

/// The step to the maximum of the quadratic model within a factor of the multipliers. The model has
/// the exact elastic term, with its bend at c. So a multiplier that may exceed c is the sum of a
/// part up to c and a part beyond.
class ModelStep
{
public:
  ModelStep(const DualValue &at,
            const std::vector<double> &multipliers,
            const std::vector<double> &sizes,
            const double penalty,
            const double factor)
    : step(multipliers.size(), 0.)
  {
    for (std::size_t i = 0; i < multipliers.size(); ++i)
      {
        const double lambda = multipliers[i];
        const double least  = lambda <= zero * sizes[i] ? 0. : lambda / factor;
        const double most   = factor * std::max(lambda, start * sizes[i]);
        const double base   = std::min(lambda, penalty);
        const double excess = lambda - base;
        const double slope =
          -at.gradient[i] - excess / penalty; // Slope of the function without its elastic term.
        add(i, slope, std::min(least, base) - base, std::min(most, penalty) - base);
        if (most > penalty)
          add(i,
              slope + excess / penalty,
              std::max(least - penalty, 0.) - excess,
              most - penalty - excess);
      }
    PackedMatrix A;
    for (std::size_t k = 0; k < variables_.size(); ++k)
      for (std::size_t l = 0; l <= k; ++l)
        A.entries.push_back(at.curvature(variables_[k], variables_[l]));
    for (std::size_t k = 0; k < variables_.size(); ++k)
      {
        double &diagonal = A.entries[PackedMatrix::index(k, k)];
        if (k > 0 && variables_[k] == variables_[k - 1])
          diagonal += 1. / penalty;
        // Where all elements are at bounds there is no curvature. Then the step ends at its limits.
        if (upper_[k] > lower_[k])
          diagonal += 1e-6 * std::abs(slope_[k]) / (upper_[k] - lower_[k]);
        if (!(diagonal > 0.))
          diagonal = 1.;
      }
    const std::vector<double> p = minimise_in_box(A, slope_, lower_, upper_);
    for (std::size_t k = 0; k < p.size(); ++k)
      step[variables_[k]] += p[k];
    for (std::size_t i = 0; i < step.size(); ++i)
      {
        const double to = multipliers[i] + step[i];
        is_limited      = is_limited || (to > 0. && to <= multipliers[i] / factor * (1. + 1e-12)) ||
                     to >= factor * std::max(multipliers[i], start * sizes[i]) * (1. - 1e-12);
      }
  }

  std::vector<double> step;
  bool is_limited = false; ///< whether the factor limits the step

private:
  /// Share of the size below which a multiplier may vanish at once.
  static constexpr double zero = 1e-3;
  /// Share of the size from which a smaller multiplier may grow.
  static constexpr double start = 0.1;

  void add(const std::size_t i, const double slope, const double lower, const double upper)
  {
    variables_.push_back(i);
    slope_.push_back(slope);
    lower_.push_back(std::min(lower, 0.));
    upper_.push_back(std::max(upper, 0.));
  }

  std::vector<std::size_t> variables_; ///< multiplier of each variable of the model
  std::vector<double> slope_, lower_, upper_;
};
} // namespace

std::vector<double> minimise_in_box(const PackedMatrix &A,
                                    const std::vector<double> &g,
                                    const std::vector<double> &lower,
                                    const std::vector<double> &upper)
{
  const std::size_t n = g.size();
  std::vector<double> p(n, 0.);
  double value = 0.;
  for (std::size_t iteration = 0; iteration < 4 * n + 10; ++iteration)
    {
      const std::vector<double> r = gradient(A, g, p);
      std::vector<std::size_t> free;
      double largest = 0.; // Largest residual of the free entries, relative to the terms of each.
      for (std::size_t i = 0; i < n; ++i)
        if (!(p[i] <= lower[i] && r[i] >= 0.) && !(p[i] >= upper[i] && r[i] <= 0.))
          {
            free.push_back(i);
            largest = std::max(largest, std::abs(r[i]) / std::max(std::abs(g[i]), 1e-300));
          }
      if (largest <= 1e-12)
        break;

      std::vector<double> step  = newton_step(A, free, r);
      std::vector<double> trial = p;
      for (std::size_t k = 0; k < free.size(); ++k)
        trial[free[k]] = std::clamp(p[free[k]] + step[k], lower[free[k]], upper[free[k]]);
      const auto value_at = [&](const std::vector<double> &at) {
        return 0.5 * (dot(g, at) + dot(gradient(A, g, at), at));
      };
      double trial_value = value_at(trial);
      if (!(trial_value < value)) // The projection bent the step too much.
        {
          // Entries that are almost at a bound and would leave the box end there. Then the others
          // have a step of some length.
          const auto room = [&](const std::size_t k) {
            return (step[k] < 0. ? lower[free[k]] : upper[free[k]]) - p[free[k]];
          };
          while (true)
            {
              std::vector<std::size_t> rest;
              for (std::size_t k = 0; k < free.size(); ++k)
                if (std::abs(room(k)) > 1e-12 * (upper[free[k]] - lower[free[k]]))
                  rest.push_back(free[k]);
                else
                  p[free[k]] += room(k);
              if (rest.size() == free.size() || rest.empty())
                break;
              free = rest;
              step = newton_step(A, free, r);
            }
          double t = 1.;
          for (std::size_t k = 0; k < free.size(); ++k)
            if (std::abs(room(k)) < t * std::abs(step[k]))
              t = room(k) / step[k];
          trial = p;
          for (std::size_t k = 0; k < free.size(); ++k)
            {
              const std::size_t i = free[k];
              trial[i]            = t * step[k] == room(k)
                                      ? (step[k] < 0. ? lower[i] : upper[i])
                                      : std::clamp(p[i] + t * step[k], lower[i], upper[i]);
            }
          trial_value = value_at(trial);
          if (!(trial_value < value))
            break; // The rest is rounding.
        }
      p     = trial;
      value = trial_value;
    }
  return p;
}

DualMaximum maximise_dual(const DualAscent &settings,
                          const std::function<DualValue(const std::vector<double> &)> &rigid_pass,
                          const std::vector<double> &first,
                          const std::vector<double> &sizes,
                          const std::vector<double> &scales)
{
  const std::size_t m = first.size();
  const auto pass     = [&](const std::vector<double> &multipliers) {
    DualValue at = rigid_pass(multipliers);
    add_elastic(settings.penalty, multipliers, at);
    return at;
  };
  DualMaximum result;
  result.multipliers = first;
  DualValue at       = pass(first);
  result.passes      = 1;
  double factor      = 10.;
  while (true)
    {
      result.residual = residual(result.multipliers, at.gradient, sizes, scales);
      result.holds    = result.residual <= settings.tolerance;
      if (result.holds || result.passes >= settings.max_passes)
        return result;

      const ModelStep model(at, result.multipliers, sizes, settings.penalty, factor);
      const double slope = dot(at.gradient, model.step);
      if (!(slope > 0.))
        return result; // The rest is rounding.
      double t = 1., slope_there = 0.;
      while (true)
        {
          std::vector<double> trial(m);
          for (std::size_t i = 0; i < m; ++i)
            trial[i] = std::max(0., result.multipliers[i] + t * model.step[i]);
          DualValue there = pass(trial);
          ++result.passes;
          slope_there           = dot(there.gradient, model.step);
          const double growth   = there.value - at.value;
          const double rounding = 1e-13 * (std::abs(at.value) + std::abs(there.value));
          if (slope_there >= 0. || growth >= 1e-4 * t * slope ||
              (std::abs(growth) <= rounding && slope_there >= -0.5 * slope))
            {
              result.multipliers = trial;
              at                 = std::move(there);
              break;
            }
          if (result.passes >= settings.max_passes || t < 1e-9)
            return result;
          // Zero of the slope if it is linear between the ends, and the point where the tangents
          // meet. The latter is the maximum if the function bends once between the ends.
          const double secant  = t * slope / (slope - slope_there);
          const double tangent = (growth - t * slope_there) / (slope - slope_there);
          t                    = std::clamp(std::min(secant, tangent), 1e-3 * t, 0.7 * t);
        }
      if (t < 1.)
        factor = std::max(1.5, 1. + (factor - 1.) * t);
      else if (slope_there < -0.1 * slope)
        factor = std::max(1.5, std::sqrt(factor));
      else if (model.is_limited)
        factor = std::min(factor * factor, 1e6);
    }
}
} // namespace strut
