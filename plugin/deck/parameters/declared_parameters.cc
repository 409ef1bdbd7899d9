// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/parameters/declared_parameters.h"

#include <deal.II/base/parameter_handler.h>

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>

#include <algorithm>
#include <cctype>
#include <ostream>

#include "plugin/deck/parameters/pattern_words.h"
#include "source/base/text_stream.h"

namespace strut
{
namespace
{
DeclaredSection read_section(const boost::property_tree::ptree &tree, const std::string &name)
{
  DeclaredSection section;
  section.name = name;
  for (const auto &[key, node] : tree)
    {
      const auto text = [&node = node](const char *child) {
        return node.get<std::string>(child, std::string());
      };
      if (node.get_optional<std::string>("value"))
        section.entries.push_back({unmangle(key),
                                   text("value"),
                                   text("default_value"),
                                   text("documentation"),
                                   text("pattern_description")});
      else
        section.subsections.push_back(read_section(node, unmangle(key)));
    }
  return section;
}

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

const DeclaredSection *DeclaredSection::find(const std::vector<std::string> &path) const
{
  const DeclaredSection *section = this;
  for (const std::string &part : path)
    {
      const auto next = std::find_if(section->subsections.begin(),
                                     section->subsections.end(),
                                     [&](const DeclaredSection &s) { return s.name == part; });
      if (next == section->subsections.end())
        return nullptr;
      section = &*next;
    }
  return section;
}

const DeclaredEntry *DeclaredSection::find_entry(const std::string &wanted) const
{
  const auto entry = std::find_if(entries.begin(), entries.end(), [&](const DeclaredEntry &e) {
    return e.name == wanted;
  });
  return entry == entries.end() ? nullptr : &*entry;
}

std::vector<std::string> DeclaredSection::entry_names() const
{
  std::vector<std::string> names;
  for (const DeclaredEntry &entry : entries)
    names.push_back(entry.name);
  return names;
}

std::vector<std::string> DeclaredSection::subsection_names() const
{
  std::vector<std::string> names;
  for (const DeclaredSection &section : subsections)
    names.push_back(section.name);
  return names;
}

DeclaredSection declared_parameters(const dealii::ParameterHandler &parameters)
{
  // Only the XML form preserves names: the JSON form of deal.II 9.4 splits names at points into
  // subsections.
  TextStream xml;
  parameters.print_parameters(xml,
                              dealii::ParameterHandler::XML |
                                dealii::ParameterHandler::KeepDeclarationOrder);
  boost::property_tree::ptree tree;
  boost::property_tree::read_xml(xml, tree);
  return read_section(tree.get_child("ParameterHandler"), "");
}

std::string unmangle(const std::string &key)
{
  const auto is_hexadecimal = [&](const std::size_t i) {
    return i < key.size() && std::isxdigit(static_cast<unsigned char>(key[i])) != 0;
  };
  std::string name;
  for (std::size_t i = 0; i < key.size(); ++i)
    if (key[i] == '_' && is_hexadecimal(i + 1) && is_hexadecimal(i + 2))
      {
        name += static_cast<char>(std::stoi(key.substr(i + 1, 2), nullptr, 16));
        i += 2;
      }
    else
      name += key[i];
  return name;
}

void write_parameter_reference(const dealii::ParameterHandler &parameters, std::ostream &out)
{
  write_section(declared_parameters(parameters), "", out);
}
} // namespace strut
