// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/optimization/maps/design_grid.h"
#include <strut/design/layer_rule.h>

namespace strut
{
/// The densities that a place depends on, and the rule for them.
struct LayerSweepSettings
{
  std::string map; ///< name of the map, for messages
  LayerRule rule;
  Point3 direction;               ///< unit vector along which the sweep goes from layer to layer
  double tangent            = 0.; ///< tangent of the half angle of the cone that a place looks at
  unsigned int n_samples    = 0;  ///< points on the rim of the cone in the layer before
  double given_at_start     = 0.; ///< LayerStencil::given of the first layer
  DesignGrid::Settings grid = {};
  /// Whether the sweep may go towards a plane of symmetry across its direction. Then both halves
  /// end there, and each image is swept from its own side.
  bool ends_at_planes = false;
};

/// A map that goes through the body along a direction. By a LayerRule a density follows from the
/// design there and from densities in the layer before.
///
/// The design is carried to a DesignGrid that is aligned with the direction, swept there, and
/// carried back. A node looks at the nodes of the layer before in its cone, and at points on the
/// rim of the cone, interpolated between nodes. Solid and void elements give their densities to the
/// grid. Nodes that get more than half of their density from such elements keep it.
///
/// At planes of symmetry along the direction the grid includes the mirror image, so a half gives
/// the design of the whole. Other planes are refused, as the image behind them is swept another
/// way.
///
/// All ranks sweep the whole grid.
class LayerSweep : public DesignMap
{
public:
  /// Collective.
  LayerSweep(Backend &backend,
             const Communicator &communicator,
             const ElementMesh &mesh,
             const LayerSweepSettings &settings);

  void forward(const Array<double> &x, Array<double> &y, const MapPoint &at) override;
  void backward(const Array<double> &x, Array<double> &s, const MapPoint &at) override;

  bool is_affine() const override
  {
    return false;
  }

  /// Number of points in the layer before that are nodes, not samples.
  static int n_nodes_in_cone(double tangent);

  /// The planes of the mesh whose images the sweep includes. Throws Error for planes that it cannot
  /// handle. Collective.
  static std::vector<SymmetryPlane> planes_of(const LayerSweepSettings &settings,
                                              const Communicator &communicator,
                                              const ElementMesh &mesh);

  /// Bytes of the images of all elements of this rank, for DesignMapEntry::bytes_on_mesh. They are
  /// 0 where the map cannot be made; making it tells the reason. Collective.
  static double bytes_of_images(const std::function<LayerSweepSettings()> &settings,
                                const Communicator &communicator,
                                const ElementMesh &mesh);

  /// Bytes with one node of the grid for each element.
  static constexpr double bytes_per_element = DesignGrid::bytes_per_element + 6. * sizeof(double);

private:
  Backend &backend_;
  const LayerRule rule_;
  DesignGrid grid_;
  LayerStencil stencil_;
  Array<double> z_, swept_, sums_, by_z_, by_swept_; ///< values on the grid
};
} // namespace strut
