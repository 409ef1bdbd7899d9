// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/run/run_facts.h"
#include "source/base/text.h"

#include <strut/version.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <iomanip>
#include <sstream>
#include <utility>

#include "plugin/base/json.h"

namespace strut
{
namespace
{
std::string format_seconds(const double seconds)
{
  char text[32];
  if (seconds < 100)
    std::snprintf(text, sizeof(text), "%.2g s", seconds);
  else if (seconds < 6000)
    std::snprintf(text, sizeof(text), "%.0f min", seconds / 60);
  else
    std::snprintf(text, sizeof(text), "%.0f h", seconds / 3600);
  return text;
}

std::string files(const std::string &kind, const std::size_t n, const double bytes)
{
  return std::to_string(n) + kind + (n == 1 ? "" : "s") + " of about " + format_bytes(bytes);
}

std::string describe_time(const TimeEstimate &time)
{
  if (!time.obstacle.empty())
    return time.obstacle;
  std::ostringstream text;
  text << time.n_solves << " solves of " << time.few_iterations << " to " << time.many_iterations
       << " PCG iterations take " << format_seconds(time.least) << " to "
       << format_seconds(time.most) << " here (measured on a cube of " << time.n_timed
       << " elements)";
  return text.str();
}

void write_place(Json &json, const dealii::BoundingBox<3> &box)
{
  const auto &[low, high] = box.get_boundary_points();
  for (const auto &[name, corner] : {std::make_pair("low", low), std::make_pair("high", high)})
    json.list(name, std::array<double, 3>{{corner[0], corner[1], corner[2]}});
}

/// Writes a list of boundary or material ids.
void write_parts(Json &json,
                 const std::string &list,
                 const std::map<unsigned int, MeshSummary::Part> &parts,
                 const std::string &count,
                 const std::string &measure)
{
  json.open_list(list);
  for (const auto &[id, part] : parts)
    {
      json.open().value("id", id).value("name", part.name);
      json.value(count, part.count).value(measure, part.measure);
      write_place(json, part.box);
      json.close();
    }
  json.close();
}
} // namespace

RunFacts::RunFacts(const RunPlan &plan,
                   std::vector<std::string> notes,
                   std::vector<std::string> pictures)
  : plan(plan)
  , memory(estimate_memory(plan))
  , disk(estimate_disk(plan))
  , time(estimate_time(plan))
  , notes(std::move(notes))
  , pictures(std::move(pictures))
{}

/// Bytes per element of the parts of a plan, from which users can estimate finer meshes.
std::string describe_parts(const MemoryEstimate &memory)
{
  const auto per_element = [&](const double bytes) {
    std::ostringstream text;
    text << std::fixed << std::setprecision(0) << bytes / memory.n_elements;
    return text.str();
  };
  if (!(memory.n_elements > 0.))
    return "";
  const MemoryPlan &parts = memory.parts;
  return "          " + per_element(*memory.bytes) + " bytes per element: operator " +
         per_element(parts.operator_bytes) + ", vectors of the solver " +
         per_element(parts.vector_bytes) + ", preconditioner " +
         per_element(parts.preconditioner_bytes) + ", design and filter " +
         per_element(parts.design_bytes) + '\n';
}

std::string describe_estimates(const RunFacts &facts)
{
  const StateSettings &settings = facts.plan.settings;
  std::string text = "  memory estimate, operator '" + settings.strategy + "', precision " +
                     to_string(settings.precision) + ":\n";
  for (const MemoryEstimate &memory : facts.memory)
    {
      text += "    " + memory.backend + std::string(6 - memory.backend.size(), ' ');
      if (!memory.bytes)
        text += "has no operator '" + settings.strategy + "'\n";
      else
        text +=
          format_bytes(*memory.bytes) +
          (memory.is_device ? " of the GPU, " + format_bytes(memory.host_bytes) + " of the host"
                            : "") +
          (facts.plan.communicator.size() > 1 ? " on the fullest rank" : "") + '\n' +
          describe_parts(memory);
    }
  if (facts.memory.size() < 2)
    text += "    cuda  not in this build\n";
  text += "  disk estimate: " + files(" result", facts.disk.n_results, facts.disk.result_bytes) +
          "; " + files(" checkpoint", facts.disk.n_checkpoints, facts.disk.checkpoint_bytes) +
          ", of which the last two are kept while the next is written\n";
  return text + "  time estimate: " + describe_time(facts.time) + '\n';
}

std::string to_json(const RunFacts &facts)
{
  const DeckParameters &parameters = facts.plan.parameters;
  const MeshSummary &mesh          = parameters.problem.summary();
  const StateSettings &settings    = facts.plan.settings;
  Json json;
  json.value("valid", true).null("error").value("deck", parameters.deck.file_name());
  json.value("strut", std::string(STRUT_VERSION)).value("ranks", facts.plan.communicator.size());
  json.open("mesh")
    .value("elements", mesh.n_cells)
    .value("element type", std::string(parameters.problem.mesh().type.name))
    .value("nodes", mesh.n_nodes)
    .value("degrees of freedom", 3 * mesh.n_nodes)
    .value("shortest edge", mesh.shortest_edge)
    .value("longest edge", mesh.longest_edge);
  write_place(json, mesh.box);
  write_parts(json, "boundary ids", mesh.boundary_ids, "faces", "area");
  write_parts(json, "material ids", mesh.material_ids, "elements", "volume");
  json.close();
  json.open_list("materials");
  for (const Problem::MaterialShare &share : parameters.problem.material_shares())
    {
      json.open().value("name", share.name).value("orthotropic", share.is_orthotropic);
      if (share.is_orthotropic)
        json.null("Young's modulus").null("Poisson's ratio");
      else
        json.value("Young's modulus", share.youngs_modulus)
          .value("Poisson's ratio", share.poisson_ratio);
      json.value("mass ratio", share.mass_ratio)
        .value("elements", share.n_elements)
        .value("volume", share.volume)
        .close();
    }
  json.close();
  json.open("solver")
    .value("operator", settings.strategy)
    .value("precision", to_string(settings.precision))
    .value("preconditioner", settings.preconditioner.name)
    .close();
  json.open("memory in bytes");
  for (const MemoryEstimate &memory : facts.memory)
    {
      json.open(memory.backend).value(memory.is_device ? "device" : "host", memory.bytes);
      if (memory.is_device)
        json.value("host", memory.host_bytes);
      if (memory.bytes)
        json.open("parts")
          .value("operator", memory.parts.operator_bytes)
          .value("vectors", memory.parts.vector_bytes)
          .value("preconditioner", memory.parts.preconditioner_bytes)
          .value("design", memory.parts.design_bytes)
          .close();
      json.close();
    }
  json.close();
  json.open("files")
    .value("results", facts.disk.n_results)
    .value("bytes of a result", facts.disk.result_bytes)
    .value("checkpoints", facts.disk.n_checkpoints)
    .value("bytes of a checkpoint", facts.disk.checkpoint_bytes)
    .close();
  if (facts.time.obstacle.empty())
    json.open("seconds of all solves")
      .value("least", facts.time.least)
      .value("most", facts.time.most)
      .close();
  else
    json.null("seconds of all solves");
  write_solid_values(json, "solid body", facts.solid_body);
  json.list("pictures", facts.pictures).list("notes", facts.notes);
  return json.text();
}

std::string refused_as_json(const std::string &deck, const std::string &error)
{
  Json json;
  json.value("valid", false).value("error", error).value("deck", deck);
  return json.text();
}
} // namespace strut
