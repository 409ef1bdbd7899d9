// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>

#include <mpi.h>

#include <functional>

namespace strut::plugin
{
/// Do work that may fail on one rank alone, without leaving the others behind: all throw if one does. A
/// rank whose own work went well throws the error of the first other one, with "On rank 1: " before it,
/// as OutOfMemory, SolverFailure or Error, with the same remedy. Collective.
///
/// @param work  must not communicate, unless before anything in it can fail: a rank that has failed
/// is here, and would leave the others waiting there. See attempt_or_abort().
void attempt_together(const Communicator &communicator, const std::function<void()> &work);

/// As attempt_together() for work of rank 0 alone, without "On rank 0: " in the messages of the others. Collective.
void on_root(MPI_Comm communicator, const std::function<void()> &work);
void on_root(const Communicator &communicator, const std::function<void()> &work);

/// As attempt_together() for work that communicates. Here a rank that fails alone cannot tell the others, who wait
/// for it: after two seconds it prints its message, and half a minute later it ends the program on all
/// ranks (MPI_Abort). Where all ranks come back till then, all throw if one has failed. Collective.
void attempt_or_abort(const Communicator &communicator, const std::function<void()> &work);

/// Whether all ranks come here within two seconds: if not, one of them has failed alone and the others
/// wait for it somewhere else, forever. Collective if it can be; the others must not wait on this
/// communicator.
bool all_arrive(MPI_Comm communicator);
} // namespace strut::plugin
