// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/assembly/assembly_results.h"

#include <algorithm>
#include <cmath>
#include <ostream>

namespace strut
{
void set_times(StageResult &result, const std::vector<StageReport> &reports)
{
  result.n_runs = reports.size();
  if (reports.empty() || reports.front().steps.empty())
    return;
  const auto add = [&](const std::string &name, const double bytes, const auto &seconds_of) {
    std::vector<double> seconds;
    for (const StageReport &report : reports)
      seconds.push_back(seconds_of(report));
    result.steps.push_back({name, spread_of(seconds), bytes});
  };
  const StageReport &first = reports.front();
  for (std::size_t k = 0; first.steps.size() > 1 && k < first.steps.size(); ++k)
    add(first.steps[k].name, first.steps[k].bytes, [k](auto &r) { return r.steps[k].seconds; });
  add("all", first.bytes, [](auto &r) { return r.seconds(); });
}

void AssemblyResults::add(const StageResult &result)
{
  log << "  " << result.stage;
  for (const std::string &word :
       {result.precision, result.format, result.method, result.integration})
    if (word != "-")
      log << ", " << word;
  log << ": ";
  if (result.all() != nullptr)
    log << milliseconds(result.all()->time.median) << " ms"
        << (result.status == "ok" ? "" : ", " + result.status);
  else
    log << result.status;
  log << std::endl;
  stages.push_back(result);
}

void AssemblyResults::add(const GeneratedSolve &solve)
{
  log << "  solve, " << solve.format << ": ";
  if (solve.status != "ok")
    log << solve.status << std::endl;
  else
    {
      log << solve.iterations << " iterations, " << solve.solve << " s; generation "
          << solve.generation << " s, " << 100. * solve.share_of_generation()
          << " % of both; compliance " << solve.compliance << ", largest displacement "
          << solve.largest_displacement;
      if (solve.difference >= 0.)
        log << ", " << solve.difference << " from deal.II's";
      log << std::endl;
    }
  solves.push_back(solve);
}

void check_norm(const AssemblyResults &results, StageResult &result, const double tolerance)
{
  const auto first_of = [&](const std::string &precision) {
    return std::find_if(results.stages.begin(),
                        results.stages.end(),
                        [&](const StageResult &other) {
                          return other.element == result.element && other.norm > 0. &&
                                 other.status == "ok" && other.precision == precision;
                        });
  };
  auto reference = first_of("double");
  if (reference == results.stages.end())
    reference = first_of("float");
  const double expected = reference == results.stages.end() ? result.norm : reference->norm;
  if (!(std::abs(result.norm - expected) <= tolerance * expected))
    result.status = "WRONG: norm " + scientific(result.norm) + ", off by " +
                    scientific(std::abs(result.norm - expected) / expected) + " of it";
}
} // namespace strut
