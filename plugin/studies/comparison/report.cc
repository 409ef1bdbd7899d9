// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/comparison/report.h"

#include "plugin/base/atomic_file.h"
#include "plugin/studies/comparators/comparators.h"
#include "plugin/studies/report/choices.h"
#include "source/backend/hardware_rates.h"
#include "source/operators/own_strategies.h"

namespace strut
{
namespace
{
const std::string about_operators =
  "Times of one application: median and range over batches (device events on a GPU). GDoF/s: degrees "
  "of freedom per second. GB/s, GFLOP/s: compulsory bytes (matrices, connectivity, factors, vectors "
  "once) and operations over the median. Copy: GB/s over the copy bandwidth of the same run. Floor: "
  "the time in which the hardware could move those bytes or do those operations, over the median. "
  "Memory: what the operator keeps. Error: largest difference from the plain CPU operator in double, "
  "over the largest entry. Lanes: numbers that a SIMD instruction takes at once, of strut's operators as strut was "
  "compiled, of dealii_matrix_free " +
  std::to_string(lanes_of_dealii()) +
  " in double, those of deal.II's VectorizedArray as it was configured.";
constexpr char about_solves[] =
  "PCG with Jacobi's preconditioner, from zero, first load case, uniform design. Vectors: updates and "
  "dot products of PCG and the preconditioner. Speed-up: per iteration.";
constexpr char about_solvers[] =
  "Solves of K u = f from zero, first load case, to the same relative residual. Set-up: once for a "
  "mesh. New design: for each distribution of stiffness, matrices and hierarchies. Solve: median and "
  "range. Residual: computed anew, by one operator for all. Memory: held after a solve, over all "
  "ranks. Speed-up: of new design and solve together, over ml.";

template <typename Row>
Columns<Row> columns_of_mesh(const ComparedMesh &mesh)
{
  Columns<Row> columns(&Row::measured);
  columns.words("", "deck", [&mesh](auto &) { return mesh.deck; });
  columns.count("", "elements", [&mesh](auto &) { return mesh.n_elements; });
  columns.count("", "nodes", [&mesh](auto &) { return mesh.n_nodes; });
  columns.count("", "dofs", [&mesh](auto &) { return mesh.n_dofs(); });
  return columns;
}

template <typename Row>
void add_case(Columns<Row> &columns)
{
  columns.words("backend", "backend", [](auto &r) { return r.subject.backend; });
  columns.words("operator", "operator", [](auto &r) { return r.subject.name; });
  columns.words("precision", "precision", [](auto &r) { return to_string(r.subject.precision); });
  columns.count("threads", "threads", [](auto &r) { return r.subject.n_threads; });
}

/// SIMD lanes of an operator on the CPU; no value for operators of libraries.
std::optional<double> lanes(const OperatorResult &result)
{
  const OperatorCase &subject = result.subject;
  if (subject.backend != "cpu")
    return std::nullopt;
  if (subject.name == dealii_matrix_free<double>().name)
    return lanes_of_dealii(subject.precision);
  if (cpu::is_own_strategy(subject.name))
    return cpu::simd_lanes(subject.precision);
  return std::nullopt;
}

/// Columns that fit an A4 page with margins of 2.5 cm, at 10 pt, for tables of operators, their
/// solves, and solvers.
const std::vector<std::string> page_of_operators = {"backend",
                                                    "operator",
                                                    "precision",
                                                    "threads",
                                                    "median_s",
                                                    "gdofs_per_s",
                                                    "memory_bytes",
                                                    "speedup"};
const std::vector<std::string> page_of_solves    = {"backend",
                                                    "operator",
                                                    "precision",
                                                    "threads",
                                                    "iterations",
                                                    "seconds",
                                                    "seconds_per_iteration",
                                                    "speedup"};
const std::vector<std::string> page_of_solvers   = {"design",
                                                    "backend",
                                                    "solver",
                                                    "precision",
                                                    "threads",
                                                    "new_design_s",
                                                    "iterations",
                                                    "solve_s",
                                                    "speedup"};

/// Label of a .tex file, with a note if columns are missing.
Label with_note(Label label, const std::string &deck, const std::vector<std::string> &columns)
{
  if (columns.empty())
    label.emplace_back("columns",
                       "those that fit a width of 16 cm at 10 pt; all are in " + deck +
                         ".md, others by --columns");
  return label;
}

std::string yes_or_no(const OperatorResult &result)
{
  return result.subject.deterministic ? "yes" : "no";
}

/// Seconds in a suitable unit, as small decks take microseconds.
std::string seconds(const double number)
{
  return number < 1e-2 && number > 0. ? scientific(number) : significant(number);
}

double bytes_per_second(const OperatorResult &result)
{
  return result.cost.bytes_per_apply / result.time.median;
}
} // namespace

Columns<OperatorResult> operator_columns(const ComparisonResults &results)
{
  const auto speed_up = [&results](const OperatorResult &r) {
    const auto *base = find_baseline(results.operators, results.baseline, r.subject.precision);
    return base == nullptr ? std::optional<double>() : base->time.median / r.time.median;
  };
  const auto gdofs  = [&](auto &r) { return 1e-9 * results.n_dofs() / r.time.median; };
  const auto gbytes = [](auto &r) { return 1e-9 * bytes_per_second(r); };
  const auto gflops = [](auto &r) { return 1e-9 * r.cost.flops_per_apply / r.time.median; };
  const auto copy   = [](auto &r) { return 100. * bytes_per_second(r) / r.copy_bandwidth; };
  const auto floor  = [](auto &r) { return 100. * r.floor / r.time.median; };

  auto columns = columns_of_mesh<OperatorResult>(results);
  add_case(columns);
  columns.words("", "deterministic", yes_or_no);
  columns.words("", "status", &OperatorResult::status);
  columns.times("", "ms", "median_s", milliseconds, &OperatorResult::time);
  columns.number("GDoF/s", "gdofs_per_s", digits<3>, gdofs);
  columns.number("GB/s", "gbytes_per_s", digits<1>, gbytes);
  columns.csv_number("gflops_per_s", gflops);
  columns.number("copy %", "percent_of_copy", digits<1>, copy);
  columns.csv_number("floor_s", &OperatorResult::floor);
  columns.number("floor %", "percent_of_floor", digits<1>, floor);
  columns.number("GFLOP/s", "", digits<1>, gflops, "gflops_per_s");
  columns.number("lanes", "lanes", digits<0>, lanes);
  columns.number("memory MB", "memory_bytes", megabytes, [](auto &r) {
    return r.cost.memory_bytes;
  });
  columns.number("set-up s", "setup_s", digits<2>, &OperatorResult::set_up);
  columns.number("speed-up", "speedup", digits<2>, speed_up);
  columns.shown("same bits", yes_or_no, "deterministic");
  columns.number("error", "error", scientific, &OperatorResult::error);
  columns.words("status", "", &OperatorResult::status, "status");
  return columns;
}

Columns<SolveResult> solve_columns(const ComparisonResults &results)
{
  // If a solve met its limit, times per iteration are compared. Otherwise the numbers of iterations
  // are equal up to rounding.
  const auto speed_up = [&results](const SolveResult &r) {
    const auto *base = find_baseline(results.solves, results.baseline, r.subject.precision);
    return base == nullptr ? std::optional<double>() : base->per_iteration() / r.per_iteration();
  };
  const auto other = [](auto &r) { return r.seconds - r.operator_seconds - r.vector_seconds; };
  const auto of_operator = [](auto &r) { return 100. * r.operator_seconds / r.seconds; };
  const auto of_vectors  = [](auto &r) { return 100. * r.vector_seconds / r.seconds; };

  auto columns = columns_of_mesh<SolveResult>(results);
  add_case(columns);
  columns.words("", "status", &SolveResult::status);
  columns.number("iterations", "iterations", digits<0>, &SolveResult::iterations);
  columns.number("seconds", "seconds", significant, &SolveResult::seconds);
  columns.number(
    "ms/iteration", "", milliseconds, &SolveResult::per_iteration, "seconds_per_iteration");
  columns.csv_number("operator_s", &SolveResult::operator_seconds);
  columns.number("operator %", "", digits<1>, of_operator, "operator_s");
  columns.csv_number("vectors_s", &SolveResult::vector_seconds);
  columns.number("vectors %", "", digits<1>, of_vectors, "vectors_s");
  columns.csv_number("other_s", other);
  const auto or_none = [](const double value) { return value > 0. ? scientific(value) : "-"; };
  columns.number("residual", "residual", or_none, &SolveResult::residual);
  columns.csv_number("seconds_per_iteration", &SolveResult::per_iteration);
  columns.number("speed-up", "speedup", digits<2>, speed_up);
  columns.words("status", "", &SolveResult::status, "status");
  return columns;
}

Columns<SolverResult> solver_columns(const SolverResults &results)
{
  const auto per_iteration = [](const SolverResult &r) {
    return r.iterations == 0 ? std::optional<double>() : r.time.median / r.iterations;
  };
  const auto memory = [](const SolverResult &r) {
    return r.memory_bytes > 0. ? std::optional<double>(r.memory_bytes) : std::nullopt;
  };
  // Time of a new design and its solve; only if both converged.
  const auto speed_up = [&results](const SolverResult &r) {
    const SolverResult *const ml = find_ml(results, r.subject.design);
    return ml == nullptr || r.status != "ok" ? std::optional<double>()
                                             : ml->per_design() / r.per_design();
  };

  auto columns = columns_of_mesh<SolverResult>(results);
  columns.words("design", "design", [](auto &r) { return r.subject.design; });
  columns.words("backend", "backend", [](auto &r) { return r.subject.backend; });
  columns.words("solver", "solver", [](auto &r) { return r.subject.solver; });
  columns.words("precision", "precision", [](auto &r) { return to_string(r.subject.precision); });
  columns.count("ranks", "ranks", [&results](auto &) { return results.n_ranks; });
  columns.count("threads", "threads", [](auto &r) { return r.subject.n_threads; });
  columns.words("", "status", &SolverResult::status);
  columns.number("set-up s", "setup_s", seconds, &SolverResult::set_up);
  columns.number("new design s", "new_design_s", seconds, &SolverResult::update);
  columns.number("iterations", "iterations", digits<0>, &SolverResult::iterations);
  columns.times("solve ", "s", "solve_s", seconds, &SolverResult::time);
  columns.number("ms/iteration", "", milliseconds, per_iteration, "seconds_per_iteration");
  columns.number("residual", "residual", scientific, &SolverResult::residual);
  columns.number("compliance", "compliance", significant, &SolverResult::compliance);
  columns.number("memory MB", "memory_bytes", megabytes, memory);
  columns.number("speed-up", "speedup", digits<2>, speed_up);
  columns.words("status", "", &SolverResult::status, "status");
  return columns;
}

/// Adds the SIMD lanes of deal.II's operator, if it was compared; the line of the backend has
/// strut's.
Label with_lanes_of_dealii(const ComparisonResults &results)
{
  const std::string name = dealii_matrix_free<double>().name;
  Label label            = results.label;
  if (std::any_of(results.operators.begin(), results.operators.end(), [&](auto &result) {
        return result.subject.name == name;
      }))
    label.emplace_back(name,
                       std::to_string(lanes_of_dealii()) +
                         (lanes_of_dealii() == 1 ? " SIMD lane" : " SIMD lanes") +
                         " (double), as deal.II was configured");
  return label;
}

std::vector<std::string> names_of_operator_columns()
{
  const ComparisonResults none;
  std::vector<std::string> names = operator_columns(none).names();
  for (const std::string &name : solve_columns(none).names())
    if (!contains(names, name))
      names.push_back(name);
  return names;
}

void write_reports(const std::string &folder,
                   const ComparisonResults &results,
                   const std::vector<std::string> &columns)
{
  const Label label    = with_lanes_of_dealii(results);
  const auto operators = [&](const std::vector<std::string> &names) {
    return chosen_columns(operator_columns(results), names, results.operators);
  };
  const auto solves = [&](const std::vector<std::string> &names) {
    return chosen_columns(solve_columns(results), names, results.solves);
  };
  const auto sections = [&](const std::vector<std::string> &of_operators,
                            const std::vector<std::string> &of_solves) {
    std::vector<Section> tables;
    const auto add = [&](const std::string &heading, const Table &table, const std::string &about) {
      if (!table.headers.empty()) // the table has some of the chosen columns
        tables.push_back({heading, "", table, about});
    };
    add("## One application", operators(of_operators).table(results.operators), about_operators);
    if (!results.solves.empty())
      add("## A solve", solves(of_solves).table(results.solves), about_solves);
    return tables;
  };

  create_folder(folder);
  const std::string base = folder + "/" + results.deck;
  write_file_atomically(base + ".operators.csv", operators(columns).csv(results.operators, label));
  write_file_atomically(base + ".solves.csv", solves(columns).csv(results.solves, label));
  write_file_atomically(
    base + ".md", markdown("Operators on " + results.deck, label, sections(columns, columns)));
  write_file_atomically(base + ".tex",
                        latex(with_note(label, results.deck, columns),
                              columns.empty() ? sections(page_of_operators, page_of_solves)
                                              : sections(columns, columns)));
}

void write_reports(const std::string &folder,
                   const SolverResults &results,
                   const std::vector<std::string> &columns)
{
  const auto solvers = [&](const std::vector<std::string> &names) {
    return chosen_columns(solver_columns(results), names, results.solvers);
  };
  const auto sections = [&](const std::vector<std::string> &names) {
    const Table table = solvers(names).table(results.solvers);
    return table.headers.empty() ? std::vector<Section>()
                                 : std::vector<Section>{{"", "", table, about_solvers}};
  };

  create_folder(folder);
  const std::string base = folder + "/" + results.deck + ".solvers";
  write_file_atomically(base + ".csv", solvers(columns).csv(results.solvers, results.label));
  write_file_atomically(base + ".md",
                        markdown("Solvers on " + results.deck, results.label, sections(columns)));
  write_file_atomically(base + ".tex",
                        latex(with_note(results.label, results.deck + ".solvers", columns),
                              sections(columns.empty() ? page_of_solvers : columns)));
}
} // namespace strut
