// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>

#include <functional>
#include <string>

namespace strut
{
/// Limits the time that a rank waits for others. A rank that was stopped, hangs, or has failed
/// alone, or a lost message, would let this rank wait for ever; neither MPI nor NCCL has a limit.
/// If a wait takes too many seconds, a thread reports it and ends the program on all ranks by
/// MPI_Abort. Seconds in which this process did not run, as under a debugger, do not count.
namespace watchdog
{
constexpr unsigned int default_patience = 25; ///< limit in seconds of a wait in an Activity
constexpr unsigned int factor_elsewhere =
  10; ///< limit in seconds of other waits, where one rank may write files or make meshes alone

/// Starts the watch, if there are several ranks and it has not been started. It is for programs
/// that only run strut: in others a rank may be late for good reasons. The environment variable
/// STRUT_WAIT_SECONDS changes the limit; 0: no watch.
///
/// @param report  receives the reason before the program ends; called in a separate thread while
///   this rank waits
void start(const Communicator &communicator, std::function<void(const std::string &reason)> report);

/// Guards a call that waits for other ranks.
class Wait
{
public:
  Wait();
  ~Wait();

  Wait(const Wait &)            = delete;
  Wait &operator=(const Wait &) = delete;
};

/// The current activity of the program, for the report: "level 2 of multigrid". Inner ones hide
/// outer ones.
class Activity
{
public:
  /// @param name  must stay unchanged for the life of this object; a number replaces its "%"
  explicit Activity(const char *name, int number = 0);
  ~Activity();

  Activity(const Activity &)            = delete;
  Activity &operator=(const Activity &) = delete;

private:
  const char *outer_name_;
  int outer_number_;
};
} // namespace watchdog
} // namespace strut
