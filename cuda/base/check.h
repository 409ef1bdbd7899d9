// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cuda_runtime.h>

namespace strut::cuda
{
/// Throws Error, with the call, its place and CUDA's own text, unless `status` is success. Errors
/// that belong to the call alone are cleared, so that the next call does not report them again.
void check(cudaError_t status, const char *call, const char *file, int line);
} // namespace strut::cuda

/// Checks a call of the CUDA runtime; used around every call, in every build type.
#define STRUT_CUDA_CHECK(call) ::strut::cuda::check((call), #call, __FILE__, __LINE__)

/// Checks a launch: finds a launch that CUDA refused, and errors of earlier work. Used after every
/// launch.
#define STRUT_CUDA_CHECK_LAUNCH(kernel) \
  ::strut::cuda::check(cudaGetLastError(), "launch of " kernel, __FILE__, __LINE__)
