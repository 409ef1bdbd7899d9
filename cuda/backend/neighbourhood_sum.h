// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "../base/context.h"

#include <strut/backend/neighbourhood.h>
#include <strut/base/array.h>

namespace strut::cuda
{
/// NeighbourhoodSum on one device: one thread per target walks the rows of grid cells around it.
class CudaNeighbourhoodSum : public NeighbourhoodSum
{
public:
  CudaNeighbourhoodSum(const Context &context,
                       Memory &memory,
                       const CellGrid &grid,
                       std::size_t n_targets);

  void mean(const Array<double> &in, Array<double> &out) const override;
  void sum(const Array<double> &in, Array<double> &out) const override;

  /// Both of them; public, since nvcc allows no device lambda in a private member.
  template <bool normalised>
  void walk(const Array<double> &in, Array<double> &out) const;

private:
  const Context &context_;
  std::size_t n_targets_;

  double radius_;
  double cell_size_;
  double origin_[3];
  std::int32_t n_cells_[3];
  int reach_;
  float radius_in_cells_squared_;
  Array<std::uint32_t> cell_begin_;
  Array<double> coordinates_;
  Array<std::uint32_t> points_;
  mutable Array<double> sorted_; ///< the summands in the order of the grid
};
} // namespace strut::cuda
