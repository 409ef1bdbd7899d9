// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/element/solids.h>

#include <utility>

namespace strut
{
Solids Solids::isotropic(std::vector<double> stiffness,
                         std::vector<double> poisson_ratios,
                         std::vector<double> mass)
{
  if (poisson_ratios.empty())
    return {Law::factor,
            stiffness.empty() ? std::vector<std::vector<double>>()
                              : std::vector<std::vector<double>>{std::move(stiffness)},
            std::move(mass)};
  if (stiffness.empty())
    stiffness.assign(poisson_ratios.size(), 1.);
  return {isotropic_law(), {std::move(stiffness), std::move(poisson_ratios)}, std::move(mass)};
}

void Solids::known_numbers(const Material &material,
                           const std::size_t element,
                           double (&result)[Law::most_components]) const
{
  for (std::size_t k = 0; k < numbers.size(); ++k)
    result[k] = numbers[k][element];
  law.to_known(material, result);
}

Material Solids::isotropic_solid(const Material &material, const std::size_t element) const
{
  double own[Law::most_components];
  for (std::size_t k = 0; k < numbers.size(); ++k)
    own[k] = numbers[k][element];
  if (numbers.empty() || law.known().isotropic_solid == nullptr)
    return material;
  if (law.isotropic_solid != nullptr)
    return law.isotropic_solid(material, own);
  law.to_known(material, own);
  return law.known().isotropic_solid(material, own);
}

double Solids::shear_ratio(const Material &material, const std::size_t element) const
{
  if (numbers.empty())
    return 1.;
  double known[Law::most_components];
  known_numbers(material, element, known);
  return law.answers().shear_ratio(material, known);
}

const Solids &Solids::none()
{
  static const Solids none;
  return none;
}
} // namespace strut
