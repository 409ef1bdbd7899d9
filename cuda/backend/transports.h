// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "cuda/base/context.h"
#include "source/backend/transport.h"

#include <strut/backend/backend.h>

#include <memory>
#include <string>

namespace strut::cuda
{
struct Nccl;

/// Makes the requested transport, or the best one that is possible. Throws Error on all ranks if it
/// cannot be made. Collective.
std::unique_ptr<Transport> make_transport(const Context &context,
                                          const Communicator &communicator,
                                          Communication communication);

std::unique_ptr<Transport>
make_nccl_transport(const Context &context, const Communicator &communicator, const Nccl &nccl);

/// Makes a transport for ranks on one machine, each with a GPU of its own. Collective.
/// @param obstacle  reason if it cannot be made; then the result is null, on all ranks
std::unique_ptr<Transport> make_peer_transport(const Context &context,
                                               const Communicator &communicator,
                                               std::string &obstacle);

/// Makes a transport through host memory.
/// @param reason  for the log: why it is not a faster one; may be empty
std::unique_ptr<Transport> make_staged_transport(const Context &context,
                                                 const Communicator &communicator,
                                                 const std::string &reason);
} // namespace strut::cuda
