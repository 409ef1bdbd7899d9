// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/distributed/tria.h>

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_system.h>

#include <deal.II/grid/grid_generator.h>

#include <strut/mesh/element_mesh.h>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <unistd.h>

#include "cell_keys.h"
#include "plugin/base/named_file.h"
#include "plugin/deck/problem/mesh_maker.h"
#include "plugin/element_mesh/element_mesh_builder.h"
#include "tests/plugin/text_checks.h"

namespace strut
{
inline unsigned int rank_in(MPI_Comm communicator)
{
  return dealii::Utilities::MPI::this_mpi_process(communicator);
}

/// The mesh of a part on each rank, and fields on it.
struct MeshOnRanks
{
  MPI_Comm communicator;
  ElementMesh mesh;
  CellKeys keys;

  /// Fields: `[n_elements]` as a function of the centre, `[n_nodes]` of the position, and
  /// `[3 * n_nodes]` of the position and the component.
  template <typename Function>
  std::vector<double> element_field(const Function &function) const
  {
    std::vector<double> values;
    for (std::size_t e = 0; e < mesh.n_elements; ++e)
      values.push_back(function(mesh.centre(e)[0], mesh.centre(e)[1], mesh.centre(e)[2]));
    return values;
  }
  template <typename Function>
  std::vector<double> node_field(const Function &function) const
  {
    std::vector<double> values;
    for (std::size_t node = 0; node < mesh.n_nodes; ++node)
      values.push_back(function(mesh.coordinates[node],
                                mesh.coordinates[mesh.n_nodes + node],
                                mesh.coordinates[2 * mesh.n_nodes + node]));
    return values;
  }
  template <typename Function>
  std::vector<double> nodal_field(const Function &function) const
  {
    std::vector<double> values;
    for (std::size_t node = 0; node < mesh.n_nodes; ++node)
      for (int c = 0; c < 3; ++c)
        values.push_back(function(mesh.coordinates[node],
                                  mesh.coordinates[mesh.n_nodes + node],
                                  mesh.coordinates[2 * mesh.n_nodes + node],
                                  c));
    return values;
  }
};

/// A mesh of a DoFHandler, refined as often as asked.
struct DistributedProblem : MeshOnRanks
{
  template <typename MakeGrid>
  DistributedProblem(MPI_Comm communicator,
                     const unsigned int n_refinements,
                     const MakeGrid &make_grid)
    : triangulation(communicator), fe(dealii::FE_Q<3>(1), 3), dof_handler(triangulation)
  {
    make_grid(triangulation);
    triangulation.refine_global(n_refinements);
    dof_handler.distribute_dofs(fe);
    this->communicator                       = communicator;
    mesh                                     = build_element_mesh(dof_handler, communicator);
    const std::vector<std::uint64_t> numbers = cell_keys(dof_handler, mesh);
    keys = CellKeys({numbers.begin(), numbers.end()}, 0, 0); // 32 bits suffice for small meshes
  }

  dealii::parallel::distributed::Triangulation<3> triangulation;
  dealii::FESystem<3> fe;
  dealii::DoFHandler<3> dof_handler;
};

/// The mesh of a deck, refined as often as asked.
struct MeshOfDeck : MeshOnRanks
{
  template <typename MakeGrid>
  MeshOfDeck(MPI_Comm communicator, const unsigned int n_refinements, const MakeGrid &make_grid)
  {
    MeshMaker maker(communicator);
    make_grid(maker.triangulation());
    const DeckMesh made = maker.make_mesh(n_refinements, nullptr);
    this->communicator  = communicator;
    mesh                = made.elements;
    keys                = made.keys();
  }
};

/// A box between two places, of n elements along each axis.
inline auto box(const std::vector<unsigned int> &n,
                const dealii::Point<3> &high,
                const dealii::Point<3> &low = {})
{
  return [=](dealii::Triangulation<3> &triangulation) {
    dealii::GridGenerator::subdivided_hyper_rectangle(triangulation, n, low, high);
  };
}

/// A box of nx x ny x nz unit cubes.
inline auto box(const unsigned int nx, const unsigned int ny, const unsigned int nz)
{
  return box({nx, ny, nz}, {1. * nx, 1. * ny, 1. * nz});
}

/// Makes a ball, whose cells meet in many ways, and which p4est distributes in another order than
/// deal.II's.
inline auto ball()
{
  return [](dealii::Triangulation<3> &triangulation) {
    dealii::GridGenerator::hyper_ball(triangulation);
  };
}

/// Pseudo-random number in [0, 1) for a place.
inline double noise(const double x, const double y, const double z)
{
  const double s = std::sin(12.9898 * x + 78.233 * y + 37.719 * z) * 43758.5453;
  return s - std::floor(s);
}

/// A folder that all ranks see, and that is removed after the test.
class SharedFolder : public testing::Test
{
protected:
  void SetUp() override
  {
    auto id = static_cast<unsigned long>(::getpid());
    MPI_Bcast(&id, 1, MPI_UNSIGNED_LONG, 0, MPI_COMM_WORLD);
    folder = testing::TempDir() + "strut-output-" + std::to_string(id);
    if (rank_in(MPI_COMM_WORLD) == 0)
      std::filesystem::create_directories(folder);
    MPI_Barrier(MPI_COMM_WORLD);
  }

  void TearDown() override
  {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank_in(MPI_COMM_WORLD) == 0)
      std::filesystem::remove_all(folder);
  }

  static void write(const std::string &file_name, const std::string &contents)
  {
    std::ofstream(file_name, std::ios::binary) << contents;
  }

  /// Writes a file on one rank, between what all ranks did before and do afterwards.
  static void write_for_all(const std::string &file_name, const std::string &contents)
  {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank_in(MPI_COMM_WORLD) == 0)
      write(file_name, contents);
    MPI_Barrier(MPI_COMM_WORLD);
  }

  std::string folder;
};

/// A test on the first rank alone.
class FolderOfOneRank : public SharedFolder
{
protected:
  void SetUp() override
  {
    SharedFolder::SetUp();
    if (rank_in(MPI_COMM_WORLD) != 0)
      GTEST_SKIP() << "for one rank";
  }
};
} // namespace strut
