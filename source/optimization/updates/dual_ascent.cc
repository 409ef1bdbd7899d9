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

/// The step to the maximum of the quadratic model within a factor of the multipliers.
struct ModelStep
{
  ModelStep(const DualValue &at,
            const std::vector<double> &multipliers,
            const std::vector<double> &sizes,
            const double factor)
  {
    constexpr double zero  = 1e-3; // of the size: from here on a multiplier may vanish at once
    constexpr double start = 0.1;  // of the size: a smaller one may grow as this one
    const std::size_t m    = multipliers.size();
    std::vector<double> lower(m), upper(m), slope(m);
    PackedMatrix A = at.curvature;
    for (std::size_t i = 0; i < m; ++i)
      {
        const double lambda = multipliers[i];
        lower[i]            = lambda <= zero * sizes[i] ? -lambda : lambda / factor - lambda;
        upper[i]            = factor * std::max(lambda, start * sizes[i]) - lambda;
        slope[i]            = -at.gradient[i];
        // Where all elements are at bounds there is no curvature: then the step ends at its limits.
        double &diagonal = A.entries[PackedMatrix::index(i, i)];
        diagonal += 1e-6 * std::abs(slope[i]) / (upper[i] - lower[i]);
        if (!(diagonal > 0.))
          diagonal = 1.;
      }
    step = minimise_in_box(A, slope, lower, upper);
    for (std::size_t i = 0; i < m; ++i)
      is_limited =
        is_limited || (step[i] <= lower[i] && lower[i] > -multipliers[i]) || step[i] >= upper[i];
  }

  std::vector<double> step;
  bool is_limited = false; ///< by the factor
};
} // namespace

DualMaximum maximise_dual(const DualAscent &settings,
                          const std::function<DualValue(const std::vector<double> &)> &pass,
                          const std::vector<double> &first,
                          const std::vector<double> &sizes,
                          const std::vector<double> &scales)
{
  const std::size_t m = first.size();
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

      const ModelStep model(at, result.multipliers, sizes, factor);
      const double slope = dot(at.gradient, model.step);
      if (!(slope > 0.))
        return result; // rounding
      double t = 1.;
      while (true)
        {
          std::vector<double> trial(m);
          for (std::size_t i = 0; i < m; ++i)
            trial[i] = std::max(0., result.multipliers[i] + t * model.step[i]);
          DualValue there = pass(trial);
          ++result.passes;
          const double slope_there = dot(there.gradient, model.step);
          const double growth      = there.value - at.value;
          const double rounding    = 1e-13 * (std::abs(at.value) + std::abs(there.value));
          if (slope_there >= 0. || growth >= 1e-4 * t * slope ||
              (std::abs(growth) <= rounding && slope_there >= -0.5 * slope))
            {
              result.multipliers = trial;
              at                 = std::move(there);
              break;
            }
          if (result.passes >= settings.max_passes || t < 1e-9)
            return result;
          t *= std::clamp(slope / (slope - slope_there), 0.1, 0.7);
        }
      if (t < 1.)
        factor = std::max(1.5, 1. + (factor - 1.) * t);
      else if (model.is_limited)
        factor = std::min(factor * factor, 1e6);
    }
}
} // namespace strut
