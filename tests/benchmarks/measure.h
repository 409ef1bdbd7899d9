// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

// The common part of the benchmarks: times and their spread, the copy bandwidth, and meshes with
// the plugin's numbering.

#include "../fixtures/box_mesh.h"
#include "source/base/measure.h"
#include "source/mesh/element_centres.h"
#include "source/mesh/ordering.h"

#include <strut/backend/backend.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace strut::test
{
/// Seconds of warm-up before the first call that counts; there is at least one call.
constexpr double warm_up = 0.02;
/// Time limit in seconds for a batch, unless one call takes more.
constexpr double batch_time = 0.1;
constexpr int n_batches     = 15; ///< the result is the median of these
/// Number of calls in a batch, if there is time.
constexpr int n_in_batch        = 50;
constexpr std::size_t copy_size = std::size_t(1) << 27; ///< numbers of 8 bytes that are copied

/// Measures calls of `work`, which may return before it is done.
inline Spread measure(const Backend &backend, const std::function<void()> &work)
{
  const WallClock all;
  int n = 0;
  do
    {
      work();
      backend.synchronize();
      ++n;
  } while (all.seconds() < warm_up);
  n = std::max(1, static_cast<int>(std::min<double>(n_in_batch, n * batch_time / all.seconds())));

  std::vector<double> seconds;
  for (int batch = 0; batch < n_batches; ++batch)
    {
      const WallClock clock;
      for (int i = 0; i < n; ++i)
        work();
      backend.synchronize();
      seconds.push_back(clock.seconds() / n);
    }
  return spread_of(seconds);
}

/// Bytes read and written per second.
inline double copy_bandwidth(Backend &backend)
{
  const Array<double> from(backend.memory(), random_vector<double>(copy_size, 1));
  Array<double> to(backend.memory(), copy_size);
  const Spread time = measure(backend, [&]() { to.copy_from(from); });
  return 2. * copy_size * sizeof(double) / time.median;
}

/// Reorders the elements, and numbers the nodes in the order of their first occurrence.
/// @param nodes  nodes of the elements, `[nodes per element][n_elements]`, which are overwritten
/// @return the new numbers
inline std::vector<LocalIndex> renumber(const std::vector<std::uint32_t> &order,
                                        const std::size_t n_nodes,
                                        std::vector<LocalIndex> &nodes)
{
  constexpr LocalIndex not_seen = ~LocalIndex(0);
  const std::size_t n_elements  = order.size();
  const auto before             = nodes;
  std::vector<LocalIndex> new_number(n_nodes, not_seen);
  LocalIndex next = 0;
  for (std::size_t e = 0; e < n_elements; ++e)
    for (std::size_t first = 0; first < nodes.size(); first += n_elements)
      {
        LocalIndex &node = new_number[before[first + order[e]]];
        if (node == not_seen)
          node = next++;
        nodes[first + e] = node;
      }
  return new_number;
}

/// Sorts elements along the curve and nodes by first occurrence, as the plugin does. It keeps
/// connectivity, places and supports, but no volumes.
inline ElementMesh sorted(const ElementMesh &mesh)
{
  const auto order      = hilbert_order(element_centres(mesh), mesh.n_elements);
  ElementMesh result    = mesh;
  const auto new_number = renumber(order, mesh.n_nodes, result.connectivity);
  for (std::size_t d = 0; d < 3; ++d)
    for (std::size_t node = 0; node < mesh.n_nodes; ++node)
      result.coordinates[d * mesh.n_nodes + new_number[node]] =
        mesh.coordinates[d * mesh.n_nodes + node];
  for (LocalIndex &dof : result.constrained_dofs)
    dof = 3 * new_number[dof / 3] + dof % 3;
  return result;
}

/// Adds the option --n, as in --n=100 or --n=128,128,64.
inline void add_size(CLI::App &parser, std::array<std::size_t, 3> &n)
{
  const auto set = [&n](const std::vector<std::size_t> &given) {
    if (given.size() == 2 || *std::min_element(given.begin(), given.end()) == 0)
      throw CLI::ValidationError("--n", "takes one positive number, or three");
    for (std::size_t d = 0; d < 3; ++d)
      n[d] = given[given.size() == 1 ? 0 : d];
  };
  parser
    .add_option_function<std::vector<std::size_t>>("--n", set, "elements per direction: N or X,Y,Z")
    ->delimiter(',')
    ->expected(1, 3);
}

/// Parses the options. Ends the program after an error, with exit code 1, or after --help.
inline void take_options(CLI::App &parser, const int argc, char **argv)
{
  try
    {
      parser.parse(argc, argv);
    }
  catch (const CLI::ParseError &error)
    {
      std::exit(parser.exit(error) == 0 ? 0 : 1);
    }
}

/// Runs main_of(), and prints an exception as one line.
template <typename Main>
int run_main(const Main &main_of)
{
  try
    {
      return main_of();
    }
  catch (const std::exception &error)
    {
      std::fprintf(stderr, "%s\n", error.what());
      return 1;
    }
}
} // namespace strut::test
