// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

namespace strut
{
/// A line for the log with the greyness() of a design, and a NOTE if it is large after enough
/// iterations.
/// @param projects  whether the maps of the deck end with a projection
std::string describe_greyness(double greyness, unsigned int iteration, bool projects);
} // namespace strut
