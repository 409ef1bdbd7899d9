// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <boost/algorithm/string/replace.hpp>

#include <string>

namespace strut
{
/// Escapes text for an attribute of XML. The first replacement must not see the others' `&`.
inline std::string xml_escaped(std::string text)
{
  boost::algorithm::replace_all(text, "&", "&amp;");
  boost::algorithm::replace_all(text, "<", "&lt;");
  boost::algorithm::replace_all(text, ">", "&gt;");
  boost::algorithm::replace_all(text, "\"", "&quot;");
  return text;
}

/// Inverse of xml_escaped().
inline std::string xml_unescaped(std::string text)
{
  boost::algorithm::replace_all(text, "&quot;", "\"");
  boost::algorithm::replace_all(text, "&gt;", ">");
  boost::algorithm::replace_all(text, "&lt;", "<");
  boost::algorithm::replace_all(text, "&amp;", "&");
  return text;
}
} // namespace strut
