// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/output/result_writer.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <regex>

#include "distributed_problem.h"
#include "vtu_contents.h"

namespace strut::plugin
{
namespace
{
using Texts      = std::vector<std::string>;
using Iterations = std::vector<unsigned int>;

std::vector<std::string> all_matches(const std::string &text, const std::string &pattern)
{
  std::vector<std::string> found;
  const std::regex regex(pattern);
  for (std::sregex_iterator it(text.begin(), text.end(), regex), end; it != end; ++it)
    found.push_back((*it)[1]);
  return found;
}

class OutputResultWriter : public SharedFolder
{
protected:
  void SetUp() override
  {
    SharedFolder::SetUp();
    results = folder + "/deep/results";
  }

  ResultWriter writer(const DistributedProblem &problem, const bool von_mises = false) const
  {
    return {problem.mesh,
            Material{2., 0.25},
            std::vector<std::int32_t>(problem.mesh.n_elements, 0),
            problem.communicator,
            results,
            "design",
            von_mises};
  }

  std::vector<std::string> files_of_series(const std::string &series) const
  {
    return all_matches(contents_of(series), "file=\"([^\"]*)\"");
  }

  std::string results;
};

std::vector<double> zeros(const DistributedProblem &problem)
{
  return std::vector<double>(problem.mesh.n_dofs(), 0.);
}

TEST_F(OutputResultWriter, ThereIsOneFileWhateverTheNumberOfRanks)
{
  // Fewer elements than ranks: those with none take part.
  const DistributedProblem problem(MPI_COMM_WORLD, 0, box(1, 1, 1));
  const auto density = problem.element_field(linear_density);
  writer(problem, true).write(0, density, density, {{"a", zeros(problem)}});

  std::vector<std::string> names;
  for (const auto &entry : std::filesystem::directory_iterator(results))
    names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (Texts{"design-0000.vtu", "design.pvd"}));

  const std::string text = contents_of(results + "/design-0000.vtu");
  const std::string end  = "\n</AppendedData>\n</VTKFile>\n";
  EXPECT_EQ(text.substr(text.size() - end.size()), end);
  const VtuFileContents file(text);
  EXPECT_EQ(file.n_points, 8u);
  EXPECT_EQ(file.n_cells, 1u);
  EXPECT_EQ(file.floats("von_mises"), std::vector<float>{0.f});
}

TEST_F(OutputResultWriter, TheSameResultsAreTheSameBytes)
{
  const DistributedProblem problem(MPI_COMM_WORLD, 1, ball());
  const auto density = problem.element_field(linear_density);
  writer(problem, true).write(3, density, density, {{"a", zeros(problem)}});
  const std::string first = contents_of(results + "/design-0003.vtu");
  MPI_Barrier(MPI_COMM_WORLD);
  writer(problem, true).write(3, density, density, {{"a", zeros(problem)}});
  EXPECT_EQ(first, contents_of(results + "/design-0003.vtu"));
}

TEST_F(OutputResultWriter, RemarksAndNumbersAreInTheHead)
{
  const DistributedProblem problem(MPI_COMM_WORLD, 0, box(2, 1, 1));
  const auto density = problem.element_field(linear_density);
  writer(problem).write(12,
                        density,
                        density,
                        {},
                        {{"Deck: a--b\xc3\xa4\t\n-->.prm"},
                         {{"objective", 0.1}, {"unknown", std::nan("")}}});
  const VtuFileContents file(contents_of(results + "/design-0012.vtu"));
  // Two hyphens would end the comment, and other characters than ASCII need an encoding.
  EXPECT_EQ(between(file.head(), "\nDeck: ", "\n"), "a-_b" + std::string(4, '?') + "-_>.prm");
  EXPECT_TRUE(
    contains(file.head(), "Name=\"objective\" NumberOfTuples=\"1\" format=\"ascii\">0.1000000"));
  for (const char *const name : {"iteration", "TimeValue"})
    EXPECT_TRUE(
      contains(file.head(),
               "Name=\"" + std::string(name) + "\" NumberOfTuples=\"1\" format=\"ascii\">12<"));
  EXPECT_FALSE(file.has("unknown"));
  EXPECT_FALSE(file.has("von_mises"));
}

TEST_F(OutputResultWriter, TheSeriesGoesOnAfterARestart)
{
  const DistributedProblem problem(MPI_COMM_WORLD, 0, box(2, 2, 1));
  const auto density = problem.element_field(linear_density);
  ResultWriter first = writer(problem);
  for (const unsigned int iteration : {1u, 10u, 12345u})
    first.write(iteration, density, density, {});
  EXPECT_EQ(first.written(), (Iterations{1, 10, 12345}));
  EXPECT_EQ(first.series_file(), results + "/design.pvd");

  // From a checkpoint of iteration 10; later iterations are done again.
  ResultWriter second = writer(problem);
  second.set_written({1, 10});
  second.write(10, density, density, {});
  second.write(20, density, density, {});
  EXPECT_EQ(second.written(), (Iterations{1, 10, 20}));
  EXPECT_EQ(files_of_series(second.series_file()),
            (Texts{"design-0001.vtu", "design-0010.vtu", "design-0020.vtu"}));
  EXPECT_EQ(all_matches(contents_of(second.series_file()), "timestep=\"([^\"]*)\""),
            (Texts{"1", "10", "20"}));
  for (const std::string &name : files_of_series(second.series_file()))
    EXPECT_TRUE(std::filesystem::exists(results + "/" + name)) << name;
}

TEST_F(OutputResultWriter, TheSeriesGoesOnWithAnotherNumberOfRanks)
{
  const DistributedProblem together(MPI_COMM_WORLD, 0, box(2, 2, 1));
  const auto density = together.element_field(linear_density);
  writer(together).write(1, density, density, {});
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank_in(MPI_COMM_WORLD) != 0)
    return;

  const DistributedProblem alone(MPI_COMM_SELF, 0, box(2, 2, 1));
  const auto density_alone = alone.element_field(linear_density);
  ResultWriter second      = writer(alone);
  second.set_written({1});
  second.write(2, density_alone, density_alone, {});
  EXPECT_EQ(files_of_series(second.series_file()), (Texts{"design-0001.vtu", "design-0002.vtu"}));
}

TEST_F(OutputResultWriter, AFailureIsEveryonesError)
{
  const DistributedProblem problem(MPI_COMM_WORLD, 0, box(2, 2, 1));
  const auto density     = problem.element_field(linear_density);
  ResultWriter of_design = writer(problem);
  if (rank_in(MPI_COMM_WORLD) == 0)
    std::filesystem::create_directory(results + "/design-0004.vtu.tmp");
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT_TRUE(contains(message_of<Error>([&] { of_design.write(4, density, density, {}); }),
                       "Cannot write \"" + results + "/design-0004"));
  EXPECT_TRUE(of_design.written().empty());
  EXPECT_FALSE(std::filesystem::exists(of_design.series_file()));

  MPI_Barrier(MPI_COMM_WORLD);
  if (rank_in(MPI_COMM_WORLD) == 0)
    write(folder + "/file", "text");
  results = folder + "/file/results";
  EXPECT_TRUE(contains(message_of<Error>([&] { writer(problem); }), "Cannot create the folder"));
}
} // namespace
} // namespace strut::plugin
