// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/array.h>
#include <strut/base/host_device.h>
#include <strut/design/interpolation.h>
#include <strut/design/layer_rule.h>
#include <strut/design/projection.h>
#include <strut/mesh/element_mesh.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace strut
{
struct OptimalityCriteria;

/// A number for each element, for the bodies of loops. It comes from an array, which must outlive
/// this object, or is the same for all elements.
class ElementNumbers
{
public:
  /// @param each  `[n_elements]`
  ElementNumbers(const Array<double> &each) : each_(each.data())
  {}

  explicit ElementNumbers(const double of_all) : of_all_(of_all)
  {}

  STRUT_HOST_DEVICE double operator[](const std::size_t e) const
  {
    return each_ == nullptr ? of_all_ : each_[e];
  }

private:
  const double *each_ = nullptr;
  /// NaN for an empty array, whose entries are never read.
  double of_all_ = std::numeric_limits<double>::quiet_NaN();
};

/// A grid and the neighbours in the layer before that each node looks at. Node (i, j, k) has the
/// number `i + n[0] (j + n[1] k)` and is in layer k. The density at a point of the layer before is
/// a weighted sum over nodes of that layer, given by their offsets from the node that looks. Nodes
/// outside of the grid have the density 0.
struct LayerStencil
{
  std::array<std::size_t, 3> n;
  std::size_t n_points = 0;
  Array<std::uint32_t> begin; ///< first entry of each point, `[n_points + 1]`
  Array<std::int32_t> di, dj; ///< `[n_entries]`
  Array<double> weights;      ///< `[n_entries]`
  /// With LayerRule::Kind::at_most: a sum of powers that is added to that of the points,
  /// `[n_nodes]`. Negative, for either kind: the node takes the density x that the design asks for.
  Array<double> given;
};

/// The element-wise work of a design iteration, on one rank of one backend. Unless said otherwise
/// arrays have one entry per element; design fields are double for either precision of the
/// displacements.
class DesignOperations
{
public:
  virtual ~DesignOperations() = default;

  /// Sets stiffness_e = E(density_e).
  virtual void interpolate(const Interpolation &interpolation,
                           const Array<double> &densities,
                           Array<double> &stiffness) const = 0;

  /// Returns sum_e E(density_e) energies_e over this rank.
  virtual double stored_energy(const Interpolation &interpolation,
                               const Array<double> &densities,
                               const Array<double> &energies) const = 0;

  /// Updates sensitivities_e -= weight E'(density_e) energies_e.
  virtual void add_sensitivities(const Interpolation &interpolation,
                                 double weight,
                                 const Array<double> &densities,
                                 const Array<double> &energies,
                                 Array<double> &sensitivities) const = 0;

  /// Sets out_e = projection(in_e); `out` may be `in`.
  virtual void
  project(const Projection &projection, const Array<double> &in, Array<double> &out) const = 0;

  /// Updates values_e *= projection'(at_e).
  virtual void multiply_by_slope(const Projection &projection,
                                 const Array<double> &at,
                                 Array<double> &values) const = 0;

  /// Computes y in layer k of a grid by the rule, from x in the layer and y in layer k - 1. The
  /// first layer has none before it. All arrays are `[n_nodes]` of the grid.
  ///
  /// @param rule  relation between x, y and the layer before
  /// @param stencil  the grid and its neighbours
  /// @param k  number of the layer
  /// @param x  densities that the design asks for
  /// @param y  resulting densities
  /// @param sums  sums of the layer that sweep_layer_back() needs again
  virtual void sweep_layer(const LayerRule &rule,
                           const LayerStencil &stencil,
                           std::size_t k,
                           const Array<double> &x,
                           Array<double> &y,
                           Array<double> &sums) const = 0;

  /// Differentiates a function of y through layer k; layer k + 1 must be done before. On entry by_y
  /// has the direct derivative by y in layer k, without the effect through other layers. On return
  /// it has the derivative by the sums, which layer k - 1 needs. by_x gets the derivative by x.
  virtual void sweep_layer_back(const LayerRule &rule,
                                const LayerStencil &stencil,
                                std::size_t k,
                                const Array<double> &x,
                                const Array<double> &y,
                                const Array<double> &sums,
                                Array<double> &by_y,
                                Array<double> &by_x) const = 0;

  /// Makes one trial of the optimality criteria update for a given multiplier:
  /// `new_densities_e = update(...)`. Returns sum_e dv_e new_densities_e over this rank.
  virtual double optimality_update(const OptimalityCriteria &criteria,
                                   double lambda,
                                   const Array<double> &densities,
                                   const Array<double> &objective_sensitivities,
                                   const ElementNumbers &volume_sensitivities,
                                   const Array<DesignFlag> &flags,
                                   Array<double> &new_densities) const = 0;
};
} // namespace strut
