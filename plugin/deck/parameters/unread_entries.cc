// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/parameters/unread_entries.h"

#include <deal.II/base/utilities.h>

#include <algorithm>

#include "plugin/base/spelling.h"
#include "plugin/deck/parameters/deck.h"
#include "plugin/deck/parameters/named_choice.h"
#include "plugin/deck/parameters/pattern_words.h"

namespace strut
{
namespace
{
using Path = std::vector<std::string>;

/// Entries that are read only for some values of another entry in the same subsection.
struct ReadOnlyWith
{
  Path path;
  std::vector<std::string> entries;
  std::string choosing;
  std::vector<std::string> values; ///< values with which they are read; none: any non-empty value
};

/// Single entries. unread_entries() finds the subsections of parts by their names.
const std::vector<ReadOnlyWith> &entries_with_a_condition()
{
  static const Path solver = {"Solver"}, optimization = {"Optimization"}, part = {"Export"},
                    cuts = {"Optimization", "Iso stress"}, beso = {"Optimization", "Beso"};
  static const std::vector<ReadOnlyWith> list = {
    {solver,
     {"Smoothing steps", "Coarse operators", "Rigid pieces", "Smoother"},
     "Preconditioner",
     {"multigrid"}},
    {{"Symmetry"}, {"Mirror filters"}, "Planes", {}},
    {optimization, {"Minimum stiffness"}, "Interpolation", {"modified simp"}},
    {optimization,
     {"Interpolation",
      "Minimum stiffness",
      "Penalization",
      "Move limit",
      "Damping exponent",
      "Stopping criterion",
      "Stopping tolerance",
      "Stopping designs"},
     "Method",
     {"simp"}},
    {optimization,
     {"Stopping tolerance", "Stopping designs"},
     "Stopping criterion",
     {"compliance change", "relative compliance change", "density change", "kkt"}},
    {cuts, {"Evolution rate"}, "Level", {"volume"}},
    {cuts,
     {"First redistribution factor", "Step of the redistribution factor"},
     "Level",
     {"redistribution factor"}},
    {cuts, {"Weak stiffness"}, "Outside elements", {"include"}},
    {beso, {"Density of the void", "Penalization"}, "Void elements", {"soft"}},
    {part, {"Unit", "Smoothing", "Simplification error", "Keep islands", "Mirror"}, "Formats", {}}};
  return list;
}

bool contains(const std::vector<std::string> &list, const std::string &word)
{
  return std::find(list.begin(), list.end(), word) != list.end();
}

class Reader
{
public:
  Reader(const Deck &deck, const DeclaredSection &declared, const ChoicesOfRun &choices)
    : deck_(deck), declared_(declared), choices_(choices), has_all_(sets_all(declared, {}))
  {}

  std::vector<std::string> unread()
  {
    look_for_parts(declared_, {});
    for (const ReadOnlyWith &condition : entries_with_a_condition())
      for (const std::string &entry : condition.entries)
        check_condition(condition, entry);
    return std::move(sentences_);
  }

private:
  bool sets_all(const DeclaredSection &section, const Path &path) const
  {
    return std::all_of(section.entries.begin(),
                       section.entries.end(),
                       [&](const DeclaredEntry &entry) {
                         return deck_.find_entry(path, entry.name) != nullptr;
                       }) &&
           std::all_of(section.subsections.begin(),
                       section.subsections.end(),
                       [&](const DeclaredSection &inner) {
                         return sets_all(inner, inside(path, inner.name));
                       });
  }

  static Path inside(Path path, const std::string &name)
  {
    path.push_back(name);
    return path;
  }

  std::string value_of(const DeclaredEntry &entry, const Path &path) const
  {
    const auto chosen = choices_.find(full_name(path, entry.name));
    return chosen == choices_.end() ? entry.value : chosen->second;
  }

  /// Checks the subsections of parts that other entries in the same subsection choose by name:
  /// 'Maps = overhang' chooses 'Overhang'.
  void look_for_parts(const DeclaredSection &section, const Path &path)
  {
    for (const DeclaredSection &inner : section.subsections)
      {
        const Path inner_path = inside(path, inner.name);
        std::string part, reasons;
        bool is_chosen = false;
        for (const DeclaredEntry &entry : section.entries)
          for (const std::string &choice : choices_of(entry.pattern))
            if (!choice.empty() && subsection_of(choice) == inner.name)
              {
                part = choice;
                is_chosen =
                  is_chosen ||
                  contains(dealii::Utilities::split_string_list(value_of(entry, path)), choice);
                reasons +=
                  (reasons.empty() ? "'" : ", '") + entry.name +
                  (value_of(entry, path).empty() ? "' is empty"
                                                 : "' is '" + shown(value_of(entry, path)) + "'");
              }
        if (part.empty() || is_chosen)
          look_for_parts(inner, inner_path);
        else if (const std::string place = place_of_wish(inner, inner_path); !place.empty())
          tell(place, inner_path, "", reasons + ", and nothing else names '" + part + "'");
      }
  }

  /// The place in the deck of something set in a subsection; empty if nothing there seems intended.
  std::string place_of_wish(const DeclaredSection &section, const Path &path) const
  {
    const std::string in_a_file = deck_.where(path, "");
    const bool is_in_a_file     = in_a_file != deck_.file_name();
    for (const Deck::Entry &entry : deck_.entries())
      if (entry.path.size() >= path.size() &&
          std::equal(path.begin(), path.end(), entry.path.begin()) &&
          (!has_all_ || differs(section, entry)))
        return is_in_a_file ? in_a_file : place_of(entry);
    return is_in_a_file && !has_all_ ? in_a_file : "";
  }

  static bool differs(const DeclaredSection &section, const Deck::Entry &entry)
  {
    const DeclaredEntry *const known = section.find_entry(entry.name);
    return known == nullptr || known->value != known->default_value;
  }

  void check_condition(const ReadOnlyWith &condition, const std::string &entry)
  {
    const Deck::Entry *const set         = deck_.find_entry(condition.path, entry);
    const DeclaredSection *const section = declared_.find(condition.path);
    if (set == nullptr || section == nullptr || !differs(*section, *set))
      return;
    const DeclaredEntry *const choosing = section->find_entry(condition.choosing);
    if (choosing == nullptr)
      return;
    const std::string value = value_of(*choosing, condition.path);
    if (condition.values.empty() ? value.empty() : !contains(condition.values, value))
      tell(place_of(*set),
           condition.path,
           entry,
           "'" + condition.choosing + "' is " + (value.empty() ? "empty" : "'" + value + "'"));
  }

  void tell(const std::string &place,
            const Path &path,
            const std::string &entry,
            const std::string &reason)
  {
    const std::string whole = full_name(path, entry);
    if (contains(told_, whole))
      return;
    told_.push_back(whole);
    sentences_.push_back(place + ": nothing reads '" + shown(whole, 200) + "': " + reason);
  }

  const Deck &deck_;
  const DeclaredSection &declared_;
  const ChoicesOfRun &choices_;
  const bool has_all_;
  std::vector<std::string> told_, sentences_;
};
} // namespace

std::vector<std::string>
unread_entries(const Deck &deck, const DeclaredSection &declared, const ChoicesOfRun &choices)
{
  return Reader(deck, declared, choices).unread();
}
} // namespace strut
