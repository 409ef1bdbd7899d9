// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/element/law.h>
#include <strut/element/material.h>

namespace strut
{
namespace
{
void convert(const Material &material, const double *const own, double *const result)
{
  Material solid = material;
  solid.youngs_modulus *= own[0];
  solid.poisson_ratio = own[1];
  result[0]           = solid.lambda();
  result[1]           = solid.mu();
}
} // namespace

Law isotropic_law()
{
  return {"several Poisson's ratios", 2, &Law::lame, &convert};
}
} // namespace strut
