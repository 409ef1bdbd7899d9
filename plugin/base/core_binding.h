// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

namespace strut
{
/// Replaces Open MPI's default binding by this process's share of the machine's cores. Open MPI
/// binds each of up to two ranks to a core, and more ranks to a socket, unless its command line
/// says otherwise. The host's work of a rank would then have few cores, whatever the machine has. A
/// binding that somebody asked for stays. Existing threads of the process keep theirs.
///
/// @param rank  number among the ranks of this machine @param n_ranks  number of ranks of this
/// machine
void replace_default_binding(int rank, int n_ranks);
} // namespace strut
