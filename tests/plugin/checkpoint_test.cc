// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/base/host_halo.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "checkpoint_state.h"
#include "distributed_problem.h"
#include "plugin/deck/output/checkpoint_file.h"

namespace strut
{
namespace
{
/// Fixture of tests that run on any number of ranks, since every rank has to call collective
/// functions.
class OutputCheckpoint : public SharedFolder
{
protected:
  void SetUp() override
  {
    SharedFolder::SetUp();
    file = folder + "/run.checkpoint";
  }

  std::string refusal(const MeshOfDeck &problem) const
  {
    return message_of<Error>([&] { read_checkpoint(file, problem); });
  }

  std::string file;
};

/// Values of owned entities, without ghosts.
std::vector<double> owned(const MeshOfDeck &problem, const std::vector<double> &field)
{
  return {field.begin(), field.begin() + static_cast<std::ptrdiff_t>(problem.mesh.n_owned_nodes)};
}

bool same_bits(const std::vector<double> &a, const std::vector<double> &b)
{
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

void expect_same_small_parts(const CheckpointState &a, const CheckpointState &b)
{
  EXPECT_EQ(a.parameters, b.parameters);
  EXPECT_EQ(a.written_results, b.written_results);
  ASSERT_EQ(a.history.size(), b.history.size());
  for (std::size_t i = 0; i < a.history.size(); ++i)
    {
      const auto numbers = [](const IterationRecord &r) {
        return std::vector<double>{double(r.iteration),
                                   r.objective,
                                   r.volume_fraction,
                                   double(r.solver_iterations),
                                   r.residual,
                                   r.adjoint_residual,
                                   r.seconds};
      };
      EXPECT_TRUE(same_bits(numbers(a.history[i]), numbers(b.history[i])));
      EXPECT_TRUE(same_bits(a.history[i].values, b.history[i].values));
      EXPECT_TRUE(same_bits(a.history[i].case_objectives, b.history[i].case_objectives));
    }
}

void expect_near(const std::vector<double> &a, const std::vector<double> &b)
{
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    ASSERT_NEAR(a[i], b[i], 1e-12) << i;
}

TEST_F(OutputCheckpoint, GivesBackTheSameBits)
{
  const MeshOfDeck problem(MPI_COMM_WORLD, 1, ball());
  CheckpointState state = state_on(problem);
  if (problem.mesh.n_elements > 3)
    {
      state.design.element_fields[0][0] = -0.;
      state.design.element_fields[0][1] = std::numeric_limits<double>::denorm_min();
      state.design.element_fields[0][2] = std::nan("17");
      std::vector<double> displacement  = *state.displacements[0];
      displacement[0]                   = -0.;
      displacement[1]                   = std::numeric_limits<double>::infinity();
      state.displacements[0]            = std::move(displacement);
    }
  CheckpointState expected = state;
  for (std::size_t l = 0; l < 2; ++l)
    {
      // Node 0 is owned; its copies elsewhere are to follow.
      std::vector<double> displacement = *state.displacements[l];
      update_ghosts(MPI_COMM_WORLD, problem.mesh, displacement);
      expected.displacements[l] = displacement;
      std::fill(displacement.begin() + problem.mesh.n_owned_dofs(), displacement.end(), 1e30);
      state.displacements[l] = std::move(displacement);
    }

  write_checkpoint(file, problem, state);
  const CheckpointState back = read_checkpoint(file, problem);

  expect_same_small_parts(back, expected);
  EXPECT_TRUE(same_bits(back.design.element_fields[0], expected.design.element_fields[0]));
  ASSERT_EQ(back.design.node_fields.size(), 1u);
  EXPECT_EQ(back.design.node_fields[0].size(), problem.mesh.n_nodes);
  EXPECT_TRUE(same_bits(owned(problem, back.design.node_fields[0]),
                        owned(problem, expected.design.node_fields[0])));
  ASSERT_EQ(back.design.vectors.size(), 1u);
  EXPECT_EQ(back.design.vectors[0].size(), problem.mesh.n_dofs());
  EXPECT_EQ(std::memcmp(back.design.vectors[0].data(),
                        expected.design.vectors[0].data(),
                        problem.mesh.n_owned_dofs() * sizeof(double)),
            0);
  ASSERT_EQ(back.design.packed.size(), 1u);
  ASSERT_EQ(back.displacements.size(), 2u);
  for (std::size_t l = 0; l < 2; ++l)
    EXPECT_TRUE(same_bits(*back.displacements[l], *expected.displacements[l])) << l;
  ASSERT_EQ(back.displacements_before.size(), 2u);
  if (problem.mesh.n_owned_nodes > 0)
    {
      EXPECT_EQ(back.design.packed[0].unit, state.design.packed[0].unit);
      EXPECT_EQ(back.design.packed[0].multiples, state.design.packed[0].multiples);
    }
  for (std::size_t l = 0; l < 2 && problem.mesh.n_owned_nodes > 0; ++l)
    {
      EXPECT_EQ(back.displacements_before[l].unit, state.displacements_before[l].unit);
      EXPECT_EQ(back.displacements_before[l].multiples, state.displacements_before[l].multiples);
    }
}

// More than one block of a field, by several threads, and one field after the other.
TEST_F(OutputCheckpoint, WrittenAtOnceItHasTheSameBytes)
{
  const MeshOfDeck problem(MPI_COMM_WORLD, 5, box(1, 1, 1));
  const CheckpointState state = state_on(problem);
  const auto bytes_of_file    = [&] {
    std::ifstream stream(file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  };
  write_checkpoint(file, problem, state);
  MPI_Barrier(MPI_COMM_WORLD);
  const std::string expected = bytes_of_file();
  MPI_Barrier(MPI_COMM_WORLD);

  Checkpoint checkpoint(file, MPI_COMM_WORLD, problem.mesh, problem.keys, 3);
  CheckpointState rest = state;
  rest.displacements.clear();
  rest.displacements_before.clear();
  Checkpoint::DisplacementSource displacements = {
    2,
    [&](const std::size_t l) { return *state.displacements[l]; },
    [&](const std::size_t l) { return state.displacements_before[l]; }};
  checkpoint.write_now(rest, displacements);
  EXPECT_TRUE(bytes_of_file() == expected);

  displacements.before = nullptr;
  checkpoint.write_now(rest, displacements);
  const CheckpointState back = read_checkpoint(file, problem);
  EXPECT_TRUE(back.displacements_before.empty());
  ASSERT_EQ(back.displacements.size(), 2u);
  EXPECT_TRUE(same_bits(back.design.element_fields[0], state.design.element_fields[0]));
}

TEST_F(OutputCheckpoint, AStateWithoutAnythingIsOne)
{
  const MeshOfDeck problem(MPI_COMM_WORLD, 0, box(1, 1, 1)); // most ranks are empty
  CheckpointState state;
  state.design.element_fields.assign(1, {});
  state.design.element_fields[0].assign(problem.mesh.n_elements, 0.25);
  write_checkpoint(file, problem, state);
  const CheckpointState back = read_checkpoint(file, problem);
  EXPECT_EQ(back.design.element_fields[0], state.design.element_fields[0]);
  EXPECT_TRUE(back.parameters.empty() && back.history.empty() && back.displacements.empty());
}

// Each rank alone reads the checkpoint of all of them, and all ranks read that of one.
TEST_F(OutputCheckpoint, AnotherNumberOfRanksGoesOn)
{
  const auto check = [&](const unsigned int n_refinements, const auto &grid) {
    const MeshOfDeck together(MPI_COMM_WORLD, n_refinements, grid);
    const MeshOfDeck alone(MPI_COMM_SELF, n_refinements, grid);
    const auto check_pair = [&](const MeshOfDeck &writer, const MeshOfDeck &reader) {
      if (writer.communicator == MPI_COMM_WORLD || rank_in(MPI_COMM_WORLD) == 0)
        write_checkpoint(file, writer, state_on(writer));
      MPI_Barrier(MPI_COMM_WORLD);
      const CheckpointState back     = read_checkpoint(file, reader);
      const CheckpointState expected = state_on(reader);
      expect_same_small_parts(back, expected);
      expect_near(back.design.element_fields[0], expected.design.element_fields[0]);
      expect_near(owned(reader, back.design.node_fields.at(0)),
                  owned(reader, expected.design.node_fields[0]));
      ASSERT_EQ(back.displacements.size(), expected.displacements.size());
      for (std::size_t l = 0; l < back.displacements.size(); ++l)
        expect_near(*back.displacements[l], *expected.displacements[l]);
      ASSERT_EQ(back.displacements_before.size(), 2u);
      ASSERT_EQ(back.design.vectors.size(), 1u);
      for (std::size_t i = 0; i < reader.mesh.n_owned_dofs(); ++i)
        ASSERT_NEAR(back.design.vectors[0][i], expected.design.vectors[0][i], 1e-12) << i;
      ASSERT_EQ(back.design.packed.size(), 1u);
      for (int l = 0; l < 3; ++l)
        {
          const PackedValues &packed =
            l < 2 ? back.displacements_before[std::size_t(l)] : back.design.packed[0];
          const std::vector<double> before     = before_on(reader, l);
          const std::vector<double> now        = to_doubles(packed);
          const std::vector<double> of_written = before_on(writer, l);
          double largest                       = 0.;
          for (const double value : of_written)
            largest = std::max(largest, std::abs(value));
          MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
          ASSERT_EQ(now.size(), reader.mesh.n_owned_dofs());
          for (std::size_t i = 0; i < now.size(); ++i)
            ASSERT_NEAR(now[i], before[i], std::ldexp(largest, -29)) << i;
        }
      MPI_Barrier(MPI_COMM_WORLD);
    };
    check_pair(together, alone);
    check_pair(alone, together);
  };
  check(1, ball());
  check(2, box(3, 2, 1));
  check(0, box(5, 4, 3));
  check(0, box(1, 1, 2));
}

TEST_F(OutputCheckpoint, RefusesATruncatedFileOfAnyLength)
{
  const MeshOfDeck problem(MPI_COMM_WORLD, 0, box(2, 2, 1));
  write_checkpoint(file, problem, state_on(problem));
  const std::string whole = file_contents(file);
  MPI_Barrier(MPI_COMM_WORLD);

  for (std::size_t n = 0; n < whole.size(); n += n < 64 ? 1 : 37)
    {
      if (rank_in(MPI_COMM_WORLD) == 0)
        write(file, whole.substr(0, n));
      MPI_Barrier(MPI_COMM_WORLD);
      const std::string message = refusal(problem);
      EXPECT_CONTAINS(message, file) << n;
      EXPECT_CONTAINS(message, n == 0 ? "empty" : "truncated") << n;
      EXPECT_CONTAINS(message, "start from the beginning") << n;
      MPI_Barrier(MPI_COMM_WORLD);
    }
}

TEST_F(OutputCheckpoint, RefusesADamagedFile)
{
  const MeshOfDeck problem(MPI_COMM_SELF, 0, box(2, 1, 1));
  if (rank_in(MPI_COMM_WORLD) != 0)
    return;
  write_checkpoint(file, problem, state_on(problem));
  const std::string whole = file_contents(file);
  for (std::size_t n = 0; n < whole.size(); ++n)
    {
      std::string damaged = whole;
      damaged[n]          = static_cast<char>(damaged[n] ^ 0x40);
      write(file, damaged);
      EXPECT_NE(refusal(problem), "") << n;
    }
  write(file, whole + "x");
  EXPECT_CONTAINS(refusal(problem), "more than the");

  // the same numbers at other places
  std::string swapped     = whole;
  const std::size_t first = checkpoint_format::header_size, second = first + sizeof(double);
  ASSERT_NE(whole.substr(first, sizeof(double)), whole.substr(second, sizeof(double)));
  std::swap_ranges(swapped.begin() + first, swapped.begin() + second, swapped.begin() + second);
  write(file, swapped);
  EXPECT_CONTAINS(refusal(problem), "damaged");
}

// A checksum that fits does not make the counts believable.
TEST_F(OutputCheckpoint, NoCountMakesItReadBeyondTheEnd)
{
  namespace format = checkpoint_format;
  const MeshOfDeck problem(MPI_COMM_SELF, 0, box(1, 1, 1));
  if (rank_in(MPI_COMM_WORLD) != 0)
    return;
  CheckpointHead head;
  head.mesh.n_elements      = 1;
  head.mesh.n_nodes         = 8;
  head.state.parameters     = {{"name", "value"}};
  head.state.history        = {{}};
  head.state.design.numbers = {2};
  head.n_fields             = {{1, 0, 1, 1, 1, 1}};
  head.sums                 = {3, 4, 5, 6, 7};
  head.ends_of_ranges       = {12, 24};
  head.units                = {0.5, 0.25, 2., 4.};
  const CheckpointEnds ends = to_bytes(head);
  const std::string fields(head.end_of_fields() - format::header_size, 'x');
  const std::size_t end = ends.trailer.size() - format::trailer_size;
  for (std::size_t n = 0; n + 8 <= end; ++n)
    for (const std::uint64_t count :
         {~std::uint64_t(0), std::uint64_t(1) << 61, std::uint64_t(300)})
      {
        std::string changed = ends.trailer.substr(0, end);
        std::memcpy(changed.data() + n, &count, sizeof(count));
        const std::uint64_t sum = format::checksum(changed, format::checksum(ends.header));
        changed.append(reinterpret_cast<const char *>(&sum), sizeof(sum));
        changed += format::end_mark;
        write(file, ends.header + fields + changed);
        try
          {
            const CheckpointHead back = read_checkpoint_head(file);
            EXPECT_EQ(back.end_of_fields(), head.end_of_fields());
            EXPECT_EQ(back.sums.size(), back.n_all_fields());
            EXPECT_EQ(back.units.size(), back.n_packed() * back.ends_of_ranges.size());
          }
        catch (const Error &error)
          {
            const std::string message = error.what();
            EXPECT_TRUE(message.find("damaged") != std::string::npos ||
                        message.find("do not match") != std::string::npos)
              << message;
          }
      }
}

// The previous checkpoint stays, under another name.
TEST_F(OutputCheckpoint, KeepsTheLastTwo)
{
  const MeshOfDeck problem(MPI_COMM_WORLD, 1, box(2, 2, 1));
  Checkpoint checkpoint(file, MPI_COMM_WORLD, problem.mesh, problem.keys, 1);
  for (unsigned int i = 1; i <= 3; ++i)
    {
      CheckpointState state = state_on(problem);
      state.written_results = {i};
      checkpoint.write(state);
      checkpoint.proceed();
    }
  checkpoint.wait();
  EXPECT_EQ(checkpoint.read(file).written_results, std::vector<unsigned int>{3});
  EXPECT_EQ(checkpoint.read(before_last(file)).written_results, std::vector<unsigned int>{2});
  EXPECT_EQ(before_last("a.b/c.strut"), "a.b/c.before-last.strut");
}

// The numbers of elements and nodes over all ranks are those on one.
TEST_F(OutputCheckpoint, TheOrderOfTheFileDependsOnNoPartition)
{
  const auto contents = [&](MPI_Comm communicator) {
    const MeshOfDeck problem(communicator, 2, ball());
    CheckpointState state;
    state.design.element_fields = {problem.element_field(density_at)};
    state.displacements         = {
              problem.nodal_field([](const double x, const double y, const double z, int c) {
        return c == 0 ? x : c == 1 ? y : z;
      })};
    write_checkpoint(file, problem, state);
    return file_contents(file);
  };
  const std::string together = contents(MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank_in(MPI_COMM_WORLD) != 0)
    return;
  const std::string alone = contents(MPI_COMM_SELF);
  ASSERT_EQ(alone.size(), together.size());
  const std::size_t begin = checkpoint_format::header_size, n = 7 * 64 * sizeof(double);
  EXPECT_EQ(alone.substr(begin, n), together.substr(begin, n));
}

TEST_F(OutputCheckpoint, RefusesWhatIsNoCheckpoint)
{
  const MeshOfDeck problem(MPI_COMM_WORLD, 0, box(2, 1, 1));
  EXPECT_CONTAINS(refusal(problem), "No such file or directory");
  EXPECT_CONTAINS(refusal(problem), file);
  MPI_Barrier(MPI_COMM_WORLD);

  const auto refusal_of = [&](const std::string &contents) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank_in(MPI_COMM_WORLD) == 0)
      write(file, contents);
    MPI_Barrier(MPI_COMM_WORLD);
    return refusal(problem);
  };
  EXPECT_CONTAINS(refusal_of("subsection Mesh\nend\n"), "no checkpoint of strut");
  EXPECT_CONTAINS(refusal_of("<?xml"), "no checkpoint of strut");

  const CheckpointEnds ends = to_bytes({});
  std::string bytes         = ends.header + ends.trailer;
  bytes[12]                 = 1;
  EXPECT_CONTAINS(refusal_of(bytes), "has version 1, this program reads version 8");
  std::swap(bytes[8], bytes[11]);
  EXPECT_CONTAINS(refusal_of(bytes), "another byte order");

  MPI_Barrier(MPI_COMM_WORLD);
  file = folder;
  EXPECT_CONTAINS(refusal(problem), "it is a folder");
}

TEST_F(OutputCheckpoint, RefusesAnotherMesh)
{
  const MeshOfDeck problem(MPI_COMM_WORLD, 0, box(4, 2, 1));
  write_checkpoint(file, problem, state_on(problem));

  const std::string other_size = refusal({MPI_COMM_WORLD, 0, box(4, 2, 2)});
  EXPECT_CONTAINS(other_size, "8 elements and 30 nodes");
  EXPECT_CONTAINS(other_size, "16 elements and 45 nodes");

  // Not one of these counts differs.
  EXPECT_CONTAINS(refusal({MPI_COMM_WORLD, 0, box(2, 4, 1)}), "but other cells");
  const auto stretched = box({4, 2, 1}, {4., 2., 1.25});
  EXPECT_CONTAINS(refusal({MPI_COMM_WORLD, 0, stretched}),
                  "Its box was [0, 4] x [0, 2] x [0, 1], is now [0, 4] x [0, 2] x [0, 1.25]");
}

TEST_F(OutputCheckpoint, AWriteThatFailsIsEveryonesErrorAndLeavesTheOldFile)
{
  const MeshOfDeck problem(MPI_COMM_WORLD, 0, box(2, 2, 1));
  const CheckpointState state = state_on(problem);
  write_checkpoint(file, problem, state);
  const std::string whole = file_contents(file);
  MPI_Barrier(MPI_COMM_WORLD);

  // A folder where the file beside should go stops every user, root included.
  if (rank_in(MPI_COMM_WORLD) == 0)
    std::filesystem::create_directory(file + ".tmp");
  // whoever waits gets the error, also if the file could not even be created, because a run must
  // not succeed without it
  Checkpoint checkpoint(file, MPI_COMM_WORLD, problem.mesh, problem.keys, 1);
  checkpoint.write(state);
  const std::string message = message_of<Error>([&] { checkpoint.wait(); });
  EXPECT_CONTAINS(message, file);
  EXPECT_EQ(file_contents(file), whole);
}
} // namespace
} // namespace strut
