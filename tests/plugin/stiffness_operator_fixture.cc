// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "tests/plugin/stiffness_operator_fixture.h"
#include "tests/fixtures/dense_reference.h"

#include "source/element/elements.h"

#include <deal.II/base/quadrature_lib.h>

#include <deal.II/distributed/fully_distributed_tria.h>
#include <deal.II/distributed/shared_tria.h>
#include <deal.II/distributed/tria.h>

#include <deal.II/dofs/dof_renumbering.h>
#include <deal.II/dofs/dof_tools.h>

#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_simplex_p.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/fe/mapping_fe.h>
#include <deal.II/fe/mapping_q.h>

#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_tools.h>
#include <deal.II/grid/manifold.h>
#include <deal.II/grid/tria_description.h>

#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/solver_control.h>
#include <deal.II/lac/sparsity_tools.h>
#include <deal.II/lac/trilinos_solver.h>

#include <deal.II/numerics/vector_tools_boundary.h>

#include <strut/backend/backend.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <vector>

namespace strut::test
{
namespace
{
using Distributed = dealii::parallel::distributed::Triangulation<3>;

using Kind = SomeApplication::Kind;

std::unique_ptr<dealii::Triangulation<3>> make_triangulation(MPI_Comm communicator, const Kind kind)
{
  constexpr auto none = dealii::Triangulation<3>::none;
  if (kind == Kind::fully_distributed || kind == Kind::fully_distributed_with_levels)
    return std::make_unique<dealii::parallel::fullydistributed::Triangulation<3>>(communicator);
  if (dealii::Utilities::MPI::n_mpi_processes(communicator) == 1)
    return std::make_unique<dealii::Triangulation<3>>();
  if (kind == Kind::shared)
    {
      using Shared = dealii::parallel::shared::Triangulation<3>;
      return std::make_unique<Shared>(communicator, none, false, Shared::partition_zorder);
    }
  return std::make_unique<Distributed>(communicator,
                                       none,
                                       kind == Kind::distributed
                                         ? Distributed::construct_multigrid_hierarchy
                                         : Distributed::default_setting);
}

/// Displacements of the boundary: a stretch with a twist.
class Displacement : public dealii::Function<3>
{
public:
  explicit Displacement(const double scale) : dealii::Function<3>(3), scale_(scale)
  {}

  double value(const dealii::Point<3> &x, const unsigned int component) const override
  {
    const double u[3] = {0.02 + 0.01 * x[1], -0.01 * x[2], 0.01 * x[1] * x[0]};
    return scale_ * u[component];
  }

private:
  double scale_;
};

bool is_simplex(const std::string &element)
{
  return element.rfind("FE_SimplexP", 0) == 0;
}
bool is_quadratic(const std::string &element)
{
  return element.find("(2)") != std::string::npos;
}

std::unique_ptr<dealii::FiniteElement<3>> make_base(const std::string &element)
{
  const unsigned int degree = is_quadratic(element) ? 2 : 1;
  if (is_simplex(element))
    return std::make_unique<dealii::FE_SimplexP<3>>(degree);
  return std::make_unique<dealii::FE_Q<3>>(degree);
}

std::unique_ptr<dealii::Mapping<3>> make_mapping(const std::string &element,
                                                 const unsigned int degree)
{
  if (is_simplex(element))
    return std::make_unique<dealii::MappingFE<3>>(dealii::FE_SimplexP<3>(degree));
  return std::make_unique<dealii::MappingQ<3>>(degree);
}

/// Points exact for stiffness and mass on straight lines. With curved ones the stiffness is that of
/// the points alone, so that they must be strut's.
dealii::Quadrature<3> make_quadrature(const std::string &element, const bool is_bent)
{
  if (!is_simplex(element))
    return dealii::QGauss<3>(is_quadratic(element) ? 3 : 2);
  if (!is_bent)
    return dealii::QWitherdenVincentSimplex<3>(3);
  std::vector<dealii::Point<3>> points;
  std::vector<double> weights;
  for (int q = 0; q < Tet10Curved::n_quadrature_points; ++q)
    {
      double x[3];
      weights.push_back(Tet10Curved::quadrature_point(q, x));
      points.emplace_back(x[0], x[1], x[2]);
    }
  return {points, weights};
}

/// Lines are bent between their ends, which are where they are without it.
class Bend : public dealii::Manifold<3, 3>
{
public:
  std::unique_ptr<dealii::Manifold<3, 3>> clone() const override
  {
    return std::make_unique<Bend>();
  }
  dealii::Point<3> get_new_point(const dealii::ArrayView<const dealii::Point<3>> &surrounding,
                                 const dealii::ArrayView<const double> &weights) const override
  {
    dealii::Point<3> mean;
    double most = 0.;
    for (unsigned int i = 0; i < weights.size(); ++i)
      {
        mean += weights[i] * surrounding[i];
        most = std::max(most, weights[i]);
      }
    if (most < 0.99)
      mean += dealii::Tensor<1, 3>({0.01 * std::sin(9. * mean[1]),
                                    0.01 * std::cos(7. * mean[2] + 1.),
                                    0.012 * std::sin(8. * mean[0] + 2. * mean[1])});
    return mean;
  }
};

constexpr dealii::types::boundary_id clamped = 7, sliding = 8;

/// Refines some cells, chosen by their places, so that they are the same on any number of ranks.
void refine_here_and_there(dealii::Triangulation<3> &tria)
{
  const bool all = // ranks that share a mesh refine it alike
    dynamic_cast<dealii::parallel::shared::Triangulation<3> *>(&tria) != nullptr;
  for (const auto &cell : tria.active_cell_iterators())
    if (all || cell->is_locally_owned())
      {
        const dealii::Point<3> x = cell->center();
        if (std::sin(40. * x[0] + 13. * x[1] - 29. * x[2]) > 0.75)
          cell->set_refine_flag();
      }
  tria.execute_coarsening_and_refinement();
}
} // namespace

SomeApplication::SomeApplication(const std::string &mesh,
                                 const std::string &numbering,
                                 MPI_Comm comm,
                                 const Kind asked,
                                 const std::string &element)
  : communicator(comm)
  , is_bent(mesh.rfind("bent ", 0) == 0)
  , triangulation(make_triangulation(comm, is_simplex(element) ? Kind::fully_distributed : asked))
  , fe(*make_base(element), 3)
  , mapping(make_mapping(element, is_bent ? 2 : 1))
  , quadrature(make_quadrature(element, is_bent))
  , dof_handler(*triangulation)
{
  const Kind kind            = is_simplex(element) ? Kind::fully_distributed : asked;
  const bool levels          = kind == Kind::fully_distributed_with_levels;
  const std::string straight = is_bent ? mesh.substr(std::string("bent ").size()) : mesh;
  if (kind == Kind::fully_distributed || levels)
    {
      namespace description = dealii::TriangulationDescription;
      constexpr auto limit  = dealii::Triangulation<3>::limit_level_difference_at_vertices;
      dealii::Triangulation<3> cells(limit), tetrahedra,
        &whole = is_simplex(element) ? tetrahedra : cells;
      make_mesh(straight, cells);
      if (is_simplex(element))
        {
          dealii::Triangulation<3> flat;
          dealii::GridGenerator::flatten_triangulation(cells, flat);
          dealii::GridGenerator::convert_hypercube_to_simplex_mesh(flat, tetrahedra);
          set_boundary_ids(tetrahedra);
        }
      if (is_bent)
        whole.set_all_manifold_ids(1);
      dealii::GridTools::partition_triangulation_zorder(
        dealii::Utilities::MPI::n_mpi_processes(comm), whole);
      if (levels)
        dealii::GridTools::partition_multigrid_levels(whole);
      triangulation->create_triangulation(
        description::Utilities::create_description_from_triangulation(
          whole,
          comm,
          levels ? description::Settings::construct_multigrid_hierarchy
                 : description::Settings::default_setting));
    }
  else
    make_mesh(straight, *triangulation);
  if (is_bent)
    {
      triangulation->set_all_manifold_ids(1);
      triangulation->set_manifold(1, Bend());
    }
  dof_handler.distribute_dofs(fe);
  const std::size_t place = numbering.rfind(" and others");
  renumber(numbering.substr(0, place));
  owned    = dof_handler.locally_owned_dofs();
  relevant = dealii::DoFTools::extract_locally_relevant_dofs(dof_handler);
  constrain(1.);
  if (place != std::string::npos)
    constrain_to_others();
}

void SomeApplication::make_mesh(std::string mesh, dealii::Triangulation<3> &tria) const
{
  const bool is_coarse = fe.reference_cell().is_simplex() || fe.degree > 1;
  const bool adapted   = mesh.rfind("adapted ", 0) == 0;
  if (adapted)
    mesh.erase(0, std::string("adapted ").size());
  if (mesh == "ball") // unstructured, curved
    {
      dealii::GridGenerator::hyper_ball(tria);
      tria.refine_global(adapted ? 1 : 2);
    }
  else if (mesh == "cube") // a cube of one cell
    {
      dealii::GridGenerator::hyper_cube(tria, -1., 1.);
      tria.refine_global(3);
    }
  else if (mesh == "shell")
    {
      dealii::GridGenerator::cylinder_shell(tria, 2., 0.5, 1., 5, 2);
      tria.refine_global(1);
    }
  else if (mesh == "few")
    {
      const unsigned int n_ranks = dealii::Utilities::MPI::n_mpi_processes(communicator);
      dealii::GridGenerator::subdivided_hyper_rectangle(tria,
                                                        {std::max(n_ranks, 2u) - 1, 1, 1},
                                                        dealii::Point<3>(-1., 0., 0.),
                                                        dealii::Point<3>(2., 2., 2.));
    }
  else
    {
      dealii::GridGenerator::subdivided_hyper_rectangle(tria,
                                                        {4, 3, 2},
                                                        dealii::Point<3>(-1., 0., 0.),
                                                        dealii::Point<3>(2., 2., 2.));
      tria.refine_global(adapted || is_coarse ? 0 : 1);
    }
  if (mesh != "box") // no two cells have one shape
    dealii::GridTools::transform(
      [](const dealii::Point<3> &x) {
        return x + dealii::Tensor<1, 3>({0.05 * std::sin(3. * x[1] + x[2]),
                                         0.04 * std::cos(2. * x[0] * x[2]),
                                         0.06 * std::sin(x[0] + 4. * x[1])});
      },
      tria);
  for (int k = 0; adapted && k < (is_coarse ? 1 : 2); ++k)
    refine_here_and_there(tria);

  set_boundary_ids(tria);
}

/// One end is moved, the other slides; the rest of the boundary is free.
void SomeApplication::set_boundary_ids(dealii::Triangulation<3> &tria)
{
  for (const auto &cell : tria.active_cell_iterators())
    if (!cell->is_artificial())
      for (const unsigned int f : cell->face_indices())
        if (cell->face(f)->at_boundary())
          {
            const double x = cell->face(f)->center()[0];
            cell->face(f)->set_boundary_id(x < -0.4 ? clamped : x > 0.5 ? sliding : 0);
          }
}

void SomeApplication::renumber(const std::string &numbering)
{
  if (numbering == "Cuthill-McKee")
    dealii::DoFRenumbering::Cuthill_McKee(dof_handler);
  else if (numbering == "component-wise")
    dealii::DoFRenumbering::component_wise(dof_handler);
  else if (numbering == "random") // within each rank
    {
      std::vector<dealii::types::global_dof_index> numbers;
      dof_handler.locally_owned_dofs().fill_index_vector(numbers);
      std::shuffle(numbers.begin(), numbers.end(), std::mt19937(5));
      dof_handler.renumber_dofs(numbers);
    }
}

void SomeApplication::constrain(
  const double scale, const std::function<void(dealii::AffineConstraints<double> &)> &more)
{
  constraints.reinit(relevant);
  dealii::DoFTools::make_hanging_node_constraints(dof_handler, constraints);
  dealii::VectorTools::interpolate_boundary_values(
    *mapping, dof_handler, clamped, Displacement(scale), constraints);
  dealii::VectorTools::interpolate_boundary_values(*mapping,
                                                   dof_handler,
                                                   sliding,
                                                   dealii::Functions::ZeroFunction<3>(3),
                                                   constraints,
                                                   dealii::ComponentMask({false, false, true}));
  more(constraints);
  constraints.close();
}

void SomeApplication::constrain_to_others()
{
  // All lines on all ranks, so that they can be closed.
  using Entries = std::vector<std::pair<dealii::types::global_dof_index, double>>;
  std::map<dealii::types::global_dof_index, std::pair<double, Entries>> own;
  for (const auto &line : constraints.get_lines())
    if (owned.is_element(line.index))
      own[line.index] = {line.inhomogeneity, Entries(line.entries.begin(), line.entries.end())};
  constraints.reinit(dealii::complete_index_set(dof_handler.n_dofs()));
  for (const auto &lines : dealii::Utilities::MPI::all_gather(communicator, own))
    for (const auto &[dof, line] : lines)
      {
        constraints.add_line(dof);
        constraints.add_entries(dof, line.second);
        constraints.set_inhomogeneity(dof, line.first);
      }
  const auto n            = dof_handler.n_dofs();
  const auto follows      = [&](const auto i) { return i % 11 == 3; };
  const auto is_untouched = [&](const auto i) {
    return !follows(i) && !constraints.is_constrained(i);
  };
  for (dealii::types::global_dof_index i = 0; i < n; ++i)
    if (follows(i) && !constraints.is_constrained(i))
      {
        constraints.add_line(i);
        for (const auto &[j, weight] :
             {std::make_pair((7 * i + 5) % n, 0.75), std::make_pair((n / 2 + i) % n, -0.5)})
          if (is_untouched(j))
            constraints.add_entry(i, j, weight);
        constraints.set_inhomogeneity(i, 0.001 * static_cast<double>(i % 7));
      }
  constraints.close();
}

double SomeApplication::factor(const dealii::Point<3> &x)
{
  return x[1] > 0.3 ? 0.05 : 1. + 0.5 * std::sin(5. * x[0]);
}

void SomeApplication::assemble(const bool with_factors)
{
  const dealii::AffineConstraints<double> none;
  const auto reinit = [&](const auto &held, dealii::TrilinosWrappers::SparseMatrix &matrix) {
    const dealii::IndexSet all = dealii::complete_index_set(dof_handler.n_dofs());
    dealii::DynamicSparsityPattern pattern(all);
    dealii::DoFTools::make_sparsity_pattern(dof_handler, pattern, held, true);
    dealii::SparsityTools::distribute_sparsity_pattern(pattern, owned, communicator, all);
    matrix.reinit(owned, owned, pattern, communicator);
  };
  reinit(none, K);
  reinit(constraints, A);
  M.reinit(K);
  B.reinit(A);
  F.reinit(owned, communicator);
  b.reinit(owned, communicator);

  dealii::FEValues<3> values(*mapping,
                             fe,
                             quadrature,
                             dealii::update_values | dealii::update_gradients |
                               dealii::update_quadrature_points | dealii::update_JxW_values);
  const dealii::FEValuesExtractors::Vector displacements(0);
  const unsigned int n = fe.n_dofs_per_cell();
  dealii::FullMatrix<double> stiffness(n, n), mass(n, n);
  dealii::Vector<double> forces(n);
  std::vector<dealii::types::global_dof_index> dofs(n);
  for (const auto &cell : dof_handler.active_cell_iterators())
    if (cell->is_locally_owned())
      {
        values.reinit(cell);
        stiffness               = 0.;
        mass                    = 0.;
        forces                  = 0.;
        const double E          = with_factors ? factor(cell->center()) : 1.;
        const auto [lambda, mu] = solid.lame
                                    ? solid.lame(cell->center())
                                    : std::make_pair(E * material.lambda(), E * material.mu());
        const bool has_mean     = material.formulation == Formulation::mean_dilatation;
        const double density =
          inertia.density_at ? inertia.density_at(cell->center()) : inertia.density;
        std::vector<double> change_of_volume(n, 0.); // int div N_i
        double volume = 0.;
        for (const unsigned int q : values.quadrature_point_indices())
          {
            const Tangent C       = solid.tangent ? solid.tangent(cell->center(), q)
                                                  : isotropic(has_mean ? 0. : lambda, mu);
            const double force[3] = {0.1, -1., 0.3}, size = 1. + values.quadrature_point(q)[0];
            volume += values.JxW(q);
            for (unsigned int i = 0; i < n; ++i)
              {
                const unsigned int component = fe.system_to_component_index(i).first;
                const auto stress            = C * values[displacements].symmetric_gradient(i, q);
                const double work            = values.shape_value(i, q) * values.JxW(q);
                change_of_volume[i] += values[displacements].divergence(i, q) * values.JxW(q);
                forces(i) += work * size * force[component];
                for (unsigned int j = 0; j < n; ++j)
                  {
                    stiffness(i, j) +=
                      stress * values[displacements].symmetric_gradient(j, q) * values.JxW(q);
                    if (component == fe.system_to_component_index(j).first)
                      mass(i, inertia.kind == MassKind::lumped ? i : j) +=
                        density * work * values.shape_value(j, q);
                  }
              }
          }
        if (has_mean)
          for (unsigned int i = 0; i < n; ++i)
            for (unsigned int j = 0; j < n; ++j)
              stiffness(i, j) += lambda / volume * change_of_volume[i] * change_of_volume[j];
        if (material.formulation == Formulation::incompatible_modes)
          {
            double X[3][8];
            for (unsigned int v = 0; v < 8; ++v)
              for (unsigned int d = 0; d < 3; ++d)
                X[d][v] = cell->vertex(v)[d];
            strut::test::ElementMatrix modes{};
            strut::test::subtract_reference_modes(
              X, {E * material.youngs_modulus, material.poisson_ratio}, modes);
            const auto place = [&](const unsigned int i) {
              const auto [component, vertex] = fe.system_to_component_index(i);
              return 3 * vertex + component;
            };
            for (unsigned int i = 0; i < n; ++i)
              for (unsigned int j = 0; j < n; ++j)
                stiffness(i, j) += modes[place(i)][place(j)];
          }
        cell->get_dof_indices(dofs);
        none.distribute_local_to_global(mass, dofs, M);
        constraints.distribute_local_to_global(mass, dofs, B);
        stiffness.add(inertia.shift, mass);
        none.distribute_local_to_global(stiffness, forces, dofs, K, F);
        constraints.distribute_local_to_global(stiffness, forces, dofs, A, b);
      }
  for (auto *const matrix : {&K, &A, &M, &B})
    matrix->compress(dealii::VectorOperation::add);
  for (auto *const vector : {&F, &b})
    vector->compress(dealii::VectorOperation::add);
}

TrilinosVector SomeApplication::solution() const
{
  dealii::SolverControl control;
  dealii::TrilinosWrappers::SolverDirect direct(control);
  TrilinosVector x(owned, communicator);
  direct.solve(A, x, b);
  constraints.distribute(x);
  return x;
}

TrilinosVector SomeApplication::free_part(const TrilinosVector &x) const
{
  TrilinosVector result(x);
  for (const auto i : owned)
    if (constraints.is_constrained(i))
      result(i) = 0.;
  result.compress(dealii::VectorOperation::insert);
  return result;
}

TrilinosVector SomeApplication::product(const dealii::TrilinosWrappers::SparseMatrix &matrix,
                                        const TrilinosVector &x,
                                        const double of_constrained) const
{
  TrilinosVector y(owned, communicator);
  matrix.vmult(y, free_part(x));
  for (const auto i : owned)
    if (constraints.is_constrained(i))
      y(i) = of_constrained * x(i);
  y.compress(dealii::VectorOperation::insert);
  return y;
}

TrilinosVector SomeApplication::random_vector(const unsigned int seed) const
{
  TrilinosVector x(owned, communicator);
  for (const auto i : owned)
    x(i) = std::sin(1. + seed + 12345.678 * static_cast<double>(i));
  x.compress(dealii::VectorOperation::insert);
  return x;
}

TrilinosVector SomeApplication::lifted_forces(const StiffnessOperator<double> &K) const
{
  TrilinosVector forces(F);
  K.lift(forces);
  return forces;
}

SolveReport SomeApplication::solve(StiffnessOperator<double> &K) const
{
  TrilinosVector u;
  K.initialize_dof_vector(u);
  return K.solve(u, F);
}

void SomeApplication::expect_product(const StiffnessOperator<double> &K,
                                     const double tolerance,
                                     const unsigned int seed) const
{
  const TrilinosVector x = random_vector(seed), expected = product(x);
  TrilinosVector sum(x);
  K.vmult_add(sum, x);
  sum -= x;
  EXPECT_LT(distance(multiply(K, x), expected), tolerance);
  EXPECT_LT(distance(sum, expected), tolerance);
}

void SomeApplication::expect_diagonal(const StiffnessOperator<double> &K,
                                      const double tolerance) const
{
  TrilinosVector expected(owned, communicator), found(expected);
  for (const auto i : owned)
    {
      expected(i) = constraints.is_constrained(i) ? 1. : A.diag_element(i);
      found(i)    = K.el(i, i);
    }
  expected.compress(dealii::VectorOperation::insert);
  found.compress(dealii::VectorOperation::insert);
  EXPECT_LT(distance(found, expected), tolerance);
}

SolveReport SomeApplication::expect_solution(StiffnessOperator<double> &K,
                                             const double tolerance) const
{
  TrilinosVector u;
  K.initialize_dof_vector(u);
  const SolveReport report = K.solve(u, F);
  EXPECT_TRUE(report.converged) << report.remark;
  EXPECT_LT(distance(u, solution()), tolerance) << report.preconditioner;
  EXPECT_LT(distance(product(A, u, 0.), lifted_forces(K)), tolerance) << report.preconditioner;
  for (const auto i : owned)
    if (constraints.is_constrained(i) && constraints.get_constraint_entries(i)->empty())
      {
        EXPECT_EQ(u(i), constraints.get_inhomogeneity(i));
      }
  return report;
}

std::string StiffnessOperatorTest::why_not(const std::string &backend)
{
  std::string reason;
  return backend == "cuda" && n_cuda_devices(&reason) == 0 ? "no GPU: " + reason : "";
}

void StiffnessProblem::start(const std::string &mesh,
                             const std::string &numbering,
                             const std::string &backend,
                             const std::string &element)
{
  if (const std::string reason = why_not(backend); !reason.empty())
    GTEST_SKIP() << reason;
  application = std::make_unique<SomeApplication>(
    mesh, numbering, MPI_COMM_WORLD, SomeApplication::Kind::distributed, element);
  options.backend   = backend;
  options.n_threads = 1;
  prepare();
}

TrilinosVector multiply(const StiffnessOperator<double> &K, const TrilinosVector &x)
{
  TrilinosVector y;
  K.initialize_dof_vector(y);
  K.vmult(y, x);
  return y;
}
} // namespace strut::test
