// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Multigrid with dependent degrees of freedom: periodic cells, no normal flux on curved faces,
// rigid diaphragms, mean values. Meshes have hanging nodes or none, on any number of ranks.
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

#include <strut/backend/backend.h>
#include <strut/stiffness_operator.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace strut::test
{
namespace
{
using DistributedVector = dealii::LinearAlgebra::distributed::Vector<double>;
using Triangulation     = dealii::parallel::distributed::Triangulation<3>;
using Constraints       = dealii::AffineConstraints<double>;

/// Forces that vary with the place.
class Force : public dealii::Function<3>
{
public:
  Force() : dealii::Function<3>(3)
  {}

  double value(const dealii::Point<3> &x, const unsigned int component) const override
  {
    return component == 0 ? x[1] - 0.3 : component == 1 ? x[0] * x[2] : 1. - x[0];
  }
};

StiffnessOptions on_cpu(const std::string &preconditioner, const double tolerance)
{
  StiffnessOptions options{"cpu", 1};
  options.preconditioner = preconditioner;
  options.tolerance      = tolerance;
  options.max_iterations = 20000;
  return options;
}

/// A body with a certain kind of ties.
class TiedBody
{
public:
  TiedBody(const std::string &kind, const bool adapted, MPI_Comm communicator)
    : communicator_(communicator)
    , triangulation_(communicator,
                     dealii::Triangulation<3>::limit_level_difference_at_vertices,
                     Triangulation::construct_multigrid_hierarchy)
    , dof_handler_(triangulation_)
  {
    make_mesh(kind);
    triangulation_.refine_global(2);
    if (adapted)
      refine_here_and_there();
    else
      triangulation_.refine_global(1);
    dof_handler_.distribute_dofs(dealii::FESystem<3>(dealii::FE_Q<3>(1), 3));
    relevant_ = dealii::DoFTools::extract_locally_relevant_dofs(dof_handler_);
    constraints_.reinit(relevant_);
    dealii::DoFTools::make_hanging_node_constraints(dof_handler_, constraints_);
    constrain(kind);
    constraints_.close();
    forces_.reinit(dof_handler_.locally_owned_dofs(), relevant_, communicator);
    dealii::VectorTools::create_right_hand_side(
      dof_handler_, dealii::QGauss<3>(2), Force(), forces_, Constraints());
  }

  struct Solved
  {
    unsigned int iterations = 0;
    DistributedVector u;
    double work = 0.; ///< work of the forces
    std::string preconditioner, description;
  };

  Solved solve(const std::string &preconditioner,
               const double tolerance,
               const std::string &backend   = "cpu",
               const std::string &precision = "double") const
  {
    StiffnessOptions options = on_cpu(preconditioner, tolerance);
    options.backend          = backend;
    options.precision        = precision;
    StiffnessOperator<double> K(dof_handler_, constraints_, Material{1., 0.3}, options);
    K.set_factors([](const auto &cell) { return cell->center()[0] < 0.5 ? 1. : 0.1; });
    Solved result;
    K.initialize_dof_vector(result.u);
    const DistributedVector f(forces_);
    const SolveReport report = K.solve(result.u, f);
    EXPECT_TRUE(report.converged) << report.remark;
    result.work           = forces_ * result.u;
    result.iterations     = report.iterations;
    result.preconditioner = report.preconditioner;
    result.description    = K.describe();
    return result;
  }

  /// Asymmetry |x . M y - y . M x| / (|x| |M y|) for oscillating vectors.
  double asymmetry() const
  {
    StiffnessOperator<double> K(dof_handler_,
                                constraints_,
                                Material{1., 0.3},
                                on_cpu("multigrid", 1e-8));
    DistributedVector x, y, Mx, My;
    for (DistributedVector *const v : {&x, &y, &Mx, &My})
      K.initialize_dof_vector(*v);
    for (const auto i : dof_handler_.locally_owned_dofs())
      {
        x(i) = std::sin(1. + 2. * i);
        y(i) = std::sin(2. + 3. * i);
      }
    const auto M = K.preconditioner();
    M.vmult(Mx, x);
    M.vmult(My, y);
    return std::abs(x * My - y * Mx) / (x.l2_norm() * My.l2_norm());
  }

private:
  void make_mesh(const std::string &kind)
  {
    if (kind == "shell")
      {
        dealii::GridGenerator::cylinder_shell(triangulation_, 1., 0.6, 1., 6, 1);
        for (const auto &cell : triangulation_.active_cell_iterators())
          for (const unsigned int f : cell->face_indices())
            if (const auto face = cell->face(f); face->at_boundary())
              face->set_boundary_id(std::abs(face->center()[2]) < 1e-6 ? 4 : 0);
        return;
      }
    dealii::GridGenerator::subdivided_hyper_rectangle(
      triangulation_, {2, 1, 1}, dealii::Point<3>(), dealii::Point<3>(2., 1., 1.), true);
    std::vector<dealii::GridTools::PeriodicFacePair<Triangulation::cell_iterator>> pairs;
    for (unsigned int d = 0; d < n_periodic(kind); ++d)
      dealii::GridTools::collect_periodic_faces(triangulation_, 2 * d, 2 * d + 1, d, pairs);
    triangulation_.add_periodicity(pairs);
  }

  static unsigned int n_periodic(const std::string &kind)
  {
    return kind == "periodic" ? 2 : kind == "cell" ? 3 : 0;
  }

  void refine_here_and_there()
  {
    for (const double radius : {0.6, 0.35})
      {
        for (const auto &cell : triangulation_.active_cell_iterators())
          if (cell->is_locally_owned() &&
              cell->center().distance(dealii::Point<3>(0.1, 0.9, 0.6)) < radius)
            cell->set_refine_flag();
        triangulation_.execute_coarsening_and_refinement();
      }
  }

  void fix(const dealii::types::boundary_id id)
  {
    dealii::VectorTools::interpolate_boundary_values(dof_handler_,
                                                     id,
                                                     dealii::Functions::ZeroFunction<3>(3),
                                                     constraints_);
  }

  void constrain(const std::string &kind)
  {
    for (unsigned int d = 0; d < n_periodic(kind); ++d)
      dealii::DoFTools::make_periodicity_constraints(
        dof_handler_, 2 * d, 2 * d + 1, d, constraints_);
    if (kind == "cell")
      return fix_a_node();
    if (kind == "mean")
      return hold_by_means();
    fix(4);
    if (kind == "shell")
      dealii::VectorTools::compute_no_normal_flux_constraints(dof_handler_, 0, {0}, constraints_);
    if (kind == "diaphragm")
      make_diaphragm(triangulation_.has_hanging_nodes() ? 0.25 : 0.125);
  }

  /// Constrains the middle node of the cell, which is on no periodic face.
  void fix_a_node()
  {
    for (const auto &cell : dof_handler_.active_cell_iterators())
      if (!cell->is_artificial())
        for (const unsigned int v : cell->vertex_indices())
          if (cell->vertex(v).distance(dealii::Point<3>(1., 0.5, 0.5)) < 1e-8)
            for (unsigned int d = 0; d < 3; ++d)
              if (const auto dof = cell->vertex_dof_index(v, d);
                  constraints_.can_store_line(dof) && !constraints_.is_constrained(dof))
                constraints_.add_line(dof);
  }

  /// Makes the top stay plane and level; its master is a node that coarser meshes do not have.
  /// @param h  size of the top's cells
  void make_diaphragm(const double h)
  {
    using Dof = dealii::types::global_dof_index;
    std::vector<Dof> own;
    Dof master = dealii::numbers::invalid_dof_index;
    for (const auto &cell : dof_handler_.active_cell_iterators())
      if (cell->is_locally_owned())
        for (const unsigned int v : cell->vertex_indices())
          if (cell->vertex(v)[2] > 1. - 1e-8)
            {
              const Dof dof = cell->vertex_dof_index(v, 2);
              own.push_back(dof);
              if (cell->vertex(v).distance(dealii::Point<3>(1. + h, h, 1.)) < 1e-8)
                master = dof;
            }
    master = dealii::Utilities::MPI::min(master, communicator_);
    std::vector<Dof> all;
    for (const auto &some : dealii::Utilities::MPI::all_gather(communicator_, own))
      all.insert(all.end(), some.begin(), some.end());
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    for (const Dof dof : all)
      if (dof != master && constraints_.can_store_line(dof) && !constraints_.is_constrained(dof))
        {
          constraints_.add_line(dof);
          constraints_.add_entry(dof, master, 1.);
        }
  }

  /// One end slides along y and z, and the bottom along x and y. The only other constraint along y
  /// is that the mean of all displacements is zero. The mean of those along z is zero on the top,
  /// which is otherwise held only by the bottom.
  void hold_by_means()
  {
    for (const auto &[id, component] : {std::make_pair(0u, 0u), std::make_pair(4u, 2u)})
      {
        dealii::ComponentMask along(3, false);
        along.set(component, true);
        dealii::VectorTools::interpolate_boundary_values(
          dof_handler_, id, dealii::Functions::ZeroFunction<3>(3), constraints_, along);
      }
    add_mean_value(1, -1e8);
    add_mean_value(2, 1. - 1e-8);
  }

  /// Constrains the mean of the free displacements of nodes above z to zero.
  void add_mean_value(const unsigned int component, const double z)
  {
    std::map<dealii::types::global_dof_index, double> own, all; // the weight depends on the place
    for (const auto &cell : dof_handler_.active_cell_iterators())
      if (cell->is_locally_owned())
        for (const unsigned int v : cell->vertex_indices())
          if (const auto dof = cell->vertex_dof_index(v, component);
              cell->vertex(v)[2] > z && dof_handler_.locally_owned_dofs().is_element(dof) &&
              !constraints_.is_constrained(dof))
            own[dof] = 1. + 0.2 * std::sin(3. * cell->vertex(v)[0] + 2. * cell->vertex(v)[1]);
    for (const auto &some : dealii::Utilities::MPI::all_gather(communicator_, own))
      all.insert(some.begin(), some.end());
    const auto [first, of_first] =
      *std::next(all.begin(), static_cast<std::ptrdiff_t>(all.size() / 2));
    if (!constraints_.can_store_line(first))
      return;
    constraints_.add_line(first);
    for (const auto &[dof, weight] : all)
      if (dof != first)
        constraints_.add_entry(first, dof, -weight / of_first);
  }

  MPI_Comm communicator_;
  Triangulation triangulation_;
  dealii::DoFHandler<3> dof_handler_;
  dealii::IndexSet relevant_;
  Constraints constraints_;
  DistributedVector forces_;
};

class TiedMultigridProblem : public testing::TestWithParam<std::tuple<const char *, bool>>
{};

double distance(const DistributedVector &x, const DistributedVector &reference)
{
  DistributedVector difference(reference);
  difference -= x;
  return difference.linfty_norm() / reference.linfty_norm();
}

TEST_P(TiedMultigridProblem, SolvesAsJacobiInFewIterations)
{
  const auto [kind, adapted] = GetParam();
  const TiedBody body(kind, adapted, MPI_COMM_WORLD), alone(kind, adapted, MPI_COMM_SELF),
    clamped("clamped", adapted, MPI_COMM_SELF);
  // Rows of a thousand masters make K so ill-conditioned that rounding ends solves at 1e-10.
  // Jacobi's 3,000 iterations take minutes on ranks that share cores. So the work of the forces is
  // compared with that of a solve on one rank.
  const bool is_mean   = kind == std::string("mean");
  const double least   = is_mean ? 1e-9 : 1e-12;
  const auto reference = (is_mean ? alone : body).solve("jacobi", least),
             few = body.solve("multigrid", 1e-8), many = body.solve("multigrid", least),
             mixed          = body.solve("multigrid", 1e-8, "cpu", "mixed");
  const unsigned int of_one = alone.solve("multigrid", 1e-8).iterations;
  const unsigned int plain  = clamped.solve("multigrid", 1e-8).iterations;
  RecordProperty("iterations",
                 std::to_string(few.iterations) + " " + std::to_string(of_one) + " " +
                   std::to_string(plain) + " jacobi " + std::to_string(reference.iterations));
  const auto expect_near = [&](const auto &solved, const double tolerance) {
    if (is_mean)
      EXPECT_NEAR(solved.work, reference.work, tolerance * reference.work);
    else
      EXPECT_LT(distance(solved.u, reference.u), tolerance);
  };
  EXPECT_EQ(few.preconditioner, "multigrid") << few.description;
  expect_near(many, 1e-8);
  expect_near(mixed, 1e-5);
  EXPECT_LE(few.iterations, of_one + 1);
  EXPECT_LE(few.iterations, 2 * plain);
  EXPECT_LE(mixed.iterations, few.iterations + 1);
  EXPECT_LT(body.asymmetry(), 1e-12);
  if (n_cuda_devices() == 0)
    return;
  const auto on_gpu = body.solve("multigrid", least, "cuda");
  expect_near(on_gpu, 1e-8);
  EXPECT_LE(on_gpu.iterations, many.iterations + 1);
}

/// Expects that multigrid solves in few iterations, to what Jacobi finds. Describes the operator.
std::string expect_the_solution_of_jacobi(const dealii::DoFHandler<3> &dofs,
                                          const Constraints &constraints,
                                          const StiffnessOptions &few,
                                          const StiffnessOptions &of_jacobi,
                                          const double tolerance)
{
  dealii::Vector<double> u(dofs.n_dofs()), reference(u), force(u);
  for (std::size_t i = 0; i < force.size(); ++i)
    force(i) = std::sin(static_cast<double>(i));
  const Material material{1., 0.3};
  StiffnessOperator<double> K(dofs, constraints, material, few);
  EXPECT_LE(K.solve(u, force).iterations, 20u);
  StiffnessOperator<double>(dofs, constraints, material, of_jacobi).solve(reference, force);
  u -= reference;
  EXPECT_LT(u.linfty_norm(), tolerance * reference.linfty_norm());
  return K.describe();
}

/// A mean value holds a mesh without coarser ones, so that levels are background cells.
TEST(TiedProblem, AMeanValueOnAFlatMesh)
{
  dealii::Triangulation<3> triangulation;
  dealii::GridGenerator::subdivided_hyper_rectangle(
    triangulation, {24, 12, 12}, dealii::Point<3>(), dealii::Point<3>(2., 1., 1.), true);
  dealii::GridTools::distort_random(0.2, triangulation);
  dealii::DoFHandler<3> dofs(triangulation);
  dofs.distribute_dofs(dealii::FESystem<3>(dealii::FE_Q<3>(1), 3));
  Constraints constraints;
  for (unsigned int d = 0; d < 2; ++d)
    {
      dealii::ComponentMask along(3, false);
      along.set(d, true);
      dealii::VectorTools::interpolate_boundary_values(
        dofs, 2 * d, dealii::Functions::ZeroFunction<3>(3), constraints, along);
    }
  const auto along_z =
    dealii::DoFTools::extract_dofs(dofs, dealii::ComponentMask({false, false, true}));
  const auto first = *along_z.begin();
  constraints.add_line(first);
  for (const auto dof : along_z)
    if (dof != first)
      constraints.add_entry(first, dof, -1.);
  constraints.close();
  const std::string description = expect_the_solution_of_jacobi(
    dofs, constraints, on_cpu("auto", 1e-9), on_cpu("jacobi", 1e-9), 1e-6);
  EXPECT_NE(description.find("background"), std::string::npos) << description;
}

/// A few DoFs follow the one in their middle, which coarser meshes lack. All its parents are among
/// them.
TEST(TiedProblem, SmallRigidFacesHaveALeader)
{
  dealii::Triangulation<3> triangulation;
  dealii::GridGenerator::subdivided_hyper_rectangle(
    triangulation, {8, 1, 1}, dealii::Point<3>(), dealii::Point<3>(8., 1., 1.), true);
  triangulation.refine_global(1);
  dealii::DoFHandler<3> dofs(triangulation);
  dofs.distribute_dofs(dealii::FESystem<3>(dealii::FE_Q<3>(1), 3));
  Constraints constraints;
  dealii::VectorTools::interpolate_boundary_values(dofs,
                                                   0,
                                                   dealii::Functions::ZeroFunction<3>(3),
                                                   constraints);
  std::vector<dealii::types::global_dof_index> of_face;
  dealii::types::global_dof_index middle = 0;
  for (const auto &cell : dofs.active_cell_iterators())
    for (const unsigned int v : cell->vertex_indices())
      if (const dealii::Point<3> &x = cell->vertex(v); x[0] > 8. - 1e-8)
        (x.distance(dealii::Point<3>(8., 0.5, 0.5)) < 1e-8 ? middle : of_face.emplace_back()) =
          cell->vertex_dof_index(v, 0);
  for (const auto dof : of_face)
    if (!constraints.is_constrained(dof))
      {
        constraints.add_line(dof);
        constraints.add_entry(dof, middle, 1.);
      }
  constraints.close();
  expect_the_solution_of_jacobi(
    dofs, constraints, on_cpu("multigrid", 1e-10), on_cpu("jacobi", 1e-12), 1e-8);
}

INSTANTIATE_TEST_SUITE_P(
  Bodies,
  TiedMultigridProblem,
  testing::Combine(testing::Values("periodic", "cell", "shell", "diaphragm", "mean"),
                   testing::Bool()),
  [](const auto &info) {
    return std::string(std::get<0>(info.param)) + (std::get<1>(info.param) ? "_adapted" : "");
  });
} // namespace
} // namespace strut::test
