// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <vector>

#include "plugin/base/json.h"
#include "source/optimization/design_pieces.h"

namespace strut::plugin
{
/// A line for the log: in how many pieces a design is, and a NOTE about all but the largest if there are several.
std::string describe_pieces(const std::vector<DesignPiece> &pieces);

/// The fault of a design no element of which is material, for parts and verdicts; empty: it has some.
std::string describe_emptiness(const DesignElements &design);

/// "pieces" of summary.json.
void write_pieces(Json &json, const std::vector<DesignPiece> &pieces);
} // namespace strut::plugin
