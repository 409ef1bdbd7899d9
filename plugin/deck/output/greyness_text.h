// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

namespace strut::plugin
{
/// A line for the log: how grey a design is, as greyness() measures it, and a NOTE if that is much after enough iterations.
std::string describe_greyness(double greyness, unsigned int iteration);
} // namespace strut::plugin
