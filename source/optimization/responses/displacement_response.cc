// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/optimization/responses/response.h>

namespace strut
{
SolverReport add_by_displacements(const AnalysedDesign &design,
                                  const std::size_t l,
                                  const Array<double> &g,
                                  Derivative &derivative)
{
  Array<double> &work       = derivative.work();
  const SolverReport report = design.state.adjoint_energies(l, g, work);
  derivative.add_by_stiffness(work);
  if (design.state.load_case(l).has_weight)
    {
      design.state.adjoint_work_of_weight(l, work);
      derivative.add_by_density(work);
    }
  return report;
}

SolverReport add_by_displacements(const AnalysedDesign &design,
                                  const std::size_t l,
                                  const std::vector<double> &g,
                                  Derivative &derivative)
{
  return add_by_displacements(design,
                              l,
                              Array<double>(derivative.backend().memory(), g),
                              derivative);
}

Response::Value DisplacementResponse::evaluate(const AnalysedDesign &design,
                                               const std::size_t l,
                                               Derivative *const derivative)
{
  const LoadCase &load_case   = design.state.load_case(l);
  const std::vector<double> u = design.state.displacement(l);
  Value result;
  result.value = value(load_case, u);
  if (derivative != nullptr)
    result.adjoint = add_by_displacements(design, l, this->derivative(load_case, u), *derivative);
  return result;
}
} // namespace strut
