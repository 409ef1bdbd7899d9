// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/backends.h"
#include "../fixtures/box_mesh.h"

#include <strut/optimization/design_operations.h>
#include <strut/solvers/state_solver.h>

namespace strut::testing
{
namespace
{
/// The objective `C(rho) = sum_l w_l (2 f_l . u_l - u_l . K u_l)` and its analytical gradient, as the
/// optimization computes them.
class Objective
{
public:
  Objective(Backend &backend,
            const BoxMesh &box,
            const std::vector<LoadCase> &loads,
            const Interpolation &interpolation)
    : backend_(backend), interpolation_(interpolation)
  {
    StateSettings settings;
    settings.control.tolerance = 1e-13;
    state_                     = make_state_solver(
      "double", backend, Communicator(), box.mesh, {1., 0.3}, loads, settings, timing_);
  }

  double value(const std::vector<double> &rho, std::vector<double> *gradient = nullptr)
  {
    Memory &memory   = backend_.memory();
    const auto &work = backend_.design_operations();
    const Array<double> densities(memory, rho);
    Array<double> stiffness(memory, rho.size()), energies(memory, rho.size()),
      dC(memory, rho.size());
    work.interpolate(interpolation_, densities, stiffness);
    state_->set_stiffness(stiffness);
    double result = 0;
    for (std::size_t l = 0; l < state_->n_load_cases(); ++l)
      {
        const double weight = state_->load_case(l).weight;
        state_->solve(l);
        state_->energies(l, energies);
        result +=
          weight * (2. * state_->work_of_loads(l) - dot(stiffness.to_host(), energies.to_host()));
        work.add_sensitivities(interpolation_, weight, densities, energies, dC);
      }
    if (gradient != nullptr)
      *gradient = dC.to_host();
    return result;
  }

private:
  Backend &backend_;
  Interpolation interpolation_;
  TimingTable timing_;
  std::unique_ptr<StateSolver> state_;
};

class GradientTest : public PlaceTest
{
protected:
  // (C(rho + h e_i) - C(rho - h e_i)) / 2h for every third element, by Richardson's extrapolation
  // of two steps: the error of h^2 cancels.
  void expect_gradient_equals_differences(const BoxMesh &box,
                                          const std::vector<LoadCase> &loads,
                                          const Interpolation &interpolation)
  {
    Objective objective(backend(), box, loads, interpolation);
    auto rho = random_vector(box.mesh.n_elements, 3, 0.3, 0.9);
    std::vector<double> gradient;
    objective.value(rho, &gradient);
    const double size = max_norm(gradient);
    for (std::size_t e = 0; e < rho.size(); e += 3)
      {
        const auto slope = [&](const double h) {
          const double middle = rho[e];
          rho[e]              = middle + h;
          const double plus   = objective.value(rho);
          rho[e]              = middle - h;
          const double minus  = objective.value(rho);
          rho[e]              = middle;
          return (plus - minus) / (2. * h);
        };
        const double differences = (4. * slope(5e-4) - slope(1e-3)) / 3.;
        EXPECT_NEAR(gradient[e], differences, 1e-6 * std::abs(gradient[e]) + 1e-9 * size)
          << "element " << e;
      }
  }
};

TEST_P(GradientTest, EqualsDifferencesOfTheCompliance)
{
  BoxMesh box = make_box(BoxOptions::wild({{4, 3, 2}}, 5));
  hold_left_face(box);
  expect_gradient_equals_differences(box, {{"down", 1., edge_load(box)}}, {3., 0.});
}

// Several load cases: the gradient is the weighted sum; modified SIMP.
TEST_P(GradientTest, WeighsLoadCases)
{
  BoxMesh box = make_box(BoxOptions::wild({{3, 3, 2}}, 6));
  hold_left_face(box);
  expect_gradient_equals_differences(box,
                                     {{"down", 0.5, edge_load(box)},
                                      {"random", 2., random_vector(box.mesh.n_dofs(), 1)},
                                      {"another", 0.1, random_vector(box.mesh.n_dofs(), 2)}},
                                     {3., 1e-3});
}

// Prescribed displacements beside forces: 2 f . u - u . K u has the gradient -E' u_e . K0_e u_e too.
TEST_P(GradientTest, HoldsWithPrescribedDisplacements)
{
  BoxMesh box = make_box(BoxOptions::wild({{3, 3, 2}}, 7));
  hold_left_face(box);
  prescribe(
    box,
    [](const Position &X, const int c) { return c == 2 && X[0] > 1. - 1e-12; },
    [](const Position &, int) { return 0.7; });
  expect_gradient_equals_differences(box,
                                     {{"random", 1., random_vector(box.mesh.n_dofs(), 1)}},
                                     {3., 0.});
}

INSTANTIATE_TEST_SUITE_P(Core, GradientTest, ::testing::ValuesIn(all_places()), place_name);
} // namespace
} // namespace strut::testing
