// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/comparison/assembly/assembly_operations.h"

#include <strut/base/exceptions.h>

namespace strut::cuda
{
/// Replaces the matrix generation on the GPU in a build without the CUDA toolkit, in which no
/// backend asks for it.
AssemblyOperations::Functions assembly_functions()
{
  throw Error("The matrix generation on the GPU was asked for, but this build has no CUDA backend.",
              Remedy::build_with_cuda);
}
} // namespace strut::cuda
