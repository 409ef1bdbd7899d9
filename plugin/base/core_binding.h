// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

namespace strut::plugin
{
/// Open MPI binds each of up to two ranks to a core, and more ranks to a socket, unless its command line says otherwise: then
/// the host's work of a rank has one core, whatever the machine has. Where nobody asked for that, this process takes
/// its share of the machine's cores in its place. Threads that it has made before keep theirs.
///
/// @param rank  among those of this machine @param n_ranks  of this machine
void replace_default_binding(int rank, int n_ranks);
} // namespace strut::plugin
