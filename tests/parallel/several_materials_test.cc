// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Solids of different stiffness, mass and Poisson's ratio, and fibres, on several ranks: values and
// derivatives equal those of one rank.
#include "../fixtures/errors.h"
#include "../fixtures/fibres.h"
#include "../fixtures/function_of_design.h"
#include "../fixtures/ranks_test.h"

namespace strut::test
{
namespace
{
using DistributedMaterialsTest = RanksTest;

TEST_P(DistributedMaterialsTest, EveryResponseEqualsTheSerialOne)
{
  const BoxMesh box = held_box(BoxOptions::wild({{6, 3, 3}}, 3));
  MaterialRatios ratios; // most of a rank may have one of them alone
  for (const auto &place : box.element_at)
    {
      ratios.stiffness.push_back(place[0] < 2 ? 3.5 : place[1] == 0 ? 0.4 : 1.);
      ratios.mass.push_back(place[0] < 2 ? 2.2 : 1.);
    }
  const auto x      = random_vector(box.mesh.n_elements, 4, 0.3, 0.9);
  const auto forces = edge_load(box);
  const auto evaluate =
    [&](const ResponseEntry &entry, const MaterialRatios &solids, const Part &part) {
      MaterialRatios of_part{part.of_elements(solids.stiffness), part.of_elements(solids.mass)};
      if (!solids.poisson_ratio.empty())
        of_part.poisson_ratio = part.of_elements(solids.poisson_ratio);
      if (!solids.anisotropic.empty())
        of_part.anisotropic = {solids.anisotropic.matrices,
                               part.of_elements(solids.anisotropic.of_element)};
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
  auto several = ratios; // by element: a rank may have only one of them
  for (const auto &place : box.element_at)
    several.poisson_ratio.push_back(place[0] < 2 ? 0.45 : 0.3);
  std::vector<std::pair<ResponseEntry, MaterialRatios>> cases;
  for (const ResponseEntry &entry : responses())
    for (const MaterialRatios &solids : {ratios, several, half_of_fibres(box, {1., 0.3})})
      if (solids.anisotropic.empty() || !entry.takes_stresses)
        cases.emplace_back(entry, solids);
  for (const auto &[entry, solids] : cases)
    {
      SCOPED_TRACE(entry.name + (!solids.anisotropic.empty()     ? ", fibres"
                                 : !solids.poisson_ratio.empty() ? ", two Poisson's ratios"
                                                                 : ""));
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
  BoxMesh box       = held_box(BoxOptions::regular({{6, 2, 2}}));
  const Part part   = part_of(box, Partition::scattered);
  const int last    = world_.size() - 1;
  const bool has_it = world_.rank() == last;
  MaterialRatios ratios;
  ratios.poisson_ratio.assign(part.mesh.n_elements, 0.3);
  const auto complaint = [&]() {
    return message_of([&]() {
      make_state_solver(execution(world_),
                        {part.mesh, {1., 0.3}, Structure::no_coarser_meshes(), ratios},
                        {{"none", 1., std::vector<double>(part.mesh.n_owned_dofs(), 0.)}},
                        {});
    });
  };
  EXPECT_EQ(complaint(), "");
  if (has_it)
    ratios.poisson_ratio[1] = 0.6;
  const std::string of_last = last > 0 ? " of rank " + std::to_string(last) : "";
  EXPECT_EQ(complaint().rfind("Poisson's ratio of element 1" + of_last + " is 0.6: ", 0), 0u);
  if (last == 0) // without ratios there is one solid
    return;
  if (has_it)
    ratios.poisson_ratio = {};
  EXPECT_EQ(complaint().rfind("There are 0 Poisson's ratios for the ", 0), 0u);
}

INSTANTIATE_TEST_SUITE_P(Parallel, DistributedMaterialsTest, at_parallel_places(), place_name);
} // namespace
} // namespace strut::test
