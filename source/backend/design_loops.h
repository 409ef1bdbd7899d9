// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/design_operations.h>
#include <strut/base/host_device.h>

namespace strut
{
/// LayeredElements for the bodies of loops.
struct LayerView
{
  explicit LayerView(const LayeredElements &layers)
    : elements(layers.elements.data())
    , points_begin(layers.points_begin.data())
    , entries_begin(layers.entries_begin.data())
    , columns(layers.columns.data())
    , weights(layers.weights.data())
    , given(layers.given.data())
  {}

  /// Whether the element at position k keeps its variable.
  STRUT_HOST_DEVICE bool keeps(const std::size_t k) const
  {
    return given[k] < 0.;
  }

  STRUT_HOST_DEVICE double n_points(const std::size_t k) const
  {
    return static_cast<double>(points_begin[k + 1] - points_begin[k]);
  }

  /// The density at a point.
  STRUT_HOST_DEVICE double at(const std::uint32_t point, const double *const y) const
  {
    double xi = 0.;
    for (std::uint32_t j = entries_begin[point]; j < entries_begin[point + 1]; ++j)
      xi += weights[j] * y[columns[j]];
    return xi;
  }

  /// The sum of f(density) over the points of the element at position k.
  template <typename Function>
  STRUT_HOST_DEVICE double sum(const std::size_t k, const double *const y, const Function &f) const
  {
    double all = 0.;
    for (std::uint32_t p = points_begin[k]; p < points_begin[k + 1]; ++p)
      all += f(at(p, y));
    return all;
  }

  STRUT_HOST_DEVICE double largest(const std::size_t k, const double *const y, const double x) const
  {
    double result = x;
    for (std::uint32_t p = points_begin[k]; p < points_begin[k + 1]; ++p)
      {
        const double xi = at(p, y);
        result          = xi > result ? xi : result;
      }
    return result;
  }

  const std::uint32_t *elements, *points_begin, *entries_begin, *columns;
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
                   const LayeredElements &layers,
                   const std::size_t begin,
                   const std::size_t end,
                   const Array<double> &x,
                   Array<double> &y) const override
  {
    const LayerView view(layers);
    const double *const xs = x.data();
    double *const ys       = y.data();
    loops_.for_each(end - begin, [=] STRUT_BODY(const std::size_t i) {
      const std::size_t k = begin + i, e = view.elements[k];
      if (view.keeps(k))
        ys[e] = xs[e];
      else if (rule.kind == LayerRule::Kind::at_most)
        {
          const double sum =
            view.given[k] + view.sum(k, ys, [=](const double xi) { return rule.summand(xi); });
          ys[e] = rule.minimum(xs[e], rule.support(sum));
        }
      else
        {
          const double largest = view.largest(k, ys, xs[e]);
          const double weights =
            rule.weight(xs[e], largest) +
            view.sum(k, ys, [=](const double xi) { return rule.weight(xi, largest); });
          ys[e] = rule.maximum(largest, weights, 1. + view.n_points(k));
        }
    });
  }

  void sweep_layer_back(const LayerRule &rule,
                        const LayeredElements &layers,
                        const std::size_t begin,
                        const std::size_t end,
                        const Array<double> &x,
                        const Array<double> &y,
                        Array<double> &by_entries,
                        Array<double> &s) const override
  {
    const LayerView view(layers);
    const double *const xs = x.data(), *const ys = y.data();
    double *const ss = s.data(), *const bys = by_entries.data();
    loops_.for_each(end - begin, [=] STRUT_BODY(const std::size_t i) {
      const std::size_t k = begin + i, e = view.elements[k];
      if (view.keeps(k))
        return;
      const double by_y     = ss[e];
      const bool is_at_most = rule.kind == LayerRule::Kind::at_most;
      const double largest  = is_at_most ? 0. : view.largest(k, ys, xs[e]);
      const double sum =
        is_at_most
          ? view.given[k] + view.sum(k, ys, [=](const double xi) { return rule.summand(xi); })
          : rule.weight(xs[e], largest) +
              view.sum(k, ys, [=](const double xi) { return rule.weight(xi, largest); });
      const double by_x = is_at_most ? rule.slope_by_variable(xs[e], rule.support(sum))
                                     : rule.weight(xs[e], largest) / sum;
      for (std::uint32_t p = view.points_begin[k]; p < view.points_begin[k + 1]; ++p)
        {
          const double xi    = view.at(p, ys);
          const double by_xi = is_at_most ? (1. - by_x) * rule.slope_of_support(sum, xi)
                                          : rule.weight(xi, largest) / sum;
          for (std::uint32_t j = view.entries_begin[p]; j < view.entries_begin[p + 1]; ++j)
            bys[j] = by_y * by_xi * view.weights[j];
        }
      ss[e] = by_y * by_x;
    });
  }

  double optimality_update(const OptimalityCriteria &criteria,
                           const double lambda,
                           const Array<double> &densities,
                           const Array<double> &objective_sensitivities,
                           const Array<double> &volume_sensitivities,
                           const Array<DesignFlag> &flags,
                           Array<double> &new_densities) const override
  {
    const double *const rho      = densities.data();
    const double *const dc       = objective_sensitivities.data();
    const double *const dv       = volume_sensitivities.data();
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
