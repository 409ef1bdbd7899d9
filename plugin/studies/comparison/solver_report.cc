// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/comparison/solver_report.h"

#include <iomanip>
#include <sstream>

#include "plugin/base/atomic_file.h"

namespace strut::plugin
{
namespace
{
constexpr char columns[] =
  "Solves of K u = f from zero, first load case, to the same relative residual. Set-up: once for a "
  "mesh. New design: for each distribution of stiffness, matrices and hierarchies. Solve: median and "
  "range. Residual: computed anew, by one operator for all. Memory: held after a solve, over all "
  "ranks. Speed-up: of new design and solve together, over ml.";

/// New design and solve together, over those of ML; nothing unless both converged.
double speed_up(const SolverResults &results, const SolverResult &result)
{
  const SolverResult *const ml = find_ml(results, result.what.design);
  return ml == nullptr || result.status != "ok" ? 0. : ml->per_design() / result.per_design();
}

/// Small decks take microseconds.
std::string seconds(const double number)
{
  return number < 1e-2 && number > 0. ? scientific(number) : significant(number);
}

std::string per_iteration(const SolverResult &result)
{
  return result.iterations == 0 ? "-" : significant(1e3 * result.median / result.iterations);
}
} // namespace

Table solver_table(const SolverResults &results)
{
  Table table;
  table.n_left  = 4;
  table.headers = {"design",
                   "backend",
                   "solver",
                   "precision",
                   "ranks",
                   "threads",
                   "set-up s",
                   "new design s",
                   "iterations",
                   "solve s",
                   "range s",
                   "ms/iteration",
                   "residual",
                   "compliance",
                   "memory MB",
                   "speed-up",
                   "status"};
  for (const SolverResult &r : results.solvers)
    {
      std::vector<std::string> row = {r.what.design,
                                      r.what.backend,
                                      r.what.solver,
                                      r.what.precision,
                                      std::to_string(results.n_ranks),
                                      std::to_string(r.what.n_threads)};
      if (!r.measured())
        fill_with_status(row, table.headers.size(), r.status);
      else
        {
          const double ratio = speed_up(results, r);
          row.insert(row.end(),
                     {seconds(r.set_up),
                      seconds(r.update),
                      std::to_string(r.iterations),
                      seconds(r.median),
                      seconds(r.smallest) + ".." + seconds(r.largest),
                      per_iteration(r),
                      scientific(r.residual),
                      significant(r.compliance),
                      r.memory_bytes > 0. ? fixed(1e-6 * r.memory_bytes, 1) : "-",
                      ratio > 0. ? fixed(ratio, 2) : "-",
                      r.status});
        }
      table.rows.push_back(row);
    }
  return table;
}

std::string solvers_csv(const SolverResults &results)
{
  std::ostringstream text;
  text << label_lines(results.label, "# ")
       << "deck,elements,nodes,dofs,design,backend,solver,precision,ranks,threads,status,setup_s,"
          "new_design_s,iterations,solve_s,min_s,max_s,residual,compliance,memory_bytes,speedup\n"
       << std::setprecision(12);
  for (const SolverResult &r : results.solvers)
    {
      text << results.deck << ',' << results.n_elements << ',' << results.n_nodes << ','
           << results.n_dofs() << ',' << r.what.design << ',' << r.what.backend << ','
           << r.what.solver << ',' << r.what.precision << ',' << results.n_ranks << ','
           << r.what.n_threads << ',' << csv_text(r.status);
      if (r.measured())
        {
          text << ',' << r.set_up << ',' << r.update << ',' << r.iterations << ',' << r.median
               << ',' << r.smallest << ',' << r.largest << ',' << r.residual << ',' << r.compliance
               << ',';
          if (r.memory_bytes > 0.)
            text << r.memory_bytes;
          text << ',';
          if (const double ratio = speed_up(results, r); ratio > 0.)
            text << ratio;
          text << '\n';
        }
      else
        text << std::string(10, ',') << '\n';
    }
  return text.str();
}

void write_solver_reports(const std::string &folder, const SolverResults &results)
{
  create_folder(folder);
  const Table table      = solver_table(results);
  const std::string base = folder + "/" + results.deck + ".solvers";
  write_file_atomically(base + ".csv", solvers_csv(results));
  write_file_atomically(base + ".md",
                        "# Solvers on " + results.deck + "\n\n" + label_lines(results.label, "- ") +
                          '\n' + table.markdown() + '\n' + columns + '\n');
  write_file_atomically(base + ".tex",
                        label_lines(results.label, "% ") + "% needs \\usepackage{booktabs}\n% " +
                          columns + '\n' + table.latex());
}
} // namespace strut::plugin
