// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Responses and the PDE filter on elements of several types: several ranks give the values of one.
#include "../fixtures/arm.h"
#include "../fixtures/function_of_design.h"
#include "../fixtures/ranks_test.h"

#include <gtest/gtest.h>

namespace strut::test
{
namespace
{
/// An arm as a box, whose elements are in the cells of its lattice.
BoxMesh box_of(const Arm &arm)
{
  BoxMesh box;
  box.mesh = arm.mesh;
  for (std::size_t d = 0; d < 3; ++d)
    box.options.n[d] = static_cast<std::size_t>(arm.n_cells[d]);
  const std::size_t of_cell = arm.mesh.type.n_vertices == 4 ? 6 : 1;
  for (std::size_t e = 0; e < arm.mesh.n_elements; ++e)
    {
      const std::size_t cell = e / of_cell;
      box.element_at.push_back({{cell % box.options.n[0],
                                 cell / box.options.n[0] % box.options.n[1],
                                 cell / box.options.n[0] / box.options.n[1]}});
    }
  return box;
}

using DistributedElementFields = RanksTest;

TEST_P(DistributedElementFields, AreTheSerialOnes)
{
  for (const ElementType &type :
       {type_of<Tet4>(), type_of<Tet10>(), type_of<Hex20>(), type_of<Hex27>()})
    {
      const Arm arm(type);
      const BoxMesh box                 = box_of(arm);
      const std::vector<LoadCase> loads = {{"force", 1., arm.force()}};
      const auto design                 = random_vector(arm.mesh.n_elements, 4, 0.3, 0.9);
      for (const ResponseEntry &entry : responses())
        if (entry.bytes_of_type != nullptr)
          {
            SCOPED_TRACE(std::string(type.name) + ", " + entry.name);
            ParameterValues values = values_for(entry.name);
            if (entry.n_modes != nullptr)
              values["Tolerance"] = 1e-9;
            using Result        = std::pair<double, std::vector<double>>;
            const auto evaluate = [&](const Part &part) {
              const auto response =
                make_response(entry.name,
                              {backend(), part.communicator, part.mesh, {}, nullptr, values});
              DesignChain map = make_design_chain(
                {"helmholtz"}, backend(), part.communicator, part.mesh, {0.9, 1e-3}, {});
              FunctionOfDesign function(backend(),
                                        part.mesh,
                                        part.of_loads(loads),
                                        {3., 1e-4},
                                        problem_of(*response, entry.by_load_case),
                                        &map,
                                        part.communicator);
              Result result;
              result.first = function.value(part.of_elements(design), &result.second);
              return result;
            };
            with_serial(box,
                        evaluate,
                        [](const Part &part, const Result &found, const Result &expected) {
                          EXPECT_NEAR(found.first, expected.first, 1e-9 * std::abs(expected.first));
                          const auto own = part.of_elements(expected.second);
                          for (std::size_t e = 0; e < own.size(); ++e)
                            EXPECT_NEAR(found.second[e], own[e], 1e-7 * max_norm(expected.second));
                        });
          }
    }
}

INSTANTIATE_TEST_SUITE_P(Parallel, DistributedElementFields, at_parallel_places(), place_name);
} // namespace
} // namespace strut::test
