// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Collective attempts in which one rank fails.
#include "plugin/base/attempt.h"

#include <strut/base/exceptions.h>

#include <stdexcept>

#include "plugin/application/require_room.h"
#include "tests/plugin/distributed_problem.h"

namespace strut
{
namespace
{
class AttemptProblem : public testing::Test
{
protected:
  const Communicator communicator{MPI_COMM_WORLD};
  const int last   = communicator.size() - 1;
  const bool fails = communicator.rank() == last;

  /// The last rank's message in the form in which this rank gets it.
  std::string heard(const std::string &message) const
  {
    return (fails ? "" : "On rank " + std::to_string(last) + ": ") + message;
  }
};

TEST_F(AttemptProblem, GoesWell)
{
  int n = 0;
  attempt_together(communicator, [&]() { ++n; });
  attempt_or_abort(communicator, [&]() { ++n; });
  EXPECT_EQ(n, 2);
}

TEST_F(AttemptProblem, AllThrowTheErrorOfOne)
{
  for (const auto &attempt : {attempt_together, attempt_or_abort})
    {
      const auto message = [&](const auto &error) {
        return message_of<std::decay_t<decltype(error)>>([&]() {
          attempt(communicator, [&]() {
            if (fails)
              throw error;
          });
        });
      };
      EXPECT_EQ(message(OutOfMemory("no room")),
                heard("no room") + "\n  " + plain_words(Remedy::use_less_memory));
      EXPECT_EQ(message(Error("two\n  lines")), heard("two\n  lines"));
      EXPECT_EQ(message(SolverFailure("no end")), heard("no end"));
      const auto failure = thrown<SolverFailure>([&]() {
        attempt(communicator, [&]() {
          if (fails)
            throw SolverFailure("too few", Remedy::allow_more_iterations, true);
        });
      });
      ASSERT_TRUE(failure);
      EXPECT_TRUE(failure->at_limit);
      EXPECT_EQ(failure->remedy, Remedy::allow_more_iterations);
      try
        {
          attempt(communicator, [&]() {
            if (fails)
              throw 5;
          });
          ADD_FAILURE() << "nothing was thrown";
        }
      catch (const int number)
        {
          EXPECT_TRUE(fails);
          EXPECT_EQ(number, 5);
        }
      catch (const Error &error)
        {
          EXPECT_EQ(error.what(), heard("an exception that is no std::exception"));
        }
    }
}

TEST_F(AttemptProblem, EachThrowsItsOwn)
{
  const std::string own = "rank " + std::to_string(communicator.rank());
  EXPECT_EQ(
    message_of<Error>([&]() { attempt_together(communicator, [&]() { throw Error(own); }); }), own);
  EXPECT_EQ(
    message_of<Error>([&]() { attempt_or_abort(communicator, [&]() { throw Error(own); }); }), own);
}

/// An error of rank 0 is thrown on all ranks, with the same text, remedy and type.
TEST_F(AttemptProblem, WorkOfRank0FailsEverywhere)
{
  int n = 0;
  on_root(MPI_COMM_WORLD, [&]() { ++n; });
  EXPECT_EQ(n, communicator.rank() == 0 ? 1 : 0);
  EXPECT_EQ(message_of<Error>([]() { on_root(MPI_COMM_WORLD, []() { throw Error("no"); }); }),
            "no");
  const auto error = thrown<OutOfMemory>([]() {
    on_root(MPI_COMM_WORLD, []() { throw OutOfMemory("no room", Remedy::use_more_ranks); });
  });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->reason, "no room");
  EXPECT_EQ(error->remedy, Remedy::use_more_ranks);
  EXPECT_EQ(message_of<std::runtime_error>(
              []() { on_root(MPI_COMM_WORLD, []() { throw std::runtime_error("a disk"); }); }),
            "a disk");
}

/// If the ranks do not communicate any more, nobody waits for a failed one.
TEST_F(AttemptProblem, MayFailAfterCommunication)
{
  double sum = 0.;
  EXPECT_EQ(message_of<Error>([&]() {
              attempt_or_abort(communicator, [&]() {
                sum = communicator.sum(1.);
                if (fails)
                  throw Error("late");
              });
            }),
            heard("late"));
  EXPECT_EQ(sum, communicator.size());
}

TEST_F(AttemptProblem, RoomIsRefusedToAll)
{
  const ChosenBackend chosen = choose_backend("cpu", 1, communicator);
  const std::size_t in_use   = chosen.backend->memory().in_use();
  require_room(communicator, chosen, 1000);
  const std::string message = message_of<OutOfMemory>(
    [&]() { require_room(communicator, chosen, fails ? std::size_t(1) << 50 : 1000); });
  // on the host all ranks see the same sum
  EXPECT_CONTAINS(message, "Not enough memory for the solver: the ranks of this machine need ");
  EXPECT_CONTAINS(message, "Use StiffnessOperator<float>");
  EXPECT_EQ(chosen.backend->memory().in_use(), in_use);
}
} // namespace
} // namespace strut
