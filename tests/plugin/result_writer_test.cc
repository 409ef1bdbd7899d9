// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/result_writer.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <regex>
#include <utility>

#include "distributed_problem.h"
#include "limit_of_file_size.h"
#include "vtu_contents.h"

namespace strut
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
            [](std::size_t) { return 0; },
            problem.communicator,
            results,
            "design",
            von_mises,
            2};
  }

  /// Writes one result, and waits until the file exists.
  static void write_and_wait(ResultWriter writer,
                             const unsigned int iteration,
                             const std::vector<double> &density,
                             std::vector<ResultWriter::LoadCaseResult> load_cases = {},
                             ResultWriter::Facts facts                            = {})
  {
    writer.write(iteration, density, density, std::move(load_cases), std::move(facts));
    writer.wait();
  }

  std::vector<std::string> files_of_series(const std::string &series) const
  {
    return all_matches(file_contents(series), "file=\"([^\"]*)\"");
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
  write_and_wait(writer(problem, true), 0, density, {{"a", zeros(problem)}});

  std::vector<std::string> names;
  for (const auto &entry : std::filesystem::directory_iterator(results))
    names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (Texts{"design-0000.vtu", "design.pvd"}));

  const std::string text = file_contents(results + "/design-0000.vtu");
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
  write_and_wait(writer(problem, true), 3, density, {{"a", zeros(problem)}});
  const std::string first = file_contents(results + "/design-0003.vtu");
  MPI_Barrier(MPI_COMM_WORLD);
  write_and_wait(writer(problem, true), 3, density, {{"a", zeros(problem)}});
  EXPECT_EQ(first, file_contents(results + "/design-0003.vtu"));
}

TEST_F(OutputResultWriter, RemarksAndNumbersAreInTheHead)
{
  const DistributedProblem problem(MPI_COMM_WORLD, 0, box(2, 1, 1));
  const auto density = problem.element_field(linear_density);
  write_and_wait(writer(problem),
                 12,
                 density,
                 {},
                 {{"Deck: a--b\xc3\xa4\t\n-->.prm"},
                  {{"objective", 0.1}, {"unknown", std::nan("")}},
                  {{"density_dilated", density}},
                  {}});
  const VtuFileContents file(file_contents(results + "/design-0012.vtu"));
  // two arrays of cells with the same values
  EXPECT_EQ(file.array<float>("density_dilated", "Float32"),
            file.array<float>("density", "Float32"));
  // Two hyphens would end the comment, and other characters than ASCII need an encoding.
  EXPECT_EQ(between(file.head(), "\nDeck: ", "\n"), "a-_b" + std::string(4, '?') + "-_>.prm");
  EXPECT_CONTAINS(file.head(),
                  "Name=\"objective\" NumberOfTuples=\"1\" format=\"ascii\">0.1000000");
  for (const char *const name : {"iteration", "TimeValue"})
    EXPECT_CONTAINS(file.head(),
                    "Name=\"" + std::string(name) + "\" NumberOfTuples=\"1\" format=\"ascii\">12<");
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
  first.wait();
  EXPECT_EQ(first.written(), (Iterations{1, 10, 12345}));
  EXPECT_EQ(first.series_file(), results + "/design.pvd");

  // Continues from a checkpoint of iteration 10; later iterations are repeated.
  ResultWriter second = writer(problem);
  second.set_written({1, 10});
  second.write(10, density, density, {});
  second.write(20, density, density, {});
  second.wait();
  EXPECT_EQ(second.written(), (Iterations{1, 10, 20}));
  EXPECT_EQ(files_of_series(second.series_file()),
            (Texts{"design-0001.vtu", "design-0010.vtu", "design-0020.vtu"}));
  EXPECT_EQ(all_matches(file_contents(second.series_file()), "timestep=\"([^\"]*)\""),
            (Texts{"1", "10", "20"}));
  for (const std::string &name : files_of_series(second.series_file()))
    EXPECT_TRUE(std::filesystem::exists(results + "/" + name)) << name;
}

TEST_F(OutputResultWriter, TheSeriesGoesOnWithAnotherNumberOfRanks)
{
  const DistributedProblem together(MPI_COMM_WORLD, 0, box(2, 2, 1));
  const auto density = together.element_field(linear_density);
  write_and_wait(writer(together), 1, density);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank_in(MPI_COMM_WORLD) != 0)
    return;

  const DistributedProblem alone(MPI_COMM_SELF, 0, box(2, 2, 1));
  const auto density_alone = alone.element_field(linear_density);
  ResultWriter second      = writer(alone);
  second.set_written({1});
  second.write(2, density_alone, density_alone, {});
  second.wait();
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
  of_design.write(4, density, density, {});
  EXPECT_CONTAINS(message_of<Error>([&] { of_design.wait(); }),
                  "Cannot write \"" + results + "/design-0004");
  EXPECT_TRUE(of_design.written().empty());
  EXPECT_FALSE(std::filesystem::exists(of_design.series_file()));

  MPI_Barrier(MPI_COMM_WORLD);
  if (rank_in(MPI_COMM_WORLD) == 0)
    write(folder + "/file", "text");
  results = folder + "/file/results";
  EXPECT_CONTAINS(message_of<Error>([&] { writer(problem); }), "Cannot create the folder");
}

// A disk that is full while the file is written: a limit on the size of files does the same.
TEST_F(OutputResultWriter, ADiskThatFillsUpLeavesTheResultBefore)
{
  const DistributedProblem problem(MPI_COMM_WORLD, 2, ball());
  const auto density  = problem.element_field(linear_density);
  ResultWriter writer = this->writer(problem, true);
  writer.write(1, density, density, {{"a", zeros(problem)}});
  writer.wait();
  const std::string file = results + "/design-0001.vtu", series = writer.series_file();
  const std::string before = file_contents(file), series_before = file_contents(series);
  MPI_Barrier(MPI_COMM_WORLD);

  std::string message;
  {
    const LimitOfFileSize limit(before.size() / 2);
    writer.write(2, density, density, {{"a", zeros(problem)}});
    message = message_of<Error>([&] { writer.wait(); });
    MPI_Barrier(MPI_COMM_WORLD);
  }
  EXPECT_CONTAINS(message, "design-0002.vtu\": File too large. Make room on the disk");
  EXPECT_EQ(writer.written(), Iterations{1});
  EXPECT_EQ(file_contents(file), before);
  EXPECT_EQ(file_contents(series), series_before);
  std::size_t n_files = 0;
  for ([[maybe_unused]] const auto &entry : std::filesystem::directory_iterator(results))
    ++n_files;
  EXPECT_EQ(n_files, 2u);
  MPI_Barrier(MPI_COMM_WORLD);

  writer.write(3, density, density, {{"a", zeros(problem)}}); // there is space again
  writer.wait();
  EXPECT_EQ(files_of_series(series), (Texts{"design-0001.vtu", "design-0003.vtu"}));
}

// The file contains the state at the time of the call.
TEST_F(OutputResultWriter, TheStateMayChangeAfterTheCall)
{
  const DistributedProblem problem(MPI_COMM_WORLD, 2, ball());
  auto density        = problem.element_field(linear_density);
  ResultWriter writer = this->writer(problem, true);
  writer.write(1, density, density, {{"a", zeros(problem)}});
  writer.wait();
  writer.write(2, density, density, {{"a", zeros(problem)}});
  std::fill(density.begin(), density.end(), 0.);
  writer.wait();
  const VtuFileContents first(file_contents(results + "/design-0001.vtu"));
  const VtuFileContents second(file_contents(results + "/design-0002.vtu"));
  for (const char *const name : {"density", "density_at_nodes", "von_mises"})
    EXPECT_EQ(first.floats(name), second.floats(name)) << name;
}

// A checkpoint may list a result that was never finished, or whose contents were lost in a power
// failure.
TEST_F(OutputResultWriter, ResultsWithoutAFileAreNotInTheSeries)
{
  const DistributedProblem problem(MPI_COMM_WORLD, 0, box(2, 2, 1));
  write_and_wait(writer(problem), 1, problem.element_field(linear_density));
  if (rank_in(MPI_COMM_WORLD) == 0)
    write(results + "/design-0003.vtu", "");
  MPI_Barrier(MPI_COMM_WORLD);
  ResultWriter second = writer(problem);
  EXPECT_EQ(second.set_written({1}), Texts{});
  EXPECT_EQ(second.set_written({1, 2, 3}),
            (Texts{results + "/design-0002.vtu", results + "/design-0003.vtu"}));
  EXPECT_EQ(second.written(), Iterations{1});
}
} // namespace
} // namespace strut
