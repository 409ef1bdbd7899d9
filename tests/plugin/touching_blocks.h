// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "tests/plugin/problem_fixture.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace strut::test
{
/// A block of hexahedra with separate nodes.
struct Block
{
  std::array<double, 3> corner, size;
  std::array<unsigned int, 3> n;
};

/// A deck with a mesh file of blocks. The faces at the ends of each axis have the boundary ids 1 to
/// 6: x = xmin, x = xmax, y = ymin and so on. The k-th block has the material id k.
/// @param entries  entries of the subsection File
/// @param is_joined  whether a node of a block is shared with all other blocks there
inline std::string
blocks_deck(const std::vector<Block> &blocks,
            const std::string &entries,
            const std::function<bool(std::size_t, const std::array<double, 3> &)> &is_joined = {})
{
  constexpr double far = std::numeric_limits<double>::max();
  std::array<double, 3> lower{{far, far, far}}, upper{{-far, -far, -far}};
  for (const Block &block : blocks)
    for (unsigned int d = 0; d < 3; ++d)
      {
        lower[d] = std::min(lower[d], block.corner[d]);
        upper[d] = std::max(upper[d], block.corner[d] + block.size[d]);
      }
  std::ostringstream nodes, cells;
  nodes.precision(17);
  std::size_t n_nodes = 0, n_cells = 0;
  std::map<std::array<double, 3>, std::size_t> joined;
  for (std::size_t b = 0; b < blocks.size(); ++b)
    {
      const Block &block = blocks[b];
      const auto &n      = block.n;
      std::vector<std::size_t> numbers;
      std::vector<std::array<double, 3>> points;
      for (unsigned int k = 0; k <= n[2]; ++k)
        for (unsigned int j = 0; j <= n[1]; ++j)
          for (unsigned int i = 0; i <= n[0]; ++i)
            {
              const std::array<unsigned int, 3> at{{i, j, k}};
              std::array<double, 3> point{};
              for (unsigned int d = 0; d < 3; ++d)
                point[d] = block.corner[d] + block.size[d] * at[d] / n[d];
              std::size_t number = n_nodes + 1;
              if (is_joined && is_joined(b, point))
                number = joined.emplace(point, number).first->second;
              if (number > n_nodes)
                nodes << ++n_nodes << ' ' << point[0] << ' ' << point[1] << ' ' << point[2] << '\n';
              numbers.push_back(number);
              points.push_back(point);
            }
      const auto index = [&](const unsigned int i, const unsigned int j, const unsigned int k) {
        return (k * (n[1] + 1) + j) * (n[0] + 1) + i;
      };
      for (unsigned int k = 0; k < n[2]; ++k)
        for (unsigned int j = 0; j < n[1]; ++j)
          for (unsigned int i = 0; i < n[0]; ++i)
            {
              const std::array<std::size_t, 8> v{{index(i, j, k),
                                                  index(i + 1, j, k),
                                                  index(i + 1, j + 1, k),
                                                  index(i, j + 1, k),
                                                  index(i, j, k + 1),
                                                  index(i + 1, j, k + 1),
                                                  index(i + 1, j + 1, k + 1),
                                                  index(i, j + 1, k + 1)}};
              cells << ++n_cells << " 5 2 " << b + 1 << ' ' << b + 1;
              for (const std::size_t at : v)
                cells << ' ' << numbers[at];
              cells << '\n';
              constexpr unsigned int faces[6][4] = {
                {0, 3, 7, 4}, {1, 2, 6, 5}, {0, 1, 5, 4}, {3, 2, 6, 7}, {0, 1, 2, 3}, {4, 5, 6, 7}};
              for (unsigned int f = 0; f < 6; ++f)
                {
                  const double end = f % 2 == 0 ? lower[f / 2] : upper[f / 2];
                  if (std::any_of(faces[f], faces[f] + 4, [&](const unsigned int a) {
                        return std::abs(points[v[a]][f / 2] - end) > 1e-9;
                      }))
                    continue;
                  cells << ++n_cells << " 3 2 " << f + 1 << ' ' << f + 1;
                  for (const unsigned int a : faces[f])
                    cells << ' ' << numbers[v[a]];
                  cells << '\n';
                }
            }
    }
  std::ofstream("blocks.msh") << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n"
                              << n_nodes << '\n'
                              << nodes.str() << "$EndNodes\n$Elements\n"
                              << n_cells << '\n'
                              << cells.str() << "$EndElements\n";
  return file_deck("blocks.msh", entries);
}

inline const std::string clamp = section("Supports / wall", "set Boundary ids = 1");

/// Deck's section for a force at the end of the second block.
inline const std::string end_load = load("set Boundary ids = 2", "total force", "0, 0, -1");

inline const std::string merge_nodes = "set Merge nodes = true\n";
inline const std::string tie         = "set Tie touching faces = true\n";

/// A block of the edges 2, and one behind it with n x n faces where they touch.
inline const Block left{{{0, 0, 0}}, {{2, 2, 2}}, {{1, 2, 2}}};
inline Block behind(const double gap, const unsigned int n = 2)
{
  return {{{2. + gap, 0, 0}}, {{2, 2, 2}}, {{1, n, n}}};
}

/// Supports at both ends of two blocks, and a force on the first one.
inline const std::string held_at_both_ends =
  section("Supports / walls", "set Boundary ids = 1, 2") +
  load("set Material ids = 1", "body force", "0, 0, -1");
} // namespace strut::test
