// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/parameters/declared_parameters.h"

#include <deal.II/base/parameter_handler.h>

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>

#include <algorithm>
#include <cctype>
#include <ostream>
#include <sstream>

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

/// Writes a text as comment lines of at most 90 characters.
void write_comment(std::ostream &out, const std::string &indentation, const std::string &text)
{
  constexpr std::size_t width = 90;
  std::istringstream words(text);
  std::string line;
  for (std::string word; words >> word;)
    {
      if (!line.empty() && indentation.size() + line.size() + word.size() + 3 > width)
        {
          out << indentation << '#' << line << '\n';
          line.clear();
        }
      line += ' ' + word;
    }
  // A comment that ends in '\' would include the next line.
  while (!line.empty() && (line.back() == '\\' || line.back() == ' '))
    line.pop_back();
  if (!line.empty())
    out << indentation << '#' << line << '\n';
}

std::string full_stop(const std::string &sentence)
{
  const bool ends = sentence.empty() || std::string(".!?:").find(sentence.back()) < 4;
  return ends ? sentence : sentence + ".";
}

void write_deck_section(std::ostream &out,
                        const DeclaredSection &section,
                        const std::string &indentation,
                        const std::vector<std::string> &examples = {})
{
  std::size_t longest = 0;
  for (const DeclaredEntry &entry : section.entries)
    longest = std::max(longest, entry.name.size());

  bool first = true;
  for (const DeclaredEntry &entry : section.entries)
    {
      std::string comment = full_stop(entry.documentation);
      if (const std::string words = pattern_in_words(entry.pattern); words != "any text")
        comment += (comment.empty() ? "Allowed: " : " Allowed: ") + words + ".";
      if (entry.value != entry.default_value)
        comment += " Default: " + entry.default_value;
      if (!first && !comment.empty())
        out << '\n';
      write_comment(out, indentation, comment);
      out << indentation << "set " << entry.name << std::string(longest - entry.name.size(), ' ')
          << " =" << (entry.value.empty() ? "" : " ") << entry.value << '\n';
      first = false;
    }
  for (const DeclaredSection &inner : section.subsections)
    {
      out << (first ? "" : "\n") << indentation << "subsection " << inner.name << '\n';
      const bool are_examples =
        std::find(examples.begin(), examples.end(), inner.name) != examples.end();
      write_deck_section(out, inner, indentation + (are_examples ? "  # " : "  "));
      out << indentation << "end\n";
      first = false;
    }
}

void collect(const DeclaredSection &section,
             const std::string &prefix,
             std::vector<std::pair<std::string, std::string>> &all)
{
  for (const DeclaredEntry &entry : section.entries)
    all.emplace_back(prefix + entry.name, entry.value);
  for (const DeclaredSection &inner : section.subsections)
    collect(inner, prefix + inner.name + "/", all);
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

void write_default_deck(const dealii::ParameterHandler &parameters,
                        std::ostream &out,
                        const std::vector<std::string> &examples)
{
  write_deck_section(out, declared_parameters(parameters), "", examples);
}

std::vector<std::pair<std::string, std::string>>
all_entries(const dealii::ParameterHandler &parameters)
{
  std::vector<std::pair<std::string, std::string>> all;
  collect(declared_parameters(parameters), "", all);
  return all;
}
} // namespace strut
