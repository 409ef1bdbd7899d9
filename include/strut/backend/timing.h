// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <chrono>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

namespace strut
{
class Backend;

/// Wall time by section of the program, for the table at the end of a run. A section inside another
/// takes its time from that one, so that the sections add up. Time outside of all of them is called
/// "other".
class TimingTable
{
public:
  using Clock = std::chrono::steady_clock;

  TimingTable();

  /// Times its own lifetime without that of the scopes inside it. The backend is synchronised at
  /// both ends, so that a section includes the work it submitted. Scopes of a table end in the
  /// reverse order of their beginning, on one thread.
  class Scope
  {
  public:
    Scope(TimingTable &table, const std::string &section, const Backend *backend = nullptr);
    ~Scope();
    Scope(const Scope &)            = delete;
    Scope &operator=(const Scope &) = delete;

  private:
    TimingTable &table_;
    std::size_t section_;
    const Backend *backend_;
    Scope *around_;      ///< the scope in which this one began, or null
    double inside_ = 0.; ///< seconds that other sections took from this one
    Clock::time_point start_;

    friend class TimingTable;
  };

  /// Adds a time that was measured by other means, for this number of calls. It is taken from the
  /// present scope, if there is one.
  void add(const std::string &section, double seconds, unsigned int calls);

  /// Seconds since construction.
  double total() const;

  /// Seconds in a section so far; 0 if it never ran.
  double seconds(const std::string &section) const;

  /// Seconds of each section, then of "other" and "total".
  std::vector<std::pair<std::string, double>> by_section() const;

  /// The table: section, calls, seconds, share of the wall time.
  void print(std::ostream &out) const;

  /// The table as CSV for programs: "section,calls,seconds", a header and a line each, total at the
  /// end.
  std::string csv() const;

private:
  struct Section
  {
    std::string name;
    double seconds     = 0;
    unsigned int calls = 0;
  };

  std::size_t find_or_add(const std::string &section);

  Clock::time_point start_;
  std::vector<Section> sections_; ///< in order of first use
  Scope *innermost_ = nullptr;    ///< the scope that began last and has not ended
};
} // namespace strut
