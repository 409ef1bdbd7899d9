// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/base/team.h"

#include <strut/backend/backend.h>

namespace strut
{
/// Threads for what the host does: those of a CPU backend; beside a GPU, whose backend computes
/// with none of them, default_n_threads().
inline int host_threads(Backend &backend)
{
  return backend.memory().is_host() ? static_cast<int>(backend.n_threads())
                                    : cpu::default_n_threads();
}
} // namespace strut
