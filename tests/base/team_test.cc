// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "source/base/parallel_loop.h"
#include "source/base/parallel_sort.h"

namespace strut::cpu
{
namespace
{
/// Number of runs of each part.
std::vector<int> runs_of_parts(const int n_parts)
{
  std::vector<std::atomic<int>> counts(static_cast<std::size_t>(n_parts));
  run_parts(n_parts, [&](const int part) { ++counts.at(static_cast<std::size_t>(part)); });
  return {counts.begin(), counts.end()};
}

TEST(Team, RunsEachPartOnceAndReturnsWhenAllAreDone)
{
  for (int round = 0; round < 2000; ++round)
    for (const int n_parts : {0, 1, 2, 3, 5, 9})
      ASSERT_EQ(runs_of_parts(n_parts), std::vector<int>(static_cast<std::size_t>(n_parts), 1));
}

TEST(Team, WhatPartsWriteIsThereAfterwards)
{
  std::vector<double> x(4000, 0.); // no atomics: the team has to order the writes of threads
  for (int round = 1; round <= 3000; ++round)
    {
      parallel_for_long(4, x.size(), [&](const std::size_t i) { x[i] += double(i); });
      const std::size_t probe = static_cast<std::size_t>(round) % x.size();
      ASSERT_EQ(x[probe], double(round) * double(probe));
    }
}

TEST(Team, PausesOfAnyLengthLoseNothing)
{
  // helpers that spin, that have just gone to sleep, and that sleep
  for (int round = 0; round < 300; ++round)
    {
      std::this_thread::sleep_for(std::chrono::microseconds(7 * (round % 60)));
      ASSERT_EQ(runs_of_parts(3), std::vector<int>(3, 1));
    }
}

TEST(Team, ASlowPartIsWaitedFor)
{
  for (const int slow : {0, 1, 2})
    {
      std::atomic<bool> done{false};
      run_parts(3, [&](const int part) {
        if (part == slow)
          {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            done = true;
          }
      });
      EXPECT_TRUE(done);
    }
}

TEST(Team, ACallFromWithinAPartRunsAllParts)
{
  std::atomic<int> n{0};
  run_parts(3, [&](int) { run_parts(4, [&](int) { ++n; }); });
  EXPECT_EQ(n, 12);
}

TEST(Team, AChildProcessHasNoHelpersAndRunsAllParts)
{
  const std::vector<int> once(3, 1);
  ASSERT_EQ(runs_of_parts(3), once); // there are helpers, which spin or sleep
  const pid_t child = fork();
  if (child == 0)
    {
      bool right = true;
      for (int round = 0; round < 100; ++round)
        right = right && runs_of_parts(3) == once;
      _exit(right ? 0 : 1);
    }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_EQ(runs_of_parts(3), once);
}

TEST(Team, AnExceptionDoesNotLeaveAPart)
{
  // an exception would leave run_parts() while helpers use the caller's objects
  static_assert(noexcept(std::declval<const Part &>()(0)));
}

TEST(Team, CallsOfSeveralThreadsAtATimeRunAllTheirParts)
{
  std::vector<int> n_right(4, 0);
  std::vector<std::thread> threads;
  for (int &right : n_right)
    threads.emplace_back([&right]() {
      for (int round = 0; round < 500; ++round)
        right += runs_of_parts(3) == std::vector<int>(3, 1) ? 1 : 0;
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(n_right, std::vector<int>(4, 500));
}

TEST(Team, AThreadOfTheBackgroundHasATeamOfItsOwn)
{
  // the first part of each waits for the second one of the other: in one team neither would end
  std::atomic<int> n_second{0};
  const auto meet = [&]() {
    run_parts(2, [&](const int part) {
      if (part == 1)
        ++n_second;
      else
        for (int wait = 0; wait < 10000 && n_second < 2; ++wait)
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
  };
  std::atomic<int> n_nested{0};
  std::thread background([&]() {
    use_background_team();
    meet();
    run_parts(3, [&](int) { run_parts(4, [&](int) { ++n_nested; }); });
  });
  meet();
  background.join();
  EXPECT_EQ(n_second, 2);
  EXPECT_EQ(n_nested, 12);
}

TEST(Team, NumbersOfThreadsAreReadAsOpenMPReadsThem)
{
  EXPECT_EQ(read_n_threads("7"), 7);
  EXPECT_EQ(read_n_threads(" 5 "), 5);
  EXPECT_EQ(read_n_threads("3,2"), 3); // thread counts of nested loops
  for (const char *const none : {"", " ", "0", "-3", "many", "3x", "99999999999"})
    EXPECT_EQ(read_n_threads(none), std::nullopt) << none;
  EXPECT_EQ(read_n_threads(nullptr), std::nullopt);
}

TEST(Team, EachThreadHasADefaultOfItsOwn)
{
  const int before = default_n_threads();
  set_default_n_threads(before + 3);
  EXPECT_EQ(default_n_threads(), before + 3);
  int of_other = 0;
  std::thread([&]() { of_other = default_n_threads(); }).join();
  if (n_threads_of_environment())
    {
      EXPECT_EQ(of_other, *n_threads_of_environment());
    }
  EXPECT_NE(of_other, before + 3);
  set_default_n_threads(before);
  EXPECT_EQ(default_n_threads(), before);
}

TEST(ParallelLoop, RangesCoverAllIndicesOnceInOrder)
{
  for (const std::size_t n : {0, 1, 2, 3, 31, 32, 33, 257})
    for (const std::size_t n_parts : {1, 2, 3, 7, 64})
      {
        std::size_t next = 0, shortest = n, longest = 0;
        for (std::size_t part = 0; part < n_parts; ++part)
          {
            const auto [begin, end] = range_of_part(part, n_parts, n);
            ASSERT_EQ(begin, next);
            next     = end;
            shortest = std::min(shortest, end - begin);
            longest  = std::max(longest, end - begin);
          }
        EXPECT_EQ(next, n);
        EXPECT_LE(longest, shortest + 1);
      }
}

TEST(ParallelLoop, LoopsSumsAndLargestValuesDependOnNoNumberOfThreads)
{
  for (const std::size_t n : {0, 1, 31, 257, 4096, 4097, 100000})
    {
      const auto term  = [](const std::size_t i) { return std::sin(double(i)); };
      const double sum = parallel_sum(1, n, term);
      double largest   = 0;
      for (std::size_t i = 0; i < n; ++i)
        largest = std::max(largest, term(i));
      for (const int n_threads : {1, 2, 3, 5, 16})
        {
          EXPECT_EQ(parallel_sum(n_threads, n, term), sum);
          EXPECT_EQ(parallel_max(n_threads, n, term), largest);
          std::vector<int> visits(n, 0), in_blocks(n, 0);
          parallel_for(n_threads, n, [&](const std::size_t i) { ++visits[i]; });
          parallel_blocks(n_threads, n, 64, [&](const std::size_t begin, const std::size_t end) {
            EXPECT_EQ(begin % 64, 0U);
            for (std::size_t i = begin; i < end; ++i)
              ++in_blocks[i];
          });
          EXPECT_EQ(visits, std::vector<int>(n, 1));
          EXPECT_EQ(in_blocks, visits);
        }
    }
}

TEST(ParallelLoop, ThrowsWhatABlockThrows)
{
  for (const int n_threads : {1, 2, 5})
    for (const std::size_t bad : {0, 4096, 99999})
      {
        const auto of_block = [&](const std::size_t begin, const std::size_t end) {
          if (begin <= bad && bad < end)
            throw std::length_error(std::to_string(bad));
          return begin;
        };
        for (const bool has_values : {false, true})
          try
            {
              if (has_values)
                values_of_blocks(n_threads, 100000, of_block);
              else
                parallel_blocks(n_threads, 100000, 64, of_block);
              ADD_FAILURE() << bad << " on " << n_threads;
            }
          catch (const std::length_error &error)
            {
              EXPECT_EQ(error.what(), std::to_string(bad));
            }
      }
}

TEST(ParallelSort, EqualsTheSortOfOneThread)
{
  std::mt19937 random(1);
  for (const std::size_t n : {0, 1, 1000, 65536, 200000, 1000003})
    {
      std::vector<double> values(n);
      for (double &value : values)
        value = static_cast<double>(random() % 50000); // many are equal
      std::vector<double> expected = values;
      std::sort(expected.begin(), expected.end(), std::greater<>());
      for (const int n_threads : {1, 2, 3, 7, 16})
        {
          std::vector<double> sorted = values;
          parallel_sort(n_threads, sorted, std::greater<>());
          EXPECT_EQ(sorted, expected) << n << " on " << n_threads;
        }
    }
}
} // namespace
} // namespace strut::cpu
