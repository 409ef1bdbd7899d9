// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/assembly/assembly_report.h"

#include "plugin/base/atomic_file.h"
#include "plugin/studies/report/columns.h"

namespace strut
{
namespace
{
constexpr char about_stages[] =
  "Times: median and range over the runs, between events of the device or by the clock of the host, "
  "allocations left out. MB and GB/s: compulsory bytes, of a step or of the stage as a whole, what goes "
  "in and what comes out, each once (what passes between the steps of a stage is in no sum). Copy %: of "
  "the bandwidth of a copy, read and written, measured in the same run. Held MB: what the stage leaves "
  "in memory. Stage 3: preparation once for a mesh, values for every density. Norm (CSV): ";
constexpr char about_norm[] =
  "of the matrix with random stiffness factors from 0.01 to 1, to compare the variants with one another";

constexpr char about_generated_solves[] =
  "The matrix without stiffness factors, in double, by gather, generated once; conjugate gradients with its diagonal. Times of "
  "the clock of the host, allocations included. Generation %: of generation and solve together.";

std::optional<double> if_positive(const double number)
{
  return number > 0. ? std::optional<double>(number) : std::nullopt;
}

std::string threads_of(const StageResult &result)
{
  return result.backend == "cuda" ? "-" : std::to_string(result.n_threads);
}

/// Adds columns for deck, mesh and element; the element's column has this title in tables.
template <typename Row>
void add_mesh(Columns<Row> &columns, const AssemblyResults &results, const std::string &title)
{
  const auto mesh = [&results](auto &row) { return results.mesh_of(row.element); };
  columns.words("", "deck", [&results](auto &) { return results.deck; });
  columns.words(title, "element", [](auto &row) { return row.element; });
  columns.count("", "elements", [mesh](auto &row) { return mesh(row).n_elements; });
  columns.count("", "nodes", [mesh](auto &row) { return mesh(row).n_nodes; });
  columns.count("", "dofs", [mesh](auto &row) { return mesh(row).n_dofs(); });
  columns.count("", "nonzeros", [mesh](auto &row) { return mesh(row).n_nonzeros; });
}

Columns<MatrixMemory> memory_columns(const AssemblyResults &results)
{
  const auto mesh = [&results](auto &m) { return results.mesh_of(m.element); };
  Columns<MatrixMemory> columns;
  add_mesh(columns, results, "element");
  columns.count("", "longest_row", [=](auto &m) { return mesh(m).longest_row; });
  columns.words("backend", "backend", &MatrixMemory::backend);
  columns.words("format", "format", &MatrixMemory::format);
  columns.words("precision", "precision", &MatrixMemory::precision);
  columns.number("estimated MB", "estimated_bytes", megabytes, &MatrixMemory::estimate);
  columns.number("measured MB", "measured_bytes", megabytes, [](auto &m) {
    return if_positive(m.measured);
  });
  columns.number("bytes/non-zero", "", digits<2>, [=](auto &m) {
    return m.estimate / static_cast<double>(mesh(m).n_nonzeros);
  });
  columns.words("note", "", [](auto &m) { return m.measured > 0. ? "" : "does not fit"; });
  return columns;
}

/// A step of a stage.
struct StepRow
{
  std::string element;
  const StageResult *stage;
  const StepTimes *step; ///< null if the stage was not measured

  bool measured() const
  {
    return step != nullptr;
  }
  bool is_all() const
  {
    return step == stage->all(); // both are null if there are no steps
  }
};

std::vector<StepRow> steps_of(const AssemblyResults &results, const std::string &element)
{
  std::vector<StepRow> rows;
  for (const StageResult &stage : results.stages)
    if (element.empty() || stage.element == element)
      {
        for (const StepTimes &step : stage.steps)
          rows.push_back({stage.element, &stage, &step});
        if (stage.steps.empty())
          rows.push_back({stage.element, &stage, nullptr});
      }
  return rows;
}

Columns<StepRow> stage_columns(const AssemblyResults &results)
{
  const auto bytes = [](const StepRow &r) { return if_positive(r.step->bytes); };
  const auto rate  = [](const StepRow &r) {
    return if_positive(1e-9 * r.step->bytes / r.step->time.median);
  };
  const auto of_copy = [](const StepRow &r) {
    const double copy = r.stage->copy_bandwidth;
    return copy > 0. ? if_positive(100. * r.step->bytes / r.step->time.median / copy)
                     : std::nullopt;
  };
  const auto step = [](const StepRow &r) {
    return !r.measured() ? "-" : r.is_all() ? "**all**" : r.step->name;
  };

  Columns<StepRow> columns(&StepRow::measured);
  add_mesh(columns, results, "");
  columns.words("stage", "", [](auto &r) { return r.stage->stage; });
  columns.words("backend", "backend", [](auto &r) { return r.stage->backend; });
  columns.words("threads", "", [](auto &r) { return threads_of(*r.stage); });
  columns.count("", "threads", [](auto &r) { return r.stage->n_threads; });
  columns.words("", "stage", [](auto &r) { return r.stage->stage; });
  columns.words("precision", "precision", [](auto &r) { return r.stage->precision; });
  columns.words("format", "format", [](auto &r) { return r.stage->format; });
  columns.words("method", "method", [](auto &r) { return r.stage->method; });
  columns.words("integration", "integration", [](auto &r) { return r.stage->integration; });
  columns.words("step", "", step);
  columns.words("", "step", [](auto &r) { return r.measured() ? r.step->name : "all"; });
  columns.csv_number("runs", [](auto &r) { return r.stage->n_runs; });
  columns.times("", "ms", "median_s", milliseconds, [](auto &r) { return r.step->time; });
  columns.number("MB", "bytes", megabytes, bytes);
  columns.number("GB/s", "gbytes_per_s", digits<1>, rate);
  columns.number("copy %", "percent_of_copy", digits<1>, of_copy);
  columns.csv_number("held_bytes", [](auto &r) { return r.stage->memory_bytes; });
  columns.shown("held MB",
                [](auto &r) { return r.is_all() ? megabytes(r.stage->memory_bytes) : ""; });
  columns.csv_number("norm", [](auto &r) { return r.stage->norm; });
  columns.words("status", "", [](auto &r) { return r.is_all() ? r.stage->status : ""; });
  columns.words("", "status", [](auto &r) { return r.stage->status; });
  return columns;
}

/// A whole generation: its values, and the stages before them.
struct GenerationRow
{
  const StageResult *values, *pattern, *indices, *preparation; ///< null if not measured
};

std::optional<double> seconds_of(const StageResult *const stage)
{
  return stage == nullptr || stage->all() == nullptr ? std::nullopt
                                                     : std::optional(stage->all()->time.median);
}

/// The stages before some values: neighbours by the fastest sort, or the pattern of a library,
/// which includes the indices.
GenerationRow generation_of(const AssemblyResults &results, const StageResult &values)
{
  // fastest result for the same element on the same backend
  const auto fastest = [&](const std::string &stage, const auto &is_wanted) {
    const StageResult *best = nullptr;
    for (const StageResult &result : results.stages)
      if (result.stage == stage && result.element == values.element &&
          result.backend == values.backend && result.n_threads == values.n_threads &&
          result.all() != nullptr && is_wanted(result) &&
          (best == nullptr || result.all()->time.median < best->all()->time.median))
        best = &result;
    return best;
  };
  const auto any         = [](auto &) { return true; };
  const auto same_format = [&](auto &r) { return r.format == values.format; };
  const auto same_method = [&](auto &r) { return same_format(r) && r.method == values.method; };
  const auto same_way    = [&](auto &r) {
    return same_method(r) && r.precision == values.precision && r.integration == values.integration;
  };
  const bool is_library = values.method == "deal.II" || values.method == "Trilinos";
  return {&values,
          is_library ? fastest(stage_names::pattern, same_method)
                     : fastest(stage_names::neighbours, any),
          is_library ? nullptr : fastest(stage_names::indices, same_format),
          fastest(stage_names::preparation, same_way)};
}

Columns<GenerationRow> generation_columns()
{
  const auto all = [](auto &g) {
    double sum = 0.;
    for (const StageResult *const stage : {g.values, g.pattern, g.indices, g.preparation})
      sum += seconds_of(stage).value_or(0.);
    return sum;
  };

  Columns<GenerationRow> columns;
  columns.words("element", "", [](auto &g) { return g.values->element; });
  columns.words("backend", "", [](auto &g) { return g.values->backend; });
  columns.words("threads", "", [](auto &g) { return threads_of(*g.values); });
  columns.words("precision", "", [](auto &g) { return g.values->precision; });
  columns.words("format", "", [](auto &g) { return g.values->format; });
  columns.words("method", "", [](auto &g) { return g.values->method; });
  columns.words("integration", "", [](auto &g) { return g.values->integration; });
  columns.number("neighbours ms", "", milliseconds, [](auto &g) { return seconds_of(g.pattern); });
  columns.number("indices ms", "", milliseconds, [](auto &g) { return seconds_of(g.indices); });
  columns.number("preparation ms", "", milliseconds, [](auto &g) {
    return seconds_of(g.preparation);
  });
  columns.number("values ms", "", milliseconds, [](auto &g) { return seconds_of(g.values); });
  columns.number("all ms", "", milliseconds, all);
  columns.words("status", "", [](auto &g) { return g.values->status; });
  return columns;
}

Columns<GeneratedSolve> generated_solve_columns(const AssemblyResults &results)
{
  Columns<GeneratedSolve> columns([](auto &s) { return s.iterations > 0; });
  add_mesh(columns, results, "element");
  columns.words("backend", "backend", &GeneratedSolve::backend);
  columns.words("threads", "", [](auto &s) {
    return s.backend == "cuda" ? "-" : std::to_string(s.n_threads);
  });
  columns.count("", "threads", &GeneratedSolve::n_threads);
  columns.words("format", "format", &GeneratedSolve::format);
  columns.number("generation s", "generation_s", digits<4>, &GeneratedSolve::generation);
  columns.number("solve s", "solve_s", digits<4>, &GeneratedSolve::solve);
  columns.number("generation %", "percent_of_generation", digits<1>, [](auto &s) {
    return 100. * s.share_of_generation();
  });
  columns.count("iterations", "iterations", &GeneratedSolve::iterations);
  columns.csv_number("residual", &GeneratedSolve::residual);
  columns.number("compliance", "compliance", digits<6>, &GeneratedSolve::compliance);
  columns.number("largest displacement",
                 "largest_displacement",
                 digits<6>,
                 &GeneratedSolve::largest_displacement);
  columns.number(
    "from deal.II",
    "difference_from_deal_ii",
    [](const double value) { return value < 0. ? "-" : scientific(value); },
    &GeneratedSolve::difference);
  columns.words("status", "status", &GeneratedSolve::status);
  return columns;
}
Table mesh_table(const AssemblyResults &results)
{
  Columns<MeshCounts> columns;
  columns.words("element", "", &MeshCounts::element);
  columns.count("elements", "", &MeshCounts::n_elements);
  columns.count("nodes", "", &MeshCounts::n_nodes);
  columns.count("DoFs", "", &MeshCounts::n_dofs);
  columns.count("non-zeros", "", &MeshCounts::n_nonzeros);
  columns.count("longest row", "", &MeshCounts::longest_row);
  columns.words("note", "", [](auto &m) { return m.n_nonzeros == 0 ? "not generated" : ""; });
  return columns.table(results.meshes);
}

/// Table of whole generations: neighbours by the fastest sort, indices, preparation and values.
Table generation_table(const AssemblyResults &results)
{
  std::vector<GenerationRow> rows;
  for (const StageResult &stage : results.stages)
    if (stage.stage == stage_names::values && stage.all() != nullptr)
      rows.push_back(generation_of(results, stage));
  return generation_columns().table(rows);
}

} // namespace

std::vector<Section> overview(const AssemblyResults &results)
{
  std::vector<Section> sections{
    {"## Meshes", "", mesh_table(results), ""},
    {"## Memory of the matrix",
     "Indices and values. Estimated from the neighbour rows before anything is taken.",
     memory_columns(results).table(results.memory),
     ""},
    {"## Whole generation",
     "Neighbours by the fastest sort; for a library the column has its pattern.",
     generation_table(results),
     ""},
  };
  if (!results.solves.empty())
    sections.push_back({"## Solves",
                        about_generated_solves,
                        generated_solve_columns(results).table(results.solves),
                        ""});
  return sections;
}

void write_reports(const std::string &folder, const AssemblyResults &results)
{
  std::vector<Section> sections = overview(results);
  sections.push_back({"## Stages", std::string(about_stages) + about_norm + '.', {}, ""});
  for (const MeshCounts &mesh : results.meshes)
    sections.push_back({"### " + mesh.element,
                        "",
                        stage_columns(results).table(steps_of(results, mesh.element)),
                        ""});

  create_folder(folder);
  const std::string base = folder + "/" + results.deck;
  Label label_of_stages  = results.label; // only this file has the column "norm"
  label_of_stages.emplace_back("norm", about_norm);
  write_file_atomically(base + ".assembly.csv",
                        stage_columns(results).csv(steps_of(results, ""), label_of_stages));
  write_file_atomically(base + ".memory.csv",
                        memory_columns(results).csv(results.memory, results.label));
  if (!results.solves.empty())
    write_file_atomically(base + ".solve.csv",
                          generated_solve_columns(results).csv(results.solves, results.label));
  write_file_atomically(base + ".assembly.md",
                        markdown("Matrix generation: " + results.deck, results.label, sections));
}
} // namespace strut
