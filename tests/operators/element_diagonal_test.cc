// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "applied.h"

namespace strut::test
{
namespace
{
/// Tests the diagonal of every strategy, and its blocks.
class ElementDiagonalTest : public ElementOperatorTest
{};

// d_i = e_i . K e_i, by the operator itself and by the assembled matrix.
TEST_P(ElementDiagonalTest, DiagonalIsThatOfTheOperator)
{
  with_number([&](const auto tag) {
    using Number      = decltype(number_of(tag));
    const BoxMesh box = make_box(BoxOptions::wild({{3, 2, 2}}, 6));
    const auto E      = random_factors(box.mesh, 6);
    auto K            = this->template make<Number>(box.mesh, {}, E);
    const auto d      = K.diagonal();
    EXPECT_LE(relative_difference(d, ReferenceStiffness(box.mesh, {}, E).diagonal()),
              rounding<Number>());
    std::vector<Number> unit(box.mesh.n_dofs());
    for (std::size_t i = 0; i < unit.size(); ++i)
      {
        unit[i] = Number(1);
        EXPECT_NEAR(K.apply(unit)[i], d[i], rounding<Number>() * std::abs(d[i])) << "DoF " << i;
        unit[i] = Number(0);
      }
  });
}

// The 3x3 blocks of the nodes are those of the assembled matrix, on upright and on rotated
// elements, and contain the diagonal.
TEST_P(ElementDiagonalTest, DiagonalBlocksAreThoseOfTheOperator)
{
  with_number([&](const auto tag) {
    using Number = decltype(number_of(tag));
    for (const BoxOptions &options : {BoxOptions::wild({{3, 4, 3}}, 6),
                                      BoxOptions::regular({{3, 4, 3}}),
                                      BoxOptions::regular({{9, 7, 6}})})
      {
        const BoxMesh box = make_box(options);
        const auto E      = random_factors(box.mesh, 6);
        auto K            = this->template make<Number>(box.mesh, {}, E);
        const auto blocks = this->diagonal_blocks(K);
        if (blocks.empty())
          return;
        const auto expected = ReferenceStiffness(box.mesh, {}, E).diagonal_blocks();
        EXPECT_LE(relative_difference(blocks, expected), rounding<Number>());
        if (this->memory().is_host() || this->is_deterministic())
          {
            EXPECT_TRUE(same_bits(K.diagonal_blocks(), blocks));
          }
        const auto d            = K.diagonal();
        const std::size_t of[3] = {0, 3, 5};
        for (std::size_t i = 0; i < d.size(); ++i)
          EXPECT_NEAR(blocks[6 * (i / 3) + of[i % 3]], d[i], rounding<Number>() * std::abs(d[i]));
      }
  });
}

INSTANTIATE_TEST_SUITE_P(Core, ElementDiagonalTest, of_all_strategies(), strategy_case_name);
} // namespace
} // namespace strut::test
