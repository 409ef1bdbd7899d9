// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/optimization/maps/design_map.h>

#include <array>
#include <functional>
#include <vector>

namespace strut
{
using Point3 = std::array<double, 3>;

/// The place whose density a point of the body has: the same for all points that shall be alike.
using Fold = std::function<Point3(const Point3 &)>;

/// The entry that all maps which fold have.
struct FoldSettings
{
  double cell_size = 0.; ///< 0: the mean edge of the elements

  void declare(ParameterList &list);
};

/// A design whose density is a function of the folded place alone, on any mesh and under any load.
///
/// Over the folded places lies a grid of cells with trilinear functions N_g. Its values are means of the design variables,
/// and the densities are interpolated between them, with the centres c_e and the volumes v_e of the elements:
///
///     z_g = sum_e N_g(fold(c_e)) v_e x_e / sum_e N_g(fold(c_e)) v_e,    y_e = sum_g N_g(fold(c_e)) z_g
///
/// So elements with the same folded place get the same density, the volume stays, and the map is a matrix. If the folded centres
/// are nodes of the grid (boxes), y is the mean over the elements that are alike; else it is a mean over the elements
/// within a cell or so of each other, too. Solid and void elements give nothing to z.
///
/// Each rank has the whole grid.
class FoldedMap : public DesignMap
{
public:
  /// Collective.
  FoldedMap(Backend &backend,
            const Communicator &communicator,
            const ElementMesh &mesh,
            const FoldSettings &settings,
            const Fold &fold);

  void forward(const Array<double> &x, Array<double> &y) override;
  void backward(const Array<double> &x, Array<double> &s) override;

  bool is_affine() const override
  {
    return true;
  }

  /// Two matrices with eight entries for each element, at most; two vectors.
  static constexpr double bytes_per_element =
    2. * 8. * (sizeof(double) + sizeof(std::uint32_t)) + 4. * sizeof(double);

private:
  Backend &backend_;
  const Communicator communicator_;
  const std::size_t n_elements_;
  std::size_t n_grid_ = 0;
  Array<double> volumes_;
  Array<double> all_; ///< of the elements, then of the grid
  SparseRows<double> to_grid_, to_elements_;
};

/// The smallest box with all nodes, over all ranks. Collective.
struct BoundingBox
{
  Point3 least, most;

  BoundingBox(const Communicator &communicator, const ElementMesh &mesh);

  Point3 middle() const
  {
    return {{0.5 * (least[0] + most[0]), 0.5 * (least[1] + most[1]), 0.5 * (least[2] + most[2])}};
  }
};

/// The unit vector along three numbers. @param whose  "The normal of the map 'mirror'", for the error
Point3 unit_vector(const std::vector<double> &numbers, const std::string &whose);

/// A point given by three numbers, or that one if there are none.
Point3
point_or(const std::vector<double> &numbers, const Point3 &otherwise, const std::string &whose);
} // namespace strut
