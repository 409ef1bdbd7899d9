// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Locally refined meshes on any number of ranks: multigrid takes as many iterations as on one rank,
// and the solution is the same.
#include "tests/fixtures/interpolation_lists.h"

#include <deal.II/base/function.h>

#include <deal.II/distributed/tria.h>

#include <deal.II/dofs/dof_handler.h>
#include <deal.II/dofs/dof_tools.h>

#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_system.h>

#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_tools.h>

#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/la_parallel_vector.h>

#include <deal.II/numerics/vector_tools.h>

#include <strut/stiffness_operator.h>

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

#include "plugin/element_mesh/adapted_hierarchy.h"
#include "plugin/element_mesh/element_mesh_builder.h"

namespace strut::test
{
namespace
{
using Vector        = dealii::LinearAlgebra::distributed::Vector<double>;
using Triangulation = dealii::parallel::distributed::Triangulation<3>;

/// A beam of cubes that shrink towards a random place, one for each seed, and that may be bent
/// afterwards.
class AdaptedBeam
{
public:
  AdaptedBeam(MPI_Comm communicator, const unsigned int seed, const bool bent)
    : triangulation_(communicator, Triangulation::limit_level_difference_at_vertices)
    , dof_handler_(triangulation_)
  {
    dealii::GridGenerator::subdivided_hyper_rectangle(
      triangulation_, {4, 2, 2}, dealii::Point<3>(), dealii::Point<3>(2., 1., 1.), true);
    triangulation_.refine_global(1);
    const dealii::Point<3> centre(0.4 + 0.3 * seed, 0.2 * seed, 0.9 - 0.3 * seed);
    for (const double radius : {0.6, 0.4, 0.25})
      {
        for (const auto &cell : triangulation_.active_cell_iterators())
          if (cell->is_locally_owned() && cell->center().distance(centre) < radius)
            cell->set_refine_flag();
        triangulation_.execute_coarsening_and_refinement();
      }
    if (bent)
      dealii::GridTools::transform(
        [](const dealii::Point<3> &p) {
          return dealii::Point<3>((1.5 + p[2]) * std::sin(p[0]),
                                  p[1],
                                  (1.5 + p[2]) * std::cos(p[0]));
        },
        triangulation_);
    dof_handler_.distribute_dofs(dealii::FESystem<3>(dealii::FE_Q<3>(1), 3));
    const dealii::IndexSet relevant = dealii::DoFTools::extract_locally_relevant_dofs(dof_handler_);
    constraints_.reinit(relevant);
    dealii::DoFTools::make_hanging_node_constraints(dof_handler_, constraints_);
    dealii::VectorTools::interpolate_boundary_values(dof_handler_,
                                                     0,
                                                     dealii::Functions::ZeroFunction<3>(3),
                                                     constraints_);
    constraints_.close();
    forces_.reinit(dof_handler_.locally_owned_dofs(), relevant, communicator);
    dealii::VectorTools::create_right_hand_side(dof_handler_,
                                                dealii::QGauss<3>(2),
                                                dealii::Functions::ConstantFunction<3>(
                                                  std::vector<double>{0., 1., -1.}),
                                                forces_,
                                                constraints_);
  }

  struct Solved
  {
    unsigned int iterations = 0;
    double work             = 0;
    std::string preconditioner;
  };

  Solved solve(const std::string &precision) const
  {
    StiffnessOptions options;
    options.backend        = "cpu";
    options.preconditioner = "multigrid";
    options.precision      = precision;
    options.tolerance      = 1e-10;
    StiffnessOperator<double> K(dof_handler_, constraints_, Material{1., 0.3}, options);
    K.set_factors([](const auto &cell) { return cell->center()[1] < 0.5 ? 1. : 1e-3; });
    Vector u, f(forces_);
    K.initialize_dof_vector(u);
    const SolveReport report = K.solve(u, f);
    EXPECT_TRUE(report.converged);
    return {report.iterations, u * forces_, report.preconditioner};
  }

  /// Builds the mesh and its coarser meshes.
  std::pair<ElementMesh, MeshHierarchy> levels(const Communicator &communicator) const
  {
    ElementMesh mesh = build_element_mesh(dof_handler_, communicator.mpi());
    std::string obstacle;
    MeshHierarchy coarser =
      build_distributed_adapted_hierarchy(dof_handler_, mesh, communicator, obstacle);
    EXPECT_EQ(obstacle, "");
    return {std::move(mesh), std::move(coarser)};
  }

  const Triangulation &triangulation() const
  {
    return triangulation_;
  }

private:
  Triangulation triangulation_;
  dealii::DoFHandler<3> dof_handler_;
  dealii::AffineConstraints<double> constraints_;
  Vector forces_;
};

TEST(AdaptedMeshesProblem, ListsAreThoseOfTheTransfers)
{
  for (unsigned int seed = 0; seed < 3; ++seed)
    {
      const auto [mesh, coarser] =
        AdaptedBeam(MPI_COMM_WORLD, seed, false).levels(Communicator(MPI_COMM_WORLD));
      ASSERT_GE(coarser.size(), 3u);
      for (std::size_t l = 0; l < coarser.size(); ++l)
        strut::test::expect_lists(l == 0 ? mesh : coarser[l - 1].mesh, coarser[l].transfer);
    }
}

// Tests with "Problem" in their name also run on two and three ranks. There one mesh of each kind
// must suffice, as more take too long.
TEST(AdaptedMeshesProblem, IsSolvedAlikeOnAnyNumberOfRanks)
{
  const unsigned int n_ranks = dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD);
  for (const bool bent : {false, true})
    for (unsigned int seed = 0; seed < (n_ranks == 1 ? 3u : 1u); ++seed)
      {
        const AdaptedBeam alone(MPI_COMM_SELF, seed, bent), together(MPI_COMM_WORLD, seed, bent);
        ASSERT_EQ(alone.triangulation().n_global_levels(), 5u);
        ASSERT_EQ(alone.triangulation().n_global_active_cells(),
                  together.triangulation().n_global_active_cells());
        for (const char *const precision : {"double", "mixed"})
          {
            const auto one = alone.solve(precision), all = together.solve(precision);
            EXPECT_EQ(all.preconditioner, "multigrid");
            EXPECT_LE(all.iterations, one.iterations + 1) << seed << ' ' << bent;
            EXPECT_LE(one.iterations, bent ? 35u : 15u);
            EXPECT_NEAR(all.work, one.work, 1e-8 * std::abs(one.work));
            RecordProperty(std::string(precision) + std::to_string(seed) + (bent ? "bent" : ""),
                           std::to_string(one.iterations) + " " + std::to_string(all.iterations));
          }
      }
}
} // namespace
} // namespace strut::test
