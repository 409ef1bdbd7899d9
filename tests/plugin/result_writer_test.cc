// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/output/result_writer.h"

#include <deal.II/base/utilities.h>

#include <strut/base/exceptions.h>

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <regex>
#include <set>

#include "distributed_problem.h"
#include "plugin/output/von_mises.h"

namespace strut::plugin
{
namespace
{
using Texts      = std::vector<std::string>;
using Iterations = std::vector<unsigned int>;

/// The text between the first `begin` after `from` and the next `end`.
std::string between(const std::string &text,
                    const std::string &begin,
                    const std::string &end,
                    const std::size_t from = 0)
{
  const std::size_t first = text.find(begin, from);
  if (first == std::string::npos)
    return "";
  const std::size_t start = first + begin.size();
  return text.substr(start, text.find(end, start) - start);
}

std::vector<std::string> all_matches(const std::string &text, const std::string &pattern)
{
  std::vector<std::string> found;
  const std::regex regex(pattern);
  for (std::sregex_iterator it(text.begin(), text.end(), regex), end; it != end; ++it)
    found.push_back((*it)[1]);
  return found;
}

std::vector<unsigned char> from_base64(const std::string &text)
{
  return dealii::Utilities::decode_base64(text);
}

/// The numbers of one array of a VTU: base64 of four counts, then base64 of one block of zlib.
std::vector<float> array_in(const std::string &vtu, const std::string &attribute)
{
  std::string text = between(vtu, ">", "<", vtu.find(attribute));
  text.erase(std::remove_if(text.begin(), text.end(), ::isspace), text.end());
  if (text.empty()) // of an empty rank
    return {};
  constexpr std::size_t header_length = 24; // 16 bytes in base64
  std::uint32_t counts[4];
  std::memcpy(counts, from_base64(text.substr(0, header_length)).data(), sizeof(counts));
  const std::vector<unsigned char> packed = from_base64(text.substr(header_length));

  std::vector<float> values(counts[1] / sizeof(float));
  uLongf n_bytes = counts[1];
  EXPECT_EQ(counts[0], 1u);
  EXPECT_EQ(
    uncompress(reinterpret_cast<Bytef *>(values.data()), &n_bytes, packed.data(), counts[3]), Z_OK);
  return values;
}

std::string named(const std::string &name)
{
  return "Name=\"" + name + "\"";
}

class OutputResultWriter : public SharedFolder
{
protected:
  void SetUp() override
  {
    SharedFolder::SetUp();
    n_ranks = dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD);
    results = folder + "/deep/results";
  }

  ResultWriter writer(const DistributedProblem &problem, const bool von_mises = false) const
  {
    return {problem.dof_handler,
            problem.mesh,
            Material{2., 0.25},
            problem.communicator,
            results,
            "design",
            von_mises};
  }

  /// The file of this rank.
  std::string piece(const std::string &stem) const
  {
    char text[16] = "";
    if (n_ranks > 1)
      std::snprintf(text, sizeof(text), ".%04u", rank_in(MPI_COMM_WORLD));
    return results + "/" + stem + text + ".vtu";
  }

  std::string extension() const
  {
    return n_ranks > 1 ? ".pvtu" : ".vtu";
  }

  std::vector<std::string> files_of_series(const std::string &series) const
  {
    return all_matches(contents_of(series), "file=\"([^\"]*)\"");
  }

  unsigned int n_ranks = 1;
  std::string results;
};

double density_at(const double x, const double y, const double z)
{
  return 0.5 + 0.02 * x + 0.03 * y - 0.04 * z;
}
double displacement_at(const double x, const double y, const double z, const int component)
{
  const double u[3] = {x + 10 * y, 20 * z, x * y * z};
  return u[component];
}

TEST_F(OutputResultWriter, FieldsStandWhereTheyBelong)
{
  DistributedProblem problem(MPI_COMM_WORLD, 1, ball());
  for (std::size_t e = 0; e < problem.mesh.n_elements; ++e)
    problem.mesh.flags[e] = problem.mesh.centres[e] > 0.1    ? DesignFlag::solid
                            : problem.mesh.centres[e] < -0.4 ? DesignFlag::empty
                                                             : DesignFlag::design;
  auto displacement = problem.nodal_field(displacement_at);
  std::fill(displacement.begin() + problem.mesh.n_owned_dofs(), displacement.end(), 1e30);

  const auto density = problem.element_field(density_at);
  writer(problem).write(12, density, density, {{"only", displacement}});

  const std::string vtu = contents_of(piece("design-0012"));
  EXPECT_EQ(between(vtu, "NumberOfCells=\"", "\""), std::to_string(problem.mesh.n_elements));
  EXPECT_TRUE(contains(vtu, "compressor=\"vtkZLibDataCompressor\""));
  EXPECT_FALSE(contains(vtu, "von_mises"));

  const auto points        = array_in(vtu, "NumberOfComponents=\"3\"");
  const auto densities     = array_in(vtu, named("density"));
  const auto flags         = array_in(vtu, named("design_flag"));
  const auto displacements = array_in(vtu, named("displacement"));
  ASSERT_EQ(points.size(), 24 * problem.mesh.n_elements);
  ASSERT_EQ(densities.size(), 8 * problem.mesh.n_elements);
  ASSERT_EQ(flags.size(), densities.size());
  ASSERT_EQ(displacements.size(), points.size());
  for (std::size_t cell = 0; cell < problem.mesh.n_elements; ++cell)
    {
      double centre[3] = {};
      for (std::size_t v = 0; v < 8; ++v)
        for (std::size_t d = 0; d < 3; ++d)
          centre[d] += points[24 * cell + 3 * v + d] / 8.;
      const float flag = centre[0] > 0.1 ? 1 : centre[0] < -0.4 ? 2 : 0;
      for (std::size_t i = 8 * cell; i < 8 * cell + 8; ++i)
        {
          ASSERT_NEAR(densities[i], density_at(centre[0], centre[1], centre[2]), 1e-6) << cell;
          ASSERT_EQ(flags[i], flag) << cell;
          for (int c = 0; c < 3; ++c)
            ASSERT_NEAR(displacements[3 * i + c],
                        displacement_at(points[3 * i], points[3 * i + 1], points[3 * i + 2], c),
                        1e-5)
              << cell;
        }
    }
}

TEST_F(OutputResultWriter, SeveralLoadCasesAreToldApart)
{
  const DistributedProblem problem(MPI_COMM_WORLD, 1, box(2, 1, 1));
  const auto density = problem.element_field(density_at);
  const auto shear =
    problem.nodal_field([](double, double y, double, int c) { return c == 0 ? 0.01 * y : 0.; });
  const auto pull = problem.nodal_field([](double x, double y, double z, int c) {
    return c == 0 ? 0.02 * x : c == 1 ? -0.005 * y : -0.005 * z;
  });
  const std::vector<double> stiffness(problem.mesh.n_elements, 0.5);
  writer(problem, true).write(3, density, stiffness, {{"shear", shear}, {"pull up (1)", pull}});

  const std::string vtu = contents_of(piece("design-0003"));
  EXPECT_TRUE(contains(vtu, named("displacement_shear")));
  EXPECT_TRUE(contains(vtu, named("displacement_pull_up__1_")));
  // E = 2, nu = 0.25: mu = 0.8. Shear: sqrt(3) mu gamma; free contraction: E eps.
  const auto of_shear = array_in(vtu, named("von_mises_shear"));
  const auto of_pull  = array_in(vtu, named("von_mises_pull_up__1_"));
  ASSERT_EQ(of_shear.size(), 8 * problem.mesh.n_elements);
  ASSERT_EQ(of_pull.size(), of_shear.size());
  for (std::size_t i = 0; i < of_shear.size(); ++i)
    {
      EXPECT_NEAR(of_shear[i], 0.5 * std::sqrt(3.) * 0.8 * 0.01, 1e-8);
      EXPECT_NEAR(of_pull[i], 0.5 * 2. * 0.02, 1e-8);
    }
}

TEST_F(OutputResultWriter, VonMisesOfALinearFieldIsExactOnDistortedElements)
{
  const DistributedProblem problem(MPI_COMM_WORLD, 1, ball());
  // A rotation and a change of volume make none.
  const auto stressed = [&](const double shear) {
    return von_mises_stress(problem.mesh,
                            Material{2., 0.25},
                            problem.element_field(density_at),
                            problem.nodal_field([&](double x, double y, double z, int c) {
                              const double u[3] = {x - 3 * y, 3 * x + y, z + shear * y};
                              return u[c];
                            }));
  };
  const auto none = stressed(0.);
  const auto some = stressed(0.1);
  for (std::size_t e = 0; e < problem.mesh.n_elements; ++e)
    {
      const double factor = density_at(problem.mesh.centres[e],
                                       problem.mesh.centres[problem.mesh.n_elements + e],
                                       problem.mesh.centres[2 * problem.mesh.n_elements + e]);
      EXPECT_NEAR(none[e], 0., 1e-12);
      EXPECT_NEAR(some[e], factor * std::sqrt(3.) * 0.8 * 0.1, 1e-12);
    }
}

TEST_F(OutputResultWriter, EmptyRanksWriteToo)
{
  const DistributedProblem problem(MPI_COMM_WORLD, 0, box(1, 1, 1));
  const auto density = problem.element_field(density_at);
  writer(problem, true).write(0, density, density, {{"a", problem.nodal_field(displacement_at)}});

  EXPECT_TRUE(contains(contents_of(piece("design-0000")), "</VTKFile>"));
  if (n_ranks > 1)
    {
      const std::string pvtu = contents_of(results + "/design-0000.pvtu");
      for (const char *const name : {"density", "design_flag", "displacement", "von_mises"})
        EXPECT_TRUE(contains(pvtu, named(name)));
      const auto pieces = all_matches(pvtu, "Source=\"([^\"]*)\"");
      ASSERT_EQ(pieces.size(), n_ranks);
      for (const std::string &name : pieces)
        EXPECT_TRUE(std::filesystem::exists(results + "/" + name)) << name;
    }
  for (const auto &entry : std::filesystem::directory_iterator(results))
    EXPECT_NE(entry.path().extension(), ".tmp");
}

TEST_F(OutputResultWriter, TheSeriesGoesOnAfterARestart)
{
  const DistributedProblem problem(MPI_COMM_WORLD, 0, box(2, 2, 1));
  const auto density = problem.element_field(density_at);
  ResultWriter first = writer(problem);
  for (const unsigned int iteration : {1u, 10u, 12345u})
    first.write(iteration, density, density, {});
  EXPECT_EQ(first.written(), (Iterations{1, 10, 12345}));
  EXPECT_EQ(first.series_file(), results + "/design.pvd");

  // From a checkpoint of iteration 10; what came later is done again.
  ResultWriter second = writer(problem);
  second.set_written({1, 10});
  second.write(10, density, density, {});
  second.write(20, density, density, {});
  EXPECT_EQ(second.written(), (Iterations{1, 10, 20}));
  EXPECT_EQ(
    files_of_series(second.series_file()),
    (Texts{"design-0001" + extension(), "design-0010" + extension(), "design-0020" + extension()}));
  EXPECT_EQ(all_matches(contents_of(second.series_file()), "timestep=\"([^\"]*)\""),
            (Texts{"1", "10", "20"}));
  for (const std::string &name : files_of_series(second.series_file()))
    EXPECT_TRUE(std::filesystem::exists(results + "/" + name)) << name;
}

TEST_F(OutputResultWriter, TheSeriesGoesOnWithAnotherNumberOfRanks)
{
  const DistributedProblem together(MPI_COMM_WORLD, 0, box(2, 2, 1));
  const auto density = together.element_field(density_at);
  writer(together).write(1, density, density, {});
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank_in(MPI_COMM_WORLD) != 0)
    return;

  const DistributedProblem alone(MPI_COMM_SELF, 0, box(2, 2, 1));
  const auto density_alone = alone.element_field(density_at);
  ResultWriter second      = writer(alone);
  second.set_written({1});
  second.write(2, density_alone, density_alone, {});
  EXPECT_EQ(files_of_series(second.series_file()),
            (Texts{"design-0001" + extension(), "design-0002.vtu"}));
}

TEST_F(OutputResultWriter, AFailureIsEveryonesError)
{
  const DistributedProblem problem(MPI_COMM_WORLD, 0, box(2, 2, 1));
  const auto density     = problem.element_field(density_at);
  ResultWriter of_design = writer(problem);
  // Stops the last rank only.
  const std::string in_the_way = piece("design-0004") + ".tmp";
  if (rank_in(MPI_COMM_WORLD) + 1 == n_ranks)
    std::filesystem::create_directory(in_the_way);
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
