// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>

#include <functional>
#include <string>

namespace strut
{
/// Watches over the waits of a rank for the others. One that was stopped, hangs, or has failed alone, or a message that never
/// comes, would let this rank wait for ever; neither MPI nor NCCL knows a limit. After so many seconds of one wait
/// a thread reports it and ends the program on all ranks by MPI_Abort. Seconds in which this process did not run,
/// as under a debugger, do not count.
namespace watchdog
{
constexpr unsigned int default_patience = 25; ///< seconds of a wait in an Activity
constexpr unsigned int factor_elsewhere =
  10; ///< outside, where one rank may write files or make meshes alone

/// Begin to watch, if there are several ranks and nobody has begun before: for programs all of whose time is strut's, since
/// in others a rank may be late for good reasons. The environment variable STRUT_WAIT_SECONDS changes the patience; 0: no watch.
/// @param report  says why before the program ends; called in a thread of its own while this rank waits
void start(const Communicator &communicator, std::function<void(const std::string &reason)> report);

/// Around a call that waits for other ranks.
class Wait
{
public:
  Wait();
  ~Wait();

  Wait(const Wait &)            = delete;
  Wait &operator=(const Wait &) = delete;
};

/// Where the program is, for the report: "level 2 of multigrid". Inner ones hide outer ones.
class Activity
{
public:
  /// @param name  stays as it is for the life of this object; a number replaces its "%"
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
