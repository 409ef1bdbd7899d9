// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <vector>

#include "plugin/deck/run/run_parts.h"

namespace strut::plugin
{
/// The files that show a problem before it is solved.
struct RunPreview
{
  std::vector<std::string>
    files; ///< with their folder; none if there are too many elements, or they cannot be written
  std::string text; ///< lines for the log
};

/// Write `<deck>-problem.vtu` and `<deck>-problem.png` into the output directory: mesh, regions, supports, loads. Collective.
RunPreview write_preview(const RunContext &run);
} // namespace strut::plugin
