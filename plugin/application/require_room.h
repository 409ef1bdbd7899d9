// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>

#include "plugin/base/choose_backend.h"

namespace strut::plugin
{
/// See whether so many bytes of each rank fit into the memory of its backend, next to those of the ranks
/// that share it. On a device all take them at the same time, and give them back; on the host, where
/// memory counts as free until it is written to, their sum is compared with the free memory. For work in which a rank that runs out
/// of memory alone would leave the others waiting. Collective.
/// @throws OutOfMemory, on all ranks, in words of StiffnessOptions
void require_room(const Communicator &communicator, const ChosenBackend &chosen, std::size_t bytes);
} // namespace strut::plugin
