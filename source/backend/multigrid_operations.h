// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/backend/dense_inverse.h"
#include "source/backend/galerkin_matrices.h"
#include "source/backend/krylov_updates.h"
#include "source/backend/place_interpolation.h"

#include <strut/base/array.h>
#include <strut/base/exceptions.h>
#include <strut/base/host_device.h>
#include <strut/element/material.h>
#include <strut/mesh/element_mesh.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace strut
{
/// The position of a fine node in a coarse element that was cut into eight. It is a point of the
/// 3x3x3 lattice of vertices, centres of edges and faces, and the element's centre.
struct LatticePlace
{
  std::uint32_t number; ///< `i + 3 j + 9 k`, each 0 to 2

  /// The element's vertices that contribute to this place: bit v for vertex v.
  STRUT_HOST_DEVICE std::uint32_t vertices() const
  {
    // for each direction the vertex masks of the coordinates 0, 1 and 2
    return 0xffu & (0xaaff55u >> 8 * coordinate(0)) & (0xccff33u >> 8 * coordinate(1)) &
           (0xf0ff0fu >> 8 * coordinate(2));
  }

  /// Logarithm to base 2 of the number of vertices that contribute.
  STRUT_HOST_DEVICE std::uint32_t log2_parents() const
  {
    return (coordinate(0) & 1u) + (coordinate(1) & 1u) + (coordinate(2) & 1u);
  }

  /// The weight of each of the 2^log2_parents vertices. It is exact and needs no division.
  template <typename Number>
  STRUT_HOST_DEVICE static Number weight(const std::uint32_t log2_parents)
  {
    return Number(0.125) * static_cast<Number>(8u >> log2_parents);
  }

  /// Calls body(vertex) for each contributing vertex, ascending. The loop has a fixed length, so
  /// that kernels can have all its loads in flight.
  template <typename Body>
  STRUT_HOST_DEVICE void for_each_vertex(const Body &body) const
  {
    const std::uint32_t bits = vertices();
    for (std::uint32_t v = 0; v < 8; ++v)
      if (bits >> v & 1u)
        body(v);
  }

private:
  STRUT_HOST_DEVICE std::uint32_t coordinate(const unsigned int d) const
  {
    return (d == 0 ? number : d == 1 ? number / 3 : number / 9) % 3;
  }
};

/// Lists of nodes, in the memory of a backend. Nodes are numbered along the elements, so many lists
/// are equal up to a constant. Each list has a base, and a pattern that equal lists share.
struct NodeLists
{
  Array<std::uint32_t> bases;  ///< `[n]`
  Array<std::uint32_t> begins; ///< `[n]`: start of the list's pattern in `patterns`

  /// Differences to the base, in the encoding of the owner of the lists.
  Array<std::uint32_t> patterns;

  struct List
  {
    std::uint32_t base;
    const std::uint32_t *pattern;

    /// Entry k. Only valid where the pattern consists of plain differences.
    STRUT_HOST_DEVICE std::uint32_t operator[](const std::uint32_t k) const
    {
      return base + pattern[k];
    }
  };

  /// Pointers for kernels.
  struct View
  {
    const std::uint32_t *bases, *begins, *patterns;

    STRUT_HOST_DEVICE List operator[](const std::size_t i) const
    {
      return {bases[i], patterns + begins[i]};
    }
  };

  View view() const
  {
    return {bases.data(), begins.data(), patterns.data()};
  }
};

/// Trilinear interpolation between the nodes of two levels, in the memory of a backend. A fine node
/// takes the mean of its parents: 1 at the same place, 2 on an edge, 4 on a face, 8 inside of a
/// coarse element. A fine node finds its parents in a coarse element around it. A coarse node has
/// the list of its children. So both products gather.
struct NodeInterpolation
{
  static constexpr std::uint32_t bits_of_place = 5; ///< 5 bits leave room for 2^27 coarse elements

  Array<std::uint32_t> places; ///< `[n_fine]`: `coarse element << bits_of_place | LatticePlace`
  /// `[n_elements][8]`: nodes of coarse elements; differences modulo 2^32.
  NodeLists elements;
  /// `[n_coarse]`: children of coarse nodes, ascending. A pattern has their number, and for each
  /// child `(fine node - base) << 2 | log2(number of its parents)`.
  NodeLists children;

  std::size_t n_fine   = 0; ///< nodes: the owned ones of the fine level
  std::size_t n_coarse = 0; ///< nodes: owned ones of the coarse level and ghosts of the transfer

  /// The place of a fine node, from its entry in `places`.
  STRUT_HOST_DEVICE static LatticePlace place(const std::uint32_t entry)
  {
    return {entry & ((1u << bits_of_place) - 1u)};
  }

  /// Calls body(parent) for the parents of a fine node, from its entry in `places`.
  ///
  /// @param elements  `elements[e][v]`: vertex v of a coarse element
  template <typename Elements, typename Body>
  STRUT_HOST_DEVICE static void
  for_each_parent(const std::uint32_t entry, const Elements &elements, const Body &body)
  {
    const auto &nodes = elements[entry >> bits_of_place];
    place(entry).for_each_vertex([&](const std::uint32_t v) { body(nodes[v]); });
  }

  /// Sets out[c] to the mean of `coarse[parent][c]` over the parents of a fine node.
  template <typename Number, int n_components>
  STRUT_HOST_DEVICE static void mean_of_parents(const std::uint32_t entry,
                                                const NodeLists::View &elements,
                                                const Number *const coarse,
                                                Number (&out)[n_components])
  {
    for (Number &value : out)
      value = Number(0);
    for_each_parent(entry, elements, [&](const std::uint32_t parent) {
      for (std::size_t c = 0; c < n_components; ++c)
        out[c] += coarse[n_components * std::size_t(parent) + c];
    });
    const auto weight = LatticePlace::weight<Number>(place(entry).log2_parents());
    for (Number &value : out)
      value *= weight;
  }
};

/// Storage of the nodal blocks whose inverses a smoother applies. In double it has the numbers of
/// the inverse, six for three components. In float it has the block in a word for each component:
/// see PackedBlock.
template <typename Number>
struct StoredBlock
{
  using Word                      = Number;
  static constexpr bool is_packed = false;

  static constexpr std::size_t n_words(const std::size_t n_components)
  {
    return n_components * (n_components + 1) / 2;
  }
};
template <>
struct StoredBlock<float>
{
  using Word                      = std::uint32_t;
  static constexpr bool is_packed = true;

  static constexpr std::size_t n_words(const std::size_t n_components)
  {
    return n_components;
  }
};

/// The stored blocks of the nodes of a level: `[n_nodes][n_words]`.
template <typename Number>
using StoredBlocks = Array<typename StoredBlock<Number>::Word>;

/// The work of multigrid on one rank, apart from the operators, for a number of components per
/// node. Vectors are `[n_nodes][n_components]`. Blocks are the upper triangles of symmetric blocks
/// of the components (NodalBlock): `[n_nodes][6]` for three. No result depends on the order in
/// which threads run.
template <typename Number>
class MultigridOperations
{
public:
  virtual ~MultigridOperations() = default;

  /// Stores the inverse of the free part of each block, with zero rows and columns for constrained
  /// components (bit c of `constrained`). The inverse of a block that is not positive definite is
  /// zero. In packed form it is the inverse of a block that is at least as large; see PackedBlock.
  ///
  /// @param inverse  may be `blocks` where it is not packed
  virtual void invert_blocks(std::size_t n_nodes,
                             const Array<std::uint8_t> &constrained,
                             const Array<Number> &blocks,
                             StoredBlocks<Number> &inverse) const = 0;

  /// Inverts the blocks in place, where they are not packed.
  void invert_blocks(const std::size_t n_nodes,
                     const Array<std::uint8_t> &constrained,
                     Array<Number> &blocks) const
  {
    invert_blocks(n_nodes, constrained, blocks, blocks);
  }

  /// The effect of a level's supports on the next coarser one, for each DoF. It is `B_cc` where
  /// component c of a node is constrained, else the spring of the DoF; see SupportSprings.
  ///
  /// @param springs  for each DoF, or empty: none
  virtual void support_stiffness(std::size_t n_nodes,
                                 const Array<std::uint8_t> &constrained,
                                 const Array<Number> &blocks,
                                 const Array<Number> &springs,
                                 Array<Number> &stiffness) const = 0;

  /// Adds springs, one for each DoF, to the diagonals of the blocks.
  virtual void
  add_to_blocks(std::size_t n_nodes, const Array<Number> &springs, Array<Number> &blocks) const = 0;

  /// Sets the off-diagonal entries of the blocks to zero, for a pointwise smoother.
  virtual void keep_diagonals(std::size_t n_nodes, Array<Number> &blocks) const = 0;

  /// Updates y_i += s_i x_i.
  virtual void add_springs(std::size_t n,
                           const Array<Number> &s,
                           const Array<Number> &x,
                           Array<Number> &y) const = 0;

  /// First step of a polynomial smoother from x = 0: `d = a B r, x = d`.
  virtual void smooth_from_zero(std::size_t n_nodes,
                                const StoredBlocks<Number> &B,
                                Number a,
                                const Array<Number> &r,
                                Array<Number> &d,
                                Array<Number> &x) const = 0;

  /// First smoothing step after a correction d with the product q = K d:
  /// `r -= q, x += d, d = a B r, x += d`. If q is empty, q was already subtracted from r.
  virtual void smooth_first(std::size_t n_nodes,
                            const StoredBlocks<Number> &B,
                            Number a,
                            const Array<Number> &q,
                            Array<Number> &r,
                            Array<Number> &d,
                            Array<Number> &x) const = 0;

  /// The following smoothing steps: `r -= q, d = b d + a B r, x += d`. If q is empty, q was already
  /// subtracted from r.
  virtual void smooth_next(std::size_t n_nodes,
                           const StoredBlocks<Number> &B,
                           Number a,
                           Number b,
                           const Array<Number> &q,
                           Array<Number> &r,
                           Array<Number> &d,
                           Array<Number> &x) const = 0;

  /// Updates r -= q, and sets held components (bit c of `held`) to zero.
  virtual void subtract_free(std::size_t n_nodes,
                             const Array<std::uint8_t> &held,
                             const Array<Number> &q,
                             Array<Number> &r) const = 0;

  /// Sets fine = P coarse, and held components to zero (bit c of `held`; empty: none).
  virtual void prolongate(const NodeInterpolation &P,
                          const Array<Number> &coarse,
                          const Array<std::uint8_t> &held,
                          Array<Number> &fine) const = 0;

  /// Sets coarse = P^T fine.
  virtual void restrict_to_parents(const NodeInterpolation &P,
                                   const Array<Number> &fine,
                                   Array<Number> &coarse) const = 0;

  /// Sets `matrices_e = factors_e solid_e`, and `outside solid_e` where the factor is zero. Element
  /// matrices have packed_matrix_size() numbers each.
  virtual void scale_matrices(const Array<double> &solid,
                              const Array<double> &factors,
                              double outside,
                              Array<double> &matrices) const = 0;

  /// Sets `matrices_e = packed_e`, as packed by GalerkinMatrices, and `outside solid_e` where
  /// packed_e is all zero.
  virtual void complete_matrices(const Array<double> &solid,
                                 const Array<Number> &packed,
                                 double outside,
                                 Array<double> &matrices) const = 0;

  /// Interpolation with weights by place.
  virtual void prolongate(const PlaceInterpolation<Number> &P,
                          const Array<Number> &coarse,
                          const Array<std::uint8_t> &held,
                          Array<Number> &fine) const            = 0;
  virtual void restrict_to_parents(const PlaceInterpolation<Number> &P,
                                   const Array<Number> &fine,
                                   Array<Number> &coarse) const = 0;

  /// Makes Galerkin matrices with all entries zero. Throws Error unless there are three components.
  virtual std::unique_ptr<GalerkinMatrices<Number>>
  make_galerkin_matrices(Memory &, const GalerkinElements &) const
  {
    throw Error("Galerkin's coarse operators are those of displacements, with three components per "
                "node: take the rediscretised ones.");
  }

  /// Makes the inverse of a small matrix. Null where the host computes: there a sparse factor is
  /// better.
  virtual std::unique_ptr<DenseInverse<Number>> make_dense_inverse(Memory &,
                                                                   const SymmetricSums &) const
  {
    return nullptr;
  }
};

/// Operations between precisions, and on fields of elements.
class LevelOperations
{
public:
  virtual ~LevelOperations() = default;

  /// Sets y_i = x_i for i < n.
  virtual void convert(std::size_t n, const Array<double> &x, Array<float> &y) const = 0;
  virtual void convert(std::size_t n, const Array<float> &x, Array<double> &y) const = 0;

  /// Makes the updates of conjugate gradients in double with the direction in float.
  virtual std::unique_ptr<KrylovUpdates<double, float>> make_mixed_krylov_updates() const = 0;

  /// Sets parent_e to the mean of fine_c over the eight children c of e, `children[8][n_parents]`.
  virtual void mean_of_children(std::size_t n_parents,
                                const Array<std::uint32_t> &children,
                                const Array<double> &fine,
                                Array<double> &parent) const = 0;

  /// `coarse_e = sum_k weights_k fine(elements_k)`, k from `begin_e` to `begin_(e+1)`.
  virtual void weighted_sums(std::size_t n_coarse,
                             const Array<std::uint32_t> &begin,
                             const Array<std::uint32_t> &elements,
                             const Array<float> &weights,
                             const Array<double> &fine,
                             Array<double> &coarse) const = 0;

  /// Returns the largest eigenvalue of B_e K0_e over the elements of a mesh, rounded up by at most
  /// 1e-3 (source/element/lanczos.h). B_e is the inverse of the nodal blocks of K0_e. Returns
  /// nothing where the host computes it.
  virtual std::optional<double>
  largest_element_eigenvalue(Memory &, const ElementMesh &, const Material &) const
  {
    return std::nullopt;
  }
};
} // namespace strut
