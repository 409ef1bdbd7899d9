// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <iosfwd>
#include <string>

#include "plugin/studies/assembly/assembly_parameters.h"
#include "plugin/studies/assembly/assembly_results.h"

namespace strut::plugin
{
/// Generate the matrices of all element types of a deck, on all its backends, in all variants, and write
/// the tables after each element type.
class AssemblyStudy
{
public:
  /// @param output  folder of the tables; empty: the deck's
  /// @param lock_file  between the making of the first mesh and the end of the program this file is
  /// locked: several programs may make their meshes at once, and measure one after the other. Empty: no
  /// @throws Error, EntryError
  AssemblyStudy(const AssemblyDeck &deck,
                const std::string &output,
                const std::string &lock_file,
                std::ostream &log);

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
  struct Place;

  /// The backends of the deck, with their rates; a line of the label for each.
  std::vector<Place> measure_places();

  const AssemblyDeck &deck_;
  std::ostream &log_;
  const std::string folder_;
  const std::string lock_file_;
  const std::vector<std::string> backends_;
  AssemblyResults results_;
};
} // namespace strut::plugin
