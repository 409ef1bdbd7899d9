// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/array.h>
#include <strut/solvers/state/nodal_forces.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace strut
{
/// Returns forces in the memory of a backend, `[n]`, zero where there are none. Only blocks with
/// forces are made on the host and copied, as most loads act on few nodes.
/// @param n  at least the number of values in `forces`
template <typename Number>
Array<Number> forces_on_backend(Memory &memory, const std::size_t n, const NodalForces &forces)
{
  constexpr std::size_t of_block = std::size_t(1) << 16;
  Array<Number> result(memory, n);
  std::vector<Number> values;
  std::size_t first     = 0; // First entry of the block.
  const auto copy_block = [&]() {
    if (!values.empty())
      memory.copy_from_host(result.data() + first, values.data(), values.size() * sizeof(Number));
  };
  forces.for_each([&](const std::size_t dof, const double force) { // The DoFs are ascending.
    if (values.empty() || dof >= first + of_block)
      {
        copy_block();
        first = dof / of_block * of_block;
        values.assign(std::min(of_block, n - first), Number(0));
      }
    values[dof - first] = static_cast<Number>(force);
  });
  copy_block();
  return result;
}
} // namespace strut
