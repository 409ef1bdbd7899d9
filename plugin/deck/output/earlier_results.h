// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <string>

namespace strut::plugin
{
/// Whether a run of a deck gives its results such a file name: `<deck>-0012.vtu` and the like, with a
/// `.tmp` behind it while it is written, `<deck>.pvd`, `history.csv`, `timing.csv`, `summary.json`, `report.html`.
/// Earlier versions wrote `<deck>-0012.pvtu` and `<deck>-0012.0003.vtu` too.
bool is_result_of_run(const std::string &file_name, const std::string &deck);

/// Whether the summary in a folder is that of a run which wrote all its files: of one that was killed it says "running", and of
/// one that could not write a file of its end "failed".
bool has_ended_well(const std::string &folder);

/// Remove the results of an earlier run, so that its designs do not mix with those of this one, and
/// nothing else. @return how many files
std::size_t remove_results_of_earlier_run(const std::string &folder, const std::string &deck);
} // namespace strut::plugin
