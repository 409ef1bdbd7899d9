// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/assembly/assembly_parts.h"
#include "cuda/base/parallel_loop.cuh"
#include "source/backend/filter_loops.h"

namespace strut::cuda
{
std::unique_ptr<const FilterOperations> make_filter_operations(Backend &backend)
{
  return std::make_unique<FilterLoops<Loops>>(Loops{context_of(backend)});
}
} // namespace strut::cuda
