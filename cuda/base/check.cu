// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/base/check.h"

#include <strut/base/exceptions.h>

#include <sstream>
#include <string>

namespace strut::cuda
{
void check(const cudaError_t status, const char *call, const char *file, const int line)
{
  if (status == cudaSuccess)
    return;
  cudaGetLastError();

  std::string place       = file;
  const std::size_t start = place.rfind("/cuda/");
  if (start != std::string::npos)
    place.erase(0, start + 1);

  std::ostringstream text;
  text << "CUDA reports an error: " << cudaGetErrorString(status) << " ("
       << cudaGetErrorName(status) << ").\n  It was seen at " << place << ':' << line << ": "
       << call << '.';
  switch (status)
    {
      case cudaErrorIllegalAddress:
      case cudaErrorMisalignedAddress:
      case cudaErrorIllegalInstruction:
      case cudaErrorLaunchFailure:
      case cudaErrorHardwareStackError:
      case cudaErrorAssert:
        throw Error(text.str(), Remedy::report_failed_kernel);
      case cudaErrorNoKernelImageForDevice:
        text << "\n  This build holds no code for this GPU.";
        throw Error(text.str(), Remedy::build_for_this_gpu);
      default:
        throw Error(text.str(), Remedy::check_gpu);
    }
}
} // namespace strut::cuda
