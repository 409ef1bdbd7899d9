// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/element/law.h>
#include <strut/element/material.h>

namespace strut
{
namespace
{
Material isotropic_solid(const Material &material, const double *const own)
{
  Material solid = material;
  solid.youngs_modulus *= own[0];
  solid.poisson_ratio = own[1];
  return solid;
}

void convert(const Material &material, const double *const own, double *const result)
{
  const Material solid = isotropic_solid(material, own);
  result[0]            = solid.lambda();
  result[1]            = solid.mu();
}
} // namespace

Law isotropic_law()
{
  return {"several Poisson's ratios", 2, &Law::lame, &convert, &isotropic_solid};
}
} // namespace strut
