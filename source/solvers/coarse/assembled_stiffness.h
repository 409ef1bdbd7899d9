// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/mesh/node_to_element.h"
#include "source/solvers/coarse/block_matrix.h"
#include "source/solvers/coarse/gathered_elements.h"
#include "source/solvers/coarse/host_stiffness.h"

#include <strut/element/material.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace strut
{
/// The stiffness matrix of a mesh with 3x3 blocks, on the host. The pattern is made once, the
/// numbers for each stiffness. Rows and columns of constrained DoFs are zero. The nodes are swept
/// plane by plane and row by row, so their order is the same for any number of ranks.
class AssembledStiffness
{
public:
  /// Make the pattern.
  /// @param elements  elements of all ranks
  /// @param n_nodes  nodes of all ranks
  AssembledStiffness(const std::vector<GatheredElement> &elements,
                     std::size_t n_nodes,
                     const Material &material,
                     int n_threads);

  BlockPattern pattern() const;

  /// Number among the nodes of the ranks of each node of the matrix, `[n_nodes]`.
  const std::vector<std::uint32_t> &nodes() const
  {
    return nodes_;
  }

  /// Coordinates of the nodes, `[n_nodes][3]`.
  const std::vector<std::array<double, 3>> &points() const
  {
    return points_;
  }

  /// Marks of constrained DoFs, `[3 n_nodes]`, 1 or 0.
  const std::vector<std::uint8_t> &constrained() const
  {
    return constrained_;
  }

  /// Assembles the matrix for a stiffness of the elements.
  void assemble(const HostStiffness &stiffness, BlockMatrix<3, 3> &K);

private:
  /// Largest number of shapes whose element matrices are kept, 4.6 KB each. Equal elements share a
  /// shape. With more shapes the matrices are computed anew each time.
  static constexpr std::size_t most_kept_shapes = 2048;

  struct Shape
  {
    double X[3][8]; ///< coordinates relative to the first vertex
  };

  /// Element matrices of the shapes for one material.
  struct Matrices
  {
    Material material;
    std::vector<double> kept; ///< `[n_shapes][24][24]`, or empty
  };

  void sweep();
  void find_shapes(const std::vector<GatheredElement> &elements);
  Matrices matrices_of(const Material &material) const;
  void assemble_factors(const std::vector<double> &factors, BlockMatrix<3, 3> &K) const;
  void assemble_lame(const HostStiffness &stiffness, BlockMatrix<3, 3> &K);
  void
  rows_of(const Matrices &matrices, std::size_t element, int vertex, double (&rows)[3][24]) const;

  template <typename Rows>
  void assemble_rows(const Rows &rows, BlockMatrix<3, 3> &K) const;

  const int n_threads_;
  std::vector<LocalIndex> connectivity_; ///< `[n_elements][8]`
  std::vector<std::uint32_t> nodes_;
  NodeToElement elements_of_;
  std::vector<std::array<double, 3>> points_;
  std::vector<std::uint8_t> constrained_;
  std::vector<Shape> shapes_;
  std::vector<std::uint32_t> shape_of_; ///< shape of each element
  Matrices of_material_;                ///< matrices for the stiffness factors
  /// Matrices for Lame's parameters; empty before they are needed.
  std::optional<Matrices> volumetric_, deviatoric_;
};
} // namespace strut
