// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "cuda/operators/on_the_fly_patches.cuh"

#include <cstddef>

namespace strut::cuda
{
/// Bytes that the operators on patches keep, for Strategy.
template <typename Number>
struct MemoryOfPatches
{
  template <bool ordered>
  static double memory_with_lame(const std::size_t n_elements, const std::size_t n_nodes)
  {
    return memory_estimate<ordered>(n_elements, n_nodes) +
           2. * static_cast<double>(n_elements) * sizeof(Number);
  }

  /// Bytes of the node and its coordinates.
  static constexpr double bytes_of_slot =
    sizeof(LocalIndex) + patch::Vectors<Number>::stride * sizeof(Number);

  /// Estimated bytes, with 2.3 slots per element as in blocks, and a few more elsewhere. Copies of
  /// one element need no coordinates.
  template <bool ordered, bool similar = false>
  static double memory_estimate(const std::size_t n_elements, const std::size_t n_nodes)
  {
    const double n     = static_cast<double>(n_elements);
    const double slots = 1.5 * n + static_cast<double>(n_nodes);
    // Vertices of patterns, of which blocks have few and others up to 8 bytes per element.
    double bytes = n * ((similar ? 0.5 : 8.) + sizeof(Number) + 1.2) +
                   slots * (similar ? sizeof(LocalIndex) : bytes_of_slot);
    if (ordered)
      bytes += slots * of_sum + sizeof(LocalIndex) * static_cast<double>(n_nodes);
    return bytes;
  }

  /// Bytes per slot of sums in a fixed order: three numbers, and the place among the slots of a
  /// node.
  static constexpr double of_sum = 3 * sizeof(Number) + sizeof(LocalIndex);
};
} // namespace strut::cuda
