// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/backend/backend.h>
#include <strut/backend/timing.h>

#include <iomanip>
#include <ostream>

#include "source/base/text_stream.h"

namespace strut
{
namespace
{
double seconds_since(const TimingTable::Clock::time_point start)
{
  return std::chrono::duration<double>(TimingTable::Clock::now() - start).count();
}
} // namespace

TimingTable::TimingTable() : start_(Clock::now())
{}

TimingTable::Scope::Scope(TimingTable &table, const std::string &section, const Backend *backend)
  : table_(table)
  , section_(table.find_or_add(section))
  , backend_(backend)
  , around_(table.innermost_)
{
  if (backend_ != nullptr)
    backend_->synchronize();
  start_            = Clock::now();
  table_.innermost_ = this;
}

TimingTable::Scope::~Scope()
{
  try
    {
      if (backend_ != nullptr)
        backend_->synchronize();
    }
  catch (...)
    {} // the next call to the backend reports the error
  const double seconds = seconds_since(start_);
  Section &section     = table_.sections_[section_];
  section.seconds += seconds - inside_;
  ++section.calls;
  table_.innermost_ = around_;
  if (around_ != nullptr)
    around_->inside_ += seconds;
}

std::size_t TimingTable::find_or_add(const std::string &name)
{
  for (std::size_t s = 0; s < sections_.size(); ++s)
    if (sections_[s].name == name)
      return s;
  sections_.push_back({name, 0., 0});
  return sections_.size() - 1;
}

void TimingTable::add(const std::string &name, const double seconds, const unsigned int calls)
{
  Section &section = sections_[find_or_add(name)];
  section.seconds += seconds;
  section.calls += calls;
  if (innermost_ != nullptr)
    innermost_->inside_ += seconds;
}

double TimingTable::total() const
{
  return seconds_since(start_);
}

double TimingTable::seconds(const std::string &name) const
{
  for (const Section &section : sections_)
    if (section.name == name)
      return section.seconds;
  return 0;
}

std::vector<std::pair<std::string, double>> TimingTable::by_section() const
{
  std::vector<std::pair<std::string, double>> list;
  double covered = 0;
  for (const Section &section : sections_)
    {
      list.emplace_back(section.name, section.seconds);
      covered += section.seconds;
    }
  const double total_seconds = total();
  list.emplace_back("other", total_seconds - covered);
  list.emplace_back("total", total_seconds);
  return list;
}

void TimingTable::print(std::ostream &out) const
{
  const double total_seconds = total();
  const auto line = [&](const std::string &name, const std::string &calls, double seconds) {
    out << "  " << std::left << std::setw(24) << name << std::right << std::setw(9) << calls
        << std::setw(12) << std::fixed << std::setprecision(3) << seconds << std::setw(8)
        << std::setprecision(1) << 100. * seconds / total_seconds << " %\n";
  };
  out << "  section                     calls     seconds   share\n";
  double covered = 0;
  for (const Section &section : sections_)
    {
      line(section.name, std::to_string(section.calls), section.seconds);
      covered += section.seconds;
    }
  line("other", "", total_seconds - covered);
  line("total", "", total_seconds);
  out << std::defaultfloat;
}

std::string TimingTable::csv() const
{
  TextStream text;
  text << "section,calls,seconds\n";
  const double total_seconds = total();
  double covered             = 0;
  for (const Section &section : sections_)
    {
      text << section.name << ',' << section.calls << ',' << section.seconds << '\n';
      covered += section.seconds;
    }
  text << "other,," << total_seconds - covered << "\ntotal,," << total_seconds << '\n';
  return text.str();
}
} // namespace strut
