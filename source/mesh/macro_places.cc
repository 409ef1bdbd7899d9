// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/mesh/macro_places.h"

#include <algorithm>
#include <utility>

#include "source/base/parallel_loop.h"

namespace strut
{
namespace
{
using Point = MacroMesh::Point;

/// The point between others. The sums have deal.II's order, and so its rounding.
///
/// @param get  returns the i-th of the n points around it
template <std::size_t n, typename Get>
Point between(const MacroMesh &macro,
              const std::uint32_t manifold,
              const std::array<double, n> &weights,
              const Get &get)
{
  if (manifold == MacroMesh::flat)
    {
      Point sum{};
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t d = 0; d < 3; ++d)
          sum[d] += get(i)[d] * weights[i];
      return sum;
    }
  std::array<Point, n> around;
  for (std::size_t i = 0; i < n; ++i)
    around[i] = get(i);
  return macro.new_point(manifold, n, around.data(), weights.data());
}

constexpr std::array<double, 2> of_ends = {{0.5, 0.5}};

/// Weights for the centre of a square: 4 vertices and 4 midpoints of its edges, with places in half
/// edges.
constexpr std::array<double, 8> of_square = {{-0.25, -0.25, -0.25, -0.25, 0.5, 0.5, 0.5, 0.5}};
constexpr std::size_t around_square[8][2] = {
  {0, 0}, {2, 0}, {0, 2}, {2, 2}, {0, 1}, {2, 1}, {1, 0}, {1, 2}};

/// Places for the centre of a cube, in deal.II's order: 8 vertices, 12 midpoints of edges, 6
/// centres of faces.
constexpr std::size_t around_cube[26][3] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {2, 2, 0}, {0, 0, 2},
                                            {2, 0, 2}, {0, 2, 2}, {2, 2, 2}, {0, 1, 0}, {2, 1, 0},
                                            {1, 0, 0}, {1, 2, 0}, {0, 1, 2}, {2, 1, 2}, {1, 0, 2},
                                            {1, 2, 2}, {0, 0, 1}, {2, 0, 1}, {0, 2, 1}, {2, 2, 1},
                                            {0, 1, 1}, {2, 1, 1}, {1, 0, 1}, {1, 2, 1}, {1, 1, 0},
                                            {1, 1, 2}};

std::array<double, 26> weights_of_cube()
{
  std::array<double, 26> weights;
  for (std::size_t i = 0; i < 26; ++i)
    weights[i] = i < 8 ? 1. / 8. : i < 20 ? -1. / 4. : 1. / 2.;
  return weights;
}

/// Coordinates of an octant, by its number and those of its parents.
std::array<std::size_t, 3> place_of_octant(const std::size_t number, const std::size_t n_along)
{
  std::array<std::size_t, 3> at{};
  for (std::size_t bit = 0; std::size_t(1) << bit < n_along; ++bit)
    for (std::size_t d = 0; d < 3; ++d)
      at[d] |= (number >> (3 * bit + d) & 1u) << bit;
  return at;
}
} // namespace

/// The points of a cube of n elements along an edge, inside of a macro cell or at its sides.
class MacroPlaces::Cube
{
public:
  using At = std::array<std::size_t, 3>;

  /// @param points  provides the memory; take() returns it
  explicit Cube(const std::size_t n, std::vector<Point> points = {})
    : n_(n), stride_{{1, n + 1, (n + 1) * (n + 1)}}, points_(std::move(points))
  {
    points_.resize((n + 1) * (n + 1) * (n + 1));
  }

  Point &operator()(const At &at)
  {
    return points_[number(at)];
  }

  /// Sets a side that is one of the macro cell, whose points are known.
  ///
  /// @param place  returns the point at (i, j, k)
  template <typename Place>
  void set_side(const std::size_t direction, const bool is_far, const Place &place)
  {
    is_outer_[direction][is_far ? 1 : 0] = true;
    At at{};
    at[direction] = is_far ? n_ : 0;
    for (std::size_t q = 0; q <= n_; ++q)
      for (std::size_t p = 0; p <= n_; ++p)
        {
          at[(direction + 1) % 3] = p;
          at[(direction + 2) % 3] = q;
          (*this)(at)             = place(at);
        }
  }

  /// Computes all other points from the corners and those sides, level by level.
  void refine(const MacroMesh &macro, const std::uint32_t manifold)
  {
    static const std::array<double, 26> of_cube = weights_of_cube();
    for (std::size_t step = n_; step > 1; step /= 2)
      {
        const std::size_t half = step / 2;
        for (std::size_t d = 0; d < 3; ++d)
          {
            // (1) Lines along d.
            const std::size_t d1 = (d + 1) % 3, d2 = (d + 2) % 3;
            const std::array<std::size_t, 2> ends = {{0, 2 * half * stride_[d]}};
            for_inner(d2, step, [&](const std::size_t q) {
              for_inner(d1, step, [&](const std::size_t p) {
                const std::size_t line = q * stride_[d2] + p * stride_[d1];
                for (std::size_t along = 0; along < n_; along += step)
                  set(line + along * stride_[d], half * stride_[d], macro, manifold, of_ends, ends);
              });
            });
          }
        for (std::size_t d = 0; d < 3; ++d)
          {
            // (2) Centres of faces with the normal d.
            const std::size_t d1 = (d + 1) % 3, d2 = (d + 2) % 3;
            std::array<std::size_t, 8> around;
            for (std::size_t i = 0; i < 8; ++i)
              around[i] =
                half * (around_square[i][0] * stride_[d1] + around_square[i][1] * stride_[d2]);
            for_inner(d, step, [&](const std::size_t position) {
              for (std::size_t q = 0; q < n_; q += step)
                for (std::size_t p = 0; p < n_; p += step)
                  set(position * stride_[d] + q * stride_[d2] + p * stride_[d1],
                      half * (stride_[d1] + stride_[d2]),
                      macro,
                      manifold,
                      of_square,
                      around);
            });
          }
        // (3) Centres of the cells.
        std::array<std::size_t, 26> around;
        for (std::size_t i = 0; i < 26; ++i)
          around[i] = half * number({{around_cube[i][0], around_cube[i][1], around_cube[i][2]}});
        for (std::size_t k = 0; k < n_; k += step)
          for (std::size_t j = 0; j < n_; j += step)
            for (std::size_t i = 0; i < n_; i += step)
              set(
                number({{i, j, k}}), half * number({{1, 1, 1}}), macro, manifold, of_cube, around);
      }
  }

  std::vector<Point> take()
  {
    return std::move(points_);
  }

private:
  std::size_t number(const At &at) const
  {
    return at[0] * stride_[0] + at[1] * stride_[1] + at[2] * stride_[2];
  }

  /// Sets the point at `first + to_middle` between those at `first + around[i]`.
  template <std::size_t n>
  void set(const std::size_t first,
           const std::size_t to_middle,
           const MacroMesh &macro,
           const std::uint32_t manifold,
           const std::array<double, n> &weights,
           const std::array<std::size_t, n> &around)
  {
    points_[first + to_middle] = between(macro, manifold, weights, [&](const std::size_t i) {
      return points_[first + around[i]];
    });
  }

  /// Calls body(position) for each step in a direction, except at sides that are set.
  template <typename Body>
  void for_inner(const std::size_t direction, const std::size_t step, const Body &body) const
  {
    const std::size_t begin = is_outer_[direction][0] ? step : 0;
    const std::size_t end   = is_outer_[direction][1] ? n_ : n_ + 1;
    for (std::size_t position = begin; position < end; position += step)
      body(position);
  }

  std::size_t n_;
  At stride_;
  std::vector<Point> points_;
  std::array<std::array<bool, 2>, 3> is_outer_{};
};

MacroPlaces::MacroPlaces(const MacroMesh &macro, const MacroLattice &lattice, const int n_threads)
  : macro_(macro)
  , lattice_(lattice)
  , n_threads_(n_threads)
  , along_block_(std::min<std::size_t>(lattice.n(), 16))
  , n_blocks_(lattice.n() / along_block_)
  , outer_(lattice.n_outer_points())
  , corners_(macro.cells.size())
  , first_vertices_(along_block_ * along_block_ * along_block_)
{
  const auto number = [&](const Cube::At &at) {
    return (at[2] * (along_block_ + 1) + at[1]) * (along_block_ + 1) + at[0];
  };
  for (std::size_t e = 0; e < first_vertices_.size(); ++e)
    first_vertices_[e] = static_cast<std::uint16_t>(number(place_of_octant(e, along_block_)));
  for (std::size_t v = 0; v < 8; ++v)
    to_vertex_[v] = number({{v & 1, v >> 1 & 1, v >> 2}});

  // The points of edges, then those of faces, then those of cells: each depends on its boundary
  // only.
  std::copy(macro.vertices.begin(), macro.vertices.end(), outer_.begin());
  if (lattice.n() == 1)
    return;
  place_edges();
  place_faces();
  if (n_blocks_ > 1)
    cpu::parallel_blocks(n_threads_,
                         macro.cells.size(),
                         1,
                         [&](const std::size_t cell, std::size_t) {
                           corners_[cell] = corners_of_blocks(cell);
                         });
}

void MacroPlaces::place_edges()
{
  cpu::parallel_blocks(
    n_threads_, macro_.edges.size(), 64, [&](const std::size_t begin, const std::size_t end) {
      for (std::size_t edge = begin; edge < end; ++edge)
        for (std::size_t step = lattice_.n(); step > 1; step /= 2)
          for (std::size_t t = step / 2; t < lattice_.n(); t += step)
            outer_[lattice_.of_edge(edge, t)] =
              between(macro_, macro_.edges[edge].manifold, of_ends, [&](const std::size_t i) {
                return outer_[lattice_.of_edge(edge, i == 0 ? t - step / 2 : t + step / 2)];
              });
    });
}

void MacroPlaces::place_faces()
{
  const std::size_t n = lattice_.n();
  cpu::parallel_blocks(
    n_threads_, macro_.faces.size(), 1, [&](const std::size_t face, std::size_t) {
      const std::uint32_t manifold = macro_.faces[face].manifold;
      const auto point             = [&](const std::size_t p, const std::size_t q) -> Point             &{
        return outer_[lattice_.of_face(face, p, q)];
      };
      for (std::size_t step = n; step > 1; step /= 2)
        {
          const std::size_t half = step / 2;
          for (std::size_t across = step; across < n; across += step)
            for (std::size_t along = half; along < n; along += step)
              {
                point(along, across) = between(macro_, manifold, of_ends, [&](const std::size_t i) {
                  return point(i == 0 ? along - half : along + half, across);
                });
                point(across, along) = between(macro_, manifold, of_ends, [&](const std::size_t i) {
                  return point(across, i == 0 ? along - half : along + half);
                });
              }
          for (std::size_t q = 0; q < n; q += step)
            for (std::size_t p = 0; p < n; p += step)
              point(p + half, q + half) =
                between(macro_, manifold, of_square, [&](const std::size_t i) {
                  return point(p + around_square[i][0] * half, q + around_square[i][1] * half);
                });
        }
    });
}

std::vector<Point> MacroPlaces::corners_of_blocks(const std::size_t cell) const
{
  Cube cube(n_blocks_);
  for (std::size_t d = 0; d < 3; ++d)
    for (const bool is_far : {false, true})
      cube.set_side(d, is_far, [&](const Cube::At &at) {
        return outer_[lattice_.of_cell(
          cell, {{at[0] * along_block_, at[1] * along_block_, at[2] * along_block_}})];
      });
  cube.refine(macro_, macro_.cells[cell].manifold);
  return cube.take();
}

void MacroPlaces::Block::move_to(const std::size_t cell, const std::size_t element)
{
  const std::size_t n = places_.along_block_, n_blocks = places_.n_blocks_;
  const Cube::At first = place_of_octant(element / places_.elements_of_block(), n_blocks);
  Cube cube(n, std::move(points_));
  if (n_blocks > 1)
    for (std::size_t v = 0; v < 8; ++v)
      {
        const Cube::At at = {{v & 1, v >> 1 & 1, v >> 2}};
        cube({{n * at[0], n * at[1], n * at[2]}}) =
          places_.corners_[cell][((first[2] + at[2]) * (n_blocks + 1) + first[1] + at[1]) *
                                   (n_blocks + 1) +
                                 first[0] + at[0]];
      }
  for (std::size_t d = 0; d < 3; ++d)
    for (const bool is_far : {false, true})
      if (first[d] == (is_far ? n_blocks - 1 : 0))
        cube.set_side(d, is_far, [&](const Cube::At &at) {
          return places_.outer_[places_.lattice_.of_cell(
            cell, {{first[0] * n + at[0], first[1] * n + at[1], first[2] * n + at[2]}})];
        });
  cube.refine(places_.macro_, places_.macro_.cells[cell].manifold);
  points_ = cube.take();
}
} // namespace strut
