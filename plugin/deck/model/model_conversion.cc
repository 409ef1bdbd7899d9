// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/model/model_conversion.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include "plugin/base/atomic_file.h"
#include "plugin/base/named_file.h"
#include "plugin/deck/mesh/included_text.h"
#include "plugin/deck/model/abaqus_model.h"

namespace strut
{
namespace
{
namespace fs = std::filesystem;
using Remark = DeckDraft::Remark;

void write(const DraftSection &section, const std::string &indent, std::ostream &out)
{
  std::size_t width = 0;
  for (const auto &[entry, value] : section.entries)
    width = std::max(width, entry.size());
  for (const auto &[entry, value] : section.entries)
    out << indent << "set " << entry << std::string(width - entry.size(), ' ') << " = " << value
        << '\n';
  for (const DraftSection &inner : section.sections)
    {
      if (inner.entries.empty() && inner.sections.empty())
        continue;
      out << indent << "subsection " << inner.name << '\n';
      write(inner, indent + "  ", out);
      out << indent << "end\n" << (indent.empty() ? "\n" : "");
    }
}

/// Returns the remarks in the order of their lines, equal ones together, with the files of included
/// lines.
std::vector<std::string> lines_of(std::vector<Remark> remarks, const IncludedText &text)
{
  std::stable_sort(remarks.begin(), remarks.end(), [](const Remark &a, const Remark &b) {
    return a.line < b.line;
  });
  std::map<std::string, std::set<std::size_t>> lines; // of each text
  for (const Remark &remark : remarks)
    lines[remark.text].insert(remark.line);
  std::vector<std::string> result;
  for (const Remark &remark : remarks)
    if (const std::set<std::size_t> &equal = lines[remark.text]; *equal.begin() == remark.line)
      {
        std::string line = text.explain(remark.text);
        if (remark.line > 0)
          line = text.place(remark.line) +
                 (equal.size() > 1 ? " and " + std::to_string(equal.size() - 1) + " more" : "") +
                 ": " + line;
        if (std::find(result.begin(), result.end(), line) == result.end())
          result.push_back(line);
      }
  return result;
}

std::string list(const std::string &title,
                 const std::vector<std::string> &lines,
                 const std::string &indent,
                 const std::size_t most)
{
  std::string result = lines.empty() ? "" : indent + title + "\n";
  for (std::size_t i = 0; i < std::min(most, lines.size()); ++i)
    result += indent + "  " + lines[i] + "\n";
  if (lines.size() > most)
    result += indent + "  and " + std::to_string(lines.size() - most) + " more\n";
  return result;
}

void require_solids(const std::string &model, const MeshFileContents &contents)
{
  const std::string solids = contents.list(3), flat = contents.list(2);
  if (!contents.is_of_one_type())
    throw Error(
      "\"" + model + "\" has " +
      (solids.empty() ? "no solids" + (flat.empty() ? "" : ": its elements are " + flat) : solids) +
      "; solids of one kind are needed, hexahedra of 8, 20 or 27 nodes or tetrahedra of "
      "4 or 10." +
      contents.remedies(true));
}

void require_new(const std::string &file)
{
  if (fs::exists(file))
    throw Error("The file " + file +
                " exists; it was not overwritten.\n  Choose another name with --write-deck, or "
                "remove it.");
}

/// The name of a file as seen from the folder of another.
std::string seen_from(const std::string &other, const std::string &file)
{
  const fs::path folder = fs::absolute(other).parent_path();
  return fs::absolute(file).lexically_normal().lexically_relative(folder.lexically_normal());
}

std::string text_of(const std::string &model)
{
  std::string text = file_contents(model);
  if (text.rfind("\xEF\xBB\xBF", 0) == 0)
    text.erase(0, 3);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos || text[first] != '*')
    throw Error("\"" + model +
                "\" does not begin as a model of Abaqus or CalculiX, with '*'.\n  Other programs "
                "export this format (.inp).");
  return text;
}
} // namespace

ModelConversion convert_model(const std::string &model, const std::string &deck)
{
  const std::string deck_file =
    deck.empty() ? fs::path(model).replace_extension(".prm").string() : deck;
  const fs::path deck_path(deck_file);
  const std::string sets_file =
    (deck_path.parent_path() / (deck_path.stem().string() + "-sets.inp")).string();
  if (model.find('#') != std::string::npos)
    throw Error("\"" + model +
                "\" has '#' in its name, where a comment of a deck begins.\n  Rename it.");
  require_new(deck_file);

  std::optional<IncludedText> text;
  try
    {
      text.emplace(text_of(model), model, /*with_steps*/ true);
      const AbaqusDeck parsed = parse_abaqus(text->text(), true);
      require_solids(model, parsed.contents);
      DeckDraft draft = draft_of_model(parsed);

      const std::string seen = seen_from(deck_file, model);
      std::string mesh_file  = seen;
      if (!draft.new_sets.empty())
        {
          require_new(sets_file);
          mesh_file = fs::path(sets_file).filename().string();
          write_file_atomically(sets_file,
                                "*HEADING\nSets for " + deck_path.filename().string() +
                                  ": places of the model that have no name in it\n" +
                                  draft.new_sets + "*INCLUDE, INPUT=\"" + seen + "\"\n");
        }
      DraftSection &file = draft.deck["Mesh"]["File"];
      file.entries.insert(file.entries.begin(), {"File name", mesh_file});

      const std::size_t all = std::numeric_limits<std::size_t>::max();
      const auto missed = lines_of(draft.missed, *text), left = lines_of(draft.left, *text);
      const std::string warning = "WARNING: these supports, loads and parts are not in the deck:";
      std::ostringstream out;
      out << "# Made of " << seen << " by strut --from. Numbers are as there, in its units.\n"
          << list(warning, missed, "# ", all) << list("Not taken:", left, "# ", all)
          << "# Choose what 'Optimization' is to do.\n\n";
      write(draft.deck, "", out);
      write_file_atomically(deck_file, out.str());

      constexpr std::size_t most = 40; // lines of one list
      return {deck_file + " is made of " + model +
                (draft.new_sets.empty() ? "" : ", with sets in " + sets_file) + ".\n" +
                list(warning, missed, "", most) +
                list("Taken:", lines_of(draft.taken, *text), "", most) +
                list("Not taken:", left, "", most) + "Check it: strut --validate " + deck_file +
                "\n",
              missed.empty()};
    }
  catch (const MeshFileError &error)
    {
      throw Error("\"" + model + "\": " + (text ? text->explain(error.what()) : error.what()) +
                  ".");
    }
}
} // namespace strut
