// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/optimization/objective.h>

namespace strut
{
Objective::Value DisplacementObjective::evaluate(StateSolver &state,
                                                 const std::size_t l,
                                                 const Array<double> &,
                                                 Array<double> &decrease)
{
  const LoadCase &load_case   = state.load_case(l);
  const std::vector<double> u = state.displacement(l);
  Value result;
  result.value   = value(load_case, u);
  result.adjoint = state.adjoint_energies(l, derivative(load_case, u), decrease);
  return result;
}
} // namespace strut
