// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

namespace strut::plugin
{
/// From now on the first SIGINT, SIGTERM, SIGHUP or SIGUSR1 only asks the run to stop after its iteration;
/// the second ends the program at once, except SIGHUP, which closed terminals send twice. Under nohup
/// SIGHUP does nothing.
void catch_stop_signals();

/// Whether such a signal has come to this rank.
bool stop_requested();
} // namespace strut::plugin
