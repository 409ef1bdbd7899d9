// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "assembly_operations.h"

#include <strut/base/exceptions.h>

namespace strut::cuda
{
std::unique_ptr<ValueStage<double>>
CudaAssemblyOperations::get_value_stage(NumberTag<double>, const ValueProblem &) const
{
  throw Error("Matrix generation: no values on the device yet.");
}

std::unique_ptr<ValueStage<float>>
CudaAssemblyOperations::get_value_stage(NumberTag<float>, const ValueProblem &) const
{
  throw Error("Matrix generation: no values on the device yet.");
}
} // namespace strut::cuda
