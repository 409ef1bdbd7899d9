// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>

#include <mpi.h>

#include <functional>

namespace strut
{
/// Runs work that may fail on one rank alone, and throws on all ranks if it does. Ranks whose work
/// succeeded throw the error of the first failed rank, with "On rank 1: " before it. The error is
/// OutOfMemory, SolverFailure or Error, with the same remedy. Collective.
///
/// @param work  must not communicate after a point where it can fail, as a failed rank would leave
/// the others waiting; see attempt_or_abort()
void attempt_together(const Communicator &communicator, const std::function<void()> &work);

/// Runs work on rank 0 alone, as attempt_together() does, without "On rank 0: " in the messages of
/// the others. Collective.
void on_root(MPI_Comm communicator, const std::function<void()> &work);
void on_root(const Communicator &communicator, const std::function<void()> &work);

/// Runs work that communicates, as attempt_together() does otherwise. A rank that fails alone
/// cannot tell the others, who wait for it. After two seconds it prints its message, and half a
/// minute later it ends the program on all ranks (MPI_Abort). If all ranks return before, all throw
/// if one has failed. Collective.
void attempt_or_abort(const Communicator &communicator, const std::function<void()> &work);

/// Whether all ranks call this within two seconds. If not, a rank has failed alone and the others
/// wait for it elsewhere, forever. Collective if possible; ranks that do not call it must not wait
/// on this communicator.
bool all_arrive(MPI_Comm communicator);
} // namespace strut
