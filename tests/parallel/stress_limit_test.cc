// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Limits of the stress across the boundaries of ranks.
#include "../fixtures/design_problem.h"
#include "../fixtures/function_of_design.h"
#include "../fixtures/ranks_test.h"
#include "source/base/packed_values.h"

namespace strut::test
{
namespace
{
using DistributedStressTest = RanksTest;

// The designs have multipliers of earlier ones. StressLimitTest compares gradients with
// differences.
TEST_P(DistributedStressTest, LimitsEqualTheSerialOnes)
{
  BoxMesh box                       = held_box(BoxOptions::wild({{8, 3, 2}}, 4));
  const std::size_t n               = box.mesh.n_elements;
  box.mesh.flags[5]                 = DesignFlag::empty;
  const std::vector<LoadCase> loads = {{"down", 0.5, edge_load(box)},
                                       {"random", 2., random_vector(box.mesh.n_dofs(), 2)}};
  struct Found
  {
    std::vector<double> values;
    std::vector<std::vector<double>> fields; ///< gradient, multipliers
  };
  const auto evaluate = [&](const Part &part) {
    const auto &[all, mesh] = std::tie(part.communicator, part.mesh);
    const ParameterValues values{{"Limit", 20.},
                                 {"Designs per renewal", 1},
                                 {"Penalty growth", 1.5}};
    const auto response =
      make_response("mass with stress limits", {backend(), all, mesh, {1., 0.3}, nullptr, values});
    FunctionOfDesign function(
      backend(), mesh, part.of_loads(loads), {3., 1e-3}, *response, nullptr, all);
    Found found;
    std::vector<double> gradient;
    for (const unsigned int seed : {7, 8, 9})
      found.values.push_back(
        function.value(part.of_elements(random_vector(n, seed, 0.3, 0.9)), &gradient));
    found.fields = response->state().element_fields;
    found.fields.push_back(gradient);
    return found;
  };
  with_serial(box, evaluate, [&](const Part &part, const Found &found, const Found &alone) {
    EXPECT_LE(relative_difference(found.values, alone.values), 1e-9);
    ASSERT_EQ(found.fields.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i)
      {
        EXPECT_GT(max_norm(alone.fields[i]), 0.);
        const auto field = sum_over_ranks(part.elements_to_global(found.fields[i], n));
        EXPECT_LE(relative_difference(field, alone.fields[i]), 1e-8);
      }
  });
}

// The adjoint solutions are part of the state and follow their nodes.
TEST_P(DistributedStressTest, NormGoesOnAfterOneRank)
{
  SmallCantilever cantilever;
  auto &options        = cantilever.options;
  options.maps         = {"density"};
  options.simp.update  = "mma";
  const auto with_part = [&](const Part &part) {
    const ResponseContext context{backend(), part.communicator, part.mesh, {1., 0.3}, nullptr, {}};
    options.problem = minimise("compliance", context);
    options.problem.constraints.push_back(
      {{"stress", std::shared_ptr<Response>(make_response("von mises", context))}, 8.});
    return std::make_unique<DesignProblem>(
      backend(), part.mesh, part.of_loads(cantilever.loads), options, part.communicator);
  };
  const Part whole    = whole_of(cantilever.box);
  const auto serial   = with_part(whole);
  const auto begun    = with_part(whole);
  const auto expected = serial->run(6);
  begun->run(3);
  DesignState old = begun->simp().state();
  ASSERT_EQ(old.vectors.size(), 1u);
  // Each rank has begun by itself. Sums in any order give numbers that differ in their last digits.
  for (double &number : old.numbers)
    number = world_.max(number);
  with_parts(cantilever.box, [&](const Part &part) {
    DesignState state = old;
    for (std::vector<double> &field : state.element_fields)
      field = part.of_elements(field);
    for (std::vector<double> &vector : state.vectors)
      vector = part.of_dofs(vector);
    const auto resumed = with_part(part);
    resumed->simp().restore(state, begun->simp().history());
    const PackedValues before            = begun->state().displacement_before(0);
    const std::vector<double> own_before = part.of_dofs(to_doubles(before));
    resumed->state().set_displacement(0,
                                      part.of_dofs(begun->state().displacement(0)),
                                      to_packed(own_before, own_before.size()));
    const auto found = resumed->run(3);
    for (std::size_t i = 0; i < 3; ++i)
      {
        EXPECT_NEAR(found[i], expected[3 + i], 1e-8 * expected[3 + i]) << i;
        const auto &of_found  = resumed->simp().history()[3 + i];
        const auto &of_serial = serial->simp().history()[3 + i];
        EXPECT_NEAR(of_found.values.back(),
                    of_serial.values.back(),
                    1e-7 * of_serial.values.back());
        EXPECT_NEAR(of_found.solver_iterations, of_serial.solver_iterations, 4.);
      }
    // numbers of the state are those of all ranks, of one without nodes, too
    const DesignState after = resumed->simp().state();
    EXPECT_EQ(after.vectors.size(), old.vectors.size());
    const auto n_numbers = static_cast<double>(after.numbers.size());
    ASSERT_EQ(world_.max(n_numbers), world_.min(n_numbers));
    for (const double number : after.numbers)
      EXPECT_EQ(world_.max(number), world_.min(number));
  });
}

INSTANTIATE_TEST_SUITE_P(Parallel, DistributedStressTest, at_all_places(), place_name);
} // namespace
} // namespace strut::test
