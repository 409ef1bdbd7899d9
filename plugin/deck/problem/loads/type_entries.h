// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/tensor.h>

#include <strut/base/exceptions.h>
#include <strut/load.h>

#include <string>
#include <vector>

#include "plugin/deck/parameters/named_choice.h"

namespace strut
{
/// Throws EntryError for an entry in the subsection of a type of load.
[[noreturn]] inline void refuse(const Load &load,
                                const std::string &type,
                                const std::string &entry,
                                const std::string &reason)
{
  std::vector<std::string> path = load.path();
  path.push_back(subsection_of(type));
  throw EntryError(path, entry, reason);
}

/// The vector of an entry in the subsection of a type of load. Throws EntryError unless there are
/// three numbers.
inline dealii::Tensor<1, 3> vector_of(const Load &load,
                                      const std::string &type,
                                      const std::string &entry,
                                      const std::vector<double> &numbers)
{
  if (numbers.size() != 3)
    refuse(load,
           type,
           entry,
           std::to_string(numbers.size()) +
             " numbers are no vector.\nWrite three, along x, y and z, such as 'set " + entry +
             " = 0, 0, 1'.");
  return dealii::Tensor<1, 3>({numbers[0], numbers[1], numbers[2]});
}
} // namespace strut
