// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "assembly_operations.h"

#include "../backend/cuda_backend.h"

namespace strut::cuda
{
std::shared_ptr<const AssemblyOperations> make_assembly_operations(Backend &backend,
                                                                   const Context &context)
{
  return std::make_shared<CudaAssemblyOperations>(backend, context);
}
} // namespace strut::cuda
