// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/mesh/macro_lattice.h"

#include "source/base/filled_vector.h"
#include "source/base/parallel_loop.h"
#include "source/mesh/faces.h"

namespace strut
{
namespace
{
unsigned int find_vertex(const MacroMesh::Face &face, const LocalIndex vertex)
{
  unsigned int v = 0;
  while (v < 3 && face.vertices[v] != vertex)
    ++v;
  return v;
}

/// Puts the points of one level after another into the lattice.
class PointPlacer
{
public:
  PointPlacer(const MacroMesh &macro, const MacroLattice &lattice, const int n_threads)
    : macro_(macro)
    , lattice_(lattice)
    , n_threads_(n_threads)
    , points_(cpu::filled_vector<MacroMesh::Point>(n_threads, lattice.n_points()))
  {
    std::copy(macro.vertices.begin(), macro.vertices.end(), points_.begin());
  }

  std::vector<MacroMesh::Point> place()
  {
    // The points of edges, then those of faces, then those of cells: each needs its boundary alone.
    for (std::size_t step = lattice_.n(); step > 1; step /= 2)
      refine_edges(step);
    for (std::size_t step = lattice_.n(); step > 1; step /= 2)
      refine_faces(step);
    for (std::size_t step = lattice_.n(); step > 1; step /= 2)
      refine_cells(step);
    return std::move(points_);
  }

private:
  using At2 = std::array<std::size_t, 2>;
  using At3 = std::array<std::size_t, 3>;

  /// Set a point from those around it: sums in deal.II's order, so that they have its rounding.
  template <std::size_t n>
  void set(const std::size_t point,
           const std::uint32_t manifold,
           const std::array<std::size_t, n> &around,
           const std::array<double, n> &weights)
  {
    MacroMesh::Point &result = points_[point];
    if (manifold == MacroMesh::flat)
      {
        MacroMesh::Point sum{};
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t d = 0; d < 3; ++d)
            sum[d] += points_[around[i]][d] * weights[i];
        result = sum;
        return;
      }
    std::array<MacroMesh::Point, n> places;
    for (std::size_t i = 0; i < n; ++i)
      places[i] = points_[around[i]];
    result = macro_.new_point(manifold, n, places.data(), weights.data());
  }

  void set_midpoint(const std::size_t point,
                    const std::uint32_t manifold,
                    const std::size_t from,
                    const std::size_t to)
  {
    set<2>(point, manifold, {{from, to}}, {{0.5, 0.5}});
  }

  /// The middle of a square, from 4 vertices and 4 midpoints of its edges.
  /// @param at  gives the point at (i, j), each 0, 1 (the middle) or 2
  template <typename At>
  void set_face_centre(const std::uint32_t manifold, const At &at)
  {
    set<8>(at(1, 1),
           manifold,
           {{at(0, 0), at(2, 0), at(0, 2), at(2, 2), at(0, 1), at(2, 1), at(1, 0), at(1, 2)}},
           {{-0.25, -0.25, -0.25, -0.25, 0.5, 0.5, 0.5, 0.5}});
  }

  /// The middle of a cube, from 8 vertices, 12 midpoints of edges, 6 centres of faces.
  void set_cell_centre(const std::size_t cell, const At3 &centre, const std::size_t half)
  {
    // in halves of the edge, deal.II's order of vertices, edges and faces
    static constexpr int around[26][3] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {2, 2, 0}, {0, 0, 2},
                                          {2, 0, 2}, {0, 2, 2}, {2, 2, 2}, {0, 1, 0}, {2, 1, 0},
                                          {1, 0, 0}, {1, 2, 0}, {0, 1, 2}, {2, 1, 2}, {1, 0, 2},
                                          {1, 2, 2}, {0, 0, 1}, {2, 0, 1}, {0, 2, 1}, {2, 2, 1},
                                          {0, 1, 1}, {2, 1, 1}, {1, 0, 1}, {1, 2, 1}, {1, 1, 0},
                                          {1, 1, 2}};
    std::array<std::size_t, 26> points;
    std::array<double, 26> weights;
    for (std::size_t i = 0; i < 26; ++i)
      {
        At3 at;
        for (std::size_t d = 0; d < 3; ++d)
          at[d] = centre[d] + static_cast<std::size_t>(around[i][d]) * half - half;
        points[i]  = lattice_.of_cell(cell, at);
        weights[i] = i < 8 ? 1. / 8. : i < 20 ? -1. / 4. : 1. / 2.;
      }
    set<26>(lattice_.of_cell(cell, centre), macro_.cells[cell].manifold, points, weights);
  }

  /// body(entity, slab) for `n_slabs` layers of each of n entities, on all threads.
  template <typename Body>
  void for_slabs(const std::size_t n, const std::size_t n_slabs, const Body &body)
  {
    const std::size_t of_block = std::max<std::size_t>(1, 64 / (n_slabs * n_slabs));
    cpu::parallel_blocks(n_threads_,
                         n * n_slabs,
                         of_block,
                         [&](const std::size_t begin, const std::size_t end) {
                           for (std::size_t i = begin; i < end; ++i)
                             body(i / n_slabs, i % n_slabs);
                         });
  }

  void refine_edges(const std::size_t step)
  {
    const std::size_t n = lattice_.n() / step;
    for_slabs(macro_.edges.size(), n, [&](const std::size_t edge, const std::size_t m) {
      set_midpoint(lattice_.of_edge(edge, m * step + step / 2),
                   macro_.edges[edge].manifold,
                   lattice_.of_edge(edge, m * step),
                   lattice_.of_edge(edge, (m + 1) * step));
    });
  }

  void refine_faces(const std::size_t step)
  {
    const std::size_t n = lattice_.n() / step, half = step / 2;
    for_slabs(macro_.faces.size(), n, [&](const std::size_t face, const std::size_t slab) {
      if (slab == 0)
        return; // lines at the edges are done
      for (std::size_t m = 0; m < n; ++m)
        for (std::size_t direction = 0; direction < 2; ++direction)
          {
            const auto at = [&](const std::size_t along) {
              const std::size_t across = slab * step;
              return direction == 0 ? lattice_.of_face(face, along, across)
                                    : lattice_.of_face(face, across, along);
            };
            set_midpoint(at(m * step + half),
                         macro_.faces[face].manifold,
                         at(m * step),
                         at((m + 1) * step));
          }
    });
    for_slabs(macro_.faces.size(), n, [&](const std::size_t face, const std::size_t slab) {
      for (std::size_t m = 0; m < n; ++m)
        set_face_centre(macro_.faces[face].manifold, [&](const std::size_t i, const std::size_t j) {
          return lattice_.of_face(face, m * step + i * half, slab * step + j * half);
        });
    });
  }

  void refine_cells(const std::size_t step)
  {
    const std::size_t n = lattice_.n() / step, half = step / 2;
    // (1) Lines inside of cells, along each direction.
    for_slabs(macro_.cells.size(), n, [&](const std::size_t cell, const std::size_t slab) {
      if (slab == 0)
        return;
      for (std::size_t j = 1; j < n; ++j)
        for (std::size_t m = 0; m < n; ++m)
          for (std::size_t d = 0; d < 3; ++d)
            {
              const auto at = [&](const std::size_t along) {
                At3 point;
                point[d]           = along;
                point[(d + 1) % 3] = j * step;
                point[(d + 2) % 3] = slab * step;
                return lattice_.of_cell(cell, point);
              };
              set_midpoint(at(m * step + half),
                           macro_.cells[cell].manifold,
                           at(m * step),
                           at((m + 1) * step));
            }
    });
    // (2) Centres of the faces inside, by their normals.
    for_slabs(macro_.cells.size(), n, [&](const std::size_t cell, const std::size_t slab) {
      if (slab == 0)
        return;
      for (std::size_t b = 0; b < n; ++b)
        for (std::size_t a = 0; a < n; ++a)
          for (std::size_t d = 0; d < 3; ++d)
            set_face_centre(macro_.cells[cell].manifold,
                            [&](const std::size_t i, const std::size_t j) {
                              At3 point;
                              point[d]           = slab * step;
                              point[(d + 1) % 3] = a * step + i * half;
                              point[(d + 2) % 3] = b * step + j * half;
                              return lattice_.of_cell(cell, point);
                            });
    });
    // (3) Centres of the cells.
    for_slabs(macro_.cells.size(), n, [&](const std::size_t cell, const std::size_t slab) {
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = 0; i < n; ++i)
          set_cell_centre(cell, {{i * step + half, j * step + half, slab * step + half}}, half);
    });
  }

  const MacroMesh &macro_;
  const MacroLattice &lattice_;
  const int n_threads_;
  std::vector<MacroMesh::Point> points_;
};
} // namespace

MacroLattice::MacroLattice(const MacroMesh &macro, const unsigned int n_refinements)
  : macro_(macro)
  , n_(std::size_t(1) << n_refinements)
  , inside_(n_ - 1)
  , first_of_edges_(macro.vertices.size())
  , first_of_faces_(first_of_edges_ + macro.edges.size() * inside_)
  , first_of_cells_(first_of_faces_ + macro.faces.size() * inside_ * inside_)
  , orientations_(n_refinements > 0 ? macro.cells.size() : 0) // no points inside of faces otherwise
{
  for (std::size_t c = 0; c < orientations_.size(); ++c)
    for (std::size_t f = 0; f < 6; ++f)
      {
        const MacroMesh::Cell &cell = macro.cells[c];
        const MacroMesh::Face &face = macro.faces[cell.faces[f]];
        const unsigned int origin   = find_vertex(face, cell.vertices[face_vertex(f, 0, 0)]);
        const unsigned int next     = find_vertex(face, cell.vertices[face_vertex(f, 1, 0)]);
        // along the first coordinate of the cell's view the face's second one changes
        const bool is_swapped = ((origin ^ next) & 1u) == 0;
        orientations_[c][f]   = static_cast<std::uint8_t>((is_swapped ? swapped : 0) |
                                                        ((origin & 1u) != 0 ? first_backward : 0) |
                                                        ((origin & 2u) != 0 ? second_backward : 0));
      }
}

std::vector<MacroMesh::Point>
place_points(const MacroMesh &macro, const MacroLattice &lattice, const int n_threads)
{
  return PointPlacer(macro, lattice, n_threads).place();
}
} // namespace strut
