// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

namespace strut::plugin
{
/// Text between the quotes of an attribute of XML.
std::string xml_escaped(const std::string &text);

/// The text that xml_escaped() was given.
std::string xml_unescaped(const std::string &text);
} // namespace strut::plugin
