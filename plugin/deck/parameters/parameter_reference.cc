// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/parameters/parameter_reference.h"

#include <string>

#include "plugin/deck/parameters/declared_parameters.h"
#include "plugin/deck/parameters/pattern_words.h"

namespace strut
{
namespace
{
/// Escapes the special characters of Markdown. Underscores within words, and bars outside tables,
/// need no escape.
std::string plain(const std::string &text)
{
  std::string escaped;
  for (const char c : text)
    {
      if (c == '*' || c == '<' || c == '`' || c == '$' || c == '\\')
        escaped += '\\';
      escaped += c;
    }
  return escaped;
}

void write_entry(const DeclaredEntry &entry, std::ostream &out)
{
  out << "- **" << plain(entry.name)
      << "** = " << (entry.default_value.empty() ? "(empty)" : "`" + entry.default_value + "`");
  if (const std::string allowed = pattern_in_words(entry.pattern); allowed != "any text")
    out << "; " << plain(allowed);
  out << '\n';
  if (!entry.documentation.empty())
    out << "  <br>" << plain(entry.documentation) << '\n';
}

void write_section(const DeclaredSection &section, const std::string &path, std::ostream &out)
{
  if (!section.entry_names().empty())
    {
      if (!path.empty())
        out << "\n## `" << path << "`\n";
      out << '\n';
      for (const DeclaredEntry &entry : section.entries)
        write_entry(entry, out);
    }
  for (const DeclaredSection &inner : section.subsections)
    write_section(inner, path.empty() ? inner.name : path + " / " + inner.name, out);
}
} // namespace

void write_parameter_reference(const dealii::ParameterHandler &parameters, std::ostream &out)
{
  write_section(declared_parameters(parameters), "", out);
}
} // namespace strut
