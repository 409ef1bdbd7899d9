// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/parameters/default_deck.h"

#include "plugin/deck/parameters/declared_parameters.h"
#include "plugin/deck/parameters/pattern_words.h"

#include <algorithm>
#include <sstream>

namespace strut
{
namespace
{
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

void write_section(std::ostream &out,
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
      write_section(out, inner, indentation + (are_examples ? "  # " : "  "));
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

void write_default_deck(const dealii::ParameterHandler &parameters,
                        std::ostream &out,
                        const std::vector<std::string> &examples)
{
  write_section(out, declared_parameters(parameters), "", examples);
}

std::vector<std::pair<std::string, std::string>>
all_entries(const dealii::ParameterHandler &parameters)
{
  std::vector<std::pair<std::string, std::string>> all;
  collect(declared_parameters(parameters), "", all);
  return all;
}
} // namespace strut
