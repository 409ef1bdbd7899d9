// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/run_summary.h"

#include "plugin/base/json.h"
#include "plugin/deck/output/piece_text.h"

#include <algorithm>
#include <cstdint>

namespace strut
{
const char *name_of(const RunStatus status)
{
  constexpr const char *names[] = {
    "running", "converged", "iteration limit", "ended", "interrupted", "failed"};
  return names[static_cast<int>(status)];
}

namespace
{
/// Writes a number of the last iteration, or null if there was none.
void last(Json &json,
          const std::string &name,
          const RunSummary &summary,
          double IterationRecord::*const number)
{
  if (summary.history.empty())
    json.null(name);
  else
    json.value(name, summary.history.back().*number);
}

void write_nodal_stresses(Json &json, const RunSummary::NodalStresses &stresses)
{
  json.open("at nodes");
  for (const auto &[name, value] :
       {std::make_pair("largest von Mises stress", &stresses.von_mises),
        std::make_pair("largest principal stress", &stresses.largest_principal),
        std::make_pair("least principal stress", &stresses.least_principal),
        std::make_pair("least safety factor", &stresses.safety_factor)})
    if (*value)
      json.open(name).value("value", (*value)->value).list("place", (*value)->place).close();
    else
      json.null(name);
  json.close();
}

void write_result(Json &json, const RunSummary &summary)
{
  json.open("objective").value("name", summary.objective);
  last(json, "value", summary, &IterationRecord::objective);
  json.close();

  json.open_list("load cases");
  for (std::size_t l = 0; l < summary.load_cases.size(); ++l)
    {
      json.open()
        .value("name", summary.load_cases[l].name)
        .value("weight", summary.load_cases[l].weight);
      if (summary.history.empty() || l >= summary.history.back().case_objectives.size())
        json.null("objective");
      else
        json.value("objective", summary.history.back().case_objectives[l]);
      const std::optional<LargestValues> &largest = summary.load_cases[l].largest;
      for (const auto &[name, number] :
           {std::make_pair("largest von Mises stress at corners", &LargestValues::corner_stress),
            std::make_pair("largest von Mises stress at centres", &LargestValues::stress),
            std::make_pair("largest displacement", &LargestValues::displacement)})
        json.value(name, largest ? std::make_optional(*largest.*number) : std::nullopt);
      if (const auto &at_nodes = summary.load_cases[l].at_nodes)
        write_nodal_stresses(json, *at_nodes);
      if (const auto &points = summary.load_cases[l].points; !points.empty())
        {
          json.open_list("points");
          for (const RunSummary::PointValue &point : points)
            {
              json.open().value("name", point.name).list("place", point.place);
              json.list("displacement", point.displacement);
              if (point.stress)
                json.list("stress xx, yy, zz, xy, yz, zx", *point.stress);
              json.close();
            }
          json.close();
        }
      if (const auto &reactions = summary.load_cases[l].reactions)
        {
          json.open_list("reactions");
          for (const RunSummary::Reaction &reaction : reactions->all)
            json.open()
              .value("of", reaction.name)
              .list("force", reaction.force)
              .list("point", reaction.point)
              .list("moment", reaction.moment)
              .close();
          json.close().value("out of balance", reactions->imbalance);
        }
      json.close();
    }
  json.close();

  json.open("volume fraction").value("asked", summary.volume_fraction);
  last(json, "got", summary, &IterationRecord::volume_fraction);
  json.close();
  const auto write_column = [&](const std::size_t c, const std::string &name) {
    if (summary.history.empty())
      json.null(name);
    else
      json.value(name, summary.history.back().values[c]);
  };
  bool has_constraints = false;
  for (std::size_t c = 0; c < summary.columns.size(); ++c)
    if (summary.columns[c].is_constraint)
      has_constraints = true;
    else if (!summary.columns[c].title.empty())
      {
        std::string name = summary.columns[c].name;
        std::replace(name.begin(), name.end(), '_', ' ');
        write_column(c, name);
      }
  if (has_constraints)
    {
      json.open("constraints");
      for (std::size_t c = 0; c < summary.columns.size(); ++c)
        if (summary.columns[c].is_constraint)
          write_column(c, summary.columns[c].name);
      json.close();
    }

  write_solid_values(json, "solid body", summary.solid_body);
  write_solid_values(json, "as solid elements", summary.solid_elements);

  std::uint64_t all = 0;
  unsigned int most = 0;
  double residual   = 0.;
  for (const IterationRecord &record : summary.history)
    {
      all += record.solver_iterations;
      most     = std::max(most, record.solver_iterations);
      residual = std::max(residual, record.residual);
    }
  json.open("solver")
    .value("iterations", all)
    .value("most in one design iteration", most)
    .value("largest residual", residual)
    .close();
}

void write_best(Json &json, const RunSummary::Best &best)
{
  json.open("best")
    .value("iteration", best.record.iteration)
    .value("objective", best.record.objective)
    .value("volume fraction", best.record.volume_fraction)
    .value_or_null("file", best.file)
    .close();
}

void write_surface(Json &json, const RunSummary::SurfaceFacts &surface)
{
  json.open("surface").value("closed", surface.is_closed);
  if (surface.walls)
    json.open("thinnest wall")
      .value("least", surface.walls->least)
      .value("one per cent is thinner than", surface.walls->one_percent)
      .list("place", surface.walls->place)
      .close();
  else
    json.null("thinnest wall");
  json.close();
}

void write_part(Json &json, const RunSummary::PartFacts &part)
{
  json.open("part")
    .list("files", part.files)
    .value("triangles", part.n_triangles)
    .value("volume", part.volume)
    .value("volume of the design", part.design_volume)
    .value("area", part.area)
    .value("closed cavities", part.n_cavities)
    .list("volumes of islands taken away", part.islands)
    .list("warnings", part.warnings)
    .close();
}
} // namespace

void write_solid_values(Json &json,
                        const std::string &name,
                        const std::vector<RunSummary::SolidValue> &values)
{
  if (values.empty())
    return;
  json.open(name);
  for (const RunSummary::SolidValue &value : values)
    json.open(value.name)
      .value("response", value.response)
      .value(value.at_least ? "at least" : "at most", value.limit)
      .value("value", value.value)
      .close();
  json.close();
}

std::string to_json(const RunSummary &summary)
{
  Json json;
  json.value("status", name_of(summary.status))
    .value_or_null("error", summary.error)
    .value_or_null("shortfall", summary.shortfall)
    .value("iterations", summary.history.empty() ? 0u : summary.history.back().iteration);
  write_result(json, summary);
  const auto write = [&](const std::string &name, const auto &facts, const auto &write_facts) {
    if (facts)
      write_facts(json, *facts);
    else
      json.null(name);
  };
  write("best", summary.best, write_best);
  json.value("greyness", summary.greyness);
  write("pieces", summary.pieces, write_pieces);
  if (!summary.fields.empty())
    {
      json.open_list("fields");
      for (const DesignFieldRecord &field : summary.fields)
        {
          json.open()
            .value("name", field.name)
            .value("volume fraction", field.volume_fraction)
            .value("objective", field.objective);
          if (!field.constraints.empty())
            {
              json.open("constraints");
              for (const auto &[name, value] : field.constraints)
                json.value(name, value);
              json.close();
            }
          json.close();
        }
      json.close();
    }
  write("measured lengths", summary.lengths, write_lengths);
  write("surface", summary.surface, write_surface);
  write("part", summary.part, write_part);

  json.open("deck")
    .value("file", summary.deck)
    .list("options", summary.options)
    .value("resumed", summary.resumed)
    .close();
  json.open("sizes")
    .value("elements", summary.n_elements)
    .value("element type", summary.element_type)
    .value("nodes", summary.n_nodes)
    .value("degrees of freedom", 3 * summary.n_nodes)
    .value("ranks", summary.n_ranks)
    .value("threads per rank", summary.n_threads)
    .close();

  json.open("label");
  for (const auto &[name, text] : summary.label)
    json.value(name, text);
  json.close();

  json.open("seconds");
  for (const auto &[section, time] : summary.seconds)
    json.value(section, time);
  json.close();
  json.open("peak memory in bytes")
    .value("backend", summary.backend_memory)
    .value("host", summary.host_memory)
    .close();

  json.list("pictures", summary.pictures).list("notes", summary.notes);
  return json.text();
}
} // namespace strut
