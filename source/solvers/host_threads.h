// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <omp.h>

namespace strut
{
/// Threads for what the host does: those of a CPU backend; beside a GPU those that OpenMP gives.
/// @param of_backend  Backend::n_threads()
inline int host_threads(const unsigned int of_backend)
{
  return of_backend > 0 ? static_cast<int>(of_backend) : omp_get_max_threads();
}
} // namespace strut
