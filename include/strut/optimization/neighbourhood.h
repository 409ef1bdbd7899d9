// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/array.h>
#include <strut/base/host_device.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace strut
{
/// Points sorted into the cells of a regular grid, so that all points within a radius of another are
/// found in a few contiguous runs. Built on the host, once; searched on the backend.
///
/// Cell (i, j, k) has the number `i + n[0] (j + n[1] k)` and holds the sorted points
/// `[cell_begin[cell], cell_begin[cell + 1])`; a row of cells along x is one contiguous run.
struct CellGrid
{
  double radius    = 0;                     ///< of the search, length units of the mesh
  double cell_size = 0;                     ///< edge length of a cell
  std::array<double, 3> origin{};           ///< lower corner of cell (0, 0, 0)
  std::array<std::int32_t, 3> n{{1, 1, 1}}; ///< number of cells per direction
  int reach = 1;                            ///< cells to look at on either side

  std::vector<std::uint32_t> cell_begin; ///< `[n0 n1 n2 + 1]`
  std::vector<double> coordinates;       ///< `[3][n_points]`, in sorted order
  std::vector<std::uint32_t> points;     ///< sorted position -> point; stable within a cell

  /// Number, in direction d, of the grid cell that holds a point of the grid with this coordinate.
  std::int32_t cell_of(const double coordinate, const int d) const
  {
    return cell_number(coordinate, origin[d], cell_size, n[d]);
  }

  /// The same from plain numbers, for a kernel.
  STRUT_HOST_DEVICE static std::int32_t cell_number(const double coordinate,
                                                    const double origin,
                                                    const double cell_size,
                                                    const std::int32_t n)
  {
    const auto cell = static_cast<std::int32_t>((coordinate - origin) / cell_size);
    return cell < 0 ? 0 : cell >= n ? n - 1 : cell;
  }

  /// How far a coordinate is from a cell, in one direction, at least: 0 inside; a little less than the
  /// truth, for points that rounding put into the next cell.
  STRUT_HOST_DEVICE static double distance_to_cell(const double coordinate,
                                                   const double origin,
                                                   const double cell_size,
                                                   const std::int32_t cell)
  {
    const double below    = origin + cell * cell_size - coordinate;
    const double distance = (below > -below - cell_size ? below : -below - cell_size);
    const double least    = distance - 1e-9 * cell_size;
    return least > 0. ? least : 0.;
  }

  /// Sort `n_points` points given as `[3][n_points]`.
  static CellGrid build(const std::vector<double> &points, std::size_t n_points, double radius);
};

/// `out_e = sum_i w_ei in_i` with the cone weights `w_ei = max(0, radius - |x_e - x_i|)`, for the first
/// n_targets points of a grid; the sum is over all its points, in the order of the grid, so it is the
/// same bits in every run.
class NeighbourhoodSum
{
public:
  virtual ~NeighbourhoodSum() = default;

  /// @param in  `[n_points]` @param out  `[n_targets]`
  virtual void apply(const Array<double> &in, Array<double> &out) const = 0;
};
} // namespace strut
