// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Constraints on the blueprint of a robust design, if only the two ends are analysed.
#include "../fixtures/backends.h"
#include "../fixtures/design_problem.h"

#include <memory>
#include <string>

namespace strut::test
{
namespace
{
using RobustBlueprintTest = PlaceTest;

// Below a density of 0.1 a frequency decreases with growing density, because mass grows faster than
// stiffness there; above it increases. So it is lowest in the blueprint. The two ends satisfy a
// limit that the blueprint violates, and the verdict on results says so, also after a restart.
TEST_P(RobustBlueprintTest, TheBlueprintMayBeWorseThanBothEnds)
{
  SmallCantilever cantilever;
  auto &options              = cantilever.options;
  options.maps               = {"density", "projection"};
  options.projection         = {{"Sharpness", 2.}};
  options.simp.update        = "mma";
  options.simp.interpolation = {3., 1e-6};
  const ElementMesh &mesh    = cantilever.box.mesh;
  const ResponseContext context{backend(), Communicator(), mesh};
  options.simp.volume_fraction = 0.1;
  options.problem.objective    = minimise("compliance", context).objective;
  const auto first = [&](const RobustFields::Kind kind, const double limit, const bool at_least) {
    options.problem.fields      = {kind, 0.3, 4};
    options.problem.constraints = {
      {{"tone", make_response("frequency", context), false, DesignFunction::Over::sum, {}},
       limit,
       at_least}};
    auto problem = cantilever.make(backend());
    problem->run(1);
    return problem;
  };
  const auto tone = [](const std::unique_ptr<DesignProblem> &problem) {
    return problem->simp().history().back().values.back();
  };
  const double of_blueprint =
    tone(first(RobustFields::Kind::worst_case, 1., true)); // the least of all three
  const double of_ends = tone(first(RobustFields::Kind::eroded_and_dilated, 1., true));
  ASSERT_GT(of_ends, 1.05 * of_blueprint);
  const double limit = 0.5 * (of_blueprint + of_ends);

  const auto problem = first(RobustFields::Kind::eroded_and_dilated, limit, true);
  Simp &simp         = problem->simp();
  EXPECT_EQ(simp.verdict().text, "");
  simp.prepare_results(false);
  EXPECT_EQ(simp.verdict().text, "");
  EXPECT_TRUE(simp.fields()[1].constraints.empty());
  simp.prepare_results(true);
  ASSERT_EQ(simp.fields()[1].constraints.size(), 1u);
  EXPECT_EQ(simp.fields()[1].constraints[0].first, "tone");
  EXPECT_NEAR(simp.fields()[1].constraints[0].second, of_blueprint, 1e-6 * of_blueprint);
  EXPECT_NEAR(tone(problem), of_ends, 1e-6 * of_ends); // the history has what the update sees
  const DesignVerdict verdict = simp.verdict();
  EXPECT_TRUE(verdict.falls_short);
  EXPECT_NE(verdict.text.find("breaks the constraint 'tone' in the blueprint"), std::string::npos)
    << verdict.text;

  const auto resumed = cantilever.make(backend());
  resumed->simp().restore(simp.state(), simp.history());
  EXPECT_EQ(resumed->simp().verdict().text, verdict.text);
  EXPECT_TRUE(resumed->simp().verdict().falls_short);
  resumed->run(1); // another design
  EXPECT_EQ(resumed->simp().verdict().text.find("blueprint: "), std::string::npos);

  // for an upper limit the ends are worse
  const auto at_most = first(RobustFields::Kind::eroded_and_dilated, limit, false);
  at_most->simp().prepare_results(true);
  EXPECT_NE(at_most->simp().verdict().text.find("'tone': "), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Core, RobustBlueprintTest, at_three_threads_and_cuda(), place_name);
} // namespace
} // namespace strut::test
