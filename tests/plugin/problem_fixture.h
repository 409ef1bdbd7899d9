// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "tests/plugin/in_empty_directory.h"

#include <deal.II/base/mpi.h>

#include <strut/backend/timing.h>
#include <strut/base/exceptions.h>
#include <strut/solvers/state/state_solver.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "plugin/deck/problem/problem.h"
#include "tests/plugin/deck_section.h"

namespace strut
{
inline std::string
load(const std::string &region, const std::string &type, const std::string &value)
{
  return section("Loads / tip", region + "\nset Type = " + type + "\nset Value = " + value);
}

/// A load, and the sum of its forces.
struct Loaded
{
  const char *region, *type, *value;
  std::array<double, 3> force;
};

/// Makes structures from the texts of decks, one at a time, as deal.II keeps one table of
/// parameters.
class ProblemTest : public InEmptyDirectory
{
protected:
  void SetUp() override
  {
    InEmptyDirectory::SetUp();
    forget();
  }

  void TearDown() override
  {
    forget();
    InEmptyDirectory::TearDown();
  }

  /// Sets up the structure of a deck, as the program does. It replaces the previous structure.
  Problem &setup(const std::string &text, const bool with_hierarchy = false)
  {
    forget();
    write("test.prm", text);
    deck_            = Deck::read("test.prm");
    problem_         = std::make_unique<Problem>(deck_);
    auto &parameters = dealii::ParameterAcceptor::prm;
    dealii::ParameterAcceptor::declare_all_parameters(parameters);
    deck_.apply(parameters);
    dealii::ParameterAcceptor::parse_all_parameters(parameters);
    problem_->setup(MPI_COMM_WORLD, with_hierarchy);
    return *problem_;
  }

  /// The error message of the program for a deck; empty if there is none.
  std::string complaint(const std::string &text)
  {
    try
      {
        setup(text).check_well_posed();
      }
    catch (const EntryError &error)
      {
        return deck_.explain(error, &dealii::ParameterAcceptor::prm);
      }
    catch (const Error &error)
      {
        return error.what();
      }
    return "";
  }

  /// The sum of all forces of a load case.
  static std::array<double, 3> total_force(const Problem &problem, const std::size_t load_case = 0)
  {
    std::array<double, 3> total{};
    const NodalForces &forces = problem.load_cases().at(load_case).forces;
    for (std::size_t i = 0; i < forces.size(); ++i)
      total[i % 3] += forces[i];
    Communicator(MPI_COMM_WORLD).sum(total.data(), 3);
    return total;
  }

  static void expect_force(const std::array<double, 3> &found,
                           const std::array<double, 3> &expected)
  {
    const double scale = std::abs(expected[0]) + std::abs(expected[1]) + std::abs(expected[2]);
    for (unsigned int d = 0; d < 3; ++d)
      EXPECT_NEAR(found[d], expected[d], 1e-13 * std::max(1., scale)) << "component " << d;
  }

  /// Expects the sum of the forces of each load on a mesh.
  void expect_forces(const std::string &mesh, const std::vector<Loaded> &cases)
  {
    for (const auto &[region, type, value, force] : cases)
      {
        SCOPED_TRACE(region + std::string(", ") + type);
        expect_force(total_force(setup(mesh + load(region, type, value))), force);
      }
  }

  /// The sum of `x . f` over all nodes, for each component of x.
  static std::array<double, 3> moment_of(const Problem &problem, const unsigned int component)
  {
    const ElementMesh &mesh   = problem.mesh();
    const NodalForces &forces = problem.load_cases().at(0).forces;
    std::array<double, 3> total{};
    for (std::size_t i = 0; i < forces.size(); ++i)
      if (i % 3 == component)
        for (unsigned int d = 0; d < 3; ++d)
          total[d] += mesh.coordinates[d * mesh.n_nodes + i / 3] * forces[i];
    Communicator(MPI_COMM_WORLD).sum(total.data(), 3);
    return total;
  }

  static double n_nodes_with_force(const Problem &problem)
  {
    double count              = 0;
    const NodalForces &forces = problem.load_cases().at(0).forces;
    for (std::size_t n = 0; n < forces.size() / 3; ++n)
      if (forces[3 * n] != 0. || forces[3 * n + 1] != 0. || forces[3 * n + 2] != 0.)
        count += 1.;
    return Communicator(MPI_COMM_WORLD).sum(count);
  }

  static std::size_t n_flagged(const Problem &problem, const DesignFlag flag)
  {
    const auto &flags = problem.mesh().flags;
    const auto count  = std::count(flags.begin(), flags.end(), flag);
    return Communicator(MPI_COMM_WORLD).sum(static_cast<std::size_t>(count));
  }

  static double n_prescribed(const Problem &problem)
  {
    double count = 0;
    for (const LocalIndex dof : problem.mesh().constrained_dofs)
      if (dof < problem.mesh().n_owned_dofs())
        count += 1.;
    return Communicator(MPI_COMM_WORLD).sum(count);
  }

  /// A solver of the structure with all elements solid.
  struct SolidState
  {
    SolidState(const Problem &problem, const double tolerance) : backend(make_cpu_backend(1))
    {
      StateSettings settings;
      settings.control.tolerance = tolerance;
      solver                     = make_state_solver(
        {*backend, Communicator(MPI_COMM_WORLD), timing},
        {problem.mesh(), problem.material(), Structure::no_coarser_meshes(), problem.solids()},
        problem.load_cases(),
        settings);
      solver->set_stiffness(
        Array<double>(backend->memory(), std::vector<double>(problem.mesh().n_elements, 1.)));
    }

    TimingTable timing;
    std::unique_ptr<Backend> backend;
    std::unique_ptr<StateSolver> solver;
  };

  static double compliance(const Problem &problem, const std::size_t load_case = 0)
  {
    SolidState state(problem, 1e-12);
    state.solver->solve(load_case);
    return state.solver->work_of_loads(load_case);
  }

private:
  void forget()
  {
    problem_.reset();
    dealii::ParameterAcceptor::clear();
  }

  Deck deck_;
  std::unique_ptr<Problem> problem_;
};

/// Deck of a box of nx x ny x nz unit cubes.
inline std::string box_deck(const unsigned int nx, const unsigned int ny, const unsigned int nz)
{
  const std::string counts =
    std::to_string(nx) + "," + std::to_string(ny) + "," + std::to_string(nz);
  return section("Mesh / Box", "set Size = " + counts + "\nset Elements = " + counts);
}

inline std::string
tube_deck(const unsigned int radial, const unsigned int around, const unsigned int axial)
{
  return section("Mesh", "set Type = hollow cylinder") +
         section("Mesh / Hollow cylinder",
                 "set Elements radial = " + std::to_string(radial) +
                   "\nset Elements circumferential = " + std::to_string(around) +
                   "\nset Elements axial = " + std::to_string(axial));
}

/// Deck of a coarse connecting rod.
inline std::string rod_deck(const unsigned int n_layers)
{
  return section("Mesh", "set Type = connecting rod") +
         section("Mesh / Connecting rod",
                 "set Elements across = 8\nset Elements upper ring = 1\n"
                 "set Elements upper field = 3\nset Elements lower ring = 1\n"
                 "set Elements lower field = 3\nset Elements between = 3\n"
                 "set Layers = " +
                   std::to_string(n_layers));
}

inline const std::string beam = box_deck(4, 3, 2);
inline const std::string wall = section("Supports / wall", "set Boundary ids = 0");
} // namespace strut
