// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "assembly_operations.h"

#include "../backend/cpu_backend.h"

namespace strut::cpu
{
std::shared_ptr<const AssemblyOperations> make_assembly_operations(Backend &backend)
{
  return std::make_shared<CpuAssemblyOperations>(backend);
}
} // namespace strut::cpu
