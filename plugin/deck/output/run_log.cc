// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/run_log.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ostream>
#include <sstream>
#include <system_error>
#include <utility>

namespace strut
{
RunLog::RunLog(std::ostream &screen, const bool speaks, const bool quiet)
  : screen_(screen), speaks_(speaks), quiet_(quiet)
{}

void RunLog::say(const std::string &text)
{
  const std::lock_guard<std::mutex> lock(mutex_);
  const std::string mark = "NOTE: ";
  std::string lines_of_notes;
  bool inside             = false;
  std::size_t indentation = 0;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    {
      const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
      const std::string words = line.substr(begin);
      if (words.rfind(mark, 0) == 0 || words.rfind("WARNING: ", 0) == 0)
        {
          inside      = true;
          indentation = begin;
          notes_.push_back(words.rfind(mark, 0) == 0 ? words.substr(mark.size()) : words);
        }
      else if (inside && !words.empty() && begin > indentation)
        notes_.back() += ' ' + words;
      else
        inside = false;
      if (inside)
        lines_of_notes += line + '\n';
    }
  if (speaks_)
    screen_ << (quiet_ ? lines_of_notes : text) << std::flush;
}

void RunLog::put_before(std::vector<std::string> earlier)
{
  const std::lock_guard<std::mutex> lock(mutex_);
  for (std::string &note : notes_)
    if (std::find(earlier.begin(), earlier.end(), note) == earlier.end())
      earlier.push_back(std::move(note));
  notes_ = std::move(earlier);
}

void RunLog::say_always(const std::string &text)
{
  const std::lock_guard<std::mutex> lock(mutex_);
  if (speaks_)
    screen_ << text << std::flush;
}

LongStep::LongStep(RunLog &log, std::string step, const std::chrono::duration<double> patience)
  : log_(log), step_(std::move(step))
{
  try
    {
      watch_ = std::thread([this, patience] { watch(patience); });
    }
  catch (const std::system_error &)
    {
      // Without a thread, the step runs silently.
    }
}

LongStep::~LongStep()
{
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ended_ = true;
  }
  end_.notify_one();
  if (watch_.joinable())
    watch_.join();
}

void LongStep::watch(std::chrono::duration<double> patience)
{
  const auto begin = std::chrono::steady_clock::now();
  std::unique_lock<std::mutex> lock(mutex_);
  while (!end_.wait_until(lock,
                          begin + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                    patience),
                          [this] { return ended_; }))
    {
      char seconds[32];
      std::snprintf(seconds, sizeof(seconds), "%.3g", patience.count());
      log_.say("  ... " + step_ + ": " + seconds + " s so far\n");
      patience *= 5;
    }
}

TimeLeft::TimeLeft(const unsigned int max_iterations) : max_iterations_(max_iterations)
{}

std::string TimeLeft::after(const unsigned int iteration, const double seconds)
{
  // The first solves of a design take longer than later ones, so old iterations do not count.
  constexpr std::size_t n_of_the_pace = 5;
  // Runs too short for an estimate.
  constexpr double short_run = 10, short_rest = 5;
  // Long runs get fewer lines: about twenty in a run of any length.
  constexpr double least_pause = 30, pause_of_the_time = 0.1;

  ends_.push_back(seconds);
  if (ends_.size() > n_of_the_pace + 1)
    ends_.pop_front();
  if (seconds < short_run || iteration >= max_iterations_ ||
      (said_at_ > 0 && seconds - said_at_ < std::max(least_pause, pause_of_the_time * seconds)))
    return {};
  const double pace = (ends_.back() - ends_.front()) / static_cast<double>(ends_.size() - 1);
  const double rest = pace * (max_iterations_ - iteration);
  if (rest < short_rest)
    return {};
  said_at_ = seconds;
  return "at this pace at most " + rough_time(rest) + " left";
}

std::string rough_time(const double seconds)
{
  constexpr double minute = 60, hour = 60 * minute, day = 24 * hour, endless = 1e4 * day;
  const auto text = [](const double number, const char *const unit) {
    return std::to_string(static_cast<long>(std::ceil(number))) + unit;
  };
  if (!(seconds < endless))
    return "decades";
  if (seconds <= 2 * minute)
    return text(seconds, " s");
  if (seconds <= 2 * hour)
    return text(seconds / minute, " min");
  if (seconds > 2 * day)
    return text(seconds / day, " days");
  const double minutes = std::ceil(seconds / minute);
  return text(std::floor(minutes / 60), " h ") + text(std::fmod(minutes, 60), " min");
}
} // namespace strut
