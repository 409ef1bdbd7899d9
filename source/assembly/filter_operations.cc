// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/assembly/assembly_parts.h"
#include "source/backend/filter_loops.h"
#include "source/base/parallel_loop.h"

namespace strut::cpu
{
std::unique_ptr<const FilterOperations> make_filter_operations(Backend &backend)
{
  return std::make_unique<FilterLoops<Loops>>(Loops{static_cast<int>(backend.n_threads())});
}
} // namespace strut::cpu
