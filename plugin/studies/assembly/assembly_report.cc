// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/assembly/assembly_report.h"

#include <iomanip>
#include <sstream>

#include "plugin/base/atomic_file.h"

namespace strut::plugin
{
namespace
{
std::string threads_of(const StageResult &result)
{
  return result.backend == "cuda" ? "-" : std::to_string(result.n_threads);
}

/// Of the same element on the same backend: the fastest result of a stage whose other words are these.
/// @param method  or empty: any
const StageResult *fastest(const AssemblyResults &results,
                           const StageResult &like,
                           const std::string &stage,
                           const std::string &format,
                           const std::string &method)
{
  const StageResult *best = nullptr;
  for (const StageResult &result : results.stages)
    if (result.element == like.element && result.backend == like.backend &&
        result.n_threads == like.n_threads && result.stage == stage && result.format == format &&
        (method.empty() || result.method == method) && result.all() != nullptr &&
        (best == nullptr || result.all()->median < best->all()->median))
      best = &result;
  return best;
}

const StageResult *preparation_of(const AssemblyResults &results, const StageResult &values)
{
  for (const StageResult &result : results.stages)
    if (result.stage == stage_names::preparation && result.element == values.element &&
        result.backend == values.backend && result.n_threads == values.n_threads &&
        result.precision == values.precision && result.format == values.format &&
        result.method == values.method && result.integration == values.integration)
      return &result;
  return nullptr;
}

bool is_library(const StageResult &result)
{
  return result.method == "deal.II" || result.method == "Trilinos";
}

std::string milliseconds(const double seconds)
{
  return significant(1e3 * seconds);
}

constexpr char columns[] =
  "Times: median and range over the runs, between events of the device or by the clock of the host, "
  "allocations left out. MB and GB/s: compulsory bytes, of a step or of the stage as a whole, what goes "
  "in and what comes out, each once (what passes between the steps of a stage is in no sum). Copy %: of "
  "the bandwidth of a copy, read and written, measured in the same run. Held MB: what the stage leaves "
  "in memory. Stage 3: preparation once for a mesh, values for every density.";
} // namespace

Table mesh_table(const AssemblyResults &results)
{
  Table table;
  table.headers = {"element", "elements", "nodes", "DoFs", "non-zeros", "longest row", "note"};
  for (const MeshCounts &mesh : results.meshes)
    table.rows.push_back({mesh.element,
                          std::to_string(mesh.n_elements),
                          std::to_string(mesh.n_nodes),
                          std::to_string(mesh.n_dofs()),
                          std::to_string(mesh.n_nonzeros),
                          std::to_string(mesh.longest_row),
                          mesh.n_nonzeros == 0 ? "not generated" : ""});
  return table;
}

Table memory_table(const AssemblyResults &results)
{
  Table table;
  table.n_left  = 4;
  table.headers = {"element",
                   "backend",
                   "format",
                   "precision",
                   "estimated MB",
                   "measured MB",
                   "bytes/non-zero",
                   "note"};
  for (const MatrixMemory &m : results.memory)
    {
      const auto n = static_cast<double>(results.mesh_of(m.element).n_nonzeros);
      table.rows.push_back({m.element,
                            m.backend,
                            m.format,
                            m.precision,
                            fixed(1e-6 * m.estimate, 1),
                            m.measured > 0. ? fixed(1e-6 * m.measured, 1) : "-",
                            fixed(m.estimate / n, 2),
                            m.measured > 0. ? "" : "does not fit"});
    }
  return table;
}

Table stage_table(const AssemblyResults &results, const std::string &element)
{
  Table table;
  table.n_left  = 8;
  table.headers = {"stage",
                   "backend",
                   "threads",
                   "precision",
                   "format",
                   "method",
                   "integration",
                   "step",
                   "ms",
                   "range ms",
                   "MB",
                   "GB/s",
                   "copy %",
                   "held MB",
                   "status"};
  for (const StageResult &r : results.stages)
    if (r.element == element)
      {
        const std::vector<std::string> words = {
          r.stage, r.backend, threads_of(r), r.precision, r.format, r.method, r.integration};
        for (const StepTimes &step : r.steps)
          {
            const bool is_all            = &step == r.all();
            const bool has_bytes         = step.bytes > 0.;
            std::vector<std::string> row = words;
            row.insert(row.end(),
                       {is_all ? "**all**" : step.name,
                        milliseconds(step.median),
                        milliseconds(step.smallest) + ".." + milliseconds(step.largest),
                        has_bytes ? fixed(1e-6 * step.bytes, 1) : "-",
                        has_bytes ? fixed(1e-9 * step.bytes / step.median, 1) : "-",
                        has_bytes && r.copy_bandwidth > 0.
                          ? fixed(100. * step.bytes / step.median / r.copy_bandwidth, 1)
                          : "-",
                        is_all ? fixed(1e-6 * r.memory_bytes, 1) : "",
                        is_all ? r.status : ""});
            table.rows.push_back(row);
          }
        if (r.steps.empty())
          {
            std::vector<std::string> row = words;
            fill_with_status(row, table.headers.size(), r.status);
            table.rows.push_back(row);
          }
      }
  return table;
}

Table generation_table(const AssemblyResults &results)
{
  Table table;
  table.n_left  = 7;
  table.headers = {"element",
                   "backend",
                   "threads",
                   "precision",
                   "format",
                   "method",
                   "integration",
                   "neighbours ms",
                   "indices ms",
                   "preparation ms",
                   "values ms",
                   "all ms",
                   "status"};
  for (const StageResult &r : results.stages)
    if (r.stage == stage_names::values && r.all() != nullptr)
      {
        const StageResult *const pattern =
          fastest(results,
                  r,
                  is_library(r) ? stage_names::pattern : stage_names::neighbours,
                  is_library(r) ? r.format : "-",
                  is_library(r) ? r.method : "");
        const StageResult *const indices =
          is_library(r) ? nullptr : fastest(results, r, stage_names::indices, r.format, "");
        const StageResult *const once = preparation_of(results, r);
        const auto seconds            = [](const StageResult *const stage) {
          return stage == nullptr || stage->all() == nullptr ? 0. : stage->all()->median;
        };
        const auto cell = [&](const StageResult *const stage) {
          return stage == nullptr ? "-" : milliseconds(seconds(stage));
        };
        table.rows.push_back(
          {r.element,
           r.backend,
           threads_of(r),
           r.precision,
           r.format,
           r.method,
           r.integration,
           cell(pattern),
           cell(indices),
           cell(once),
           cell(&r),
           milliseconds(seconds(pattern) + seconds(indices) + seconds(once) + seconds(&r)),
           r.status});
      }
  return table;
}

std::string stages_csv(const AssemblyResults &results)
{
  std::ostringstream text;
  text
    << label_lines(results.label, "# ")
    << "deck,element,elements,nodes,dofs,nonzeros,backend,threads,stage,precision,format,method,"
       "integration,step,runs,median_s,min_s,max_s,bytes,gbytes_per_s,percent_of_copy,held_bytes,"
       "norm,status\n"
    << std::setprecision(12);
  for (const StageResult &r : results.stages)
    {
      const MeshCounts &mesh       = results.mesh_of(r.element);
      std::vector<StepTimes> steps = r.steps;
      if (steps.empty())
        steps.push_back({"all"});
      for (const StepTimes &step : steps)
        {
          text << results.deck << ',' << mesh.element << ',' << mesh.n_elements << ','
               << mesh.n_nodes << ',' << mesh.n_dofs() << ',' << mesh.n_nonzeros << ',' << r.backend
               << ',' << r.n_threads << ',' << r.stage << ',' << r.precision << ',' << r.format
               << ',' << r.method << ',' << r.integration << ',' << step.name << ',';
          if (r.steps.empty())
            text << std::string(8, ',') << ',';
          else
            {
              text << r.n_runs << ',' << step.median << ',' << step.smallest << ',' << step.largest
                   << ',';
              if (step.bytes > 0.)
                text << step.bytes << ',' << 1e-9 * step.bytes / step.median;
              else
                text << ',';
              text << ',';
              if (step.bytes > 0. && r.copy_bandwidth > 0.)
                text << 100. * step.bytes / step.median / r.copy_bandwidth;
              text << ',' << r.memory_bytes << ',' << r.norm << ',';
            }
          text << csv_text(r.status) << '\n';
        }
    }
  return text.str();
}

std::string memory_csv(const AssemblyResults &results)
{
  std::ostringstream text;
  text << label_lines(results.label, "# ")
       << "deck,element,elements,nodes,dofs,nonzeros,longest_row,backend,format,precision,"
          "estimated_bytes,measured_bytes\n"
       << std::setprecision(12);
  for (const MatrixMemory &m : results.memory)
    {
      const MeshCounts &mesh = results.mesh_of(m.element);
      text << results.deck << ',' << mesh.element << ',' << mesh.n_elements << ',' << mesh.n_nodes
           << ',' << mesh.n_dofs() << ',' << mesh.n_nonzeros << ',' << mesh.longest_row << ','
           << m.backend << ',' << m.format << ',' << m.precision << ',' << m.estimate << ',';
      if (m.measured > 0.)
        text << m.measured;
      text << '\n';
    }
  return text.str();
}

std::string markdown_report(const AssemblyResults &results)
{
  std::string text =
    "# Matrix generation: " + results.deck + "\n\n" + label_lines(results.label, "- ") +
    "\n## Meshes\n\n" + mesh_table(results).markdown() +
    "\n## Memory of the matrix\n\nIndices and values. Estimated from the neighbour "
    "rows before anything is taken.\n\n" +
    memory_table(results).markdown() +
    "\n## Whole generation\n\nNeighbours by the fastest sort; of a library the pattern "
    "stands there.\n\n" +
    generation_table(results).markdown() + "\n## Stages\n\n" + columns + '\n';
  for (const MeshCounts &mesh : results.meshes)
    text += "\n### " + mesh.element + "\n\n" + stage_table(results, mesh.element).markdown();
  return text;
}

void write_reports(const std::string &folder, const AssemblyResults &results)
{
  create_folder(folder);
  const std::string base = folder + "/" + results.deck;
  write_file_atomically(base + ".assembly.csv", stages_csv(results));
  write_file_atomically(base + ".memory.csv", memory_csv(results));
  write_file_atomically(base + ".assembly.md", markdown_report(results));
}
} // namespace strut::plugin
