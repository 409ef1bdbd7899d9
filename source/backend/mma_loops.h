// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/backend/mma_operations.h"

#include <strut/base/host_device.h>

#include <algorithm>
#include <cassert>

namespace strut
{
/// The arrays of an approximation for the bodies of loops, with exactly or at most N functions.
template <int N>
struct MmaFields
{
  MmaFields(const MmaApproximation &approximation, const std::vector<double> &multipliers)
    : x(approximation.x.data())
    , d(approximation.distances.data())
    , flags(approximation.flags.data())
    , bounds(approximation.bounds)
    , n(static_cast<int>(approximation.derivatives.size()))
  {
    assert(n <= N && multipliers.size() == approximation.derivatives.size());
    for (std::size_t i = 0; i < approximation.derivatives.size(); ++i)
      {
        derivative[i] = approximation.derivatives[i]->data();
        convexity[i]  = approximation.convexities[i];
        multiplier[i] = multipliers[i];
      }
  }

  STRUT_HOST_DEVICE bool is_design(const std::size_t e) const
  {
    return flags[e] == DesignFlag::design;
  }
  STRUT_HOST_DEVICE ApproximatedVariable variable(const std::size_t e) const
  {
    return ApproximatedVariable(bounds, x[e], d[e]);
  }

  /// g and k of the Lagrange function.
  STRUT_HOST_DEVICE void lagrange(const std::size_t e, double &g, double &k) const
  {
    g = 0.;
    k = 0.;
    for (int i = 0; i < n; ++i)
      {
        const double g_i = derivative[i][e];
        g += multiplier[i] * g_i;
        k += multiplier[i] * ApproximatedVariable::curvature(g_i, convexity[i]);
      }
  }

  const double *x, *d;
  const DesignFlag *flags;
  StepBounds bounds;
  int n;
  const double *derivative[N];
  double convexity[N];
  double multiplier[N];
};

/// Up to eight functions whose sums a loop computes.
struct MmaTile
{
  static constexpr int size = static_cast<int>(MmaOperations::tile);

  /// @param first  first function; the first constraint has the number 1
  MmaTile(const MmaApproximation &approximation, const std::size_t first)
    : n(static_cast<int>(
        std::min<std::size_t>(approximation.derivatives.size() - first, MmaOperations::tile)))
  {
    for (int i = 0; i < n; ++i)
      {
        derivative[i] = approximation.derivatives[first + static_cast<std::size_t>(i)]->data();
        convexity[i]  = approximation.convexities[first + static_cast<std::size_t>(i)];
      }
  }

  const double *derivative[size];
  double convexity[size];
  int n;
};

/// MmaOperations for both backends. An element's arithmetic is in ApproximatedVariable.
/// @tparam Loops  as in VectorLoops
template <typename Loops>
class MmaLoops : public MmaOperations
{
public:
  explicit MmaLoops(const Loops &loops) : loops_(loops)
  {}

  void update_distances(const AsymptoteRule &rule,
                        const double range,
                        const bool is_first,
                        const Array<double> &x,
                        const Array<DesignFlag> &flags,
                        Array<double> &old,
                        Array<std::int8_t> &signs,
                        Array<double> &distances) const override
  {
    const double *const now      = x.data();
    const DesignFlag *const flag = flags.data();
    double *const before         = old.data();
    std::int8_t *const sign      = signs.data();
    double *const d              = distances.data();
    loops_.for_each(x.size(), [=] STRUT_BODY(const std::size_t e) {
      if (is_first || flag[e] != DesignFlag::design)
        {
          sign[e] = 0;
          d[e]    = rule.initial * range;
        }
      else
        {
          const double step = now[e] - before[e];
          const int towards = step > 0. ? 1 : step < 0. ? -1 : 0;
          d[e]              = rule.next(d[e], range, towards * sign[e]);
          sign[e]           = static_cast<std::int8_t>(towards);
        }
      before[e] = now[e];
    });
  }

  std::vector<double> derivative_sizes(const std::vector<const Array<double> *> &derivatives,
                                       const Array<DesignFlag> &flags) const override
  {
    const DesignFlag *const flag = flags.data();
    std::vector<double> sizes;
    for (const Array<double> *const derivative : derivatives)
      {
        const double *const g = derivative->data();
        sizes.push_back(loops_.sum(flags.size(), [=] STRUT_BODY(const std::size_t e) {
          return flag[e] == DesignFlag::design ? std::fabs(g[e]) : 0.;
        }));
      }
    return sizes;
  }

  double stationarity(const MmaApproximation &approximation,
                      const std::vector<double> &multipliers,
                      const double scale) const override
  {
    const MmaFields<max> fields(approximation, multipliers);
    return loops_.sum(approximation.x.size(), [=] STRUT_BODY(const std::size_t e) {
      if (!fields.is_design(e))
        return 0.;
      double g, k;
      fields.lagrange(e, g, k);
      const double x = fields.bounds.clip(fields.x[e]);
      const double r = x - fields.bounds.clip(x - scale * g);
      return r * r;
    });
  }

  void pass(const MmaApproximation &approximation,
            const std::vector<double> &multipliers,
            Array<double> &shifts,
            Array<double> &weights,
            std::vector<double> &changes,
            std::vector<double> &curvature) const override
  {
    const std::size_t m = approximation.n_constraints();
    changes.assign(m + 1, 0.);
    curvature.assign(n_pairs(m), 0.);
    switch (m)
      {
        case 0:
          return pass_at_once<0>(approximation, multipliers, changes, curvature);
        case 1:
          return pass_at_once<1>(approximation, multipliers, changes, curvature);
        case 2:
          return pass_at_once<2>(approximation, multipliers, changes, curvature);
        case 3:
          return pass_at_once<3>(approximation, multipliers, changes, curvature);
        case 4:
          return pass_at_once<4>(approximation, multipliers, changes, curvature);
        case 5:
          return pass_at_once<5>(approximation, multipliers, changes, curvature);
        case 6:
          return pass_at_once<6>(approximation, multipliers, changes, curvature);
        case 7:
          return pass_at_once<7>(approximation, multipliers, changes, curvature);
        case 8:
          return pass_at_once<8>(approximation, multipliers, changes, curvature);
        default:
          break;
      }
    changes[0] = store_shifts(approximation, multipliers, shifts, weights);
    for (std::size_t i = 0; i < m; i += tile)
      {
        pass_over_diagonal(approximation, shifts, weights, i, changes, curvature);
        for (std::size_t j = 0; j < i; j += tile)
          pass_over_pair(approximation, shifts, weights, i, j, curvature);
      }
  }

  void minimiser(const MmaApproximation &approximation,
                 const std::vector<double> &multipliers,
                 Array<double> &next) const override
  {
    const MmaFields<max> fields(approximation, multipliers);
    double *const out = next.data();
    loops_.for_each(next.size(), [=] STRUT_BODY(const std::size_t e) {
      if (!fields.is_design(e))
        {
          out[e] = fields.x[e];
          return;
        }
      double g, k;
      fields.lagrange(e, g, k);
      const ApproximatedVariable variable = fields.variable(e);
      out[e]                              = variable.at(fields.bounds, variable.minimiser(g, k));
    });
  }

  double convexity_of_step(const MmaApproximation &approximation,
                           const Array<double> &next) const override
  {
    const double *const x        = approximation.x.data();
    const double *const d        = approximation.distances.data();
    const double *const y        = next.data();
    const DesignFlag *const flag = approximation.flags.data();
    const StepBounds bounds      = approximation.bounds;
    return loops_.sum(next.size(), [=] STRUT_BODY(const std::size_t e) {
      if (flag[e] != DesignFlag::design)
        return 0.;
      const double s = (y[e] - bounds.clip(x[e])) / d[e];
      return 2. * d[e] * s * s / (1. - s * s);
    });
  }

  /// pass() for m <= 8 constraints.
  /// Bytes:     per element 8 (m + 3) + 1 read, none written
  /// Flops:     per element about 60 + 12 m + m (m + 1), one square root, three divisions
  /// Determinism: that of `Loops::sums`
  template <int m>
  void pass_at_once(const MmaApproximation &approximation,
                    const std::vector<double> &multipliers,
                    std::vector<double> &changes,
                    std::vector<double> &curvature) const
  {
    constexpr int n_sums = 1 + m + m * (m + 1) / 2;
    const MmaFields<m + 1> fields(approximation, multipliers);
    const auto body = [=] STRUT_BODY(const std::size_t e, double(&sums)[n_sums]) {
      if (!fields.is_design(e))
        return;
      double g_of[m + 1], k_of[m + 1];
      double g = 0., k = 0.;
      STRUT_UNROLL
      for (int i = 0; i <= m; ++i)
        {
          g_of[i] = fields.derivative[i][e];
          k_of[i] = ApproximatedVariable::curvature(g_of[i], fields.convexity[i]);
          g += fields.multiplier[i] * g_of[i];
          k += fields.multiplier[i] * k_of[i];
        }
      const ApproximatedVariable variable = fields.variable(e);
      const double s                      = variable.minimiser(g, k);
      const double factor                 = variable.factor(s);
      const double weight                 = variable.weight(s, g, k);
      STRUT_UNROLL
      for (int i = 0; i <= m; ++i)
        {
          sums[i] += factor * (g_of[i] + s * k_of[i]);
          k_of[i] = ApproximatedVariable::slope(s, g_of[i], k_of[i]);
        }
      STRUT_UNROLL
      for (int i = 1; i <= m; ++i)
        STRUT_UNROLL
      for (int j = 1; j <= i; ++j)
        sums[m + i * (i - 1) / 2 + j] += weight * k_of[i] * k_of[j];
    };
    const auto sums = loops_.template sums<n_sums>(approximation.x.size(), body);
    std::copy(sums.begin(), sums.begin() + m + 1, changes.begin());
    std::copy(sums.begin() + m + 1, sums.end(), curvature.begin());
  }

  /// Stores s and the weight of each element; returns the change of the objective.
  double store_shifts(const MmaApproximation &approximation,
                      const std::vector<double> &multipliers,
                      Array<double> &shifts,
                      Array<double> &weights) const
  {
    const MmaFields<max> fields(approximation, multipliers);
    double *const s_of = shifts.data();
    double *const w_of = weights.data();
    return loops_.sum(approximation.x.size(), [=] STRUT_BODY(const std::size_t e) {
      double change = 0., s = 0., weight = 0.;
      if (fields.is_design(e))
        {
          double g, k;
          fields.lagrange(e, g, k);
          const ApproximatedVariable variable = fields.variable(e);
          s                                   = variable.minimiser(g, k);
          weight                              = variable.weight(s, g, k);
          const double g_0                    = fields.derivative[0][e];
          change                              = variable.factor(s) *
                   (g_0 + s * ApproximatedVariable::curvature(g_0, fields.convexity[0]));
        }
      s_of[e] = s;
      w_of[e] = weight;
      return change;
    });
  }

  /// Computes the changes of the constraints i ... i + 7, counted from 0, and their block of the
  /// curvature. Bytes: per element 8 x 11 + 1
  void pass_over_diagonal(const MmaApproximation &approximation,
                          const Array<double> &shifts,
                          const Array<double> &weights,
                          const std::size_t i,
                          std::vector<double> &changes,
                          std::vector<double> &curvature) const
  {
    constexpr int size = MmaTile::size;
    const MmaTile rows(approximation, 1 + i);
    const double *const d    = approximation.distances.data();
    const double *const s_of = shifts.data();
    const double *const w_of = weights.data();
    constexpr int n_sums     = size + size * (size + 1) / 2;
    const auto body          = [=] STRUT_BODY(const std::size_t e, double(&sums)[n_sums]) {
      const double s = s_of[e], weight = w_of[e];
      const double factor = d[e] * s / (1. - s * s);
      double slope[size];
      STRUT_UNROLL
      for (int k = 0; k < size; ++k)
        {
          slope[k] = 0.;
          if (k < rows.n)
            {
              const double g         = rows.derivative[k][e];
              const double curvature = ApproximatedVariable::curvature(g, rows.convexity[k]);
              sums[k] += factor * (g + s * curvature);
              slope[k] = ApproximatedVariable::slope(s, g, curvature);
            }
        }
      STRUT_UNROLL
      for (int k = 0; k < size; ++k)
        STRUT_UNROLL
      for (int l = 0; l <= k; ++l)
        sums[size + k * (k + 1) / 2 + l] += weight * slope[k] * slope[l];
    };
    const auto sums = loops_.template sums<n_sums>(shifts.size(), body);
    for (std::size_t k = 0; k < static_cast<std::size_t>(rows.n); ++k)
      {
        changes[1 + i + k] = sums[k];
        for (std::size_t l = 0; l <= k; ++l)
          curvature[n_pairs(i + k) + i + l] = sums[size + n_pairs(k) + l];
      }
  }

  /// Computes the block of the curvature of the constraints i ... i + 7 and j ... j + 7, j < i.
  /// Bytes: per element 8 x 18
  void pass_over_pair(const MmaApproximation &approximation,
                      const Array<double> &shifts,
                      const Array<double> &weights,
                      const std::size_t i,
                      const std::size_t j,
                      std::vector<double> &curvature) const
  {
    constexpr int size = MmaTile::size;
    const MmaTile rows(approximation, 1 + i), columns(approximation, 1 + j);
    const double *const s_of = shifts.data();
    const double *const w_of = weights.data();
    constexpr int n_sums     = size * size;
    const auto body          = [=] STRUT_BODY(const std::size_t e, double(&sums)[n_sums]) {
      const double s = s_of[e], weight = w_of[e];
      if (weight == 0.)
        return;
      double of_column[size];
      STRUT_UNROLL
      for (int l = 0; l < size; ++l) // entries before a row are complete
        {
          const double g = columns.derivative[l][e];
          of_column[l]   = weight * ApproximatedVariable::slope(
                                    s, g, ApproximatedVariable::curvature(g, columns.convexity[l]));
        }
      STRUT_UNROLL
      for (int k = 0; k < size; ++k)
        if (k < rows.n)
          {
            const double g = rows.derivative[k][e];
            const double slope =
              ApproximatedVariable::slope(s,
                                          g,
                                          ApproximatedVariable::curvature(g, rows.convexity[k]));
            STRUT_UNROLL
            for (int l = 0; l < size; ++l)
              sums[size * k + l] += slope * of_column[l];
          }
    };
    const auto sums = loops_.template sums<n_sums>(shifts.size(), body);
    for (std::size_t k = 0; k < static_cast<std::size_t>(rows.n); ++k)
      for (std::size_t l = 0; l < MmaOperations::tile; ++l)
        curvature[n_pairs(i + k) + j + l] = sums[MmaOperations::tile * k + l];
  }

private:
  static constexpr int max = static_cast<int>(max_functions);

  const Loops loops_;
};
} // namespace strut
