// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/function.h>
#include <deal.II/base/index_set.h>

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/fe/fe_system.h>

#include <deal.II/grid/tria.h>

#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/trilinos_sparse_matrix.h>
#include <deal.II/lac/trilinos_vector.h>

#include <strut/stiffness_operator.h>

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace strut::test
{
using TrilinosVector = dealii::TrilinosWrappers::MPI::Vector;

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
  /// than ranks). With the prefix "adapted ", some cells are refined twice.
  /// @param numbering  plain, Cuthill-McKee, component-wise, random
  SomeApplication(const std::string &mesh,
                  const std::string &numbering,
                  MPI_Comm communicator = MPI_COMM_WORLD,
                  Kind kind             = Kind::distributed);

  /// Assembles the matrices with stiffness factors, or with ones.
  void assemble(bool with_factors);

  /// Prescribes the displacements multiplied by `scale`, and constrains hanging nodes.
  void constrain(double scale);

  /// Sets the constraints with additional ones.
  void constrain(double scale,
                 const std::function<void(dealii::AffineConstraints<double> &)> &more);

  /// Constrains one free DoF in eleven to two others, which may be on other ranks. Every rank then
  /// knows all constraints.
  void constrain_to_others();

  /// The direct solution of the constrained system, distributed.
  TrilinosVector solution() const;

  /// Product (P C^T K C P + 1 - P) x, by A.
  TrilinosVector product(const TrilinosVector &x) const;

  static double factor(const dealii::Point<3> &x);

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
  std::unique_ptr<dealii::Triangulation<3>> triangulation;
  dealii::FESystem<3> fe;
  dealii::DoFHandler<3> dof_handler;
  dealii::IndexSet owned, relevant;
  dealii::AffineConstraints<double> constraints;
  Material material{200., 0.28};
  /// Lame's parameters as a function of the cell's centre, which replace material and factor.
  std::function<std::pair<double, double>(const dealii::Point<3> &)> lame;
  /// The tangent of Gauss point q as a function of the cell's centre, which replaces all of these.
  std::function<dealii::SymmetricTensor<4, 3>(const dealii::Point<3> &, unsigned int q)> tangent;

  dealii::TrilinosWrappers::SparseMatrix K; ///< without constraints
  dealii::TrilinosWrappers::SparseMatrix A; ///< assembled by distribute_local_to_global()
  TrilinosVector F;                         ///< forces, without constraints
  TrilinosVector b;                         ///< assembled by distribute_local_to_global()

private:
  void make_mesh(std::string mesh, dealii::Triangulation<3> &triangulation) const;
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
} // namespace strut::test
