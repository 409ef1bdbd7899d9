// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "cuda/base/context.h"
#include "source/comparison/assembly/value_stage.h"

// The ways in which stage 3 computes the values: ValueMethod.
namespace strut::cuda
{
template <typename Number>
struct MatrixTarget;

/// The places of the entries of stored element matrices: entry (i, j) of block (a, b) of element e
/// is at `(a npe + b) block + (3 i + j) entry + e element`.
struct MatrixStrides
{
  std::size_t block, entry, element;

  /// Strides of `[npe][npe][3][3][n_elements]`, for one thread per element.
  static MatrixStrides entry_major(const std::size_t n_elements)
  {
    return {9 * n_elements, n_elements, 1};
  }
  /// Strides of `[n_elements][npe][npe][3][3]`. The blocks of a node of an element, which one row
  /// of the global matrix contains, are consecutive.
  static MatrixStrides element_major(const int npe)
  {
    return {9, 1, 9 * static_cast<std::size_t>(npe) * static_cast<std::size_t>(npe)};
  }
};

/// Computes all K0_e at stiffness factor 1.
/// @param matrices  `[9 npe^2 n_elements]`
template <typename Number>
void store_element_matrices(const Context &context,
                            const MeshArrays &mesh,
                            const Material &material,
                            bool one_thread_per_element,
                            const MatrixStrides &strides,
                            Number *matrices);

/// The first kernel of Sanfui and Sharma (2020), which integrates each element and adds it to the
/// matrix.
template <typename Number>
void integrate_and_add(const Context &context,
                       const MeshArrays &mesh,
                       const Material &material,
                       bool one_thread_per_element,
                       const double *factors,
                       const MatrixTarget<Number> &target);

/// The second kernel of the other version of Sanfui and Sharma (2020), which adds stored matrices
/// (entry-major).
template <typename Number>
void add_stored(const Context &context,
                const MeshArrays &mesh,
                const Number *matrices,
                const double *factors,
                const MatrixTarget<Number> &target);

/// Collects stored element matrices, a node at a time, without atomics and without search.
template <typename Number>
class Gather
{
public:
  /// Make the collector.
  /// @throws Error if a node has more neighbours than 16 bits count
  Gather(const Context &context, Memory &memory, const ValueProblem &problem);

  /// Find the places of the nodes of each element in the rows of the others. Call it once, before
  /// assemble().
  void find_places();

  /// Compute values = sum_e E_e K0_e.
  /// @param matrices  element-major (MatrixStrides)
  void assemble(const Number *matrices, const double *factors, Number *values) const;

  const Array<std::uint16_t> &slots() const
  {
    return slots_;
  }

private:
  const Context &context_;
  const ValueProblem problem_;
  /// `[n_incidences][npe]`, or npe + 1 if npe is odd, in the order of the element lists
  Array<std::uint16_t> slots_;
};

/// Assembly by non-zeros: SharedNZ of Cecka, Lew and Darve (2011), for comparison. Consecutive
/// nodes make a group, as many as their elements' matrices fit into the shared memory of a block of
/// threads. The block integrates all of them, then each thread sums one non-zero after the other.
/// There are no atomics and no intermediate storage. Elements at the border of groups are
/// integrated in each of them.
template <typename Number>
class SharedNz
{
public:
  /// Make the groups and the lists of contributions, on the host.
  /// @throws Error if the elements of one node do not fit, with the numbers
  SharedNz(const Context &context, Memory &memory, const ValueProblem &problem);

  /// Compute values = sum_e E_e K0_e.
  void assemble(const double *factors, Number *values) const;

  double memory_bytes() const;

private:
  const Context &context_;
  const ValueProblem problem_;
  std::size_t shared_bytes_ = 0;
  std::size_t n_groups_     = 0;

  Array<LocalIndex> first_node_;            ///< `[n_groups + 1]`
  Array<std::uint64_t> first_element_;      ///< `[n_groups + 1]`, indices into `elements_`
  Array<LocalIndex> elements_;              ///< elements of each group
  Array<LocalIndex> rows_;                  ///< node of each pair of neighbours, `[n_pairs]`
  Array<std::uint64_t> first_contribution_; ///< `[n_pairs + 1]`
  Array<std::uint32_t> contributions_;      ///< 2 (block in shared memory) + (1 if transposed)
};
} // namespace strut::cuda
