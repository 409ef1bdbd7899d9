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

double dot(const std::vector<double> &a, const std::vector<double> &b)
{
  double sum = 0.;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += a[i] * b[i];
  return sum;
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
