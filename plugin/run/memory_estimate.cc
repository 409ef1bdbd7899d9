// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/run/memory_estimate.h"

#include <strut/base/exceptions.h>
#include <strut/base/text.h>

namespace strut::plugin
{
template <typename Number>
MemoryEstimate estimate_memory(const Strategy<Number> &strategy,
                               const std::size_t n_elements,
                               const std::size_t n_nodes,
                               const std::size_t n_load_cases,
                               const bool filtered)
{
  // r, p, q, the inverse diagonal; displacement and forces of each load case
  const double n_vectors = 4. + 2. * n_load_cases;
  // five arrays and the flags of the SIMP loop; of the filter the values in the order of its grid,
  // points (3), their order and the grid's cells
  const double element_bytes =
    5. * sizeof(double) + 1. + (filtered ? 4. * sizeof(double) + 8. : 0.);

  MemoryEstimate estimate;
  estimate.operator_bytes = strategy.memory_estimate(n_elements, n_nodes);
  estimate.vector_bytes   = n_vectors * 3. * n_nodes * sizeof(Number);
  estimate.design_bytes   = element_bytes * n_elements;
  return estimate;
}

void require_memory(const MemoryEstimate &estimate,
                    const double available,
                    const std::string &backend,
                    const std::string &strategy)
{
  if (estimate.total() <= available)
    return;
  throw OutOfMemory(
    "Not enough memory on the backend '" + backend + "': about " + format_bytes(estimate.total()) +
    " needed (operator '" + strategy + "' " + format_bytes(estimate.operator_bytes) + ", vectors " +
    format_bytes(estimate.vector_bytes) +
    (estimate.multigrid_bytes > 0. ? ", multigrid " + format_bytes(estimate.multigrid_bytes) : "") +
    ", design " + format_bytes(estimate.design_bytes) + "), " + format_bytes(available) + " free.");
}

template MemoryEstimate
estimate_memory(const Strategy<double> &, std::size_t, std::size_t, std::size_t, bool);
template MemoryEstimate
estimate_memory(const Strategy<float> &, std::size_t, std::size_t, std::size_t, bool);
} // namespace strut::plugin
