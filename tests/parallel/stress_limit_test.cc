// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Limits of the stress, over the boundaries of ranks.
#include "../fixtures/function_of_design.h"
#include "../fixtures/mpi.h"
#include "../fixtures/partition.h"

namespace strut::test
{
namespace
{
class DistributedStressTest : public PlaceTest
{};

// With multipliers of designs before, values, gradients and multipliers are those of one rank alone, which
// StressLimitTest compares with differences.
TEST_P(DistributedStressTest, LimitsEqualTheSerialOnes)
{
  const Communicator all = world();
  BoxMesh box            = make_box(BoxOptions::wild({{8, 3, 2}}, 4));
  hold_left_face(box);
  const std::size_t n = box.mesh.n_elements;
  box.mesh.flags[5]   = DesignFlag::empty;
  const auto load     = edge_load(box);
  const auto another  = random_vector(box.mesh.n_dofs(), 2);
  struct Found
  {
    std::vector<double> values;
    std::vector<std::vector<double>> fields; ///< gradient, multipliers
  };
  const auto evaluate = [&](const Communicator &communicator,
                            const ElementMesh &mesh,
                            const std::vector<LoadCase> &loads,
                            const auto &on_this_rank) {
    const auto response =
      make_response("mass with stress limits",
                    {backend(),
                     communicator,
                     mesh,
                     {1., 0.3},
                     nullptr,
                     {{"Limit", 20.}, {"Designs per renewal", 1}, {"Penalty growth", 1.5}}});
    FunctionOfDesign function(backend(), mesh, loads, {3., 1e-3}, *response, nullptr, communicator);
    Found found;
    std::vector<double> gradient;
    for (const unsigned int seed : {7, 8, 9})
      found.values.push_back(
        function.value(on_this_rank(random_vector(n, seed, 0.3, 0.9)), &gradient));
    found.fields = response->state().element_fields;
    found.fields.push_back(gradient);
    return found;
  };
  const Found alone = evaluate(Communicator(),
                               box.mesh,
                               {{"down", 0.5, load}, {"random", 2., another}},
                               [](const std::vector<double> &x) { return x; });
  for (const Partition partition : all_partitions())
    {
      SCOPED_TRACE(::testing::Message()
                   << to_string(partition) << ", rank " << all.rank() << " of " << all.size());
      const Part part = take_part(box, partition, all.size(), all.rank());
      const Found found =
        evaluate(all,
                 part.mesh,
                 {{"down", 0.5, part.of_owned_dofs(load)},
                  {"random", 2., part.of_owned_dofs(another)}},
                 [&](const std::vector<double> &x) { return part.of_elements(x); });
      EXPECT_LE(relative_difference(found.values, alone.values), 1e-9);
      ASSERT_EQ(found.fields.size(), 3u);
      for (std::size_t i = 0; i < 3; ++i)
        {
          EXPECT_GT(max_norm(alone.fields[i]), 0.);
          const auto field = sum_over_ranks(part.elements_to_global(found.fields[i], n));
          EXPECT_LE(relative_difference(field, alone.fields[i]), 1e-8);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Parallel,
                         DistributedStressTest,
                         ::testing::ValuesIn(all_places()),
                         place_name);
} // namespace
} // namespace strut::test
