// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace strut
{
/// Whether the summary in a folder is from a run that wrote all its files. The summary of a killed
/// run says "running". If a run could not write one of its last files, it says "failed".
bool has_ended_well(const std::string &folder);

/// Returns why the last design in a folder is not what was asked for, from the summary of the run
/// that made it. Empty if it is, or if there is no summary.
std::string shortfall_of_last_run(const std::string &folder);

/// Names of other decks with results in a folder, ascending.
std::vector<std::string> other_decks(const std::string &folder, const std::string &deck);

/// Removes only the results of an earlier run, so that its designs do not mix with those of this
/// run.
/// @return number of removed files
std::size_t remove_results_of_earlier_run(const std::string &folder, const std::string &deck);
} // namespace strut
