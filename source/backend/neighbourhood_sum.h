// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/neighbourhood.h>

namespace strut::cpu
{
/// NeighbourhoodSum with threads of the host: each target walks the rows of grid cells around it.
class CpuNeighbourhoodSum : public NeighbourhoodSum
{
public:
  CpuNeighbourhoodSum(const CellGrid &grid, std::size_t n_targets, int n_threads);

  void mean(const Array<double> &in, Array<double> &out) const override;
  void sum(const Array<double> &in, Array<double> &out) const override;

private:
  /// @param finish  (sum, weights) -> what goes out
  template <typename Finish>
  void walk(const Array<double> &in, Array<double> &out, const Finish &finish) const;

  CellGrid grid_;
  std::size_t n_targets_;
  int n_threads_;
};
} // namespace strut::cpu
