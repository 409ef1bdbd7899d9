// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/base/team.h"

namespace strut
{
/// Threads for what the host does: those of a CPU backend; beside a GPU default_n_threads().
/// @param of_backend  Backend::n_threads()
inline int host_threads(const unsigned int of_backend)
{
  return of_backend > 0 ? static_cast<int>(of_backend) : cpu::default_n_threads();
}
} // namespace strut
