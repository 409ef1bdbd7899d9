// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/array.h>
#include <strut/base/host_device.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace strut
{
/// A sparse matrix in slices of 32 rows. A slice is as wide as its longest row, and stored column
/// by column, so that neighbouring threads read neighbouring entries. Rows are sorted by length
/// within some thousands of rows, so that slices have little padding. Row `rows[k]` is the k-th,
/// and its entry j is at `32 (begin[k / 32] + j) + k % 32`. Shorter rows are padded with weights
/// of 0.
struct SlicedRows
{
  static constexpr std::size_t slice = 32;

  Array<std::uint32_t> rows;    ///< `[n_rows]`
  Array<std::uint32_t> begin;   ///< first column of each slice; `[n_slices + 1]`
  Array<std::uint32_t> columns; ///< `[32 begin[n_slices]]`
  Array<double> weights;        ///< `[32 begin[n_slices]]`
};

/// The nodes of equal boxes as places of a lattice, place `i + n[0] (j + n[1] k)`, and the data of
/// the PDE filter. A cell of the lattice has the place of its lowest corner, and is an element or
/// not. Its corner a is at (a & 1, a >> 1 & 1, a >> 2).
struct FilterLattice
{
  std::array<std::int32_t, 3> n{}; ///< nodes per direction

  /// `r^2 int grad N_a . grad N_b` of an element at index a xor b, length^3.
  std::array<double, 8> stiffness{};
  double share = 0.; ///< int N_a of an element, length^3

  static constexpr std::uint32_t nothing = ~std::uint32_t(0);
  Array<std::uint32_t> elements; ///< the element in a cell, or nothing; `[n2][n1][n0]`

  /// Three bit fields for each place, `[n2][n1][n0]`. Bit a of the lowest 8 is set if the node is
  /// corner a of an element of this rank. The next 4 bits are the number of elements of all ranks
  /// around the node, 0 where there is no node. Bit 12 marks a ghost.
  Array<std::uint16_t> nodes;
  static std::uint16_t
  node(const unsigned int elements_around, const unsigned int count, const bool is_ghost)
  {
    return static_cast<std::uint16_t>(elements_around | count << 8 | (is_ghost ? 1u << 12 : 0u));
  }
  STRUT_HOST_DEVICE static unsigned int elements_around(const unsigned int node)
  {
    return node & 0xffu;
  }
  STRUT_HOST_DEVICE static unsigned int count(const unsigned int node)
  {
    return node >> 8 & 0xfu;
  }
  STRUT_HOST_DEVICE static bool is_ghost(const unsigned int node)
  {
    return (node >> 12 & 1u) != 0;
  }

  Array<double> boundary; ///< the mass of the boundary at the places, length^3; empty: none
};

/// The work of the PDE filter (source/optimization/maps/helmholtz_filter.h) on one rank and
/// backend. Results are the same bits in every run.
class FilterOperations
{
public:
  virtual ~FilterOperations() = default;

  /// Computes y = A x.
  ///
  /// @param y  `[n_rows]`
  virtual void
  multiply(const SlicedRows &matrix, const Array<double> &x, Array<double> &y) const = 0;

  /// Computes f_i = int N_i x over the elements of this rank.
  ///
  /// @param f  values at the places
  virtual void
  to_nodes(const FilterLattice &lattice, const Array<double> &elements, Array<double> &f) const = 0;

  /// Computes x_e = sum_i t_i int_e N_i.
  ///
  /// @param t  values at the places
  virtual void to_elements(const FilterLattice &lattice,
                           const Array<double> &t,
                           Array<double> &elements) const = 0;

  /// Makes one step of an iteration for `(K + B) x = f`, preconditioned by the diagonal matrix B,
  /// the lumped mass:
  ///
  ///     before <- x + b (x - before) + a (B^-1 (f - K x) - x)
  ///
  /// It uses the part of K from this rank's elements. At ghosts it computes `-a B^-1 K x`, which is
  /// to be added to the owner.
  virtual void step(const FilterLattice &lattice,
                    double a,
                    double b,
                    const Array<double> &f,
                    const Array<double> &x,
                    Array<double> &before) const = 0;
};
} // namespace strut
