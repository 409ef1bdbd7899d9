// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <vector>

#include "plugin/base/json.h"
#include "source/optimization/design_pieces.h"

namespace strut
{
/// A line for the log with the number of pieces of a design. If there are several, a NOTE describes
/// all but the largest.
std::string describe_pieces(const std::vector<DesignPiece> &pieces);

/// The fault of a design without any material, for parts and verdicts; empty if it has some.
std::string describe_emptiness(const DesignElements &design);

/// Writes "pieces" of summary.json.
void write_pieces(Json &json, const std::vector<DesignPiece> &pieces);
} // namespace strut
