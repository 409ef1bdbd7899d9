// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// A law that strut does not have, as a library of a user adds one: this file is all of it. The
// tests of laws and of solids run with every law that is there.
#include <strut/element/law.h>
#include <strut/element/material.h>

namespace strut::test
{
namespace
{
/// A material that a field t of the elements stiffens in shear: lambda (1 + t) and mu (1 + t)^2.
void convert(const Material &material, const double *const t, double *const lame)
{
  const double factor = 1. + t[0];
  lame[0]             = material.lambda() * factor;
  lame[1]             = material.mu() * factor * factor;
}

constexpr Law stiffened{"a field that stiffens", 1, &Law::lame, &convert};

[[maybe_unused]] const bool is_added = (add_law(stiffened), true);
} // namespace
} // namespace strut::test
