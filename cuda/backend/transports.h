// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "cuda/base/context.h"

#include <strut/backend/backend.h>
#include <strut/backend/transport.h>

#include <memory>
#include <string>

namespace strut::cuda
{
struct Nccl;

/// The transport that is asked for, or the best one that can be. Throws Error, on all ranks, if it
/// cannot be. Collective.
std::unique_ptr<Transport> make_transport(const Context &context,
                                          const Communicator &communicator,
                                          Communication communication);

std::unique_ptr<Transport>
make_nccl_transport(const Context &context, const Communicator &communicator, const Nccl &nccl);

/// Of ranks on one machine, each with a GPU of its own.
/// @param obstacle  why it cannot be made; the result is null then, on all ranks. Collective.
std::unique_ptr<Transport> make_peer_transport(const Context &context,
                                               const Communicator &communicator,
                                               std::string &obstacle);

/// @param reason  for the log: why it is not a faster one; may be empty
std::unique_ptr<Transport> make_staged_transport(const Context &context,
                                                 const Communicator &communicator,
                                                 const std::string &reason);
} // namespace strut::cuda
