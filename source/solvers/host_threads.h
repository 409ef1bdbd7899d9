// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>

#include <omp.h>

namespace strut
{
/// Threads for what the host does: those of a CPU backend; beside a GPU those that OpenMP gives.
inline int host_threads(const Backend &backend)
{
  return backend.n_threads() > 0 ? static_cast<int>(backend.n_threads()) : omp_get_max_threads();
}
} // namespace strut
