// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <optional>

#include "distributed_problem.h"
#include "limit_of_file_size.h"
#include "plugin/deck/output/result_writer.h"
#include "vtu_contents.h"

namespace strut
{
namespace
{
/// Results with a mesh that was compressed before equal those that compress their own, byte for
/// byte.
class OutputPreparedMesh : public SharedFolder
{
protected:
  ResultWriter writer(const DistributedProblem &problem,
                      const std::string &name,
                      const ResultFields fields = ResultFields::all) const
  {
    return {problem.mesh,
            Material{2., 0.25},
            [](std::size_t) { return 0; },
            problem.communicator,
            folder,
            name,
            false,
            2,
            fields};
  }

  /// The file of a result without displacements.
  std::string
  result(ResultWriter &writer, const DistributedProblem &problem, const unsigned int i) const
  {
    const auto density = problem.element_field(linear_density);
    writer.write(i, density, density, {});
    writer.wait();
    return file_contents(writer.file_of(i, ".vtu"));
  }
};

TEST_F(OutputPreparedMesh, GivesTheSameFiles)
{
  for (const ResultFields fields :
       {ResultFields::all, ResultFields::density, ResultFields::surface})
    {
      const DistributedProblem problem(MPI_COMM_WORLD, 3, ball());
      const std::string of_kind = std::to_string(static_cast<int>(fields));
      ResultWriter plain        = writer(problem, "plain" + of_kind, fields);
      const std::string file    = result(plain, problem, 1);
      ResultWriter writer       = this->writer(problem, "prepared" + of_kind, fields);
      writer.prepare_mesh();
      EXPECT_EQ(writer.has_prepared_mesh(), fields != ResultFields::surface);
      EXPECT_EQ(result(writer, problem, 1), file);
      EXPECT_EQ(writer.has_prepared_mesh(), fields != ResultFields::surface);
      EXPECT_EQ(result(plain, problem, 2), result(writer, problem, 2));
      writer.forget_mesh();
      EXPECT_FALSE(writer.has_prepared_mesh());
      EXPECT_EQ(result(plain, problem, 3), result(writer, problem, 3));
    }
}

TEST_F(OutputPreparedMesh, MayBeForgottenBeforeItIsDone)
{
  const DistributedProblem problem(MPI_COMM_WORLD, 4, ball());
  ResultWriter plain = writer(problem, "plain"), writer = this->writer(problem, "stopped");
  writer.prepare_mesh();
  writer.forget_mesh();
  EXPECT_FALSE(writer.has_prepared_mesh());
  EXPECT_EQ(result(plain, problem, 1), result(writer, problem, 1));
  writer.prepare_mesh(); // its writer ends
}

// The system refuses to make a file larger: as on a full disk, on all ranks or on one.
TEST_F(OutputPreparedMesh, IsGivenUpWhereItCannotBeWritten)
{
  const DistributedProblem problem(MPI_COMM_WORLD, 4, ball());
  int n_ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
  for (const bool on_all : {true, false})
    {
      const std::string of_kind = on_all ? "-on-all" : "-on-one";
      ResultWriter plain        = writer(problem, "plain" + of_kind),
                   writer       = this->writer(problem, "refused" + of_kind);
      std::optional<LimitOfFileSize> limit;
      if (on_all || static_cast<int>(rank_in(MPI_COMM_WORLD)) == n_ranks - 1)
        limit.emplace(1024);
      writer.prepare_mesh();
      EXPECT_TRUE(writer.has_prepared_mesh());
      EXPECT_EQ(writer.why_mesh_is_not_shared(), "");
      writer.wait();
      limit.reset();
      EXPECT_FALSE(writer.has_prepared_mesh());
      EXPECT_EQ(writer.why_mesh_is_not_shared(), "its file in " + folder + " could not be written");
      EXPECT_EQ(result(plain, problem, 1), result(writer, problem, 1));
      writer.prepare_mesh(); // there is space again
      EXPECT_EQ(writer.why_mesh_is_not_shared(), "");
      EXPECT_EQ(result(plain, problem, 2), result(writer, problem, 2));
      EXPECT_TRUE(writer.has_prepared_mesh());
    }
}

TEST_F(OutputPreparedMesh, LivesAsLongAsTheResultThatCopiesIt)
{
  const DistributedProblem problem(MPI_COMM_WORLD, 4, ball());
  const auto density = problem.element_field(linear_density);
  ResultWriter plain = writer(problem, "plain"), writer = this->writer(problem, "forgotten");
  writer.prepare_mesh();
  writer.write(1, density, density, {});
  writer.forget_mesh();
  EXPECT_FALSE(writer.has_prepared_mesh());
  writer.wait();
  EXPECT_EQ(result(plain, problem, 1), file_contents(writer.file_of(1, ".vtu")));
}
} // namespace
} // namespace strut
