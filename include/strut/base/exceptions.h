// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/remedy.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace strut
{
/// An error that the user of the program can fix. It has a reason (the fault and the allowed
/// values, in complete sentences) and a remedy. what() has both in plain words. A front end puts
/// the sentence of its own table under the reason. Programs print the message and end with exit
/// code 1.
class Error : public std::runtime_error
{
public:
  /// Without a remedy the reason is the whole message, and must also say how to fix the error.
  explicit Error(const std::string &the_reason, const Remedy the_remedy = Remedy::none)
    : std::runtime_error(joined(the_reason, plain_words(the_remedy)))
    , reason(the_reason)
    , remedy(the_remedy)
  {}

  std::string reason;
  Remedy remedy;
};

/// An Error whose cause is one entry of a parameter file. The thrower names the entry; the program,
/// which knows the file, adds file and line (see plugin/deck/parameters/deck.h).
class EntryError : public Error
{
public:
  /// @param the_path  enclosing subsections, outermost first
  /// @param the_entry  name of the entry; empty if the subsection as a whole is meant
  /// @param text  the fault, the allowed values, and the remedy
  EntryError(std::vector<std::string> the_path, std::string the_entry, const std::string &text)
    : Error(text), path(std::move(the_path)), entry(std::move(the_entry))
  {}

  std::vector<std::string> path;
  std::string entry;
};

/// The iterative solver gave up.
class SolverFailure : public Error
{
public:
  /// @param is_at_limit  the only fault is that the limit of iterations was too small
  explicit SolverFailure(const std::string &the_reason,
                         const Remedy the_remedy = Remedy::none,
                         const bool is_at_limit  = false)
    : Error(the_reason, the_remedy), at_limit(is_at_limit)
  {}

  bool at_limit;
};

/// An allocation did not fit into the memory of the backend.
class OutOfMemory : public Error
{
public:
  explicit OutOfMemory(const std::string &the_reason,
                       const Remedy the_remedy = Remedy::use_less_memory)
    : Error(the_reason, the_remedy)
  {}
};
} // namespace strut
