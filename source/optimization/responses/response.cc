// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/backend/design_operations.h>
#include <strut/optimization/responses/response.h>

namespace strut
{
Derivative::Derivative(Backend &backend,
                       const Interpolation &interpolation,
                       const Array<double> &densities,
                       const double factor,
                       Array<double> &work,
                       Array<double> &sum)
  : backend_(backend)
  , interpolation_(interpolation)
  , densities_(densities)
  , factor_(factor)
  , work_(work)
  , sum_(sum)
{}

void Derivative::add_by_stiffness(const Array<double> &decrease)
{
  backend_.design_operations().add_sensitivities(
    interpolation_, factor_, densities_, decrease, sum_);
}

void Derivative::add_by_density(const Array<double> &by_density)
{
  backend_.vector_operations<double>().axpy(sum_.size(), factor_, by_density, sum_);
}

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
