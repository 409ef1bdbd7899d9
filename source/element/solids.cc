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
  Material solid = material;
  if (numbers.empty())
    return solid;
  if (law == isotropic_law())
    {
      solid.youngs_modulus *= numbers[0][element];
      solid.poisson_ratio = numbers[1][element];
      return solid;
    }
  double known[Law::most_components];
  known_numbers(material, element, known);
  if (law.known() == Law::lame)
    return Material::from_lame(known[0], known[1]);
  solid.youngs_modulus *= known[0];
  return solid;
}

double Solids::shear_ratio(const Material &material, const std::size_t element) const
{
  if (numbers.empty())
    return 1.;
  double known[Law::most_components];
  known_numbers(material, element, known);
  return law.known() == Law::lame ? known[1] / material.mu() : known[0];
}

const Solids &Solids::none()
{
  static const Solids none;
  return none;
}
} // namespace strut
