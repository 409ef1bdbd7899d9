// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/mesh/directed_displacements.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace strut
{
std::optional<NodeDisplacements>
displacements_along(const std::vector<DirectedDisplacement> &prescribed)
{
  constexpr double rounding                = 1e-5;
  std::vector<DirectedDisplacement> others = prescribed; // rows without a component of their own
  std::array<DirectedDisplacement, 3> rows{};            // those with one
  std::array<bool, 3> is_free{{true, true, true}};
  double largest = 0.;
  for (const DirectedDisplacement &one : prescribed)
    largest = std::max(largest, std::abs(one.value));
  const auto subtract =
    [](DirectedDisplacement &from, const DirectedDisplacement &row, const std::size_t c) {
      const double part = from.direction[c];
      for (std::size_t d = 0; d < 3; ++d)
        from.direction[d] -= part * row.direction[d];
      from.direction[c] = 0.;
      from.value -= part * row.value;
    };
  while (!others.empty())
    {
      std::size_t last = 0, c = 0;
      for (std::size_t k = 0; k < others.size(); ++k)
        for (std::size_t d = 0; d < 3; ++d)
          if (std::abs(others[k].direction[d]) > std::abs(others[last].direction[c]))
            {
              last = k;
              c    = d;
            }
      DirectedDisplacement row = others[last];
      const double pivot       = row.direction[c];
      if (std::abs(pivot) <= rounding)
        break;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(last));
      for (double &part : row.direction)
        part /= pivot;
      row.value /= pivot;
      for (DirectedDisplacement &other : others)
        subtract(other, row, c);
      for (std::size_t d = 0; d < 3; ++d)
        if (!is_free[d])
          subtract(rows[d], row, c);
      rows[c]    = row;
      is_free[c] = false;
    }
  for (const DirectedDisplacement &other : others)
    if (std::abs(other.value) > 10. * rounding * largest)
      return std::nullopt;

  NodeDisplacements result;
  result.is_free = is_free;
  for (std::size_t c = 0; c < 3; ++c)
    if (!is_free[c])
      {
        result.values[c] = rows[c].value;
        for (std::size_t d = 0; d < 3; ++d)
          if (is_free[d] && std::abs(rows[c].direction[d]) > 1e-12)
            result.weights[c][d] = -rows[c].direction[d];
      }
  return result;
}

std::vector<std::array<std::array<double, 3>, 3>>
forces_along(const std::vector<DirectedDisplacement> &prescribed)
{
  constexpr double rounding = 1e-5;
  Eigen::MatrixXd directions(3, static_cast<Eigen::Index>(prescribed.size()));
  for (std::size_t k = 0; k < prescribed.size(); ++k)
    for (std::size_t d = 0; d < 3; ++d)
      directions(static_cast<Eigen::Index>(d), static_cast<Eigen::Index>(k)) =
        prescribed[k].direction[d];
  // The smallest parts whose sum is the force.
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition(directions.rows(),
                                                                        directions.cols());
  decomposition.setThreshold(rounding);
  const Eigen::MatrixXd parts = decomposition.compute(directions).pseudoInverse();
  std::vector<std::array<std::array<double, 3>, 3>> result(prescribed.size());
  for (std::size_t k = 0; k < prescribed.size(); ++k)
    for (std::size_t c = 0; c < 3; ++c)
      for (std::size_t d = 0; d < 3; ++d)
        result[k][c][d] = prescribed[k].direction[c] *
                          parts(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(d));
  return result;
}
} // namespace strut
