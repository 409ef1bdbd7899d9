// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/optimization/maps/design_grid.h"

namespace strut
{
/// Function that folds a place of the body. Points with the same folded place have the same
/// density.
using Fold = std::function<Point3(const Point3 &)>;

/// A map that makes the density a function of the folded place, on any mesh and under any load. The
/// density is that of a DesignGrid over the folded places.
///
/// Elements with the same folded place get the same density, the volume stays, and the map is a
/// matrix. On boxes y is the mean over the elements with the same folded place. Solid and void
/// elements contribute nothing and keep their own values. Where the image of one is to be designed,
/// remark() says so.
class FoldedMap : public DesignMap
{
public:
  /// Collective.
  /// @param name  name of the map, for its remark
  FoldedMap(const std::string &name,
            Backend &backend,
            const Communicator &communicator,
            const ElementMesh &mesh,
            const DesignGrid::Settings &settings,
            const Fold &fold);

  void forward(const Array<double> &x, Array<double> &y, const MapPoint &at) override;
  void backward(const Array<double> &x, Array<double> &s, const MapPoint &at) override;

  bool is_affine() const override
  {
    return true;
  }

  std::string remark() const override;

private:
  const std::string name_;
  DesignGrid grid_;
  Array<double> z_; ///< values on the grid
};
} // namespace strut
