// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/optimization/objective.h>

namespace strut
{
namespace
{
/// `J_l = 2 f_l . u_l - u_l . K u_l`, with `dJ_l/dE_e = -u_e . K0_e u_e`: its own adjoint, no second
/// solve. Without prescribed displacements it is f.u = u.K u, and its error is second order in that of
/// u; with them its minimum is the stiffest design, too.
class Compliance : public Objective
{
public:
  Compliance(Backend &backend, const Communicator &communicator)
    : backend_(backend), communicator_(communicator)
  {}

  Value evaluate(StateSolver &state,
                 const std::size_t l,
                 const Array<double> &stiffness,
                 Array<double> &decrease) override
  {
    state.energies(l, decrease);
    const double stored = communicator_.sum(
      backend_.vector_operations<double>().dot(stiffness.size(), stiffness, decrease));
    return {2. * state.work_of_loads(l) - stored, {}};
  }

  // dJ/df = 2 u at fixed stiffness, since K u = f on the free degrees of freedom, and u is given on the others
  void
  weight_derivative(StateSolver &state, const std::size_t l, Array<double> &derivative) override
  {
    state.work_of_weight(l, derivative);
    backend_.vector_operations<double>().axpy(derivative.size(), 1., derivative, derivative);
  }

private:
  Backend &backend_;
  Communicator communicator_;
};
} // namespace

ObjectiveEntry compliance()
{
  return {"compliance",
          "the work of the loads, sum over the load cases of weight (2 f.u - u.K u)",
          [](Backend &backend,
             const Communicator &communicator,
             const ElementMesh &,
             const ParameterValues &) -> std::unique_ptr<Objective> {
            return std::make_unique<Compliance>(backend, communicator);
          },
          false};
}
} // namespace strut
