// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/function.h>
#include <deal.II/base/index_set.h>
#include <deal.II/base/quadrature.h>
#include <deal.II/base/symmetric_tensor.h>

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/mapping.h>

#include <deal.II/grid/tria.h>

#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/trilinos_sparse_matrix.h>
#include <deal.II/lac/trilinos_vector.h>

#include <strut/stiffness_operator.h>

#include <gtest/gtest.h>

#include <cctype>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <utility>

namespace strut::test
{
using TrilinosVector = dealii::TrilinosWrappers::MPI::Vector;
using Tangent        = dealii::SymmetricTensor<4, 3>;

/// The constituents of a body by the centre of a cell. They are the material of the application and
/// its factors, unless Lame's parameters are given, or a tangent of each Gauss point q.
struct Solid
{
  using Lame    = std::function<std::pair<double, double>(const dealii::Point<3> &)>;
  using Tangent = std::function<test::Tangent(const dealii::Point<3> &, unsigned int q)>;

  Lame lame       = nullptr;
  Tangent tangent = nullptr;
};

inline Tangent isotropic(const double lambda, const double mu)
{
  return lambda * dealii::outer_product(dealii::unit_symmetric_tensor<3>(),
                                        dealii::unit_symmetric_tensor<3>()) +
         2. * mu * dealii::identity_tensor<3>();
}

/// The mass of a body.
struct Inertia
{
  double density = 1.;
  MassKind kind  = MassKind::lumped;
  /// The density as a function of the centre of a cell, which replaces the other one.
  std::function<double(const dealii::Point<3> &)> density_at = nullptr;
  double shift = 0.; ///< the share of the mass matrix in K and A
};

/// A user's program as in deal.II's tutorials: a mesh, a numbering of its DoFs, prescribed
/// displacements on parts of the boundary, and assembled matrices.
class SomeApplication
{
public:
  /// Triangulations on several ranks. On one rank the triangulation is serial or fully distributed.
  enum class Kind
  {
    distributed, ///< distributed by p4est, with construct_multigrid_hierarchy
    without_level_owners,
    shared, ///< every rank has all cells
    fully_distributed,
    fully_distributed_with_levels
  };

  /// @param mesh  box, distorted (box), cube, ball, shell (of a cylinder), or few (cells, one less
  /// than ranks). With the prefix "adapted ", some cells are refined twice, or once with other
  /// elements than FE_Q(1). With "bent ", the mapping of degree 2 has curved lines.
  /// @param numbering  plain, Cuthill-McKee, component-wise, random. With the suffix " and others",
  /// some DoFs depend on others, see constrain_to_others().
  /// @param element  FE_Q(1), FE_Q(2), FE_SimplexP(1), FE_SimplexP(2). Each cell becomes 24
  /// tetrahedra; on several ranks their triangulation is fully distributed.
  SomeApplication(const std::string &mesh,
                  const std::string &numbering,
                  MPI_Comm communicator      = MPI_COMM_WORLD,
                  Kind kind                  = Kind::distributed,
                  const std::string &element = "FE_Q(1)");

  /// Assembles the matrices with stiffness factors, or with ones.
  void assemble(bool with_factors);

  /// Prescribes the displacements multiplied by `scale`, and constrains hanging nodes.
  /// @param more  adds other constraints
  void constrain(
    double scale,
    const std::function<void(dealii::AffineConstraints<double> &)> &more = [](auto &) {});

  /// Constrains one free DoF in eleven to two others, which may be on other ranks. Every rank then
  /// knows all constraints.
  void constrain_to_others();

  /// The direct solution of the constrained system, distributed.
  TrilinosVector solution() const;

  /// The vector with zeros on constrained DoFs.
  TrilinosVector free_part(const TrilinosVector &x) const;

  /// Product of an assembled matrix on the free DoFs; on constrained ones x times `of_constrained`.
  TrilinosVector product(const dealii::TrilinosWrappers::SparseMatrix &matrix,
                         const TrilinosVector &x,
                         double of_constrained) const;

  /// Product (P C^T K C P + 1 - P) x, by A.
  TrilinosVector product(const TrilinosVector &x) const
  {
    return product(A, x, 1.);
  }

  /// An operator without factors and without a shift.
  template <typename Number = double>
  StiffnessOperator<Number> make_operator(const StiffnessOptions &options) const
  {
    StiffnessOperator<Number> K;
    const typename StiffnessOperator<Number>::AdditionalData data = {
      material, options, 1, inertia.density, inertia.kind};
    if (is_bent)
      K.reinit(*mapping, dof_handler, constraints, data);
    else
      K.reinit(dof_handler, constraints, data);
    if (inertia.density_at)
      K.set_density([&](const auto &cell) { return inertia.density_at(cell->center()); });
    return K;
  }

  static double factor(const dealii::Point<3> &x);

  /// Gives an operator the factors that assemble() takes, times `scale`.
  template <typename Number>
  static void set_factors(StiffnessOperator<Number> &K, const double scale = 1.)
  {
    K.set_factors([&](const auto &cell) { return scale * factor(cell->center()); });
  }

  /// Gives an operator the solid that assemble() takes.
  template <typename Number>
  void set_solid(StiffnessOperator<Number> &K) const
  {
    if (solid.tangent)
      K.set_tangents(
        [&](const auto &cell, const unsigned int q) { return solid.tangent(cell->center(), q); });
    else if (solid.lame)
      K.set_lame([&](const auto &cell) { return solid.lame(cell->center()); });
    else
      set_factors(K);
  }

  /// The application's forces after lift().
  TrilinosVector lifted_forces(const StiffnessOperator<double> &K) const;

  /// Report of a solve with the application's forces, from zero.
  SolveReport solve(StiffnessOperator<double> &K) const;

  /// Expects the product with A, for a random vector, by vmult() and vmult_add().
  void
  expect_product(const StiffnessOperator<double> &K, double tolerance, unsigned int seed = 2) const;

  /// Expects the diagonal of A, and ones on constrained DoFs.
  void expect_diagonal(const StiffnessOperator<double> &K, double tolerance) const;

  /// Expects that solve() finds the direct solution, one of the assembled system, and the very
  /// values that are prescribed.
  SolveReport expect_solution(StiffnessOperator<double> &K, double tolerance) const;

  /// Random entries between -1 and 1, which depend on the global DoF only.
  TrilinosVector random_vector(unsigned int seed) const;

  template <class Vector>
  static void copy(const TrilinosVector &from, Vector &to)
  {
    for (const auto i : from.locally_owned_elements())
      to(i) = static_cast<typename Vector::value_type>(from(i));
  }

  /// Error max |x - reference| / max |reference| over all ranks.
  template <class Vector>
  static double distance(const Vector &x, const TrilinosVector &reference)
  {
    TrilinosVector difference(reference);
    for (const auto i : reference.locally_owned_elements())
      difference(i) = static_cast<double>(x(i)) - reference(i);
    difference.compress(dealii::VectorOperation::insert);
    return difference.linfty_norm() / reference.linfty_norm();
  }

  bool owns_ranges() const ///< whether the owned DoFs of every rank are a contiguous range
  {
    return dealii::Utilities::MPI::min(owned.is_contiguous() ? 1 : 0, communicator) == 1;
  }

  const MPI_Comm communicator;
  const bool is_bent;
  std::unique_ptr<dealii::Triangulation<3>> triangulation;
  dealii::FESystem<3> fe;
  std::unique_ptr<dealii::Mapping<3>> mapping;
  dealii::Quadrature<3> quadrature;
  dealii::DoFHandler<3> dof_handler;
  dealii::IndexSet owned, relevant;
  dealii::AffineConstraints<double> constraints;
  Material material{200., 0.28};
  Solid solid;
  Inertia inertia;

  dealii::TrilinosWrappers::SparseMatrix K, M; ///< stiffness and mass, without constraints
  /// Assembled by distribute_local_to_global(): A of K, and B of M.
  dealii::TrilinosWrappers::SparseMatrix A, B;
  TrilinosVector F; ///< forces, without constraints
  TrilinosVector b; ///< assembled by distribute_local_to_global()

private:
  void make_mesh(std::string mesh, dealii::Triangulation<3> &triangulation) const;
  static void set_boundary_ids(dealii::Triangulation<3> &triangulation);
  void renumber(const std::string &numbering);
};

/// Options for a backend; tests are skipped if it is not available.
class StiffnessOperatorTest : public testing::Test
{
protected:
  static StiffnessOptions on(const std::string &backend)
  {
    StiffnessOptions options;
    options.backend   = backend;
    options.n_threads = 1;
    return options;
  }

  /// Reason why the backend cannot be used; empty if it can.
  static std::string why_not(const std::string &backend);
};

/// The product of an operator with x.
TrilinosVector multiply(const StiffnessOperator<double> &K, const TrilinosVector &x);

/// An application, and options for a backend.
class StiffnessProblem : public StiffnessOperatorTest
{
protected:
  /// Makes the application and the options, and calls prepare(). Skips the test if the backend is
  /// not available.
  void start(const std::string &mesh,
             const std::string &numbering,
             const std::string &backend,
             const std::string &element = "FE_Q(1)");

  /// Completes the problem of a group of tests, at the end of start().
  virtual void prepare()
  {}

  /// An operator without factors.
  template <typename Number = double>
  std::unique_ptr<StiffnessOperator<Number>> make_plain_operator() const
  {
    return std::make_unique<StiffnessOperator<Number>>(application->make_operator<Number>(options));
  }

  /// An operator with the solid of the application.
  template <typename Number = double>
  std::unique_ptr<StiffnessOperator<Number>> make_operator() const
  {
    auto K = make_plain_operator<Number>();
    application->set_solid(*K);
    return K;
  }

  /// Largest distance of two products with equal numbers: zero, but a GPU adds in any order.
  double rounding_of_sums() const
  {
    return options.backend == "cuda" ? 1e-14 : 0.;
  }

  /// Assembles the matrices of a solid, with factors.
  void assemble(const Solid &solid) const
  {
    application->solid = solid;
    application->assemble(true);
  }

  std::unique_ptr<SomeApplication> application;
  StiffnessOptions options;
};

/// Parameters: a mesh, a backend.
class StiffnessMeshProblem
  : public StiffnessProblem,
    public testing::WithParamInterface<std::tuple<const char *, const char *>>
{
protected:
  void SetUp() override
  {
    const auto [mesh, backend] = GetParam();
    start(mesh, numbering(), backend);
  }

  virtual const char *numbering() const
  {
    return "plain";
  }
};

/// Parameters: a mesh, a numbering, a backend.
class StiffnessNumberingProblem
  : public StiffnessProblem,
    public testing::WithParamInterface<std::tuple<const char *, const char *, const char *>>
{
protected:
  void SetUp() override
  {
    const auto [mesh, numbering, backend] = GetParam();
    start(mesh, numbering, backend);
  }
};

/// A body of unstructured cells with a preconditioner. Parameters: a backend, a name of a
/// preconditioner, a precision.
class StiffnessPreconditionedProblem
  : public StiffnessProblem,
    public testing::WithParamInterface<std::tuple<const char *, const char *, const char *>>
{
protected:
  void start_with(const std::string &mesh)
  {
    const auto [backend, preconditioner, precision] = GetParam();
    options.preconditioner                          = preconditioner;
    options.precision                               = precision;
    start(mesh, "Cuthill-McKee", backend);
  }

  bool is_mixed() const
  {
    return options.precision == "mixed";
  }

  /// Makes K, with the factors of the application.
  void reinit()
  {
    K.reinit(application->dof_handler, application->constraints, {application->material, options});
    SomeApplication::set_factors(K);
  }

  StiffnessOperator<double> K;
};

/// The parameters of StiffnessPreconditionedProblem.
inline auto all_preconditioners()
{
  return testing::Values(std::make_tuple("cpu", "jacobi", "auto"),
                         std::make_tuple("cpu", "multigrid", "auto"),
                         std::make_tuple("cpu", "multigrid", "mixed"),
                         std::make_tuple("cuda", "jacobi", "auto"),
                         std::make_tuple("cuda", "multigrid", "auto"),
                         std::make_tuple("cuda", "multigrid", "mixed"));
}

/// Name of a parameterised test: its parameters, which are strings, joined by underscores.
inline constexpr auto name_of_parameters = [](const auto &info) {
  std::string name;
  const auto append = [&](const std::string &value) { name += (name.empty() ? "" : "_") + value; };
  std::apply([&](const auto &...values) { (append(values), ...); }, info.param);
  for (char &c : name)
    c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
};
} // namespace strut::test
