// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/adapted_box.h"
#include "applied.h"

namespace strut::test
{
namespace
{
/// Tests every strategy; most of them accept no vectors in float.
class ProductOfFloatTest : public ElementOperatorTest
{};

// Some elements may have no stiffness. Meshes are distorted, of equal boxes, of boxes of two sizes,
// or a part of a patch.
TEST_P(ProductOfFloatTest, IsThatOfTheSameNumbers)
{
  with_number([&](const auto tag) {
    using Number                     = decltype(number_of(tag));
    const Strategy<Number> &strategy = find_strategy<Number>(backend(), GetParam().strategy);
    const AdaptedBox adapted(5, [](const double x, double, double) { return x < 2.; });
    const BoxMesh wild = make_box(BoxOptions::wild({{5, 4, 6}}, 2)),
                  same = make_box(BoxOptions::regular({{5, 4, 6}})),
                  few  = make_box(BoxOptions::regular({{2, 1, 1}}));
    for (const ElementMesh *const mesh : {&wild.mesh, &same.mesh, &adapted.mesh, &few.mesh})
      {
        if (identical_elements_only() && mesh != &same.mesh)
          continue;
        std::vector<double> factors = random_factors(*mesh, 7);
        for (std::size_t e = 1; e < factors.size(); e += 3)
          factors[e] = 0.;
        const auto K = this->template make<Number>(*mesh, {}, factors);
        if (strategy.takes_float)
          expect_product_of_float(K.get(), backend().memory(), *mesh, strategy.deterministic);
        else
          EXPECT_THROW(
            expect_product_of_float(K.get(), backend().memory(), *mesh, strategy.deterministic),
            Error);
      }
  });
}

INSTANTIATE_TEST_SUITE_P(Core, ProductOfFloatTest, of_all_strategies(), strategy_case_name);
} // namespace
} // namespace strut::test
