// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/optimization/maps/frame.h"

#include <strut/optimization/maps/design_map.h>
#include <strut/parallel/halo_exchange.h>

#include <array>
#include <memory>
#include <vector>

namespace strut
{
/// Which elements an element looks at, and by what rule.
struct LayerSweepSettings
{
  LayerRule rule;
  std::array<double, 3> direction; ///< unit vector: the sweep goes along it, from layer to layer
  double tangent;                  ///< of the half angle of the cone behind an element
  double least_reach = 0.; ///< to the side, in edges of the element: for a cone without an angle
  unsigned int n_samples =
    0; ///< points on the rim of the cone one edge behind, interpolated between elements
  /// Elements at the lowest face take this sum of powers (LayeredElements::given), as if the sweep came from there.
  double given_at_start = 0.;
};

/// A map that goes through the mesh along a direction: `y_e` follows from `x_e` and from the densities of elements before,
/// by a LayerRule.
///
/// Behind an element of the edge `h = v_e^(1/3)` lies a cone. It takes each element whose centre is in the cone, between h / 2
/// and 3 h / 2 behind (on boxes the next layer), and points on the rim of the cone at h, interpolated trilinearly between the
/// centres around. Layers are as thick as half the edge of the smallest element, so that nobody looks at its own layer.
///
/// The elements of other ranks near by come along as ghosts; all ranks go through the layers together.
class LayerSweep : public DesignMap
{
public:
  /// Collective.
  LayerSweep(Backend &backend,
             const Communicator &communicator,
             const ElementMesh &mesh,
             const LayerSweepSettings &settings);

  void forward(const Array<double> &x, Array<double> &y) override;
  void backward(const Array<double> &x, Array<double> &s) override;

  bool is_affine() const override
  {
    return false;
  }

  /// @param n_points  that an element looks at @param n_entries  elements that these have in all
  static constexpr double bytes_per_element(const double n_points, const double n_entries)
  {
    return (12. + 4. + 8.) * n_entries + 4. * n_points + 5. * sizeof(double);
  }

private:
  Backend &backend_;
  const LayerRule rule_;
  const std::size_t n_elements_;
  std::size_t n_all_ = 0;                      ///< with ghosts
  std::unique_ptr<HaloExchange<double>> halo_; ///< null on one rank
  std::vector<std::size_t> begin_; ///< of the layers among the positions, `[n_layers + 1]`
  LayeredElements elements_;
  Array<double> y_;          ///< of own elements and ghosts, by the last forward()
  Array<double> s_;          ///< likewise, of the derivative
  Array<double> by_entries_; ///< the derivative by the densities that points see

  /// What comes back to the elements of a layer, ghosts included: VectorOperations::sum_rows().
  struct Returns
  {
    Array<std::uint32_t> elements, offsets, places;
    Array<std::uint32_t> ghosts; ///< of the layer
  };
  std::vector<Returns> returns_; ///< `[n_layers]`
};
} // namespace strut
