// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "source/base/parallel_loop.h"
#include "source/mesh/macro_lattice.h"
#include "source/mesh/macro_mesh.h"

namespace strut
{
/// Places of the points of a refined macro mesh, bitwise equal to those of deal.II's refinement.
/// The places at vertices, edges and faces, and at the corners of blocks, are stored. All others
/// are computed block by block in the cache, since storing them would take as much memory as the
/// mesh.
///
/// A block has elements of a macro cell that are consecutive in the order of refine(). It is a cube
/// of 16 elements along an edge, or the whole of a smaller cell.
class MacroPlaces
{
public:
  using Point = MacroMesh::Point;

  /// @param macro,  lattice  must live as long as the object
  /// @throws  exceptions of new_point()
  MacroPlaces(const MacroMesh &macro, const MacroLattice &lattice, int n_threads);

  /// The points of one block at a time; each thread has its own object.
  class Block
  {
  public:
    /// @param places  must live as long as the object
    explicit Block(const MacroPlaces &places) : places_(places)
    {}

    /// Moves to the block that contains an element of a cell.
    ///
    /// @param element  number of the element in the cell
    void move_to(std::size_t cell, std::size_t element);

    /// The place of vertex v of the block's element `e % elements_of_block()`.
    const Point &operator()(const std::size_t e, const unsigned int v) const
    {
      return points_[places_.first_vertices_[e % places_.elements_of_block()] +
                     places_.to_vertex_[v]];
    }

  private:
    const MacroPlaces &places_;
    std::vector<Point> points_;
  };

  std::size_t elements_of_block() const
  {
    return first_vertices_.size();
  }

  /// Calls body(e, block) for n elements in the order of refine(), with all threads.
  ///
  /// @param cell_at  returns the cell at a position in that order
  template <typename CellAt, typename Body>
  void for_each_element(const std::size_t first,
                        const std::size_t n,
                        const CellAt &cell_at,
                        const Body &body) const
  {
    constexpr std::size_t at_a_time = 4096; // a whole block, or many
    const std::size_t before        = first % at_a_time;
    const std::size_t of_cell       = lattice_.n() * lattice_.n() * lattice_.n();
    cpu::parallel_blocks(n_threads_,
                         before + n,
                         at_a_time,
                         [&](const std::size_t begin, const std::size_t end) {
                           Block block(*this);
                           const std::size_t from = std::max(begin, before);
                           for (std::size_t i = from; i < end; ++i)
                             {
                               const std::size_t e = first - before + i;
                               if (i == from || e % elements_of_block() == 0)
                                 block.move_to(cell_at(e / of_cell), e % of_cell);
                               body(e, block);
                             }
                         });
  }

private:
  class Cube;

  void place_edges();
  void place_faces();
  std::vector<Point> corners_of_blocks(std::size_t cell) const;

  const MacroMesh &macro_;
  const MacroLattice &lattice_;
  const int n_threads_;
  std::size_t along_block_,
    n_blocks_; ///< elements along the edge of a block, blocks along that of a cell
  std::vector<Point>
    outer_; ///< points of vertices, edges and faces, by their numbers in the lattice

  /// Corners of the blocks of each cell, `[n_blocks_ + 1]^3`
  std::vector<std::vector<Point>> corners_;

  std::vector<std::uint16_t>
    first_vertices_; ///< for each element of a block, the index of its vertex 0 among the points
  std::array<std::size_t, 8> to_vertex_{};
};
} // namespace strut
