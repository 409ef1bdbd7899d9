// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>

#include "plugin/base/choose_backend.h"

namespace strut
{
/// Checks that the memory of the backend has so many free bytes for each rank, for all ranks that
/// share it. On a device all ranks allocate them at the same time, and free them. On the host,
/// where memory counts as free until it is written, their sum is compared with the free memory. It
/// is for work in which a rank that alone runs out of memory would leave the others waiting.
/// Collective.
/// @throws OutOfMemory, on all ranks, in terms of StiffnessOptions
void require_room(const Communicator &communicator, const ChosenBackend &chosen, std::size_t bytes);
} // namespace strut
