// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <algorithm>
#include <limits>
#include <set>

#include "plugin/base/json.h"
#include "plugin/deck/page/page_frame.h"
#include "plugin/studies/runs/run_comparison.h"

namespace strut
{
namespace
{
/// Most rows of a history on a page.
constexpr std::size_t most_page_rows = 1000;

/// Iterations that occur in either history, each once.
std::vector<unsigned int> all_designs(const HistoryFile &a, const HistoryFile &b)
{
  std::set<unsigned int> designs(a.designs.begin(), a.designs.end());
  designs.insert(b.designs.begin(), b.designs.end());
  std::vector<unsigned int> rows;
  const std::size_t step = designs.size() / most_page_rows + 1;
  std::size_t i          = 0;
  for (const unsigned int design : designs)
    if (i++ % step == 0 || i == designs.size())
      rows.push_back(design);
  return rows;
}

/// Writes a curve, with null for designs that the history does not have.
void write_curve(Json &json,
                 const std::string &name,
                 const HistoryFile &history,
                 const HistoryFile::Column &column,
                 const std::vector<unsigned int> &designs)
{
  json.open_list(name);
  for (const unsigned int design : designs)
    {
      const auto found = std::lower_bound(history.designs.begin(), history.designs.end(), design);
      json.element(found != history.designs.end() && *found == design
                     ? column.values[static_cast<std::size_t>(found - history.designs.begin())]
                     : std::numeric_limits<double>::quiet_NaN());
    }
  json.close();
}

void write_facts(Json &json, const std::string &name, const std::vector<ComparedFact> &facts)
{
  json.open_list(name);
  for (const ComparedFact &fact : facts)
    json.open_list("")
      .element(fact.name)
      .element(fact.a)
      .element(fact.b)
      .element(fact.difference)
      .close();
  json.close();
}
} // namespace

std::string to_html(const RunComparison &comparison)
{
  const RunFolder &a = comparison.run_a, &b = comparison.run_b;
  Json json(Json::Layout::one_line);
  json.value("a", a.folder).value("b", b.folder);
  const std::vector<unsigned int> designs = all_designs(a.history, b.history);
  json.open_list("iterations");
  for (const unsigned int design : designs)
    json.element(static_cast<double>(design));
  json.close().open_list("columns");
  for (const CurveComparison::Column &column : comparison.curves.columns)
    {
      const bool is_objective = &column == &comparison.curves.columns.front();
      const auto of           = [&](const HistoryFile &history) -> const HistoryFile::Column           &{
        return is_objective ? history.columns.front() : *history.find(column.name);
      };
      json.open().value("name", column.name);
      write_curve(json, "a", a.history, of(a.history), designs);
      write_curve(json, "b", b.history, of(b.history), designs);
      json.close();
    }
  json.close();
  json.value("designs", describe_designs(comparison));
  write_facts(json, "facts", comparison.facts);
  write_facts(json, "deck", comparison.entries);
  return filled_page(comparison_html,
                     {{"title", html_escaped(a.folder + " and " + b.folder)},
                      {"style", std::string(page_css)},
                      {"data", between_tags(json.text())},
                      {"common", std::string(page_common_js)},
                      {"curves", std::string(page_curves_js)},
                      {"script", std::string(comparison_js)}});
}
} // namespace strut
