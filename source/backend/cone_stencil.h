// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/neighbourhood.h>
#include <strut/base/host_device.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace strut
{
/// The cone weights `max(0, radius - |offset|)` of the places of a lattice around one of them, in columns along z.
struct ConeStencil
{
  std::array<int, 3>
    reach; ///< the farthest places with a weight, and with a point, in each direction

  /// Of the column at (|i|, |j|), `[reach[1] + 1][reach[0] + 1]`: the farthest k with a weight, or -1.
  std::vector<int> half_lengths;

  /// `[reach[1] + 1][reach[0] + 1][stride]`, that of offset (i, j, k) in its column at `middle + k`; zeros at the ends.
  std::vector<double> weights;
  int middle, stride;

  /// @param n_zeros  beyond the reach along z, on either side
  ConeStencil(const PointLattice &lattice, const int n_zeros)
  {
    for (std::size_t d = 0; d < 3; ++d)
      reach[d] = static_cast<int>(
        std::min(std::ceil(lattice.radius / lattice.spacing[d]), double(lattice.n[d] - 1)));
    middle = reach[2] + n_zeros;
    stride = 2 * middle + 1;
    for (int j = 0; j <= reach[1]; ++j)
      for (int i = 0; i <= reach[0]; ++i)
        {
          std::vector<double> column(static_cast<std::size_t>(stride), 0.);
          int half_length = -1;
          for (int k = 0; k <= reach[2]; ++k)
            {
              const double distance =
                std::hypot(i * lattice.spacing[0], j * lattice.spacing[1], k * lattice.spacing[2]);
              if (!(distance < lattice.radius))
                break;
              half_length = k;
              column[static_cast<std::size_t>(middle + k)] =
                column[static_cast<std::size_t>(middle - k)] = lattice.radius - distance;
            }
          half_lengths.push_back(half_length);
          weights.insert(weights.end(), column.begin(), column.end());
        }
  }

  /// The sum of all weights at a place of a lattice with a point at each place depends on the distances to its faces alone, up to
  /// the reach: it is that at the clipped place of a lattice with clipped_size() places in each direction. Along one of them:
  STRUT_HOST_DEVICE static int clipped_size(const int n, const int reach)
  {
    return n < 2 * reach + 1 ? n : 2 * reach + 1;
  }
  STRUT_HOST_DEVICE static int clipped_place(const int i, const int n, const int reach)
  {
    const int from_end = i - (n - clipped_size(n, reach));
    return i <= reach ? i : from_end > reach ? from_end : reach;
  }

  std::size_t column(const int i, const int j) const
  {
    return static_cast<std::size_t>(std::abs(j)) * static_cast<std::size_t>(reach[0] + 1) +
           static_cast<std::size_t>(std::abs(i));
  }
};
} // namespace strut
