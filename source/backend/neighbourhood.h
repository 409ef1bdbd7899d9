// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/array.h>
#include <strut/base/host_device.h>
#include <strut/mesh/element_mesh.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace strut
{
/// Points sorted into the cells of a regular grid, so that all points within a radius of another
/// are found in a few contiguous runs. The grid is built once on the host, and searched on the
/// backend.
///
/// Cell (i, j, k) has the number `i + n[0] (j + n[1] k)` and holds the sorted points
/// `[cell_begin[cell], cell_begin[cell + 1])`. A row of cells along x is one contiguous run.
///
/// Mirror images of points behind planes of symmetry are sorted in like points. They take the value
/// of their point.
struct CellGrid
{
  double radius    = 0;                     ///< search radius, length units of the mesh
  double cell_size = 0;                     ///< edge length of a cell
  std::array<double, 3> origin{};           ///< lower corner of cell (0, 0, 0)
  std::array<std::int32_t, 3> n{{1, 1, 1}}; ///< number of cells per direction
  int reach = 1;                            ///< cells to look at on either side

  /// A length in cells that exceeds the rounding errors of float in places and distances of a few
  /// cells.
  static constexpr float rounding = 1e-5f;

  std::vector<std::uint32_t> cell_begin; ///< `[n0 n1 n2 + 1]`
  std::vector<double> coordinates;       ///< `[3][n_points]`, in sorted order; points and images
  std::vector<std::uint32_t>
    points; ///< sorted position -> point, with `image_bit` if it is an image

  /// Marks images in `points`, so that no image has a number below the number of targets.
  static constexpr std::uint32_t image_bit = std::uint32_t(1) << 31;

  /// The index of the value: the number in `points` without the image mark.
  STRUT_HOST_DEVICE static std::uint32_t value_index(const std::uint32_t point)
  {
    return point & ~image_bit;
  }

  /// The largest `half_squared` of cells_in_ball(), which is that of the point's own row.
  float radius_in_cells_squared() const
  {
    return static_cast<float>(radius * radius / (cell_size * cell_size)) * (1.f + rounding);
  }

  /// Index in direction d of the grid cell that holds a point of the grid with this coordinate.
  std::int32_t cell_of(const double coordinate, const int d) const
  {
    const auto i = static_cast<std::size_t>(d);
    return cell_number(coordinate, origin[i], cell_size, n[i]);
  }

  /// The cell index from plain numbers, for a kernel.
  STRUT_HOST_DEVICE static std::int32_t cell_number(const double coordinate,
                                                    const double origin,
                                                    const double cell_size,
                                                    const std::int32_t n)
  {
    const auto cell = static_cast<std::int32_t>((coordinate - origin) / cell_size);
    return cell < 0 ? 0 : cell >= n ? n - 1 : cell;
  }

  /// The position of a point in one direction: its cell, and the offset in that cell, from 0 to 1.
  /// Distances in cells from there are small numbers, which float resolves on any grid.
  struct Place
  {
    std::int32_t cell;
    float within;
  };
  STRUT_HOST_DEVICE static Place place_of(const double coordinate,
                                          const double origin,
                                          const double cell_size,
                                          const std::int32_t n)
  {
    const std::int32_t cell = cell_number(coordinate, origin, cell_size, n);
    return {cell, static_cast<float>((coordinate - origin) / cell_size - cell)};
  }

  /// First and last of neighbouring cells; none if first > last.
  struct Run
  {
    std::int32_t first, last;
  };

  /// The cells of one direction that may lie within `reach` of a point.
  STRUT_HOST_DEVICE static Run
  cells_around(const Place &point, const std::int32_t reach, const std::int32_t n)
  {
    return {point.cell > reach ? point.cell - reach : 0,
            point.cell + reach < n ? point.cell + reach : n - 1};
  }

  /// The squared distance of a point from a cell in one direction, in cells, rounded down.
  STRUT_HOST_DEVICE static float squared_distance(const Place &point, const std::int32_t cell)
  {
    const auto offset    = static_cast<float>(cell - point.cell);
    const float distance = offset > 0.f ? offset - point.within : point.within - offset - 1.f;
    const float least    = distance - rounding;
    return least > 0.f ? least * least : 0.f;
  }

  /// The cells of a row along x that a ball around a point touches, with up to one extra cell at
  /// either end.
  ///
  /// @param half_squared  squared half length of the ball's section with the row, in cells
  STRUT_HOST_DEVICE static Run
  cells_in_ball(const Place &point, const float half_squared, const std::int32_t n)
  {
    if (half_squared <= 0.f)
      return {0, -1};
    const float half         = sqrtf(half_squared) + rounding;
    const std::int32_t first = point.cell + static_cast<std::int32_t>(floorf(point.within - half));
    const std::int32_t last  = point.cell + static_cast<std::int32_t>(floorf(point.within + half));
    return {first > 0 ? first : 0, last < n ? last : n - 1};
  }

  /// Sorts `n_points` points given as `[3][n_points]`, and their images within the radius of the
  /// points' bounding box.
  ///
  /// A rank only needs images of its own points: all points are on one side of a plane. So a point
  /// is at least as near to another one as its image is.
  static CellGrid build(const std::vector<double> &points,
                        std::size_t n_points,
                        double radius,
                        const std::vector<SymmetryPlane> &planes = {});
};

/// Points on a regular lattice, such as the centres of equal boxes. The places that a ball touches,
/// and their weights, are then the same for all points.
struct PointLattice
{
  double radius = 0; ///< search radius, length units of the mesh

  /// Distances between places per direction. Directions of the mesh are reordered: the one with the
  /// most places first, the one with the second most last.
  std::array<double, 3> spacing{};
  std::array<std::int32_t, 3> n{{1, 1, 1}}; ///< places per direction

  /// `[n2][n1][n0]`: the point at a place as in CellGrid::points, or `nothing`.
  std::vector<std::uint32_t> points;
  static constexpr std::uint32_t nothing = ~std::uint32_t(0);

  /// Finds the lattice of points and their images, given as in CellGrid::build(). Returns nothing
  /// if the points are no lattice, or if less than half of its places are taken.
  static std::optional<PointLattice> find(const std::vector<double> &points,
                                          std::size_t n_points,
                                          double radius,
                                          const std::vector<SymmetryPlane> &planes = {});
};

/// Sums with the cone weights `w_ei = max(0, radius - |x_e - x_i|)`, for the first n_targets points
/// of a grid or lattice, over all its points. They run in the order of the points, so they are the
/// same bits in every run.
///
/// On a grid the weights of a point are summed along with its values. The sums of weights never
/// change, but storing 8 bytes per point costs more than the additions. On a lattice the sums of
/// weights are kept: in a table of the distances to the faces where each place has a point, else
/// for each target.
class NeighbourhoodSum
{
public:
  virtual ~NeighbourhoodSum() = default;

  /// Computes `out_e = sum_i w_ei in_i / sum_i w_ei`.
  ///
  /// @param in  `[n_points]`, without images
  /// @param out  `[n_targets]`; may be `in`
  /// @param work  `[n_targets]`, scratch, neither `in` nor `out`; null: none. If it is large enough
  ///   for its values, the sum keeps no memory for them
  virtual void
  mean(const Array<double> &in, Array<double> &out, Array<double> *work = nullptr) const = 0;

  /// Computes `out_e = sum_i w_ei in_i`.
  ///
  /// @param in  `[n_points]`, without images
  /// @param out  `[n_targets]`; may be `in`
  virtual void sum(const Array<double> &in, Array<double> &out) const = 0;
};
} // namespace strut
