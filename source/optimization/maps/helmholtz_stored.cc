// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/backend/filter_operations.h"
#include "source/optimization/maps/helmholtz_filter.h"
#include "source/optimization/maps/helmholtz_matrices.h"
#include "source/solvers/host_threads.h"
#include "source/solvers/krylov/conjugate_gradient.h"
#include "source/solvers/krylov/jacobi.h"
#include <strut/parallel/halo_exchange.h>

namespace strut
{
namespace
{
/// The matrix A over all ranks. A is a sum over the ranks, so the rows of ghosts are added to those
/// of the owners.
class HelmholtzOperator : public LinearOperator<double>
{
public:
  HelmholtzOperator(Backend &backend,
                    const Communicator &communicator,
                    const ElementMesh &mesh,
                    const double r,
                    const std::vector<double> &m)
    : operations_(backend.filter_operations())
    , matrices_(backend.memory(), mesh, r, m, host_threads(backend))
    , n_local_(mesh.n_nodes)
    , n_owned_(mesh.n_owned_nodes)
    , halo_(backend, communicator, mesh.node_halo, 1)
  {}

  /// Compute the diagonal of A; 0 where a node is no unknown.
  void diagonal(Array<double> &d)
  {
    d.copy_from_host(matrices_.diagonal);
    matrices_.diagonal = {};
    halo_.add_to_owners(d);
  }

  void apply(Array<double> &x, Array<double> &y) override
  {
    halo_.update_ghosts(x);
    operations_.multiply(matrices_.A, x, y);
    halo_.add_to_owners(y);
  }

  /// Compute nodes = T elements, for owned nodes.
  void to_nodes(const Array<double> &elements, Array<double> &nodes)
  {
    operations_.multiply(matrices_.T, elements, nodes);
    halo_.add_to_owners(nodes);
  }

  /// Compute elements = T^T nodes.
  void to_elements(Array<double> &nodes, Array<double> &elements)
  {
    halo_.update_ghosts(nodes);
    operations_.multiply(matrices_.T_t, nodes, elements);
  }

  std::size_t n_local() const override
  {
    return n_local_;
  }
  std::size_t n_owned() const override
  {
    return n_owned_;
  }

private:
  const FilterOperations &operations_;
  HelmholtzMatrices matrices_;
  const std::size_t n_local_, n_owned_;
  HaloExchange<double> halo_;
};

/// Preconditioner with the diagonal of the matrix. The condition number is some dozens for usual
/// radii.
class HelmholtzPreconditioner : public Preconditioner<double>
{
public:
  HelmholtzPreconditioner(Backend &backend, HelmholtzOperator &matrix) : inverse_(backend)
  {
    inverse_.update(matrix);
  }

  void apply(const Array<double> &r, Array<double> &z) override
  {
    inverse_.apply(r, z);
  }

  const Array<float> *inverse_diagonal() const override
  {
    return &inverse_.values();
  }

private:
  InverseDiagonal<double> inverse_;
};

class StoredFilter : public HelmholtzFilter
{
public:
  StoredFilter(Backend &backend,
               const Communicator &communicator,
               const ElementMesh &mesh,
               const double r,
               const std::vector<double> &m)
    : matrix_(backend, communicator, mesh, r, m)
    , preconditioner_(backend, matrix_)
    , solver_(backend, communicator, timing_)
    , b_(backend.memory(), mesh.n_nodes)
    , t_(backend.memory(), mesh.n_nodes)
  {}

  void apply(const Array<double> &in, Array<double> &out) override
  {
    matrix_.to_nodes(in, b_);
    // The start is zero, not the last solution, so that the bits do not depend on it.
    t_.set_zero();
    SolverControl control;
    // Gradients are compared with differences, which needs this accuracy.
    control.tolerance = 1e-12;
    solver_.solve(control, matrix_, preconditioner_, b_, t_);
    matrix_.to_elements(t_, out);
  }

private:
  HelmholtzOperator matrix_;
  HelmholtzPreconditioner preconditioner_;
  TimingTable timing_; ///< timing of the solver, not reported
  ConjugateGradient<double> solver_;
  Array<double> b_, t_; ///< values at the nodes
};
} // namespace

std::unique_ptr<HelmholtzFilter> make_stored_filter(Backend &backend,
                                                    const Communicator &communicator,
                                                    const ElementMesh &mesh,
                                                    const double r,
                                                    const std::vector<double> &m)
{
  return std::make_unique<StoredFilter>(backend, communicator, mesh, r, m);
}

double bytes_of_stored_filter(const ElementMesh &mesh)
{
  // Entries; numbers of rows; b, t, vectors of conjugate gradients, the inverse diagonal.
  return (sizeof(double) + sizeof(std::uint32_t)) * entries_of_helmholtz_matrices(mesh) +
         sizeof(std::uint32_t) * static_cast<double>(2 * mesh.n_nodes + mesh.n_elements) +
         (5. * sizeof(double) + sizeof(float)) * static_cast<double>(mesh.n_nodes);
}
} // namespace strut
