// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/page/report_page.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>

#include "plugin/base/coordinate_text.h"
#include "plugin/base/json.h"
#include "plugin/deck/output/history.h"
#include "plugin/deck/page/page_files.h"
#include "plugin/deck/page/page_frame.h"
#include "source/surface/for_looking.h"

namespace strut
{
namespace
{
constexpr std::size_t most_deck_bytes      = 250'000;
constexpr std::size_t most_note_bytes      = 2'000;
constexpr std::size_t most_notes           = 100;
constexpr std::size_t most_history_numbers = 80'000; // of about 20 characters each

std::string numbers_text(const std::vector<Point> &points, const int digits)
{
  std::string text;
  for (const Point &point : points)
    for (const double value : point)
      text += number_with_digits(value, digits) + ' ';
  return text;
}

/// Writes the part. Vertices have 16 bits for each direction; the step is the same in all
/// directions.
void write_part(Json &json, const TriangleMesh &part, const PartMarks &marks)
{
  double size = 0.;
  for (std::size_t d = 0; d < 3; ++d)
    size = std::max(size, marks.high[d] - marks.low[d]);
  const double step = size > 0. ? size / 65535. : 1.;
  std::string places, corners;
  places.reserve(6 * part.vertices.size());
  const auto append = [](std::string &bytes, const auto number) {
    char raw[sizeof(number)];
    std::memcpy(raw, &number, sizeof(number));
    bytes.append(raw, sizeof(number));
  };
  for (const Point &vertex : part.vertices)
    for (std::size_t d = 0; d < 3; ++d)
      append(places,
             static_cast<std::uint16_t>(
               std::clamp(std::round((vertex[d] - marks.low[d]) / step), 0., 65535.)));
  const bool is_small = part.vertices.size() <= 65536;
  for (const Triangle &triangle : part.triangles)
    for (const std::uint32_t vertex : triangle)
      if (is_small)
        append(corners, static_cast<std::uint16_t>(vertex));
      else
        append(corners, vertex);
  json.value("step", step)
    .value("places", base64(places))
    .value("bits", is_small ? 16 : 32)
    .value("corners", base64(corners));
}

void write_marks(Json &json, const PartMarks &marks)
{
  const int digits = digits_in_box(6, marks.low, marks.high);
  json.value("low", numbers_text({marks.low}, digits))
    .value("high", numbers_text({marks.high}, digits));
  json.open_list("supports");
  for (const PartMarks::Supports &supports : marks.supports)
    json.open()
      .value("name", supports.name)
      .value("nodes", supports.n_nodes)
      .value("places", numbers_text(supports.places, digits))
      .close();
  json.close().open_list("loads");
  for (const PartMarks::Loads &loads : marks.loads)
    {
      std::vector<Point> numbers;
      for (const PartMarks::Arrow &arrow : loads.arrows)
        {
          numbers.push_back(arrow.place);
          numbers.push_back(arrow.force);
        }
      json.open().value("name", loads.name).value("arrows", numbers_text(numbers, digits)).close();
    }
  json.close();
}

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
  write_part(json, part, page.marks);
  write_marks(json, page.marks);
  json.close().value("deck", shortened(page.deck, most_deck_bytes));
  return json.text();
}
} // namespace

std::string base64(const std::string &bytes)
{
  static constexpr char digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3)
    {
      const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
      std::uint32_t word  = 0;
      for (std::size_t k = 0; k < 3; ++k)
        word = word << 8 | (k < n ? static_cast<unsigned char>(bytes[i + k]) : 0u);
      for (std::size_t k = 0; k < 4; ++k)
        text += k <= n ? digits[word >> (18 - 6 * k) & 63] : '=';
    }
  return text;
}

std::string to_html(const ReportPage &page)
{
  const std::string summary = between_tags(to_json(shortened(page.summary)));
  std::size_t most          = most_part_triangles;
  while (true)
    {
      const TriangleMesh part = for_looking(page.part, most);
      std::string html        = filled_page(page_html,
                                     {{"title", html_escaped(page.name)},
                                             {"style", std::string(page_css)},
                                             {"summary", summary},
                                             {"data", between_tags(data_of(page, part))},
                                             {"viewer", std::string(page_viewer_js)},
                                             {"curves", std::string(page_curves_js)},
                                             {"script", std::string(page_js)}});
      if (html.size() <= most_page_bytes || most == 0)
        return html;
      most = most > 1000 ? most / 2 : 0;
    }
}
} // namespace strut
