// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/level_loops.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "source/base/parallel_loop.h"

namespace strut
{
namespace
{
/// iso_cell::loops() of each marking.
const std::array<std::uint64_t, 256> &table_of_loops()
{
  static const std::array<std::uint64_t, 256> table = [] {
    std::array<std::uint64_t, 256> loops{};
    for (std::size_t marking = 0; marking < loops.size(); ++marking)
      loops[marking] = iso_cell::loops(static_cast<int>(marking));
    return loops;
  }();
  return table;
}

/// The edges of a loop.
struct Loop
{
  std::array<int, iso_cell::n_edges> edges;
  std::size_t size = 0;
};
} // namespace

void require_numbers_of_surface(const std::uint64_t n)
{
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  if (n > most)
    throw Error("The vertices and triangles of a surface are numbered in 32 bits, up to " +
                  std::to_string(most) + " of each on a rank, and there are more.",
                Remedy::use_more_ranks);
}

LocalIndex SurfaceLoops::begin_of_edge(const std::size_t i, const int edge) const
{
  return nodes_[8 * i + static_cast<std::size_t>(iso_cell::edge_begin(edge))];
}

LocalIndex SurfaceLoops::end_of_edge(const std::size_t i, const int edge) const
{
  return nodes_[8 * i + static_cast<std::size_t>(iso_cell::edge_begin(edge) |
                                                 1 << iso_cell::edge_direction(edge))];
}

template <typename Visit>
void SurfaceLoops::for_each_loop(const std::size_t i, const Visit &visit) const
{
  const std::uint64_t next  = table_of_loops()[marking_[i]];
  const bool is_tetrahedron = nodes_[8 * i + 2] == nodes_[8 * i + 3];
  unsigned int seen         = 0;
  for (int begin = 0; begin < iso_cell::n_edges; ++begin)
    if (iso_cell::next_edge(next, begin) != 15 && (seen >> begin & 1) == 0)
      {
        Loop loop;
        int edge = begin;
        do
          {
            seen |= 1u << edge;
            // Edges 10 and 11 of a tetrahedron are one; they follow each other.
            const int one = is_tetrahedron && edge == 11 ? 10 : edge;
            if (loop.size == 0 || loop.edges[loop.size - 1] != one)
              loop.edges[loop.size++] = one;
            edge = iso_cell::next_edge(next, edge);
        } while (edge != begin);
        visit(begin, loop);
      }
}

SurfaceLoops::SurfaceLoops(const LevelOnMesh &level) : level_(level)
{
  // (1) Find the elements, their nodes, and the elements around these.
  const ElementMesh &mesh = level.mesh;
  const auto cut_of_block = [&](const std::size_t begin, const std::size_t end) {
    std::vector<LocalIndex> cut;
    for (std::size_t e = begin; e < end; ++e)
      if (mesh.flags[e] == DesignFlag::design)
        if (const int marking = level.marking(e); marking != 0 && marking != 255)
          cut.push_back(static_cast<LocalIndex>(e));
    return cut;
  };
  for (const auto &cut : cpu::values_of_blocks(level.n_threads, mesh.n_elements, cut_of_block))
    elements_.insert(elements_.end(), cut.begin(), cut.end());
  const std::size_t n = elements_.size();
  nodes_.resize(8 * n);
  marking_.resize(n);
  cpu::parallel_for(level.n_threads, n, [this](const std::size_t i) {
    marking_[i] = static_cast<std::uint8_t>(level_.marking(elements_[i]));
    for (int v = 0; v < 8; ++v)
      nodes_[8 * i + static_cast<std::size_t>(v)] = level_.node(elements_[i], v);
  });
  around_ = NodeToElement::build(mesh.n_nodes, nodes_, level.n_threads);

  // (2) Find the edges that each element owns, and count its vertices and triangles.
  owned_.resize(n);
  first_vertex_.assign(n + 1, 0);
  first_triangle_.assign(n + 1, 0);
  cpu::parallel_for(level.n_threads, n, [this](const std::size_t i) {
    unsigned int owned       = 0;
    std::uint32_t n_vertices = 0, n_triangles = 0;
    for_each_loop(i, [&](int, const Loop &loop) {
      ++n_vertices;
      n_triangles += static_cast<std::uint32_t>(loop.size);
      for (std::size_t k = 0; k < loop.size; ++k)
        if (owner(begin_of_edge(i, loop.edges[k]), end_of_edge(i, loop.edges[k])).element == i)
          {
            owned |= 1u << loop.edges[k];
            ++n_vertices;
          }
    });
    owned_[i]              = static_cast<std::uint16_t>(owned);
    first_vertex_[i + 1]   = n_vertices;
    first_triangle_[i + 1] = n_triangles;
  });
  std::uint64_t n_vertices = 0, n_triangles = 0;
  for (std::size_t i = 0; i < n; ++i)
    {
      n_vertices += first_vertex_[i + 1];
      n_triangles += first_triangle_[i + 1];
      require_numbers_of_surface(std::max(n_vertices, n_triangles));
      first_vertex_[i + 1]   = static_cast<std::uint32_t>(n_vertices);
      first_triangle_[i + 1] = static_cast<std::uint32_t>(n_triangles);
    }
}

SurfaceLoops::Owner SurfaceLoops::owner(const LocalIndex a, const LocalIndex b) const
{
  for (LocalIndex k = around_.begin[a]; k < around_.begin[a + 1]; ++k)
    {
      const LocalIndex i = around_.entries[k] / 8;
      const int v        = static_cast<int>(around_.entries[k] % 8);
      for (int d = 0; d < 3; ++d)
        if (nodes_[8 * std::size_t(i) + static_cast<std::size_t>(v ^ 1 << d)] == b)
          return {i, iso_cell::edge_between(v, v ^ 1 << d)};
    }
  return {static_cast<LocalIndex>(elements_.size()), 0};
}

std::uint32_t SurfaceLoops::number_in_owner(const Owner &owner) const
{
  std::uint32_t next = first_vertex_[owner.element], number = next;
  for_each_loop(owner.element, [&](int, const Loop &loop) {
    for (std::size_t k = 0; k < loop.size; ++k)
      {
        if (loop.edges[k] == owner.edge)
          number = next;
        next += owned_[owner.element] >> loop.edges[k] & 1u;
      }
    ++next;
  });
  return number;
}

std::optional<std::uint32_t> SurfaceLoops::vertex(const LocalIndex a, const LocalIndex b) const
{
  const Owner found = owner(a, b);
  if (found.element == elements_.size() || (owned_[found.element] >> found.edge & 1) == 0)
    return std::nullopt;
  return number_in_owner(found);
}

Surface SurfaceLoops::make() const
{
  Surface surface;
  const std::size_t n = elements_.size();
  surface.vertices.resize(first_vertex_[n]);
  surface.keys.resize(first_vertex_[n]);
  surface.sizes.resize(first_vertex_[n]);
  surface.triangles.resize(first_triangle_[n]);
  surface.is_on_face.assign(first_triangle_[n], 0);
  cpu::parallel_for(level_.n_threads, n, [&](const std::size_t i) {
    const double size    = level_.shortest_edge(elements_[i]);
    std::uint32_t number = first_vertex_[i];
    std::size_t triangle = first_triangle_[i];
    for_each_loop(i, [&](const int begin, const Loop &loop) {
      std::array<std::uint32_t, iso_cell::n_edges> points;
      LevelOnMesh::Place mean{};
      for (std::size_t k = 0; k < loop.size; ++k)
        {
          const LevelOnMesh::Corner edge(begin_of_edge(i, loop.edges[k]),
                                         end_of_edge(i, loop.edges[k]));
          const LevelOnMesh::Place place = level_.place(edge);
          for (std::size_t d = 0; d < 3; ++d)
            mean[d] += place[d];
          if ((owned_[i] >> loop.edges[k] & 1) == 0)
            {
              points[k] = number_in_owner(owner(edge.first, edge.second));
              continue;
            }
          const auto [first, last] = level_.ordered(edge);
          points[k]                = number;
          surface.vertices[number] = place;
          surface.keys[number]     = {{level_.numbers(first), level_.numbers(last)}};
          surface.sizes[number]    = size;
          ++number;
        }
      for (double &x : mean)
        x /= static_cast<double>(loop.size);
      const std::uint64_t element = level_.numbers.first_element() + elements_[i];
      surface.vertices[number]    = mean;
      surface.keys[number]        = {
               {Surface::inside_element, element * iso_cell::n_edges + static_cast<std::uint64_t>(begin)}};
      surface.sizes[number] = size;
      for (std::size_t k = 0; k < loop.size; ++k)
        surface.triangles[triangle++] = {{number, points[k], points[(k + 1) % loop.size]}};
      ++number;
    });
  });
  return surface;
}
} // namespace strut
