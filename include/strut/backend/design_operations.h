// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/vector_operations.h>
#include <strut/base/array.h>
#include <strut/design/interpolation.h>
#include <strut/design/layer_rule.h>
#include <strut/design/optimality_criteria.h>
#include <strut/design/projection.h>
#include <strut/mesh/element_mesh.h>

#include <cstddef>

namespace strut
{
/// Elements in the order of their layers, and what each of them takes from layers before: points, whose values are
/// interpolated between elements.
struct LayeredElements
{
  Array<std::uint32_t> elements;      ///< position -> element
  Array<std::uint32_t> points_begin;  ///< `[n_positions + 1]`
  Array<std::uint32_t> entries_begin; ///< of the points, `[n_points + 1]`
  Array<std::uint32_t> columns;       ///< elements
  Array<double> weights;
  /// at_most: a sum of powers that comes to that of the points, `[n_positions]`; negative: the element keeps its variable.
  Array<double> given;
};

/// The element-wise work of a design iteration, on one rank of one backend. All arrays have one
/// entry per element; design fields are double for either precision of the displacements.
class DesignOperations
{
public:
  virtual ~DesignOperations() = default;

  /// stiffness_e = E(density_e)
  virtual void interpolate(const Interpolation &interpolation,
                           const Array<double> &densities,
                           Array<double> &stiffness) const = 0;

  /// sensitivities_e -= weight E'(density_e) energies_e
  virtual void add_sensitivities(const Interpolation &interpolation,
                                 double weight,
                                 const Array<double> &densities,
                                 const Array<double> &energies,
                                 Array<double> &sensitivities) const = 0;

  /// out_e = projection(in_e); `out` may be `in`
  virtual void
  project(const Projection &projection, const Array<double> &in, Array<double> &out) const = 0;

  /// values_e *= projection'(at_e)
  virtual void multiply_by_slope(const Projection &projection,
                                 const Array<double> &at,
                                 Array<double> &values) const = 0;

  /// y_e by the rule for the elements at the positions `begin <= k < end`, which look at elements at other positions only.
  virtual void sweep_layer(const LayerRule &rule,
                           const LayeredElements &layers,
                           std::size_t begin,
                           std::size_t end,
                           const Array<double> &x,
                           Array<double> &y) const = 0;

  /// The derivative of a function of y goes back through a layer: `s_e`, which has all that comes by later layers, becomes
  /// `s_e dy_e/dx_e`, and each entry of a point gets the derivative by the density of its element.
  virtual void sweep_layer_back(const LayerRule &rule,
                                const LayeredElements &layers,
                                std::size_t begin,
                                std::size_t end,
                                const Array<double> &x,
                                const Array<double> &y,
                                Array<double> &by_entries,
                                Array<double> &s) const = 0;

  /// One trial of the optimality criteria update for a given multiplier:
  /// new_densities_e = update(...); returns sum_e dv_e new_densities_e over this rank.
  virtual double optimality_update(const OptimalityCriteria &criteria,
                                   double lambda,
                                   const Array<double> &densities,
                                   const Array<double> &objective_sensitivities,
                                   const Array<double> &volume_sensitivities,
                                   const Array<DesignFlag> &flags,
                                   Array<double> &new_densities) const = 0;
};
} // namespace strut
