// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/remedy.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace strut
{
/// An error that the person who runs the program can mend: a reason (what was found, what is allowed,
/// in complete sentences) and a remedy. what() is both in plain words; a front end puts the sentence of
/// its own table under the reason. Programs print the message and end with exit code 1.
class Error : public std::runtime_error
{
public:
  /// Without a remedy the reason is the whole message: it also says what to do.
  explicit Error(const std::string &reason, const Remedy remedy = Remedy::none)
    : std::runtime_error(joined(reason, plain_words(remedy))), reason(reason), remedy(remedy)
  {}

  std::string reason;
  Remedy remedy;
};

/// An Error whose cause is one entry of a parameter file. The thrower names the entry; the program,
/// which knows the file, adds file and line (see plugin/parameters/deck.h).
class EntryError : public Error
{
public:
  /// @param path  enclosing subsections, outermost first
  /// @param entry  name of the entry; empty if the subsection as a whole is meant
  /// @param text  what was found, what is allowed, what to do
  EntryError(std::vector<std::string> path, std::string entry, const std::string &text)
    : Error(text), path(std::move(path)), entry(std::move(entry))
  {}

  std::vector<std::string> path;
  std::string entry;
};

/// The iterative solver gave up.
class SolverFailure : public Error
{
public:
  /// @param at_limit  the number of iterations was all that was too small
  explicit SolverFailure(const std::string &reason,
                         const Remedy remedy = Remedy::none,
                         const bool at_limit = false)
    : Error(reason, remedy), at_limit(at_limit)
  {}

  bool at_limit;
};

/// An allocation did not fit into the memory of the backend.
class OutOfMemory : public Error
{
public:
  explicit OutOfMemory(const std::string &reason, const Remedy remedy = Remedy::use_less_memory)
    : Error(reason, remedy)
  {}
};
} // namespace strut
