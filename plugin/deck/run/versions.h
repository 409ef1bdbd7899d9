// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

namespace strut
{
/// Returns "strut 1.0.0 (commit 1a2b3c4)", without the commit if the build was not in a git
/// checkout.
std::string strut_version();

/// Returns "1a2b3c4", or nothing.
std::string strut_commit();

/// Versions of strut, deal.II, p4est, MPI and the compiler in one line: results depend on them.
std::string library_versions();
} // namespace strut
