// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <algorithm>
#include <utility>

#include "tests/plugin/cube.h"

namespace strut::test
{
inline bool is_at_end(const double x)
{
  return x < 1e-12 || x > 1. - 1e-12;
}

/// Expects the displacements of two layers under uniaxial strain, which are exactly linear in each.
/// The strain of the first one is 1.
/// @param below, above  Lame's parameters of the layers, below and above x = 1/2
inline void expect_exact_strains(Cube &cube,
                                 const std::pair<double, double> &below,
                                 const std::pair<double, double> &above)
{
  cube.refine(0);
  const auto modulus        = [](const auto &lame) { return lame.first + 2. * lame.second; };
  const double strain_above = modulus(below) / modulus(above);
  const auto exact          = [&](const dealii::Point<3> &x, const unsigned int d) {
    return d == 0 ? std::min(x[0], 0.5) + strain_above * std::max(x[0] - 0.5, 0.) : 0.;
  };
  const auto for_all_dofs = [&](const auto &work) {
    for (const auto &cell : cube.dof_handler.active_cell_iterators())
      for (const unsigned int v : cell->vertex_indices())
        for (unsigned int d = 0; d < 3; ++d)
          work(cell->vertex(v), d, cell->vertex_dof_index(v, d));
  };
  for_all_dofs([&](const dealii::Point<3> &x, const unsigned int d, const auto dof) {
    if (is_at_end(x[d]) && !cube.constraints.is_constrained(dof))
      {
        cube.constraints.add_line(dof);
        cube.constraints.set_inhomogeneity(dof, exact(x, d));
      }
  });
  cube.options.tolerance = 1e-13;
  for (const char *const preconditioner : {"jacobi", "auto"})
    {
      cube.options.preconditioner = preconditioner;
      auto K                      = cube.make_operator();
      K.set_lame([&](const auto &cell) { return cell->center()[0] < 0.5 ? below : above; });
      dealii::Vector<double> u(K.m()), f(K.m());
      K.solve(u, f);
      for_all_dofs([&](const dealii::Point<3> &x, const unsigned int d, const auto dof) {
        EXPECT_NEAR(u(dof), exact(x, d), 1e-10) << preconditioner;
      });
    }
}
} // namespace strut::test
