// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Meshes of several pieces, only some of which are held by their constraints.
#include <deal.II/distributed/fully_distributed_tria.h>
#include <deal.II/distributed/tria.h>

#include <deal.II/dofs/dof_accessor.h>
#include <deal.II/dofs/dof_tools.h>

#include <deal.II/fe/fe_q.h>

#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_tools.h>
#include <deal.II/grid/tria_description.h>

#include <strut/base/exceptions.h>

#include <Eigen/Eigenvalues>

#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "tests/plugin/distributed_problem.h"
#include "tests/plugin/stiffness_operator_fixture.h"

namespace strut::test
{
namespace
{
using Mesh     = dealii::parallel::distributed::Triangulation<3>;
using Point    = dealii::Point<3>;
using Operator = StiffnessOperator<double>;

/// Cubes of side 1 in one mesh.
void make_cubes(dealii::Triangulation<3> &mesh,
                const std::vector<Point> &corners,
                const unsigned int n)
{
  std::vector<dealii::Triangulation<3>> cubes(corners.size());
  std::vector<const dealii::Triangulation<3> *> all;
  for (std::size_t i = 0; i < corners.size(); ++i)
    {
      const dealii::Point<3> upper = corners[i] + Point(1., 1., 1.);
      dealii::GridGenerator::subdivided_hyper_rectangle(cubes[i],
                                                        std::vector<unsigned int>(3, n),
                                                        corners[i],
                                                        upper);
      all.push_back(&cubes[i]);
    }
  dealii::GridGenerator::merge_triangulations(all, mesh);
}

std::unique_ptr<dealii::Triangulation<3>> cubes(std::unique_ptr<dealii::Triangulation<3>> mesh,
                                                const std::vector<Point> &corners,
                                                const unsigned int n,
                                                const unsigned int refinements)
{
  make_cubes(*mesh, corners, n);
  mesh->refine_global(refinements);
  return mesh;
}

/// A mesh of these cubes on one rank, as p4est does not support cubes that share only an edge.
std::unique_ptr<dealii::Triangulation<3>>
cubes_alone(const std::vector<Point> &corners, const unsigned int n, const unsigned int refinements)
{
  return cubes(std::make_unique<dealii::Triangulation<3>>(), corners, n, refinements);
}

/// An application with such a mesh, and constraints that are given by place.
class Pieces
{
public:
  explicit Pieces(std::unique_ptr<dealii::Triangulation<3>> mesh)
    : triangulation(std::move(mesh)), dof_handler(*triangulation)
  {
    distribute();
  }
  explicit Pieces(const std::vector<Point> &corners,
                  const unsigned int n           = 2,
                  const unsigned int refinements = 1)
    : Pieces(cubes(std::make_unique<Mesh>(MPI_COMM_WORLD), corners, n, refinements))
  {}

  void distribute()
  {
    dof_handler.distribute_dofs(dealii::FESystem<3>(dealii::FE_Q<3>(1), 3));
    dealii::IndexSet relevant;
    dealii::DoFTools::extract_locally_relevant_dofs(dof_handler, relevant);
    constraints.clear();
    constraints.reinit(relevant);
    dealii::DoFTools::make_hanging_node_constraints(dof_handler, constraints);
  }

  void
  for_each(const std::function<void(const Point &, const dealii::types::global_dof_index *)> &visit)
  {
    for (const auto &cell : dof_handler.active_cell_iterators())
      if (!cell->is_artificial())
        for (const unsigned int v : cell->vertex_indices())
          {
            dealii::types::global_dof_index dofs[3];
            for (unsigned int d = 0; d < 3; ++d)
              dofs[d] = cell->vertex_dof_index(v, d);
            visit(cell->vertex(v), dofs);
          }
  }

  /// Constrains component d where the condition is true.
  void hold(const std::function<bool(const Point &, unsigned int d)> &condition)
  {
    for_each([&](const Point &x, const dealii::types::global_dof_index *const dofs) {
      for (unsigned int d = 0; d < 3; ++d)
        if (condition(x, d) && !constraints.is_constrained(dofs[d]))
          constraints.add_line(dofs[d]);
    });
  }

  /// A DoF at a place, over all ranks.
  dealii::types::global_dof_index dof_at(const Point &place, const unsigned int d)
  {
    dealii::types::global_dof_index result = 0;
    for_each([&](const Point &x, const dealii::types::global_dof_index *const dofs) {
      if (x.distance(place) < 1e-6)
        result = dofs[d];
    });
    return dealii::Utilities::MPI::max(result, MPI_COMM_WORLD);
  }

  /// Ties the nodes of x = 1 + gap to those of x = 1, in some components.
  void tie(const double gap, const std::function<bool(unsigned int d)> &component)
  {
    for (unsigned int d = 0; d < 3; ++d)
      if (component(d))
        for (const double y : {0., 0.5, 1.})
          for (const double z : {0., 0.5, 1.})
            {
              const auto slave = dof_at({1. + gap, y, z}, d), master = dof_at({1., y, z}, d);
              if (constraints.can_store_line(slave) && !constraints.is_constrained(slave))
                {
                  constraints.add_line(slave);
                  constraints.add_entry(slave, master, 1.);
                }
            }
  }

  /// The message of `work`; empty if there is none.
  std::string complaint(
    const std::string &preconditioner               = "auto",
    const std::function<void(Operator &)> &prepared = [](Operator &) {})
  {
    constraints.close();
    Operator::AdditionalData data;
    data.options                = {"cpu", 1};
    data.options.preconditioner = preconditioner;
    Operator K;
    K.reinit(dof_handler, constraints, data);
    prepared(K);
    return message_of<Error>([&]() { K.preconditioner(); });
  }

  std::unique_ptr<dealii::Triangulation<3>> triangulation;
  dealii::DoFHandler<3> dof_handler;
  dealii::AffineConstraints<double> constraints;
};

bool clamp_left(const Point &x, unsigned int)
{
  return x[0] < 1e-9;
}

const std::vector<Point> two_cubes = {{0., 0., 0.}, {1.0001, 0., 0.}};

TEST(FloatingPiecesProblem, AreNamedByPlaceAndMotion)
{
  const std::string
    first =
      "The mesh of the StiffnessOperator has 2 pieces that share no faces, and the "
      "constraints do not hold all of them:\n  the piece of 64 cells around (1.5, 0.5, 0.5) can ",
    last =
      "\n  Vertices of different pieces that are to be one are joined before refinement, as by "
      "GridGenerator::merge_triangulations() with a larger tolerance.\n  solve() needs a structure "
      "that is held: constrain more degrees of freedom, or set a positive shift.";
  for (const char *const preconditioner : {"auto", "jacobi"})
    {
      Pieces alone(two_cubes);
      alone.hold(clamp_left);
      EXPECT_EQ(alone.complaint(preconditioner), first + "move and turn in all six ways" + last);
      Pieces on_rollers(two_cubes);
      on_rollers.hold([](const Point &x, const unsigned int d) {
        return x[0] < 1e-9 || (d == 2 && x[2] < 1e-9);
      });
      EXPECT_EQ(on_rollers.complaint(preconditioner),
                first + "move along x, move along y, turn about an axis along z" + last);
      Pieces on_a_pin(two_cubes); // turns about it, but for two of the ways
      on_a_pin.hold([](const Point &x, const unsigned int d) {
        return x[0] < 1e-9 || (x.distance(Point(2.0001, 0., 0.)) < 1e-6) ||
               (d == 2 && x.distance(Point(2.0001, 1., 0.)) < 1e-6);
      });
      EXPECT_CONTAINS(on_a_pin.complaint(preconditioner), "turn about an axis along z");
    }
}

// Pieces are found before any solve, for any forces, and also in solve().
TEST(FloatingPiecesProblem, AreFoundBeforeASolve)
{
  Pieces pieces(two_cubes);
  pieces.hold(clamp_left);
  pieces.constraints.close();
  Operator K;
  K.reinit(pieces.dof_handler, pieces.constraints, {{}, {"cpu", 1}});
  dealii::LinearAlgebra::distributed::Vector<double> x, f;
  K.initialize_dof_vector(x);
  K.initialize_dof_vector(f); // no force: 0 would be a solution
  EXPECT_CONTAINS(message_of<Error>([&]() { K.solve(x, f); }), "around (1.5, 0.5, 0.5) can move");
  K.vmult(f, x); // products need no supports
  K.set_shift(1.);
  K.solve(x, f);
  EXPECT_CONTAINS(message_of<Error>([&]() { K.set_shift(0.); }), "around (1.5, 0.5, 0.5) can move");
}

TEST(FloatingPiecesProblem, AreHeldBySixDegreesOfFreedom)
{
  const Point corner(1.0001, 0., 0.), along_x(2.0001, 0., 0.), along_y(1.0001, 1., 0.);
  for (unsigned int left_out = 0; left_out <= 6; ++left_out)
    {
      Pieces pieces(two_cubes);
      pieces.hold([&](const Point &x, const unsigned int d) {
        const unsigned int which = x.distance(corner) < 1e-6              ? d
                                   : x.distance(along_x) < 1e-6 && d > 0  ? 2 + d
                                   : x.distance(along_y) < 1e-6 && d == 2 ? 5
                                                                          : 7;
        return x[0] < 1e-9 || (which < 6 && which != left_out);
      });
      EXPECT_EQ(pieces.complaint().empty(), left_out == 6) << left_out;
    }
}

TEST(FloatingPiecesProblem, AreHeldByTies)
{
  Pieces tied(two_cubes, 2, 0);
  tied.hold(clamp_left);
  tied.tie(0.0001, [](unsigned int) { return true; });
  EXPECT_EQ(tied.complaint(), "");

  Pieces slides(two_cubes, 2, 0);
  slides.hold(clamp_left);
  slides.tie(0.0001, [](const unsigned int d) { return d == 0; });
  EXPECT_CONTAINS(
    slides.complaint(),
    "the piece of 8 cells around (1.5, 0.5, 0.5) can move along y, move along z, turn about "
    "an axis along x");

  Pieces both(two_cubes, 2, 0); // tied to one another, held by nothing
  both.tie(0.0001, [](unsigned int) { return true; });
  EXPECT_CONTAINS(both.complaint(), "can move and turn");

  Pieces held_together(two_cubes, 2, 0); // each holds what the other one lacks
  held_together.hold([](const Point &x, const unsigned int d) {
    return (x[0] < 1e-9 && d == 0) || (x[0] > 2. && x[1] < 1e-9 && d == 1) ||
           (x[0] < 1.00005 && x[2] < 1e-9 && d == 2);
  });
  held_together.tie(0.0001, [](unsigned int) { return true; });
  EXPECT_EQ(held_together.complaint(), "");
}

TEST(FloatingPiecesProblem, ThatShareAnEdgeTurnAboutIt)
{
  Pieces pieces(cubes_alone({{0., 0., 0.}, {1., 0., 1.}}, 2, 1));
  pieces.hold(clamp_left);
  EXPECT_CONTAINS(pieces.complaint(),
                  "the piece of 64 cells around (1.5, 0.5, 1.5) can turn about an axis along y");
  Pieces bridged(cubes_alone({{0., 0., 0.}, {1., 0., 1.}, {1., 0., 0.}}, 2, 1));
  bridged.hold(clamp_left);
  EXPECT_EQ(bridged.complaint(), "");
}

TEST(FloatingPiecesProblem, OfMeshesThatAreRefinedHereAndThere)
{
  for (const bool is_held : {false, true})
    {
      Pieces pieces(two_cubes);
      for (const auto &cell : pieces.triangulation->active_cell_iterators())
        if (cell->is_locally_owned() && cell->center()[1] < 0.25)
          cell->set_refine_flag();
      pieces.triangulation->execute_coarsening_and_refinement();
      pieces.distribute();
      pieces.hold(
        [&](const Point &x, unsigned int) { return x[0] < 1e-9 || (is_held && x[0] > 2.); });
      const std::string text = pieces.complaint();
      if (is_held)
        EXPECT_EQ(text, "");
      else
        EXPECT_CONTAINS(
          text, "the piece of 176 cells around (1.5, 0.5, 0.5) can move and turn in all six ways");
    }
}

// No rank has all coarse cells: some have cells of one piece alone.
TEST(FloatingPiecesProblem, OfFullyDistributedMeshes)
{
  for (const bool is_held : {false, true})
    {
      dealii::Triangulation<3> whole;
      make_cubes(whole, {{0., 0., 0.}, {1.0001, 0., 0.}, {2.0002, 0., 0.}}, 3);
      dealii::GridTools::partition_triangulation(
        dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD), whole);
      auto mesh =
        std::make_unique<dealii::parallel::fullydistributed::Triangulation<3>>(MPI_COMM_WORLD);
      mesh->create_triangulation(
        dealii::TriangulationDescription::Utilities::create_description_from_triangulation(
          whole, MPI_COMM_WORLD));
      Pieces pieces(std::move(mesh));
      pieces.hold([&](const Point &x, unsigned int) {
        return x[0] < 1e-9 || x[0] > 3. || (is_held && std::abs(x[0] - 2.0001) < 1e-6);
      });
      const std::string text = pieces.complaint("jacobi");
      if (is_held)
        EXPECT_EQ(text, "");
      else
        EXPECT_CONTAINS(text,
                        "has 3 pieces that share no faces, and the constraints do not hold all of "
                        "them:\n  the piece of 27 cells around (1.5, 0.5, 0.5) can move and turn");
    }
}

// Three elements that share nothing, an edge or a node, held and tied at random. They are refused
// if and only if the matrix is singular.
TEST(FloatingPieces, AreThoseOfTheNullSpace)
{
  std::mt19937 random(7);
  const auto below = [&](const unsigned int n) { return static_cast<unsigned int>(random() % n); };
  const std::vector<std::vector<Point>> meshes = {{{0., 0., 0.}, {1.5, 0., 0.}, {0., 1.7, 0.3}},
                                                  {{0., 0., 0.}, {1., 0., 1.}, {0., 2., 0.}},
                                                  {{0., 0., 0.}, {1., 1., 1.}, {2., 0., 1.}}};
  unsigned int n_free = 0, n_held = 0;
  for (unsigned int trial = 0; trial < 90; ++trial)
    {
      Pieces pieces(cubes_alone(meshes[trial % 3], 1, 0));
      const auto n                   = static_cast<unsigned int>(pieces.dof_handler.n_dofs());
      const unsigned int n_held_dofs = 3 + below(12), n_ties = below(8);
      for (unsigned int k = 0; k < n_held_dofs; ++k)
        if (const auto dof = below(n); !pieces.constraints.is_constrained(dof))
          pieces.constraints.add_line(dof);
      std::vector<bool> is_master(n, false);
      for (unsigned int k = 0; k < n_ties; ++k)
        {
          const auto dof = below(n);
          if (pieces.constraints.is_constrained(dof) || is_master[dof])
            continue;
          pieces.constraints.add_line(dof);
          for (unsigned int j = 0; j <= below(2); ++j)
            if (const auto master = below(n); !pieces.constraints.is_constrained(master))
              {
                pieces.constraints.add_entry(dof, master, 0.3 + 0.4 * (1 + below(3)));
                is_master[master] = true;
              }
        }
      pieces.constraints.close();
      Operator K;
      K.reinit(pieces.dof_handler, pieces.constraints, {{1., 0.3}, {"cpu", 1}});
      Eigen::MatrixXd A(n, n);
      dealii::Vector<double> x(n), y(n);
      for (unsigned int j = 0; j < n; ++j)
        {
          x    = 0.;
          x(j) = 1.;
          K.vmult(y, x);
          for (unsigned int i = 0; i < n; ++i)
            A(i, j) = y(i);
        }
      const double least =
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A).eigenvalues().minCoeff();
      const bool is_free     = least < 1e-10;
      const std::string text = message_of<Error>([&]() { K.preconditioner(); });
      EXPECT_EQ(!text.empty(), is_free) << trial << ", least eigenvalue " << least << ": " << text;
      (is_free ? n_free : n_held) += 1;
    }
  EXPECT_GT(n_free, 15u);
  EXPECT_GT(n_held, 15u);
}
} // namespace
} // namespace strut::test
