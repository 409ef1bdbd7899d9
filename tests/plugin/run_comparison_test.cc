// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/runs/run_comparison.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <limits>

#include "in_empty_directory.h"
#include "plugin/base/named_file.h"
#include "tests/fixtures/box_mesh.h"
#include "vtu_contents.h"
#include "written_result.h"

namespace strut
{
namespace
{
using Names = std::vector<std::string>;

/// A result on a box whose element faces are at these places; elements are ordered by x, then y,
/// then z.
ResultFile made_result(const std::array<std::vector<double>, 3> &places,
                       const std::vector<double> &densities)
{
  std::array<std::size_t, 3> n{};
  for (std::size_t d = 0; d < 3; ++d)
    n[d] = places[d].size() - 1;
  test::BoxMesh box = test::make_box(test::BoxOptions::regular(n));
  ElementMesh &mesh = box.mesh;
  for (std::size_t k = 0; k <= n[2]; ++k)
    for (std::size_t j = 0; j <= n[1]; ++j)
      for (std::size_t i = 0; i <= n[0]; ++i)
        {
          const std::size_t node = box.node_at[(k * (n[1] + 1) + j) * (n[0] + 1) + i];
          mesh.coordinates[node] = places[0][i];
          mesh.coordinates[mesh.n_nodes + node]     = places[1][j];
          mesh.coordinates[2 * mesh.n_nodes + node] = places[2][k];
        }
  test::measure(mesh);
  ResultFile result;
  result.mesh      = mesh;
  result.densities = densities;
  return result;
}

HistoryFile made_history(const std::vector<unsigned int> &designs,
                         const std::vector<HistoryFile::Column> &columns)
{
  HistoryFile made;
  made.designs = designs;
  made.columns = columns;
  return made;
}

TEST(RunComparison, RelativeDifferencesAreOfTheLargerNumber)
{
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  EXPECT_DOUBLE_EQ(relative_difference(3., 4.), 0.25);
  EXPECT_DOUBLE_EQ(relative_difference(-1., 1.), 2.);
  EXPECT_EQ(relative_difference(0., 0.), 0.);
  EXPECT_EQ(relative_difference(0., 1e-20), 1.);
  EXPECT_EQ(relative_difference(0., 1e-20, 1e-12), 0.);
  EXPECT_EQ(relative_difference(nan, nan), 0.);
  EXPECT_EQ(relative_difference(infinity, infinity), 0.);
  EXPECT_EQ(relative_difference(nan, 1.), infinity);
  EXPECT_EQ(relative_difference(1., infinity), infinity);
}

TEST(RunComparison, CurvesAreComparedWhereBothHaveThem)
{
  const HistoryFile a          = made_history({1, 2, 3, 5},
                                     {{"compliance", {8., 4., 2., 1.}},
                                               {"volume_fraction", {0.3, 0.3, 0.3, 0.3}},
                                               {"multiplier", {1., 1., 1., 1.}},
                                               {"residual", {1., 1., 1., 1.}},
                                               {"seconds", {1., 1., 1., 1.}}});
  const HistoryFile b          = made_history({2, 3, 4, 5, 6},
                                     {{"compliance", {5., 2., 9., 1.1, 9.}},
                                               {"volume_fraction", {0.3, 0.3, 0.3, 0.3, 0.3}},
                                               {"stiff", {1., 1., 1., 1., 1.}},
                                               {"residual", {2., 2., 2., 2., 2.}},
                                               {"seconds", {9., 9., 9., 9., 9.}}});
  const CurveComparison curves = CurveComparison::of(a, b);
  EXPECT_EQ(curves.designs, (std::vector<unsigned int>{2, 3, 5}));
  ASSERT_EQ(curves.columns.size(), 3u);
  EXPECT_EQ(curves.columns[0].name, "compliance");
  EXPECT_EQ(curves.columns[0].a, (std::vector<double>{4., 2., 1.}));
  EXPECT_EQ(curves.columns[0].b, (std::vector<double>{5., 2., 1.1}));
  EXPECT_DOUBLE_EQ(curves.columns[0].largest(), 0.2);
  EXPECT_EQ(curves.designs[curves.columns[0].place_of_largest()], 2u);
  EXPECT_EQ(curves.columns[1].largest(), 0.);
  EXPECT_EQ(curves.only_a, Names{"multiplier"});
  EXPECT_EQ(curves.only_b, Names{"stiff"});
  EXPECT_EQ(curves.some_designs(5), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(curves.some_designs(2), (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(curves.some_designs(1), (std::vector<std::size_t>{0}));

  const auto none = message_of<Error>([&] {
    CurveComparison::of(made_history({1}, {{"compliance", {1.}}}),
                        made_history({2}, {{"compliance", {1.}}}));
  });
  EXPECT_CONTAINS(none, "no iteration in common");
}

TEST(RunComparison, TheFirstDifferenceIsNamed)
{
  const std::vector<double> ones = {1., 1., 1.};
  const HistoryFile a =
    made_history({1, 2, 3},
                 {{"compliance", {8., 4., 2.}}, {"volume_fraction", ones}, {"residual", ones}});
  HistoryFile b       = a;
  b.columns[2].values = {2., 2., 2.}; // about the solver, so it does not count
  EXPECT_FALSE(CurveComparison::of(a, b).first_difference(0.));
  b.columns[0].values[2] = 2.2;
  b.columns[1].values[1] = 0.5;
  EXPECT_EQ(CurveComparison::of(a, b).first_difference(1e-3).value_or(""),
            "volume_fraction of design 2: A has 1, B has 0.5, a relative difference of 5.0e-01");
  b.columns[1].values[1] = 1.;
  EXPECT_EQ(CurveComparison::of(a, b).first_difference(1e-3).value_or(""),
            "compliance of design 3: A has 2, B has 2.2, a relative difference of 9.1e-02");
  EXPECT_FALSE(CurveComparison::of(a, b).first_difference(0.1));

  HistoryFile longer = a;
  longer.designs.push_back(4);
  for (HistoryFile::Column &column : longer.columns)
    column.values.push_back(1.);
  EXPECT_EQ(CurveComparison::of(a, longer).first_difference(1.).value_or(""),
            "the number of designs: A has 3, B has 4; the first 3 agree");
  HistoryFile other = a;
  other.columns.push_back({"stiff", ones});
  EXPECT_EQ(CurveComparison::of(a, other).first_difference(1.).value_or(""),
            "columns of B alone: stiff");
  other.columns[0].name = "mass";
  EXPECT_EQ(CurveComparison::of(a, other).first_difference(1.).value_or(""),
            "the objectives are of other kinds: compliance | mass");
}

TEST(RunComparison, DesignsOnOneMeshAreComparedByVolume)
{
  const std::array<std::vector<double>, 3> places = {{{0., 1., 4.}, {0., 2.}, {0., 1.}}};
  const ResultFile a = made_result(places, {1., 0.25}), b = made_result(places, {0.4, 0.5});
  const DesignComparison designs = DesignComparison::of(a, b, 1);
  EXPECT_TRUE(designs.same_mesh);
  EXPECT_DOUBLE_EQ(designs.mean, (1. * 0.6 + 3. * 0.25) / 4.);
  EXPECT_DOUBLE_EQ(designs.largest, 0.6);
  EXPECT_EQ(designs.place, (std::array<double, 3>{{0.5, 1., 0.5}}));
  EXPECT_DOUBLE_EQ(designs.solid_in_a, 0.25);
  EXPECT_DOUBLE_EQ(designs.solid_in_b, 0.75);
  EXPECT_EQ(designs.outside, 0.);

  ResultFile renumbered = b; // the nodes, as other numbers of ranks do
  const auto n          = static_cast<LocalIndex>(b.mesh.n_nodes);
  for (LocalIndex &node : renumbered.mesh.connectivity)
    node = n - 1 - node;
  for (std::size_t d = 0; d < 3; ++d)
    std::reverse(renumbered.mesh.coordinates.begin() + static_cast<std::ptrdiff_t>(d * n),
                 renumbered.mesh.coordinates.begin() + static_cast<std::ptrdiff_t>((d + 1) * n));
  EXPECT_TRUE(DesignComparison::of(a, renumbered, 1).same_mesh);
}

TEST(RunComparison, ADesignComesOntoAnotherMesh)
{
  // B's elements are half as long, and end at the middle of A's second element
  const ResultFile a = made_result({{{0., 1., 2.}, {0., 1.}, {0., 1.}}}, {1., 1.});
  const ResultFile b = made_result({{{0., 0.5, 1., 1.5}, {0., 1.}, {0., 1.}}}, {1., 0.5, 0.8});
  const DesignComparison designs = DesignComparison::of(a, b, 1);
  EXPECT_FALSE(designs.same_mesh);
  EXPECT_NEAR(designs.b[0], 0.75, 1e-12);
  EXPECT_NEAR(designs.b[1], 0.4, 1e-12);
  EXPECT_NEAR(designs.outside, 0.25, 1e-12);
  EXPECT_NEAR(designs.mean, (0.25 + 0.6) / 2., 1e-12);
  EXPECT_NEAR(designs.solid_in_a, 0.5, 1e-12);
  EXPECT_EQ(designs.solid_in_b, 0.);
  EXPECT_DOUBLE_EQ(designs.volume_b, 1.5);
}

/// Makes folders as runs leave them.
class RunComparisonFolders : public InEmptyDirectory
{
protected:
  static void make_run(const std::string &folder, const std::string &fraction, const double density)
  {
    write(folder + "/summary.json",
          R"({"status": "converged", "error": null, "iterations": 2, "greyness": null,
 "objective": {"name": "compliance", "value": 4.5}, "load cases": [{"name": "1"}],
 "volume fraction": {"asked": )" +
            fraction + R"(, "got": 0.3}, "solver": {"iterations": 12345678},
 "deck": {"file": "decks/beam.prm", "options": ["--output Output / Output directory = x"]},
 "label": {"commit": "abc", "deal.II": "9.4.1"}, "seconds": {"operator": 3, "other": 1, "total": 4}})");
    write(
      folder + "/history.csv",
      "iteration,compliance,volume_fraction,solver_iterations,residual,seconds,\"a \"\"b\"\", c\"\n"
      "1,9,0.3,5,1e-06,0.1,1\n2,4.5,0.3,5,1e-06,0.1,nan\n");
    write(
      folder + "/parameters.prm",
      "set Threads = 0\nsubsection Optimization\n  # Of the mesh. Default: 0.5\n  set Volume fraction = " +
        fraction + "\nend\nsubsection Output\n  set Output directory = " + folder + "\nend\n");
    const DistributedProblem problem(MPI_COMM_SELF, 0, box(4, 1, 1));
    write_result(problem, folder, "beam", 2, std::vector<double>(problem.mesh.n_elements, density));
  }

  static std::string message_about(const std::string &folder)
  {
    return message_of<Error>([&] { RunFolder::read(folder); });
  }
};

TEST_F(RunComparisonFolders, TheTablesSayWhatDiffers)
{
  make_run("a", "0.3", 0.25);
  make_run("b", "0.30", 0.75);
  write(
    "b/parameters.prm",
    "set Threads = 0\nsubsection Optimization\n  set Volume fraction = 0.30\n  set Method = beso\nend\n"
    "subsection Loads\n  subsection tip\n    # Default: 1\n    set Value = 2\n    # No other.\n    set Weight = 1\n  end\nend\n");
  const RunComparison comparison = RunComparison::of("a/", "b", 1);
  ASSERT_EQ(comparison.entries.size(), 1u);
  EXPECT_EQ(comparison.entries[0].name, "Loads / tip / Value");
  EXPECT_EQ(comparison.entries[0].a, "-");
  EXPECT_EQ(comparison.entries[0].b, "2");
  EXPECT_EQ(comparison.curves.columns.back().name, "a \"b\", c");
  EXPECT_FALSE(comparison.curves.first_difference(0.));
  EXPECT_DOUBLE_EQ(comparison.designs.mean, 0.5);
  EXPECT_DOUBLE_EQ(comparison.designs.solid_in_b, 1.);
  EXPECT_EQ(comparison.run_a.result_design, 2u);

  const std::string text = describe(comparison);
  for (const char *const part : {"12345678", "operator 75 %, other 25 %", "Loads / tip / Value"})
    EXPECT_CONTAINS(text, part);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    EXPECT_LE(line.size(), 100u) << line;
  for (const ComparedFact &fact : comparison.facts)
    EXPECT_EQ(fact.difference, fact.name == "method" ? "*" : "") << fact.name;

  write_difference("d.vtu", comparison.result_a, comparison.designs, {"A and B"}, 1);
  const VtuFileContents file(file_contents("d.vtu"));
  EXPECT_EQ(file.floats("difference"), std::vector<float>(4, 0.5f));
  EXPECT_EQ(file.floats("density_a"), std::vector<float>(4, 0.25f));
  EXPECT_EQ(file.floats("density_b"), std::vector<float>(4, 0.75f));

  const std::string html = to_html(comparison);
  EXPECT_CONTAINS(html, "\"iterations\": [1, 2]");
  EXPECT_CONTAINS(html, "\"a\": [9, 4.5]");
  EXPECT_LACKS(html, "{{");
}

TEST_F(RunComparisonFolders, FoldersThatAreNoRunsAreRefused)
{
  make_run("runs/a", "0.3", 0.5);
  EXPECT_CONTAINS(message_about("runs/b"), "There is no folder 'runs/b'");
  EXPECT_CONTAINS(message_about("runs/b"), "There are: runs/a.");
  EXPECT_CONTAINS(message_about("runs"), "has no summary.json");
  EXPECT_CONTAINS(message_about("runs/a/history.csv"), "is a file, not a folder");

  const auto broken = [&](const std::string &file, const std::string &text) {
    make_run("runs/a", "0.3", 0.5);
    write("runs/a/" + file, text);
    return message_about("runs/a");
  };
  EXPECT_CONTAINS(broken("summary.json", "{\"status\": \n"), "is damaged: line 2 is no JSON");
  EXPECT_CONTAINS(broken("summary.json", "{\"a\": 1}"), "it has no 'status'");
  EXPECT_CONTAINS(broken("summary.json",
                         R"({"status": "running", "deck": {"file": "beam.prm", "options": []}})"),
                  "has not ended: its summary.json says 'running'");
  const std::string names = "iteration,compliance,volume_fraction\n";
  EXPECT_CONTAINS(broken("history.csv", ""), "line 1 names the columns ''");
  EXPECT_CONTAINS(broken("history.csv", names), "has made no design");
  EXPECT_CONTAINS(broken("history.csv", names + "1,2\n"), "line 2 has 2 numbers");
  EXPECT_CONTAINS(broken("history.csv", names + "1,2,x\n"), "has 'x' as volume_fraction");
  EXPECT_CONTAINS(broken("history.csv", names + "1,2,3\n1,2,3\n"), "whole numbers that ascend");
  EXPECT_CONTAINS(broken("beam.pvd", "<VTKFile>"), "names no result");
  make_run("runs/a", "0.3", 0.5);
  std::filesystem::remove("runs/a/beam-0002.vtu");
  EXPECT_CONTAINS(message_about("runs/a"), "There is no file runs/a/beam-0002.vtu");
  std::filesystem::remove("runs/a/parameters.prm");
  EXPECT_CONTAINS(message_about("runs/a"), "There is no file runs/a/parameters.prm");
}
} // namespace
} // namespace strut
