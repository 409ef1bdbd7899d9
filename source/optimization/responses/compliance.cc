// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/responses/compliance.h"

#include <strut/backend/design_operations.h>
#include <strut/optimization/responses/response.h>

namespace strut
{
namespace
{
/// Returns the compliance of a load case.
/// @param stored  u_l . K u_l without springs
double compliance_with(StateSolver &state, const std::size_t l, const double stored)
{
  return 2. * state.work_of_loads(l) - stored - state.work_of_springs(l);
}

class Compliance : public Response
{
public:
  explicit Compliance(const ResponseContext &context)
    : backend_(context.backend), communicator_(context.communicator)
  {}

  Value
  evaluate(const AnalysedDesign &design, const std::size_t l, Derivative *const derivative) override
  {
    Array<double> own(backend_.memory(), derivative == nullptr ? design.densities.size() : 0);
    Array<double> &energies = derivative == nullptr ? own : derivative->work();
    design.state.energies(l, energies);
    const double value =
      compliance_with(design.state,
                      l,
                      communicator_.sum(backend_.design_operations().stored_energy(
                        design.interpolation, design.densities, energies)));
    if (derivative == nullptr)
      return {value};
    if (design.state.load_case(l).has_expansion)
      {
        Array<double> work(backend_.memory(), energies.size());
        design.state.work_of_expansion(l, work);
        backend_.vector_operations<double>().axpy(work.size(), -2., work, energies);
      }
    derivative->add_by_stiffness(energies);
    // At fixed stiffness dC/df = 2 u: K u = f on the free degrees of freedom, and u is given on the
    // others.
    if (design.state.load_case(l).has_weight)
      {
        Array<double> &work = derivative->work();
        design.state.work_of_weight(l, work);
        backend_.vector_operations<double>().axpy(work.size(), 1., work, work);
        derivative->add_by_density(work);
      }
    return {value};
  }

private:
  Backend &backend_;
  Communicator communicator_;
};
} // namespace

double compliance_of(Backend &backend,
                     const Communicator &communicator,
                     StateSolver &state,
                     const std::size_t l,
                     const Array<double> &stiffness,
                     Array<double> &energies)
{
  state.energies(l, energies);
  return compliance_with(state,
                         l,
                         communicator.sum(backend.vector_operations<double>().dot(stiffness.size(),
                                                                                  stiffness,
                                                                                  energies)));
}

ResponseEntry compliance()
{
  ResponseEntry entry;
  entry.name         = "compliance";
  entry.summary      = "the work of the loads, 2 f.u - u.K u, with springs in K";
  entry.second_solve = false;
  entry.make         = [](const ResponseContext &context) -> std::unique_ptr<Response> {
    return std::make_unique<Compliance>(context);
  };
  return entry;
}
} // namespace strut
