// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/hierarchy.h>
#include <strut/solvers/elasticity_operator.h>
#include <strut/solvers/multigrid.h>

#include <memory>

namespace strut
{
/// A preconditioner of the stiffness operator that follows its factors.
template <typename Number>
class StiffnessPreconditioner : public Preconditioner<Number>
{
public:
  /// Follow the operator: its factors, `[n_elements]`, were just set to `factors`. Collective.
  virtual void update(ElasticityOperator<Number> &matrix, const Array<double> &factors) = 0;
};

template <typename Number>
std::unique_ptr<StiffnessPreconditioner<Number>> make_jacobi_preconditioner(Backend &backend);

/// One multigrid cycle in `CycleNumber` for vectors of `Number`: double with double, float with float,
/// or double with float. @param coarser  not empty
template <typename Number, typename CycleNumber>
std::unique_ptr<StiffnessPreconditioner<Number>>
make_multigrid_preconditioner(Backend &backend,
                              const Communicator &communicator,
                              const ElementMesh &mesh,
                              const MeshHierarchy &coarser,
                              const Material &material,
                              const MultigridSettings &settings);
} // namespace strut
