// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Laws that strut does not have, as a library of a user adds them: by each known law, and by
// another one from outside. The tests of laws and of solids run with every law that is there, and
// numbers between 0.1 and 0.4.
#include <strut/element/law.h>
#include <strut/element/material.h>

#include <algorithm>

namespace strut::test
{
namespace
{
/// A material that a field t of the elements stiffens: lambda (1 + t) and mu (1 + t)^2.
void stiffen(const Material &material, const double *const t, double *const lame)
{
  lame[0] = material.lambda() * (1. + t[0]);
  lame[1] = material.mu() * (1. + t[0]) * (1. + t[0]);
}

/// The field t from the place z in a layer.
void place(const Material &, const double *const z, double *const t)
{
  t[0] = z[0] * (1. - z[0]);
}

/// A porous material: the factor (1 - p)^2.
void drill(const Material &, const double *const p, double *const factor)
{
  factor[0] = (1. - p[0]) * (1. - p[0]);
}

/// A material with fibres along x and y that have the shares s and t of its stiffness.
void reinforce(const Material &material, const double *const share, double *const tangent)
{
  const double diagonal = material.lambda() + 2. * material.mu();
  std::fill(tangent, tangent + n_tangent_components, 0.);
  tangent[0]  = diagonal * (1. + share[0]);
  tangent[6]  = diagonal * (1. + share[1]);
  tangent[11] = diagonal;
  tangent[1] = tangent[2] = tangent[7] = material.lambda();
  tangent[15] = tangent[18] = tangent[20] = material.mu();
}

constexpr Law stiffened{"a field that stiffens", 1, &Law::lame, &stiffen};
constexpr Law layered{"the place in a layer", 1, &stiffened, &place};
constexpr Law porous{"pores", 1, &Law::factor, &drill};
constexpr Law reinforced{"fibres", 2, &Law::tangents, &reinforce};

[[maybe_unused]] const bool are_added = []() {
  for (const Law &law : {stiffened, layered, porous, reinforced})
    add_law(law);
  return true;
}();
} // namespace
} // namespace strut::test
