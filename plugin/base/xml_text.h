// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

namespace strut
{
/// Escapes text for an attribute of XML.
std::string xml_escaped(const std::string &text);

/// Inverse of xml_escaped().
std::string xml_unescaped(const std::string &text);
} // namespace strut
