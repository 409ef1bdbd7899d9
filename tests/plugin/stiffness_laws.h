// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/plugin/stiffness_operator_fixture.h"

namespace strut::test
{
/// Some cells have only one of Lame's parameters, the others any ratio.
std::pair<double, double> any_ratio(const dealii::Point<3> &x);

/// Parameters without fluid cells (mu = 0).
std::pair<double, double> any_ratio_of_solids(const dealii::Point<3> &x);

/// Two materials, one ten thousand times as stiff and with another ratio.
std::pair<double, double> two_materials(const dealii::Point<3> &x);

/// Symmetric and positive definite tangents, independent of their neighbours.
Tangent random_tangent(const dealii::Point<3> &centre, unsigned int q);

/// Tangent of a fibre-reinforced solid whose orientation varies smoothly: orthotropic, stiff along
/// one direction.
Tangent smooth_tangent(const dealii::Point<3> &x, unsigned int q);

/// Tangent after a return mapping. In plastic flow it is `C - 6 G^2 / (3 G + H) n (x) n`, with the
/// direction n of the deviatoric stress and the hardening H, 1 per cent of 3 G. A band flows, and
/// at its rim single points.
Tangent plastic_tangent(const dealii::Point<3> &x, unsigned int q);

/// The tangent of an isotropic solid with nu = 0.3.
Tangent elastic(double E);

/// The tangents of the owned cells in the order of set_tangents()'s array.
std::vector<double> array_of_tangents(const SomeApplication &application, unsigned int n_points);

/// A density that varies by a factor of twenty.
double density_at(const dealii::Point<3> &x);

/// Solids of one law that an application assembles, and ways to set them in an operator.
struct LawCase
{
  using Setter = std::function<void(StiffnessOperator<double> &, const SomeApplication &)>;
  struct Solver
  {
    std::string strategy, preconditioner, precision;
  };

  static void by_function(StiffnessOperator<double> &K, const SomeApplication &application)
  {
    application.set_solid(K);
  }

  Material material           = {200., 0.28};
  std::vector<Solid> solids   = {{}};
  std::vector<Setter> setters = {by_function};
  /// The inertia. A shift of 1 becomes one by which K and M are of equal size.
  Inertia inertia                     = {};
  std::vector<std::string> strategies = {"on_the_fly"};
  std::vector<Solver> solvers = {{"on_the_fly", "jacobi", "auto"}, {"on_the_fly", "auto", "auto"}};
  double tolerance            = 1e-13; ///< the relative residual of solve()
  double error                = 1e-9;  ///< largest error of a solution
  bool converges_in_float     = true;  ///< whether it converges to 1e-5
  unsigned int n_iterations   = 60;    ///< most iterations of multigrid
};

/// The case of a name.
const LawCase &law_of(const std::string &name);

/// Parameters: a law, a mesh, a numbering, a backend.
class StiffnessLawProblem : public StiffnessProblem,
                            public testing::WithParamInterface<
                              std::tuple<const char *, const char *, const char *, const char *>>
{
protected:
  void SetUp() override
  {
    const auto [name, mesh, numbering, backend] = GetParam();
    law                                         = law_of(name);
    start(mesh, numbering, backend);
  }

  void prepare() override
  {
    application->material = law.material;
    application->inertia  = law.inertia;
    const auto n          = application->triangulation->n_global_active_cells();
    application->inertia.shift *=
      law.material.youngs_modulus * std::cbrt(1. * n * n) / law.inertia.density;
    options.tolerance      = law.tolerance;
    options.max_iterations = 50000;
  }

  /// Makes an operator with the shift of the law, which knows no solid.
  template <typename Number = double>
  std::unique_ptr<StiffnessOperator<Number>> make_shifted_operator() const
  {
    auto K = make_plain_operator<Number>();
    K->set_shift(static_cast<Number>(application->inertia.shift));
    return K;
  }

  void choose(const LawCase::Solver &solver)
  {
    options.strategy       = solver.strategy;
    options.preconditioner = solver.preconditioner;
    options.precision      = solver.precision;
  }

  LawCase law;
};
} // namespace strut::test
