// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/page/report_page.h"

#include <string_view>

#include "plugin/base/json.h"
#include "plugin/deck/output/history.h"
#include "plugin/deck/page/page_frame.h"
#include "plugin/deck/page/part_data.h"
#include "source/surface/for_looking.h"

namespace strut
{
namespace
{
constexpr std::size_t most_deck_bytes      = 250'000;
constexpr std::size_t most_note_bytes      = 2'000;
constexpr std::size_t most_notes           = 100;
constexpr std::size_t most_history_numbers = 80'000; // of about 20 characters each

/// Returns every n-th row, and the last one.
std::vector<IterationRecord> thinned_out(const std::vector<IterationRecord> &history)
{
  std::vector<IterationRecord> rows;
  if (history.empty())
    return rows;
  const std::size_t width =
    6 + history.back().values.size() + history.back().case_objectives.size();
  const std::size_t step = history.size() * width / most_history_numbers + 1;
  for (std::size_t i = 0; i < history.size(); ++i)
    if (i % step == 0 || i + 1 == history.size())
      rows.push_back(history[i]);
  return rows;
}

void write_history(Json &json, const RunSummary &summary)
{
  json.open_list("columns");
  for (const HistoryColumn &column : summary.columns)
    json.open()
      .value("name", column.name)
      .value("shown", !column.title.empty())
      .value("constraint", column.is_constraint)
      .close();
  std::vector<std::string> names;
  for (const RunSummary::Case &load_case : summary.load_cases)
    names.push_back(load_case.name);
  json.close().value(
    "history",
    history_text(thinned_out(summary.history), summary.columns, summary.objective, names));
}

std::string shortened(const std::string &text, const std::size_t most)
{
  return text.size() <= most ? text : text.substr(0, most) + " ... and so on.";
}

RunSummary shortened(RunSummary summary)
{
  summary.error = shortened(summary.error, most_deck_bytes);
  if (summary.notes.size() > most_notes)
    {
      const std::size_t n = summary.notes.size() - most_notes;
      summary.notes.erase(summary.notes.begin(),
                          summary.notes.begin() + static_cast<std::ptrdiff_t>(n));
      summary.notes.insert(summary.notes.begin(),
                           std::to_string(n) + " earlier notes are in summary.json.");
    }
  for (std::string &note : summary.notes)
    note = shortened(note, most_note_bytes);
  return summary;
}

std::string data_of(const ReportPage &page, const TriangleMesh &part)
{
  Json json;
  json.value("name", page.name);
  write_history(json, page.summary);
  json.open_list("limits");
  for (const ReportPage::Limit &limit : page.limits)
    json.open()
      .value("name", limit.name)
      .value("text", limit.text)
      .value("value", limit.value)
      .close();
  json.close()
    .value("limits volume", page.limits_volume)
    .open("part")
    .value("iteration", page.part_iteration)
    .value("reason", page.without_part);
  write_surface(json, part, page.marks);
  write_marks(json, page.marks);
  json.close().value("deck", shortened(page.deck, most_deck_bytes));
  return json.text();
}
} // namespace

std::string to_html(const ReportPage &page)
{
  const std::string summary = between_tags(to_json(shortened(page.summary)));
  return page_of_limited_size([&](const std::size_t most) {
    return filled_page(page_html,
                       {{"title", html_escaped(page.name)},
                        {"style", std::string(page_css)},
                        {"summary", summary},
                        {"data", between_tags(data_of(page, for_looking(page.part, most)))},
                        {"common", std::string(page_common_js)},
                        {"viewer", std::string(page_viewer_js)},
                        {"curves", std::string(page_curves_js)},
                        {"script", std::string(page_js)}});
  });
}
} // namespace strut
