// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/backend/backend_parts.h"
#include "source/backend/cone_stencil.h"
#include "source/base/parallel_loop.h"

#include <algorithm>
#include <vector>

namespace strut::cpu
{
namespace
{
/// NeighbourhoodSum of a lattice with threads of the host. It works by rows along x: each is the
/// weighted sum of the rows around it.
class CpuLatticeSum : public NeighbourhoodSum
{
public:
  CpuLatticeSum(const PointLattice &lattice, const std::size_t n_targets, const int n_threads)
    : lattice_(lattice)
    , stencil_(lattice, 0)
    , n_targets_(n_targets)
    , n_threads_(n_threads)
    , values_(lattice.points.size())
  {
    for (std::size_t place = 0; place < values_.size(); ++place)
      values_[place] = lattice_.points[place] == PointLattice::nothing ? 0. : 1.;
    weights_.resize(n_targets);
    walk([&](const std::uint32_t point, const double sum) { weights_[point] = sum; });
  }

  void mean(const Array<double> &in, Array<double> &out, Array<double> *) const override
  {
    take(in);
    double *const result = out.data();
    walk(
      [&](const std::uint32_t point, const double sum) { result[point] = sum / weights_[point]; });
  }

  void sum(const Array<double> &in, Array<double> &out) const override
  {
    take(in);
    double *const result = out.data();
    walk([&](const std::uint32_t point, const double sum) { result[point] = sum; });
  }

private:
  void take(const Array<double> &in) const
  {
    const double *const from = in.data();
    parallel_for(n_threads_, values_.size(), [&](const std::size_t place) {
      const std::uint32_t point = lattice_.points[place];
      if (point != PointLattice::nothing)
        values_[place] = from[CellGrid::value_index(point)];
    });
  }

  /// Calls finish(point, sum) for all targets.
  template <typename Finish>
  void walk(const Finish &finish) const
  {
    const std::int32_t n0 = lattice_.n[0], n1 = lattice_.n[1], n2 = lattice_.n[2];
    const auto n_rows = static_cast<std::size_t>(n1) * static_cast<std::size_t>(n2);
    parallel_blocks(n_threads_, n_rows, 4, [&](const std::size_t begin, const std::size_t end) {
      std::vector<double> sums(static_cast<std::size_t>(n0));
      for (std::size_t row = begin; row < end; ++row)
        {
          const auto j = static_cast<int>(row % static_cast<std::size_t>(n1)),
                     k = static_cast<int>(row / static_cast<std::size_t>(n1));
          std::fill(sums.begin(), sums.end(), 0.);
          for (int dj = std::max(-stencil_.reach[1], -j);
               dj <= std::min(stencil_.reach[1], n1 - 1 - j);
               ++dj)
            for (int di = -stencil_.reach[0]; di <= stencil_.reach[0]; ++di)
              {
                const std::size_t column = stencil_.column(di, dj);
                const int half_length    = stencil_.half_lengths[column];
                const double *const weights =
                  stencil_.weights.data() + column * static_cast<std::size_t>(stencil_.stride);
                for (int dk = std::max(-half_length, -k); dk <= std::min(half_length, n2 - 1 - k);
                     ++dk)
                  {
                    const double weight = weights[stencil_.middle + dk];
                    const double *const from =
                      values_.data() +
                      static_cast<std::ptrdiff_t>(n0) *
                        (j + dj + static_cast<std::ptrdiff_t>(n1) * (k + dk)) +
                      di;
                    double *const to = sums.data();
                    const int last   = std::min(n0, n0 - di);
#pragma omp simd
                    for (int i = std::max(0, -di); i < last; ++i)
                      to[i] += weight * from[i];
                  }
              }
          const std::uint32_t *const points =
            lattice_.points.data() + static_cast<std::size_t>(n0) * row;
          for (std::int32_t i = 0; i < n0; ++i)
            if (points[i] < n_targets_)
              finish(points[i], sums[static_cast<std::size_t>(i)]);
        }
    });
  }

  const PointLattice lattice_;
  const ConeStencil stencil_;
  const std::size_t n_targets_;
  const int n_threads_;
  mutable std::vector<double> values_; ///< `[n2][n1][n0]`, 0 where there is no point
  std::vector<double> weights_;        ///< sums of the weights, `[n_targets]`
};
} // namespace

std::unique_ptr<NeighbourhoodSum>
make_lattice_sum(const PointLattice &lattice, const std::size_t n_targets, const int n_threads)
{
  return std::make_unique<CpuLatticeSum>(lattice, n_targets, n_threads);
}
} // namespace strut::cpu
