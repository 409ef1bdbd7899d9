// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

#include "source/comparison/assembly/value_stage.h"

namespace strut
{
std::string to_string(const ValueMethod method)
{
  switch (method)
    {
      case ValueMethod::same_kernel:
        return "same kernel";
      case ValueMethod::separate_kernels:
        return "separate kernels";
      case ValueMethod::gather:
        return "gather";
      case ValueMethod::shared_nz:
        break;
    }
  return "SharedNZ";
}

double value_stage_memory_estimate(const std::size_t n_elements,
                                   const int nodes_per_element,
                                   const std::size_t size_of_number,
                                   const ValueMethod method)
{
  const double pairs    = static_cast<double>(n_elements) * nodes_per_element * nodes_per_element;
  const double matrices = 9. * pairs * static_cast<double>(size_of_number);
  switch (method)
    {
      case ValueMethod::same_kernel:
        return 0.;
      case ValueMethod::separate_kernels:
        return matrices;
      case ValueMethod::gather: // plus two bytes for the position of each pair in its row
        return matrices + 2. * pairs;
      case ValueMethod::shared_nz: // lists of contributions, some of them twice
        break;
    }
  return 16. * pairs;
}
} // namespace strut
