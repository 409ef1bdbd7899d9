// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/comparison/report.h"

#include <iomanip>
#include <sstream>

#include "plugin/base/atomic_file.h"
#include "plugin/studies/report/format.h"

namespace strut::plugin
{
namespace
{
std::vector<std::string> case_cells(const OperatorCase &what)
{
  return {what.backend, what.name, to_string(what.precision), std::to_string(what.n_threads)};
}

template <typename Result>
std::string speed_up(const std::vector<Result> &all,
                     const Result &result,
                     const std::string &baseline,
                     double (*seconds)(const Result &))
{
  const Result *base = find_baseline(all, baseline, result.what.precision);
  return base == nullptr ? "-" : fixed(seconds(*base) / seconds(result), 2);
}

double apply_seconds(const OperatorResult &result)
{
  return result.median;
}

/// Solves are compared per iteration where one of them met its limit; their numbers of iterations are
/// otherwise the same up to rounding.
double iteration_seconds(const SolveResult &result)
{
  return result.per_iteration();
}

std::string csv_case(const ComparisonResults &results, const OperatorCase &what)
{
  std::ostringstream text;
  text << std::setprecision(12) << results.deck << ',' << results.n_elements << ','
       << results.n_nodes << ',' << results.n_dofs() << ',' << what.backend << ',' << what.name
       << ',' << to_string(what.precision) << ',' << what.n_threads << ',';
  return text.str();
}

constexpr char operator_columns[] =
  "Times of one application: median and range over batches (device events on a GPU). GDoF/s: degrees "
  "of freedom a second. GB/s, GFLOP/s: compulsory bytes (matrices, connectivity, factors, vectors "
  "once) and operations over the median. Copy: GB/s over the copy bandwidth of the same run. Floor: "
  "the time in which the hardware could move those bytes or do those operations, over the median. "
  "Memory: what the operator keeps. Error: largest difference from the plain CPU operator in double, "
  "over the largest entry.";
constexpr char solve_columns[] =
  "PCG with Jacobi's preconditioner, from zero, first load case, uniform design. Vectors: updates and "
  "dot products of PCG and the preconditioner. Speed-up: per iteration.";
} // namespace

Table operator_table(const ComparisonResults &results)
{
  Table table;
  table.n_left  = 3;
  table.headers = {"backend",
                   "operator",
                   "precision",
                   "threads",
                   "ms",
                   "range ms",
                   "GDoF/s",
                   "GB/s",
                   "copy %",
                   "floor %",
                   "GFLOP/s",
                   "memory MB",
                   "set-up s",
                   "speed-up",
                   "same bits",
                   "error",
                   "status"};
  for (const OperatorResult &r : results.operators)
    {
      std::vector<std::string> row = case_cells(r.what);
      if (!r.measured())
        fill_with_status(row, table.headers.size(), r.status);
      else
        row.insert(row.end(),
                   {significant(1e3 * r.median),
                    significant(1e3 * r.smallest) + ".." + significant(1e3 * r.largest),
                    fixed(1e-9 * results.n_dofs() / r.median, 3),
                    fixed(1e-9 * r.cost.bytes_per_apply / r.median, 1),
                    fixed(100. * r.cost.bytes_per_apply / r.median / r.copy_bandwidth, 1),
                    fixed(100. * r.floor / r.median, 1),
                    fixed(1e-9 * r.cost.flops_per_apply / r.median, 1),
                    fixed(1e-6 * r.cost.memory_bytes, 1),
                    fixed(r.set_up, 2),
                    speed_up(results.operators, r, results.baseline, apply_seconds),
                    r.what.deterministic ? "yes" : "no",
                    scientific(r.error),
                    r.status});
      table.rows.push_back(row);
    }
  return table;
}

Table solve_table(const ComparisonResults &results)
{
  Table table;
  table.n_left  = 3;
  table.headers = {"backend",
                   "operator",
                   "precision",
                   "threads",
                   "iterations",
                   "seconds",
                   "ms/iteration",
                   "operator %",
                   "vectors %",
                   "residual",
                   "speed-up",
                   "status"};
  for (const SolveResult &r : results.solves)
    {
      std::vector<std::string> row = case_cells(r.what);
      if (!r.measured())
        fill_with_status(row, table.headers.size(), r.status);
      else
        row.insert(row.end(),
                   {std::to_string(r.iterations),
                    significant(r.seconds),
                    significant(1e3 * r.per_iteration()),
                    fixed(100. * r.operator_seconds / r.seconds, 1),
                    fixed(100. * r.vector_seconds / r.seconds, 1),
                    r.residual > 0. ? scientific(r.residual) : "-",
                    speed_up(results.solves, r, results.baseline, iteration_seconds),
                    r.status});
      table.rows.push_back(row);
    }
  return table;
}

std::string operators_csv(const ComparisonResults &results)
{
  std::ostringstream text;
  text
    << label_lines(results.label, "# ")
    << "deck,elements,nodes,dofs,backend,operator,precision,threads,deterministic,status,median_s,"
       "min_s,max_s,gdofs_per_s,gbytes_per_s,gflops_per_s,percent_of_copy,floor_s,"
       "percent_of_floor,memory_bytes,setup_s,speedup,error\n";
  for (const OperatorResult &r : results.operators)
    {
      text << csv_case(results, r.what) << (r.what.deterministic ? "yes" : "no") << ','
           << csv_text(r.status);
      if (r.measured())
        {
          const OperatorResult *base =
            find_baseline(results.operators, results.baseline, r.what.precision);
          text << ',' << r.median << ',' << r.smallest << ',' << r.largest << ','
               << 1e-9 * results.n_dofs() / r.median << ','
               << 1e-9 * r.cost.bytes_per_apply / r.median << ','
               << 1e-9 * r.cost.flops_per_apply / r.median << ','
               << 100. * r.cost.bytes_per_apply / r.median / r.copy_bandwidth << ',' << r.floor
               << ',' << 100. * r.floor / r.median << ',' << r.cost.memory_bytes << ',' << r.set_up
               << ',';
          if (base != nullptr)
            text << base->median / r.median;
          text << ',' << r.error << '\n';
        }
      else
        text << std::string(13, ',') << '\n';
    }
  return text.str();
}

std::string solves_csv(const ComparisonResults &results)
{
  std::ostringstream text;
  text << label_lines(results.label, "# ")
       << "deck,elements,nodes,dofs,backend,operator,precision,threads,status,iterations,seconds,"
          "operator_s,vectors_s,other_s,residual,seconds_per_iteration,speedup\n";
  for (const SolveResult &r : results.solves)
    {
      text << csv_case(results, r.what) << csv_text(r.status);
      if (r.measured())
        {
          const SolveResult *base =
            find_baseline(results.solves, results.baseline, r.what.precision);
          text << ',' << r.iterations << ',' << r.seconds << ',' << r.operator_seconds << ','
               << r.vector_seconds << ',' << r.seconds - r.operator_seconds - r.vector_seconds
               << ',' << r.residual << ',' << r.per_iteration() << ',';
          if (base != nullptr)
            text << base->per_iteration() / r.per_iteration();
          text << '\n';
        }
      else
        text << std::string(8, ',') << '\n';
    }
  return text.str();
}

std::string markdown_report(const ComparisonResults &results)
{
  std::string text = "# Operators on " + results.deck + "\n\n" + label_lines(results.label, "- ") +
                     "\n## One application\n\n" + operator_table(results).markdown() + '\n' +
                     operator_columns + '\n';
  if (!results.solves.empty())
    text += "\n## A solve\n\n" + solve_table(results).markdown() + '\n' + solve_columns + '\n';
  return text;
}

std::string latex_report(const ComparisonResults &results)
{
  std::string text = label_lines(results.label, "% ") + "% needs \\usepackage{booktabs}\n% " +
                     operator_columns + '\n' + operator_table(results).latex();
  if (!results.solves.empty())
    text += std::string("\n% ") + solve_columns + '\n' + solve_table(results).latex();
  return text;
}

void write_reports(const std::string &folder, const ComparisonResults &results)
{
  create_folder(folder);
  const std::string base = folder + "/" + results.deck;
  write_file_atomically(base + ".operators.csv", operators_csv(results));
  write_file_atomically(base + ".solves.csv", solves_csv(results));
  write_file_atomically(base + ".md", markdown_report(results));
  write_file_atomically(base + ".tex", latex_report(results));
}
} // namespace strut::plugin
