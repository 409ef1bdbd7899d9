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
} // namespace strut
