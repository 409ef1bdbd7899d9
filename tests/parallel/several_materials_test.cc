// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Solids of different stiffness, mass and Poisson's ratio, and fibres, on several ranks: values and
// derivatives equal those of one rank.
#include "../fixtures/errors.h"
#include "../fixtures/fibres.h"
#include "../fixtures/function_of_design.h"
#include "../fixtures/random_solids.h"
#include "../fixtures/ranks_test.h"

namespace strut::test
{
namespace
{
using DistributedMaterialsTest = RanksTest;

TEST_P(DistributedMaterialsTest, EveryResponseEqualsTheSerialOne)
{
  const BoxMesh box = held_box(BoxOptions::wild({{6, 3, 3}}, 3));
  std::vector<double> stiffness, mass, ratios; // most of a rank may have one of them alone
  for (const auto &place : box.element_at)
    {
      stiffness.push_back(place[0] < 2 ? 3.5 : place[1] == 0 ? 0.4 : 1.);
      mass.push_back(place[0] < 2 ? 2.2 : 1.);
      ratios.push_back(place[0] < 2 ? 0.45 : 0.3);
    }
  const auto x        = random_vector(box.mesh.n_elements, 4, 0.3, 0.9);
  const auto forces   = edge_load(box);
  const auto evaluate = [&](const ResponseEntry &entry, const Solids &solids, const Part &part) {
    Solids of_part{solids.law, {}, part.of_elements(solids.mass)};
    for (const std::vector<double> &component : solids.numbers)
      of_part.numbers.push_back(part.of_elements(component));
    if (!solids.table.empty())
      of_part.table = {solids.table.matrices, part.of_elements(solids.table.of_element)};
    ParameterValues values = values_for(entry.name);
    if (entry.name == "frequency")
      values["Tolerance"] = 1e-8; // gradients are as far off as the modes, which begin at random
    const auto &[all, mesh] = std::tie(part.communicator, part.mesh);
    const ResponseContext context{backend(), all, mesh, {1., 0.3}, nullptr, values, of_part};
    const auto response = make_response(entry.name, context);
    FunctionOfDesign function(backend(),
                              mesh,
                              part.of_loads({{"down", 1., forces}}),
                              {3., 1e-4},
                              problem_of(*response, entry.by_load_case),
                              nullptr,
                              all,
                              of_part);
    std::pair<double, std::vector<double>> result;
    result.first = function.value(part.of_elements(x), &result.second);
    return result;
  };
  std::vector<Solids> all = {Solids::isotropic(stiffness, {}, mass),
                             Solids::isotropic(stiffness, ratios, mass),
                             half_of_fibres(box, {1., 0.3})};
  for (const Law &law : laws())
    if (law.by != nullptr && law.known() != Law::tangents)
      all.push_back(random_solids(law, box.mesh.n_elements, mass));
  std::vector<std::pair<ResponseEntry, Solids>> cases;
  for (const ResponseEntry &entry : responses())
    for (const Solids &solids : all)
      if (solids.table.empty() || !entry.takes_stresses)
        cases.emplace_back(entry, solids);
  for (const auto &[entry, solids] : cases)
    {
      SCOPED_TRACE(entry.name + ", " + solids.law.name);
      const auto of_case = [&, &solids = solids, &entry = entry](const Part &part) {
        return evaluate(entry, solids, part);
      };
      with_serial(box, of_case, [](const Part &part, const auto &found, const auto &alone) {
        EXPECT_NEAR(found.first, alone.first, 1e-9 * std::abs(alone.first));
        const auto expected = part.of_elements(alone.second);
        for (std::size_t e = 0; e < expected.size(); ++e)
          EXPECT_NEAR(found.second[e], expected[e], 1e-6 * max_norm(alone.second));
      });
    }
}

// An invalid ratio, or too few of them, on one rank: all ranks report it.
TEST_P(DistributedMaterialsTest, AllRanksRefuseWhatOneHas)
{
  BoxMesh box          = held_box(BoxOptions::regular({{6, 2, 2}}));
  const Part part      = part_of(box, Partition::scattered);
  const int last       = world_.size() - 1;
  const bool has_it    = world_.rank() == last;
  Solids solids        = Solids::isotropic({}, std::vector<double>(part.mesh.n_elements, 0.3));
  const auto complaint = [&]() {
    return message_of([&]() {
      make_state_solver(execution(world_),
                        {part.mesh, {1., 0.3}, Structure::no_coarser_meshes(), solids},
                        {{"none", 1., std::vector<double>(part.mesh.n_owned_dofs(), 0.)}},
                        {});
    });
  };
  EXPECT_EQ(complaint(), "");
  if (has_it)
    solids.numbers[1][1] = 0.6;
  const std::string of_last = last > 0 ? "\n  So it is on rank " + std::to_string(last) + "." : "";
  EXPECT_EQ(complaint(),
            "Element 1 has no solid: the law 'several Poisson's ratios' makes of 1 0.6 lambda = "
            "-1.875 and mu = 0.3125, and mu and 3 lambda + 2 mu must be positive." +
              of_last);
  if (last == 0) // without ratios there is one solid
    return;
  if (has_it)
    solids.numbers = {};
  EXPECT_EQ(complaint().rfind("The law 'several Poisson's ratios' has 2 components of ", 0), 0u);
}

INSTANTIATE_TEST_SUITE_P(Parallel, DistributedMaterialsTest, at_parallel_places(), place_name);
} // namespace
} // namespace strut::test
