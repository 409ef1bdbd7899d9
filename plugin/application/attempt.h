// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/parallel/communicator.h>

#include <mpi.h>

#include <functional>
#include <string>

namespace strut::plugin
{
/// Do what may fail on one rank alone, without leaving the others behind: all throw if one does.
/// Collective.
void attempt_together(const Communicator &communicator, const std::function<void()> &work);

/// Whether all ranks come here within two seconds: if not, one of them has failed alone and the others
/// wait for it somewhere else, forever. Collective if it can be.
bool all_arrive(MPI_Comm communicator);

/// The first line of a message, without a full stop.
std::string first_line(const std::string &text);
} // namespace strut::plugin
