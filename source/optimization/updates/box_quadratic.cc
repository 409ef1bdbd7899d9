// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/updates/box_quadratic.h"

#include <algorithm>
#include <cmath>

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
} // namespace strut
