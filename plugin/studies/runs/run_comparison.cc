// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/runs/run_comparison.h"

namespace strut
{
RunComparison
RunComparison::of(const std::string &folder_a, const std::string &folder_b, const int n_threads)
{
  RunComparison result;
  result.run_a          = RunFolder::read(folder_a);
  result.run_b          = RunFolder::read(folder_b);
  result.facts          = compare_facts(result.run_a, result.run_b);
  result.entries        = compare_decks(result.run_a, result.run_b);
  result.curves         = CurveComparison::of(result.run_a.history, result.run_b.history);
  result.result_a       = read_result(result.run_a.result, n_threads);
  const ResultFile of_b = read_result(result.run_b.result, n_threads);
  result.rounding       = result.result_a.rounding + of_b.rounding;
  result.designs        = DesignComparison::of(result.result_a, of_b, n_threads);
  return result;
}
} // namespace strut
