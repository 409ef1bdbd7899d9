// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <mpi.h>

#include <cstddef>

namespace strut
{
/// Sends or receives any number of bytes, point to point, in pieces, as MPI counts with int.
void send_bytes(MPI_Comm communicator, int to, const void *data, std::size_t n_bytes);
void receive_bytes(MPI_Comm communicator, int from, void *data, std::size_t n_bytes);
} // namespace strut
