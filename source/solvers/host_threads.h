// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/base/team.h"

#include <strut/backend/backend.h>

namespace strut
{
/// Number of threads for work on the host: those of a CPU backend, or default_n_threads() for a GPU
/// backend, which uses no threads of its own.
inline int host_threads(Backend &backend)
{
  return backend.memory().is_host() ? static_cast<int>(backend.n_threads())
                                    : cpu::default_n_threads();
}
} // namespace strut
