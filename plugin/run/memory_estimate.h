// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/strategy.h>
#include <strut/optimization/filter.h>

#include <string>

namespace strut::plugin
{
/// What a run will take from the memory of a backend, per rank, before anything is allocated.
struct MemoryEstimate
{
  double operator_bytes  = 0; ///< what the strategy keeps
  double vector_bytes    = 0; ///< displacements, forces, work vectors of the solver
  double multigrid_bytes = 0; ///< operators, vectors and transfer of all levels
  double design_bytes    = 0; ///< densities, sensitivities, filter

  double total() const
  {
    return operator_bytes + vector_bytes + multigrid_bytes + design_bytes;
  }
};

template <typename Number>
MemoryEstimate estimate_memory(const Strategy<Number> &strategy,
                               std::size_t n_elements,
                               std::size_t n_nodes,
                               std::size_t n_load_cases,
                               bool filtered);

/// Throw OutOfMemory with needed, free and what to change, if an estimate exceeds what is free.
void require_memory(const MemoryEstimate &estimate,
                    double available,
                    const std::string &backend,
                    const std::string &strategy);
} // namespace strut::plugin
