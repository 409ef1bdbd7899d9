// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/array.h>
#include <strut/element/material.h>
#include <strut/mesh/element_mesh.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace strut
{
/// The finest mesh as the first coarse level sees it, in the memory of a backend: each coarse
/// element with the 27 nodes of its children.
struct SubdividedElements
{
  std::size_t n_elements = 0;      ///< coarse elements
  Array<LocalIndex> lattice;       ///< `[27][n_elements]`, hexahedron::galerkin::lattice_place()
  Array<LocalIndex> children;      ///< `[8][n_elements]`, as in LevelTransfer
  Array<double> coordinates;       ///< `[n_nodes][3]`
  Array<std::uint8_t> constrained; ///< `[n_nodes]`, bit c: component c is held
};

/// The data of a level that Galerkin's element matrices need, on the host.
struct GalerkinElements
{
  std::size_t n_elements = 0; ///< elements of this rank: their products are taken
  std::size_t n_stored   = 0; ///< own elements, then those of other ranks whose parents are ours
  std::size_t n_nodes    = 0;
  std::vector<LocalIndex> connectivity;  ///< `[n_elements][8]`
  std::vector<std::uint8_t> constrained; ///< `[n_nodes]`, bit c: component c is held
};

/// The symmetric element matrices of a coarse level,
///
///     K_e = Z (sum over children c  P_c^T K_c P_c) Z,
///
/// 300 numbers each, in the memory of a backend and in its own order. K_c are the matrices of the
/// finer level with zeros in the rows and columns of its constrained DoFs. Z sets zeros there on
/// this level. Sums are taken in double. In float, entries are rounded so that moving a free
/// element still costs nothing (hexahedron::stored_stiffness_rows). The results are the same bits
/// in every run.
template <typename Number>
class GalerkinMatrices
{
public:
  /// Numbers of an element in packed form: the upper triangle by columns.
  static constexpr std::size_t n_packed = 300;

  virtual ~GalerkinMatrices() = default;

  /// Computes the matrices from the finest mesh, `K_c = E_c K0_c`.
  ///
  /// @param elements  the finest mesh, grouped by coarse elements
  /// @param material  material at stiffness factor 1
  /// @param factors  E, in the layout of the children
  virtual void set_from_geometry(const SubdividedElements &elements,
                                 const Material &material,
                                 const Array<double> &factors) = 0;

  /// Computes the matrices from those of the next finer level (of the same backend).
  ///
  /// @param children  `[8][n_elements]`, stored elements of `finer`
  /// @param finer  matrices of the next finer level
  virtual void set_from_children(const Array<LocalIndex> &children,
                                 const GalerkinMatrices &finer) = 0;

  /// y = sum_e P_e^T K_e P_e x over the elements of this rank; see ElementOperator::apply().
  virtual void apply(const Array<Number> &x, Array<Number> &y) const = 0;

  /// The 3x3 blocks of the nodes; see ElementOperator::diagonal_blocks().
  virtual void diagonal_blocks(Array<Number> &blocks) const = 0;

  /// A bound of the eigenvalues of B K with the current matrices: see strut::smoother_bound(). It
  /// is taken over the elements of this rank; 0 if it has none.
  virtual double smoother_bound() const = 0;

  /// Writes the matrices of the elements of this rank to `packed[e][300]`.
  virtual void pack(Array<Number> &packed) const = 0;

  /// Reads the stored elements of other ranks from `packed[n_stored][300]`.
  virtual void unpack_others(const Array<Number> &packed) = 0;
};
} // namespace strut
