// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/coarse/aggregation.h"
#include "source/base/parallel_loop.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>

namespace strut
{
Aggregates aggregate(const BlockPattern &graph, const std::vector<bool> &left_out)
{
  constexpr std::uint32_t none = Aggregates::none;
  Aggregates result;
  result.of_node.assign(graph.n_rows, none);
  const auto n_nodes            = static_cast<std::uint32_t>(graph.n_rows);
  const auto for_each_neighbour = [&](const std::uint32_t node, const auto &body) {
    for (std::uint32_t k = graph.begin[node]; k < graph.begin[node + 1]; ++k)
      if (!left_out[graph.columns[k]])
        body(graph.columns[k]);
  };
  const auto take = [&](const std::uint32_t node) {
    const auto number = static_cast<std::uint32_t>(result.n++);
    for_each_neighbour(node, [&](const std::uint32_t neighbour) {
      if (result.of_node[neighbour] == none)
        result.of_node[neighbour] = number;
    });
    result.of_node[node] = number;
  };

  // (1) A node whose neighbours are all free makes an aggregate with them.
  for (std::uint32_t node = 0; node < n_nodes; ++node)
    {
      bool all_free = !left_out[node] && result.of_node[node] == none;
      for_each_neighbour(node, [&](const std::uint32_t neighbour) {
        all_free = all_free && result.of_node[neighbour] == none;
      });
      if (all_free)
        take(node);
    }

  // (2) Each other node joins the aggregate that most of its neighbours are in.
  std::vector<std::uint32_t> joined = result.of_node;
  std::vector<std::uint32_t> around;
  for (std::uint32_t node = 0; node < n_nodes; ++node)
    if (!left_out[node] && result.of_node[node] == none)
      {
        around.clear();
        for_each_neighbour(node, [&](const std::uint32_t neighbour) {
          if (result.of_node[neighbour] != none)
            around.push_back(result.of_node[neighbour]);
        });
        std::sort(around.begin(), around.end());
        std::ptrdiff_t most = 0;
        for (auto run = around.begin(); run != around.end();)
          {
            const auto end = std::upper_bound(run, around.end(), *run);
            if (end - run > most)
              {
                most         = end - run;
                joined[node] = *run;
              }
            run = end;
          }
      }
  result.of_node = joined;

  // (3) The remaining nodes make aggregates among themselves.
  for (std::uint32_t node = 0; node < n_nodes; ++node)
    if (!left_out[node] && result.of_node[node] == none)
      take(node);
  return result;
}

RigidModes rigid_modes(const std::vector<std::array<double, 3>> &points,
                       const std::vector<std::uint8_t> &constrained)
{
  std::array<double, 3> centre{};
  for (const auto &point : points)
    for (std::size_t d = 0; d < 3; ++d)
      centre[d] += point[d] / static_cast<double>(points.size());
  double size = 0.;
  for (const auto &point : points)
    for (std::size_t d = 0; d < 3; ++d)
      size = std::max(size, std::abs(point[d] - centre[d]));
  if (size == 0.)
    size = 1.;
  RigidModes modes(18 * points.size(), 0.);
  for (std::size_t node = 0; node < points.size(); ++node)
    for (std::size_t c = 0; c < 3; ++c)
      {
        if (constrained[3 * node + c] != 0)
          continue;
        double *const row = &modes[18 * node + 6 * c];
        const auto x = [&](const std::size_t d) { return (points[node][d] - centre[d]) / size; };
        const std::size_t next = (c + 1) % 3, last = (c + 2) % 3;
        row[c]        = 1.;
        row[3 + next] = x(last); // The rotation e_next x (x_last e_last) = x_last e_c.
        row[3 + last] = -x(next);
      }
  return modes;
}

TentativeProlongator tentative_prolongator(const int n_threads,
                                           const Aggregates &aggregates,
                                           const int B,
                                           const RigidModes &modes)
{
  constexpr double dependent = 1e-8; // Relative to the largest column.
  const auto block_size      = static_cast<std::size_t>(6 * B);
  TentativeProlongator result;
  result.blocks.assign(modes.size(), 0.);
  result.coarse_modes.assign(36 * aggregates.n, 0.);
  std::vector<std::vector<std::uint32_t>> nodes_of(aggregates.n);
  for (std::size_t node = 0; node < aggregates.of_node.size(); ++node)
    if (aggregates.of_node[node] != Aggregates::none)
      nodes_of[aggregates.of_node[node]].push_back(static_cast<std::uint32_t>(node));

  cpu::parallel_for_long(n_threads, aggregates.n, [&](const std::size_t a) {
    using Matrix      = Eigen::Matrix<double, Eigen::Dynamic, 6>;
    const auto &nodes = nodes_of[a];
    const auto n_rows = static_cast<Eigen::Index>(nodes.size()) * B;
    Matrix own        = Matrix::Zero(std::max<Eigen::Index>(n_rows, 6), 6);
    for (std::size_t k = 0; k < nodes.size(); ++k)
      for (int i = 0; i < B; ++i)
        for (int j = 0; j < 6; ++j)
          own(static_cast<Eigen::Index>(k) * B + i, j) = modes[block_size * nodes[k] + 6 * i + j];
    Eigen::ColPivHouseholderQR<Matrix> qr;
    qr.setThreshold(dependent);
    qr.compute(own);
    const Eigen::Index rank = qr.rank();
    const Matrix Q          = qr.householderQ() * Matrix::Identity(own.rows(), 6);
    for (std::size_t k = 0; k < nodes.size(); ++k)
      for (int i = 0; i < B; ++i)
        for (int j = 0; j < rank; ++j)
          result.blocks[block_size * nodes[k] + 6 * i + j] =
            Q(static_cast<Eigen::Index>(k) * B + i, j);
    const Eigen::Matrix<double, 6, 6> R = Q.transpose() * own;
    for (int i = 0; i < rank; ++i)
      for (int j = 0; j < 6; ++j)
        result.coarse_modes[36 * a + 6 * i + j] = R(i, j);
  });
  return result;
}
} // namespace strut
