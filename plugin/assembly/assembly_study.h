// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <iosfwd>
#include <string>

#include "plugin/assembly/assembly_parameters.h"
#include "plugin/assembly/assembly_results.h"

namespace strut::plugin
{
/// Generate the matrices of all element types of a deck, on all its backends, in all variants, and write
/// the tables after each element type.
class AssemblyStudy
{
public:
  /// @param output  folder of the tables; empty: the deck's @throws Error, EntryError
  AssemblyStudy(const AssemblyDeck &deck, const std::string &output, std::ostream &log);

  /// @return whether all values were right
  bool run();

  const AssemblyResults &results() const
  {
    return results_;
  }
  const std::string &folder() const
  {
    return folder_;
  }

private:
  const AssemblyDeck &deck_;
  std::ostream &log_;
  const std::string folder_;
  const std::vector<std::string> backends_;
  AssemblyResults results_;
};
} // namespace strut::plugin
