// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/backend/neighbourhood.h"

#include <strut/base/host_device.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace strut
{
/// The cone weights `max(0, radius - |offset|)` of lattice places around a given place, in columns
/// along z.
struct ConeStencil
{
  /// Distance in places to the farthest one with a weight, limited to the lattice, per direction.
  std::array<int, 3> reach;

  /// The farthest k with a weight in the column at (|i|, |j|), or -1,
  /// `[reach[1] + 1][reach[0] + 1]`.
  std::vector<int> half_lengths;

  /// Weights, `[reach[1] + 1][reach[0] + 1][stride]`. The one of offset (i, j, k) is in its column
  /// at `middle + k`; columns end with zeros.
  std::vector<double> weights;
  int middle, stride;

  /// @param n_zeros  zeros beyond the reach along z, on either side
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

  /// Number of places per direction of the table of sums of weights. On a full lattice the sum of
  /// all weights at a place depends only on its distances to the faces, up to the reach. So it is
  /// the sum at the clipped place of a smaller lattice.
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
