// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/base/watchdog.h"

#include <strut/base/exceptions.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <utility>

namespace strut::watchdog
{
namespace
{
std::atomic<bool> is_started{false};
std::atomic<unsigned long> n_begun{0}, n_ended{0}; ///< numbers of waits
std::atomic<const char *> activity_name{nullptr};
std::atomic<int> activity_number{0};

unsigned int patience()
{
  const char *const text = std::getenv("STRUT_WAIT_SECONDS");
  if (text == nullptr)
    return default_patience;
  char *end                = nullptr;
  const unsigned long time = std::strtoul(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0' || time > 1000000)
    throw Error("STRUT_WAIT_SECONDS in the environment is '" + std::string(text) +
                "', and has to be a number of seconds: 0 (no limit) to 1000000.");
  return static_cast<unsigned int>(time);
}

std::string where()
{
  const char *const name = activity_name;
  if (name == nullptr)
    return "";
  std::string text        = name;
  const std::size_t place = text.find('%');
  if (place != std::string::npos)
    text.replace(place, 1, std::to_string(activity_number));
  return " in " + text;
}

[[noreturn]] void end_program(const Communicator &communicator,
                              const std::function<void(const std::string &)> &report,
                              const unsigned int seconds)
{
  report("Rank " + std::to_string(communicator.rank()) + " of " +
         std::to_string(communicator.size()) + " has waited " + std::to_string(seconds) +
         " s for another one" + where() +
         ": that one has stopped, hangs, or has failed alone.\n  STRUT_WAIT_SECONDS in the "
         "environment changes this limit; 0: none.");
  MPI_Abort(communicator.mpi(), 1);
  std::abort();
}

/// Counts the seconds of a wait by its own sleeps, which stop when the process is stopped.
void watch(const Communicator communicator,
           const std::function<void(const std::string &)> report,
           const unsigned int limit)
{
  unsigned long last   = 0;
  unsigned int seconds = 0;
  for (;;)
    {
      std::this_thread::sleep_for(std::chrono::seconds(1));
      const unsigned long ended = n_ended, begun = n_begun;
      seconds = begun == last && begun != ended ? seconds + 1 : 0;
      last    = begun;
      if (seconds >= limit && (activity_name != nullptr || seconds >= factor_elsewhere * limit))
        end_program(communicator, report, seconds);
    }
}
} // namespace

void start(const Communicator &communicator, std::function<void(const std::string &)> report)
{
  const unsigned int limit = communicator.size() == 1 ? 0 : patience();
  if (limit == 0 || is_started.exchange(true))
    return;
  std::thread(watch, communicator, std::move(report), limit).detach();
}

Wait::Wait()
{
  ++n_begun;
}

Wait::~Wait()
{
  ++n_ended;
}

Activity::Activity(const char *const name, const int number)
  : outer_name_(activity_name), outer_number_(activity_number)
{
  activity_number = number;
  activity_name   = name;
}

Activity::~Activity()
{
  activity_number = outer_number_;
  activity_name   = outer_name_;
}
} // namespace strut::watchdog
