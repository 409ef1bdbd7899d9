// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/design/layer_rule.h>
#include <strut/design/projection.h>

#include <strut/backend/design_operations.h>
#include <strut/base/host_device.h>
#include <strut/design/optimality_criteria.h>

namespace strut
{
/// Pointers of a LayerStencil for the bodies of loops.
struct LayerView
{
  explicit LayerView(const LayerStencil &stencil)
    : n0(static_cast<std::int64_t>(stencil.n[0]))
    , n1(static_cast<std::int64_t>(stencil.n[1]))
    , n_points(stencil.n_points)
    , begin(stencil.begin.data())
    , di(stencil.di.data())
    , dj(stencil.dj.data())
    , weights(stencil.weights.data())
    , given(stencil.given.data())
  {}

  /// The node at (i, j) of a layer that begins at `layer`, or -1.
  STRUT_HOST_DEVICE std::int64_t
  node(const std::int64_t layer, const std::int64_t i, const std::int64_t j) const
  {
    return i < 0 || j < 0 || i >= n0 || j >= n1 ? -1 : layer + i + n0 * j;
  }

  /// The density at a point for node (i, j), from the layer before.
  STRUT_HOST_DEVICE double at(const std::size_t point,
                              const std::int64_t before,
                              const std::int64_t i,
                              const std::int64_t j,
                              const double *const y) const
  {
    double xi = 0.;
    for (std::uint32_t k = begin[point]; k < begin[point + 1]; ++k)
      if (const std::int64_t other = node(before, i + di[k], j + dj[k]); other >= 0)
        xi += weights[k] * y[other];
    return xi;
  }

  std::int64_t n0, n1;
  std::size_t n_points;
  const std::uint32_t *begin;
  const std::int32_t *di, *dj;
  const double *weights, *given;
};

/// DesignOperations for both backends.
/// @tparam Loops  as in VectorLoops
template <typename Loops>
class DesignLoops : public DesignOperations
{
public:
  explicit DesignLoops(const Loops &loops) : loops_(loops)
  {}

  void interpolate(const Interpolation &interpolation,
                   const Array<double> &densities,
                   Array<double> &stiffness) const override
  {
    const double *const rho = densities.data();
    double *const out       = stiffness.data();
    loops_.for_each(densities.size(), [=] STRUT_BODY(const std::size_t e) {
      out[e] = interpolation.stiffness(rho[e]);
    });
  }

  double stored_energy(const Interpolation &interpolation,
                       const Array<double> &densities,
                       const Array<double> &energies) const override
  {
    const double *const rho = densities.data();
    const double *const c   = energies.data();
    return loops_.sum(densities.size(), [=] STRUT_BODY(const std::size_t e) {
      return interpolation.stiffness(rho[e]) * c[e];
    });
  }

  void add_sensitivities(const Interpolation &interpolation,
                         const double weight,
                         const Array<double> &densities,
                         const Array<double> &energies,
                         Array<double> &sensitivities) const override
  {
    const double *const rho = densities.data();
    const double *const c   = energies.data();
    double *const out       = sensitivities.data();
    loops_.for_each(densities.size(), [=] STRUT_BODY(const std::size_t e) {
      out[e] -= weight * interpolation.derivative(rho[e]) * c[e];
    });
  }

  void
  project(const Projection &projection, const Array<double> &in, Array<double> &out) const override
  {
    const double *const from = in.data();
    double *const to         = out.data();
    loops_.for_each(in.size(),
                    [=] STRUT_BODY(const std::size_t e) { to[e] = projection.value(from[e]); });
  }

  void multiply_by_slope(const Projection &projection,
                         const Array<double> &at,
                         Array<double> &values) const override
  {
    const double *const x = at.data();
    double *const out     = values.data();
    loops_.for_each(at.size(),
                    [=] STRUT_BODY(const std::size_t e) { out[e] *= projection.derivative(x[e]); });
  }

  void sweep_layer(const LayerRule &rule,
                   const LayerStencil &stencil,
                   const std::size_t k,
                   const Array<double> &x,
                   Array<double> &y,
                   Array<double> &sums) const override
  {
    const LayerView view(stencil);
    const std::size_t n_points = k == 0 ? 0 : stencil.n_points;
    const std::int64_t layer   = static_cast<std::int64_t>(k) * view.n0 * view.n1,
                       before  = layer - view.n0 * view.n1;
    const double *const xs     = x.data();
    double *const ys = y.data(), *const sum_of = sums.data();
    loops_.for_each(stencil.n[0] * stencil.n[1], [=] STRUT_BODY(const std::size_t in_layer) {
      const auto number    = static_cast<std::int64_t>(in_layer);
      const std::int64_t i = number % view.n0, j = number / view.n0, node = layer + number;
      if (view.given[node] < 0.)
        ys[node] = xs[node];
      else if (rule.kind == LayerRule::Kind::at_most)
        {
          double sum = view.given[node];
          for (std::size_t p = 0; p < n_points; ++p)
            sum += rule.summand(view.at(p, before, i, j, ys));
          sum_of[node] = sum;
          ys[node]     = rule.minimum(xs[node], rule.support(sum));
        }
      else
        {
          double largest = xs[node];
          for (std::size_t p = 0; p < n_points; ++p)
            {
              const double xi = view.at(p, before, i, j, ys);
              largest         = xi > largest ? xi : largest;
            }
          double sum = rule.weight(xs[node], largest);
          for (std::size_t p = 0; p < n_points; ++p)
            sum += rule.weight(view.at(p, before, i, j, ys), largest);
          sum_of[node] = largest + rule.logarithm(sum);
          ys[node]     = sum_of[node] - rule.logarithm(static_cast<double>(1 + n_points));
        }
    });
  }

  void sweep_layer_back(const LayerRule &rule,
                        const LayerStencil &stencil,
                        const std::size_t k,
                        const Array<double> &x,
                        const Array<double> &y,
                        const Array<double> &sums,
                        Array<double> &by_y,
                        Array<double> &by_x) const override
  {
    const LayerView view(stencil);
    const std::size_t n_points = k + 1 == stencil.n[2] ? 0 : stencil.n_points;
    const std::int64_t layer   = static_cast<std::int64_t>(k) * view.n0 * view.n1,
                       behind  = layer + view.n0 * view.n1;
    const double *const xs = x.data(), *const ys = y.data(), *const sum_of = sums.data();
    double *const bys = by_y.data(), *const bxs = by_x.data();
    loops_.for_each(stencil.n[0] * stencil.n[1], [=] STRUT_BODY(const std::size_t in_layer) {
      const auto number    = static_cast<std::int64_t>(in_layer);
      const std::int64_t i = number % view.n0, j = number / view.n0, node = layer + number;
      const bool is_at_most = rule.kind == LayerRule::Kind::at_most;
      // (1) Contributions of nodes that look at this one: bys has their derivatives by their sums.
      double all = bys[node];
      for (std::size_t p = 0; p < n_points; ++p)
        for (std::uint32_t entry = view.begin[p]; entry < view.begin[p + 1]; ++entry)
          {
            const std::int64_t a = i - view.di[entry], b = j - view.dj[entry],
                               other = view.node(behind, a, b);
            if (other < 0 || bys[other] == 0.)
              continue;
            const double xi = view.at(p, layer, a, b, ys);
            all += view.weights[entry] * bys[other] *
                   (is_at_most ? rule.slope_of_summand(xi) : rule.weight(xi, sum_of[other]));
          }

      // (2) Derivatives by the design, and for the layer before.
      if (view.given[node] < 0.)
        {
          bxs[node] = all;
          bys[node] = 0.;
        }
      else if (is_at_most)
        {
          const double slope = rule.slope_by_variable(xs[node], rule.support(sum_of[node]));
          bxs[node]          = all * slope;
          bys[node]          = all * (1. - slope) * rule.slope_of_support(sum_of[node]);
        }
      else
        {
          bxs[node] = all * rule.weight(xs[node], sum_of[node]);
          bys[node] = all;
        }
    });
  }

  double optimality_update(const OptimalityCriteria &criteria,
                           const double lambda,
                           const Array<double> &densities,
                           const Array<double> &objective_sensitivities,
                           const ElementNumbers &volume_sensitivities,
                           const Array<DesignFlag> &flags,
                           Array<double> &new_densities) const override
  {
    const double *const rho      = densities.data();
    const double *const dc       = objective_sensitivities.data();
    const ElementNumbers dv      = volume_sensitivities; // a copy for the body
    const DesignFlag *const flag = flags.data();
    double *const out            = new_densities.data();
    return loops_.sum(densities.size(), [=] STRUT_BODY(const std::size_t e) {
      out[e] = criteria.update(rho[e], dc[e], dv[e], lambda, flag[e]);
      return dv[e] * out[e];
    });
  }

private:
  const Loops loops_;
};
} // namespace strut
