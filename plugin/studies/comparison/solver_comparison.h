// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "plugin/run/deck_parameters.h"
#include "plugin/studies/comparison/comparison_options.h"
#include "plugin/studies/comparison/solve_system.h"
#include "plugin/studies/comparison/solver_results.h"

namespace strut::plugin
{
/// What `strut-compare deck.prm --solvers` does: solve the same systems with strut's solvers on every
/// backend and with what a deal.II user would pick instead, write tables.
class SolverComparison
{
public:
  /// Throws Error for options that name what does not exist. Collective.
  SolverComparison(DeckParameters &parameters,
                   const ComparisonOptions &options,
                   const Communicator &communicator,
                   std::ostream &log);

  /// Collective. Writes the reports after each solver. @return whether no solver failed
  bool run();

  const SolverResults &results() const
  {
    return results_;
  }
  const std::string &folder() const
  {
    return folder_;
  }

private:
  /// The rows of one design, without those of equal numbers of threads.
  std::vector<SolverCase> cases(const std::string &design);
  void measure(const SolverCase &what, JudgedSystem &system, const SolveLimits &limits);

  DeckParameters &parameters_;
  ComparisonOptions options_;
  Communicator communicator_;
  std::ostream &log_;
  std::string folder_;
  std::vector<unsigned int> n_threads_; ///< of the CPU backend, the most of any rank
  SolverResults results_;
};
} // namespace strut::plugin
