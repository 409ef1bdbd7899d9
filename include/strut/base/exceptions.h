// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace strut
{
/// An error that the person who runs the program can mend. Its text is the whole message: what was
/// found, what is allowed, what to do. Programs print it and end with exit code 1.
class Error : public std::runtime_error
{
public:
  using std::runtime_error::runtime_error;
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

/// The iterative solver gave up; the text says why and what to change.
class SolverFailure : public Error
{
public:
  /// @param at_limit  the number of iterations was all that was too small
  explicit SolverFailure(const std::string &text, const bool at_limit = false)
    : Error(text), at_limit(at_limit)
  {}

  bool at_limit;
};

/// An allocation did not fit into the memory of the backend.
class OutOfMemory : public Error
{
public:
  using Error::Error;
};
} // namespace strut
