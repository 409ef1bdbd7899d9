// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include "source/base/parallel_loop.h"

namespace strut
{
/// Lower corner, upper corner; lower > upper if there are no points.
using Box = std::array<double, 6>;

/// The bounding box of points.
///
/// @param points  `[3][n]`
inline Box bounding_box(const std::vector<double> &points, const std::size_t n)
{
  const auto of_range = [&](const std::size_t begin, const std::size_t end) {
    Box box;
    for (std::size_t d = 0; d < 3; ++d)
      {
        box[d]     = std::numeric_limits<double>::max();
        box[3 + d] = std::numeric_limits<double>::lowest();
        for (std::size_t p = begin; p < end; ++p)
          {
            box[d]     = std::min(box[d], points[d * n + p]);
            box[3 + d] = std::max(box[3 + d], points[d * n + p]);
          }
      }
    return box;
  };
  Box box = of_range(0, 0);
  for (const Box &of_block : cpu::values_of_blocks(cpu::default_n_threads(), n, of_range))
    for (std::size_t d = 0; d < 3; ++d)
      {
        box[d]     = std::min(box[d], of_block[d]);
        box[3 + d] = std::max(box[3 + d], of_block[3 + d]);
      }
  return box;
}

/// The bounding box of the points of all ranks. Collective.
inline Box bounding_box(const Communicator &communicator,
                        const std::vector<double> &points,
                        const std::size_t n)
{
  Box box = bounding_box(points, n);
  for (std::size_t d = 0; d < 3; ++d)
    {
      box[d]     = communicator.min(box[d]);
      box[3 + d] = communicator.max(box[3 + d]);
    }
  return box;
}

inline double longest_edge(const Box &box)
{
  return std::max({box[3] - box[0], box[4] - box[1], box[5] - box[2]});
}

inline std::array<double, 3> middle_of(const Box &box)
{
  return {{0.5 * (box[0] + box[3]), 0.5 * (box[1] + box[4]), 0.5 * (box[2] + box[5])}};
}
} // namespace strut
