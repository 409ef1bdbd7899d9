// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/base/exceptions.h>
#include <strut/base/memory.h>

#include <optional>

namespace strut
{
/// Allocates this many bytes per rank on all ranks at the same time, because ranks may share a
/// memory, and frees them. Collective.
///
/// @return the error of this rank, if there is one
std::optional<OutOfMemory>
try_allocation(const Communicator &communicator, Memory &memory, std::size_t bytes);
} // namespace strut
