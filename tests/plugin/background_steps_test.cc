// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/base/background_steps.h"

#include <strut/base/exceptions.h>

#include "distributed_problem.h"
#include "plugin/base/attempt.h"

namespace strut
{
namespace
{
// Ranks meet after each step: the sum over them of what the first one did is there for the second.
TEST(OutputBackgroundSteps, MeetBetweenSteps)
{
  const Communicator all(MPI_COMM_WORLD);
  BackgroundSteps steps(all);
  std::string order;
  double sum = 0, of_step = 0;
  for (int i = 0; i < 3; ++i)
    steps.begin([&]() -> BackgroundSteps::Steps {
      return {{[&] { sum = all.rank() + 1.; },
               [&] {
                 sum = all.sum(sum);
                 order += 'a';
               }},
              {[&] { of_step = sum; }, [&] { order += 'b'; }},
              {{}, {}}};
    });
  EXPECT_FALSE(steps.is_done());
  steps.wait();
  EXPECT_TRUE(steps.is_done());
  EXPECT_EQ(of_step, all.size() * (all.size() + 1) / 2.);
  EXPECT_EQ(order, "ababab");
}

TEST(OutputBackgroundSteps, GoOnWhenTheyAreAsked)
{
  BackgroundSteps steps{Communicator(MPI_COMM_WORLD)};
  int n = 0;
  steps.begin([&]() -> BackgroundSteps::Steps {
    return {{[] {}, [&] { ++n; }}, {[] {}, [&] { ++n; }}};
  });
  while (!steps.is_done())
    steps.proceed();
  EXPECT_EQ(n, 2);
}

// An error of work, of a meeting, or of prepare() is thrown on all ranks, once, and no step follows
// it.
TEST(OutputBackgroundSteps, AnErrorIsEveryonesOnce)
{
  const Communicator all(MPI_COMM_WORLD);
  const bool is_last = all.rank() + 1 == all.size();
  BackgroundSteps steps(all);
  bool goes_on    = false;
  const auto fail = [](const char *const reason) { throw Error(reason); };
  const auto next = [&] { goes_on = true; };

  steps.begin([&]() -> BackgroundSteps::Steps {
    return {{[&] {
               if (is_last)
                 fail("of the work");
             },
             next},
            {next, next}};
  });
  EXPECT_CONTAINS(message_of<Error>([&] { steps.wait(); }), "of the work");
  EXPECT_EQ(message_of<Error>([&] { steps.wait(); }), "");

  steps.begin([&]() -> BackgroundSteps::Steps {
    return {{[] {}, [&] { on_root(all, [&] { fail("of the meeting"); }); }}, {next, next}};
  });
  // thrown by the next call, which does its work nevertheless
  bool done = false;
  EXPECT_EQ(message_of<Error>([&] {
              steps.begin([&]() -> BackgroundSteps::Steps { return {{[&] { done = true; }, {}}}; });
            }),
            "of the meeting");
  steps.wait();
  EXPECT_TRUE(done);

  steps.begin([&]() -> BackgroundSteps::Steps {
    fail("of the preparation");
    return {{next, next}};
  });
  EXPECT_FALSE(steps.is_done());
  EXPECT_EQ(message_of<Error>([&] { steps.proceed(); }), "of the preparation");
  EXPECT_TRUE(steps.is_done());
  EXPECT_FALSE(goes_on);
}

// Objects that the work holds are destroyed when it is done, not when the next work begins.
TEST(OutputBackgroundSteps, LetGoOfWhatTheyHold)
{
  BackgroundSteps steps{Communicator(MPI_COMM_WORLD)};
  auto held                       = std::make_shared<int>(1);
  const std::weak_ptr<int> memory = held;
  steps.begin([&]() -> BackgroundSteps::Steps { return {{[held] {}, {}}}; });
  held.reset();
  steps.wait();
  EXPECT_TRUE(memory.expired());
}
} // namespace
} // namespace strut
