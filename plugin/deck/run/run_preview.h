// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <vector>

#include "plugin/deck/run/run_parts.h"

namespace strut
{
/// Files that show a problem before it is solved.
struct RunPreview
{
  /// Paths of the files; none if there are too many elements, or if they cannot be written.
  std::vector<std::string> files;
  std::string text; ///< lines for the log
};

/// Writes `<deck>-problem.vtu` and `<deck>-problem.png` into the output directory. They show mesh,
/// regions, supports and loads. Collective.
RunPreview write_preview(const RunContext &run);
} // namespace strut
