// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/runs/run_comparison.h"
#include "source/base/text.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <sstream>

#include "plugin/base/spelling.h"

namespace strut
{
namespace
{
constexpr const char *differs = "*", *missing = "-";

/// Smaller relative differences are rounding, such as from sums in another order.
constexpr double rounding_of_facts = 1e-12;

/// Whether a difference is marked. Facts that differ even between equal runs are not.
enum class Marked
{
  yes,
  no
};

std::optional<double> number_of(const std::optional<std::string> &text)
{
  if (!text || text->empty())
    return {};
  char *end          = nullptr;
  const double value = std::strtod(text->c_str(), &end);
  if (*end != '\0')
    return {};
  return value;
}

class FactList
{
public:
  FactList(const RunFolder &a, const RunFolder &b) : a_(a), b_(b)
  {}

  /// Adds a text or a number of the summaries; nothing if neither has it.
  void add(const std::string &name, const std::string &path, const Marked marked = Marked::yes)
  {
    add_texts(name, a_.summary.text(path), b_.summary.text(path), marked);
  }

  void add_texts(const std::string &name,
                 const std::optional<std::string> &a,
                 const std::optional<std::string> &b,
                 const Marked marked = Marked::yes)
  {
    if (!a && !b)
      return;
    ComparedFact fact = {name, shown_fact(a), shown_fact(b), ""};
    if (marked == Marked::yes && a != b)
      {
        const auto x = number_of(a), y = number_of(b);
        if (!x || !y)
          fact.difference = differs;
        else if (relative_difference(*x, *y) > rounding_of_facts)
          fact.difference = difference_text(relative_difference(*x, *y));
      }
    facts_.push_back(fact);
  }

  /// Adds the numbers and words directly in an object: those of A in order, then those that only B
  /// has.
  void add_all(const std::string &begin, const std::string &object)
  {
    std::vector<std::string> names;
    for (const RunFolder *const run : {&a_, &b_})
      for (const auto &value : run->summary.values_in(object))
        if (std::find(names.begin(), names.end(), value.first) == names.end())
          names.push_back(value.first);
    for (const std::string &name : names)
      add(begin + name, object + '/' + name);
  }

  std::vector<ComparedFact> take()
  {
    return std::move(facts_);
  }

private:
  static std::string shown_fact(const std::optional<std::string> &text)
  {
    if (!text)
      return missing;
    // otherwise it is a whole number, and all its digits count
    if (text->find_first_of(".e") != std::string::npos)
      if (const std::optional<double> number = number_of(text))
        return number_text(*number);
    return shown(*text, 300);
  }

  const RunFolder &a_, &b_;
  std::vector<ComparedFact> facts_;
};

std::string options_of(const RunFolder &run)
{
  std::vector<std::string> options = run.summary.list("deck/options");
  options.erase(std::remove_if(options.begin(),
                               options.end(),
                               [](const std::string &option) {
                                 return option.compare(0, 9, "--output ") == 0;
                               }),
                options.end());
  return options.empty() ? "none" : join(options, "; ");
}

std::string end_of(const RunFolder &run)
{
  std::string text = *run.summary.text("status");
  if (run.summary.text("deck/resumed") == "true")
    text += ", resumed";
  if (const auto error = run.summary.text("error"))
    text += ": " + *error;
  return text;
}

/// Text such as "preconditioner 41 %, operator 20 %, other 6 %".
std::optional<std::string> shares_of_time(const RunFolder &run)
{
  const std::optional<double> total = number_of(run.summary.text("seconds/total"));
  if (!total || !(*total > 0.))
    return {};
  std::vector<std::pair<double, std::string>> sections;
  for (const auto &[name, seconds] : run.summary.values_in("seconds"))
    if (name != "total")
      sections.emplace_back(-std::strtod(seconds.c_str(), nullptr) / *total, name);
  std::sort(sections.begin(), sections.end());
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(3, sections.size()); ++i)
    {
      char share[16];
      std::snprintf(share, sizeof(share), " %.0f %%", -100. * sections[i].first);
      add_to_list(text, sections[i].second + share);
    }
  return text;
}

std::optional<std::string> seconds_of(const RunFolder &run)
{
  const std::optional<double> total = number_of(run.summary.text("seconds/total"));
  return total ? std::optional<std::string>(number_text(*total) + " s") : std::nullopt;
}

std::string shown_value(const RunFolder::Entry &entry)
{
  return entry.value.empty() ? "(empty)" : shown(entry.value, 300);
}

/// Words of a value of a deck, with its numbers in a uniform notation.
std::vector<std::string> words_of_value(const std::string &value)
{
  std::vector<std::string> words;
  std::string text = value;
  std::replace(text.begin(), text.end(), ',', ' ');
  std::istringstream stream(text);
  for (std::string word; stream >> word; words.push_back(word))
    {
      char *end           = nullptr;
      const double number = std::strtod(word.c_str(), &end);
      if (*end == '\0')
        {
          std::ostringstream digits;
          digits.precision(17);
          digits << number;
          word = digits.str();
        }
    }
  return words;
}
} // namespace

std::string difference_text(const double relative)
{
  char text[32];
  std::snprintf(text,
                sizeof(text),
                relative < 1e-3 ? "%.0e" : "%.3g %%",
                relative < 1e-3 ? relative : 100. * relative);
  return text;
}

std::vector<ComparedFact> compare_facts(const RunFolder &a, const RunFolder &b)
{
  FactList list(a, b);
  list.add("deck", "deck/file");
  list.add_texts("options", options_of(a), options_of(b));
  list.add("strut", "label/strut");
  list.add("commit", "label/commit");
  list.add("libraries", "label/libraries");
  list.add("written", "label/date", Marked::no);
  list.add("backend", "label/backend");
  list.add("device", "label/device");
  list.add("precision", "label/precision");
  list.add("operator", "label/operator");
  list.add("preconditioner", "label/preconditioner");
  list.add("ranks", "sizes/ranks");
  list.add("threads per rank", "sizes/threads per rank");
  list.add("elements", "sizes/elements");
  const auto method_of = [](const RunFolder &run) -> std::optional<std::string> {
    for (const RunFolder::Entry &entry : run.entries)
      if (entry.name == "Optimization / Method")
        return entry.value;
    return {};
  };
  list.add_texts("method", method_of(a), method_of(b));
  list.add("designs made", "iterations");
  list.add_texts("ended", end_of(a), end_of(b));
  list.add("objective", "objective/name");
  list.add("value of the objective",
           "objective/value",
           a.summary.text("objective/name") == b.summary.text("objective/name") ? Marked::yes
                                                                                : Marked::no);
  list.add("volume fraction asked", "volume fraction/asked");
  list.add("volume fraction got", "volume fraction/got");
  list.add("greyness", "greyness");
  list.add("surface closed", "surface/closed");
  list.add("walls, one per cent below", "surface/thinnest wall/one per cent is thinner than");
  list.add("best design: iteration", "best/iteration");
  list.add("  its objective", "best/objective");
  list.add("pieces", "pieces/number");
  list.add_all("constraint ", "constraints");
  list.add("PCG iterations in all", "solver/iterations");
  list.add("  most in a design", "solver/most in one design iteration");
  list.add_texts("wall time", seconds_of(a), seconds_of(b), Marked::no);
  list.add_texts("  largest shares", shares_of_time(a), shares_of_time(b), Marked::no);
  list.add_all("part: ", "part");
  return list.take();
}

std::vector<ComparedFact> compare_decks(const RunFolder &a, const RunFolder &b)
{
  std::map<std::string, const RunFolder::Entry *> of_a, of_b;
  for (const RunFolder::Entry &entry : a.entries)
    of_a[entry.name] = &entry;
  for (const RunFolder::Entry &entry : b.entries)
    of_b[entry.name] = &entry;
  std::vector<ComparedFact> facts;
  for (const RunFolder::Entry &entry : a.entries)
    {
      const auto found = of_b.find(entry.name);
      if (found == of_b.end() && !entry.is_default)
        facts.push_back({entry.name, shown_value(entry), missing, differs});
      else if (found != of_b.end() && entry.name != "Output / Output directory" &&
               words_of_value(entry.value) != words_of_value(found->second->value))
        facts.push_back({entry.name, shown_value(entry), shown_value(*found->second), differs});
    }
  for (const RunFolder::Entry &entry : b.entries)
    if (of_a.count(entry.name) == 0 && !entry.is_default)
      facts.push_back({entry.name, missing, shown_value(entry), differs});
  return facts;
}
} // namespace strut
