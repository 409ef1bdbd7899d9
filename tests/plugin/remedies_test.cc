// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Errors of the core in the terms of each front end.

#include <strut/backend/backend.h>
#include <strut/base/array.h>
#include <strut/base/communicator.h>

#include <functional>
#include <stdexcept>

#include "plugin/application/option_remedies.h"
#include "plugin/deck/parameters/deck_remedies.h"
#include "plugin/programs/options.h"
#include "plugin/programs/program.h"
#include "plugin/programs/remedies.h"
#include "tests/plugin/distributed_problem.h"

namespace strut
{
namespace
{
/// A front end, and texts that belong to others.
struct FrontEnd
{
  std::string name;
  std::function<WordedRemedy(Remedy)> table;
  std::vector<std::string> foreign;
};

const std::vector<FrontEnd> &front_ends()
{
  static const std::vector<FrontEnd> all = {
    {"decks", deck_remedy, {"StiffnessO", "'--", "Backends"}},
    {"options",
     [](const Remedy remedy) { return WordedRemedy{option_remedy(remedy)}; },
     {"'set ", "subsection", "'--", "Precision", "'Operator'"}},
    {"strut-compare",
     comparison_remedy,
     {"StiffnessO", "'set Precision", "'set Backend", "'Operator'"}},
    {"strut-assemble", assembly_remedy, {"StiffnessO", "'--", "'set Precision ", "'set Backend "}}};
  return all;
}

TEST(FrontEnds, HaveASentenceForEachRemedy)
{
  for (const FrontEnd &front_end : front_ends())
    {
      EXPECT_EQ(front_end.table(Remedy::none).sentence, "") << front_end.name;
      for (int i = 1; i < n_remedies; ++i)
        {
          const std::string sentence = front_end.table(static_cast<Remedy>(i)).sentence;
          ASSERT_FALSE(sentence.empty()) << front_end.name << ", remedy " << i;
          EXPECT_EQ(sentence.back(), '.') << sentence;
          for (const std::string &foreign : front_end.foreign)
            EXPECT_LACKS(sentence, foreign) << front_end.name << ": ";
        }
    }
}

/// Throws an error of the core: more memory than there is.
int run_out_of_memory()
{
  const auto backend = make_cpu_backend(1);
  const Array<char> array(backend->memory(), std::size_t(1) << 60);
  return 0;
}

/// The output of a program.
std::string printed(const RemedyTable table, const std::function<int()> &work)
{
  testing::internal::CaptureStderr();
  EXPECT_EQ(guard("program", {"removed-since.prm", {}}, table, work), 1);
  return testing::internal::GetCapturedStderr();
}

TEST(FrontEnds, WordAnErrorOfTheCore)
{
  const std::string for_options =
    message_of<OutOfMemory>([]() { in_words_of_options(run_out_of_memory); });
  const std::string for_decks     = printed(deck_remedy, run_out_of_memory);
  const std::string for_comparing = printed(comparison_remedy, run_out_of_memory);
  for (const std::string &message : {for_options, for_decks, for_comparing})
    {
      EXPECT_CONTAINS(message, "Not enough host memory: 1152921504.6 GB needed");
      EXPECT_LACKS(message, plain_words(Remedy::use_less_memory));
    }
  EXPECT_CONTAINS(for_options, "taken.\n  Use StiffnessOperator<float>, ");
  EXPECT_CONTAINS(for_decks, "taken.\n  Use a coarser mesh, 'set Precision = float' ");
  EXPECT_CONTAINS(for_comparing, "taken.\n  Use a coarser mesh, '--precisions float', ");
}

TEST(Program, TellsOfAnEntryThoughTheDeckIsGone)
{
  const std::string text =
    printed(deck_remedy, []() -> int { throw EntryError({"Compute"}, "Device", "It has gone."); });
  const bool speaks = Communicator(MPI_COMM_WORLD).rank() == 0;
  EXPECT_EQ(text,
            speaks ? "\nprogram: error: removed-since.prm: Compute / Device\n  It has gone.\n"
                   : "");
}

/// If the remedy is one entry, the message begins with its place.
TEST(FrontEnds, NameTheEntryOfTheDeck)
{
  const auto fail = []() -> int { throw Error("Too sharp.", Remedy::raise_maximum_sharpness); };
  EXPECT_EQ(printed(deck_remedy, fail),
            "\nprogram: error: removed-since.prm: Optimization / Projection / Maximum sharpness\n"
            "  Too sharp.\nRaise the maximum, or begin with less.\n");
}

/// Errors of applications keep their type, and messages are not reworded twice.
TEST(FrontEnds, WordOnce)
{
  const auto failure = thrown<SolverFailure>([]() {
    in_words_of_options([]() {
      in_words_of_options(
        []() { throw SolverFailure("No end.", Remedy::allow_more_iterations, true); });
    });
  });
  ASSERT_TRUE(failure);
  EXPECT_STREQ(failure->what(), "No end.\n  Raise StiffnessOptions::max_iterations or tolerance.");
  EXPECT_TRUE(failure->at_limit);
}

TEST(FrontEnds, TellOfOtherExceptionsToo)
{
  EXPECT_EQ(deck_message(std::runtime_error("disk full")), "disk full");
  EXPECT_EQ(deck_message(Error("All is said.")), "All is said.");
}
} // namespace
} // namespace strut
