// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "plugin/run/deck_parameters.h"
#include "plugin/studies/comparison/comparison_options.h"
#include "plugin/studies/comparison/measure.h"

namespace strut::plugin
{
/// What `strut-compare deck.prm` does: apply every chosen operator to the structure of a deck, check
/// it, solve with it, write tables.
class Comparison
{
public:
  /// Throws Error for options that name what does not exist.
  Comparison(DeckParameters &parameters,
             const ComparisonOptions &options,
             const Communicator &communicator,
             std::ostream &log);

  /// Collective. Writes the reports after each operator. @return whether all products were right
  bool run();

  const ComparisonResults &results() const
  {
    return results_;
  }
  const std::string &folder() const
  {
    return folder_;
  }

private:
  void check_options() const;
  /// The same operator with as many threads: "all" may be one, and some have one thread only.
  bool already_measured(const OperatorCase &what) const;
  void
  compare_on(const std::string &backend, unsigned int n_threads, const MeasuredProblem &problem);

  DeckParameters &parameters_;
  ComparisonOptions options_;
  Communicator communicator_;
  std::ostream &log_;
  std::string folder_;
  ReferenceProduct reference_;
  std::vector<unsigned int> n_threads_done_; ///< of the CPU backend, the most of any rank
  ComparisonResults results_;
};
} // namespace strut::plugin
