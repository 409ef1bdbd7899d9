// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/mesh/cuthill_mckee.h"

#include <algorithm>
#include <numeric>

namespace strut
{
namespace
{
using Node  = std::uint32_t;
using Edges = std::vector<std::pair<Node, Node>>;

/// The neighbours of each node, those with few neighbours first.
struct Graph
{
  Graph(const std::size_t n, const Edges &edges) : begin(n + 1, 0)
  {
    for (const auto &[a, b] : edges)
      if (a != b)
        ++begin[a + 1], ++begin[b + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    neighbours.resize(begin[n]);
    std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
    for (const auto &[a, b] : edges)
      if (a != b)
        neighbours[next[a]++] = b, neighbours[next[b]++] = a;
    for (std::size_t i = 0; i < n; ++i)
      std::sort(&neighbours[0] + begin[i],
                &neighbours[0] + begin[i + 1],
                [&](const Node a, const Node b) {
                  return std::make_pair(degree(a), a) < std::make_pair(degree(b), b);
                });
  }

  std::size_t degree(const Node i) const
  {
    return begin[i + 1] - begin[i];
  }

  std::vector<std::size_t> begin; ///< `[n + 1]`
  std::vector<Node> neighbours;
};

/// The nodes at distance 0, 1, ... from a root, and the begin of each distance.
struct Levels
{
  std::vector<Node> nodes;
  std::vector<std::size_t> begin; ///< one entry more than there are levels
};

/// @param mark  marks visited nodes; must differ from all earlier marks
Levels
levels_from(const Graph &graph, const Node root, std::vector<std::size_t> &marks, std::size_t mark)
{
  Levels levels;
  levels.nodes = {root};
  levels.begin = {0};
  marks[root]  = mark;
  while (levels.begin.back() < levels.nodes.size())
    {
      const std::size_t end = levels.nodes.size();
      for (std::size_t at = levels.begin.back(); at < end; ++at)
        for (std::size_t k = graph.begin[levels.nodes[at]]; k < graph.begin[levels.nodes[at] + 1];
             ++k)
          if (marks[graph.neighbours[k]] != mark)
            {
              marks[graph.neighbours[k]] = mark;
              levels.nodes.push_back(graph.neighbours[k]);
            }
      levels.begin.push_back(end);
    }
  return levels;
}
} // namespace

std::vector<Node> reverse_cuthill_mckee(const std::size_t n, const Edges &edges)
{
  const Graph graph(n, edges);
  std::vector<Node> order;
  order.reserve(n);
  std::vector<std::size_t> marks(n, 0);
  std::vector<bool> placed(n, false);
  std::size_t mark = 0;
  for (std::size_t first = 0; first < n; ++first)
    {
      if (placed[first])
        continue;
      // Move to the far end as long as the distance grows.
      Levels levels = levels_from(graph, static_cast<Node>(first), marks, ++mark);
      while (true)
        {
          const auto last = levels.nodes.begin() +
                            static_cast<std::ptrdiff_t>(levels.begin[levels.begin.size() - 2]);
          const Node end =
            *std::min_element(last, levels.nodes.end(), [&](const Node a, const Node b) {
              return graph.degree(a) < graph.degree(b);
            });
          Levels from_end    = levels_from(graph, end, marks, ++mark);
          const bool farther = from_end.begin.size() > levels.begin.size();
          levels             = std::move(from_end);
          if (!farther)
            break;
        }
      for (const Node node : levels.nodes)
        placed[node] = true;
      order.insert(order.end(), levels.nodes.begin(), levels.nodes.end());
    }
  std::reverse(order.begin(), order.end());
  return order;
}
} // namespace strut
