// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "applied.h"

namespace strut::test
{
namespace
{
/// Tests every strategy with shapes, places and sizes of meshes for which it may have separate
/// code.
class ElementGeometryTest : public ElementOperatorTest
{};

// K x = K_reference x on elements of one orientation, which need no care where they write.
TEST_P(ElementGeometryTest, EqualsTheAssembledMatrixOnUprightElements)
{
  with_number([&](const auto tag) {
    using Number = decltype(number_of(tag));
    for (const auto &n : std::vector<std::array<std::size_t, 3>>{{4, 4, 2}, {5, 3, 3}, {11, 8, 9}})
      for (const double distortion : {0., 0.2})
        {
          const BoxMesh box = make_box(BoxOptions::regular(n, {{1., 1.3, 0.8}}, distortion));
          const auto E      = random_factors(box.mesh, 1);
          const auto x      = random_vector<Number>(box.mesh.n_dofs(), 2);
          auto K            = this->template make<Number>(box.mesh, {}, E);
          EXPECT_LE(relative_difference(K.apply(x), ReferenceStiffness(box.mesh, {}, E).apply(x)),
                    rounding<Number>());
        }
  });
}

// Far from the origin, 1e4 elements away, shapes and with them the null space stay the same.
TEST_P(ElementGeometryTest, DoesNotMindWhereTheMeshIs)
{
  with_number([&](const auto tag) {
    using Number      = decltype(number_of(tag));
    BoxMesh box       = make_box(BoxOptions::wild({{6, 5, 7}}, 3));
    const auto E      = random_factors(box.mesh, 2);
    const auto x      = random_vector<Number>(box.mesh.n_dofs(), 2);
    const auto motion = rigid_motions<Number>(box);
    for (double &coordinate : box.mesh.coordinates)
      coordinate += 2e3;
    auto K            = this->template make<Number>(box.mesh, {}, E);
    const double size = max_norm(K.diagonal());
    for (const auto &r : motion)
      EXPECT_LE(norm(K.apply(r)), rounding<Number>() * size * norm(r));
    // The reference sums coordinates times shape functions, and loses the digits that the distance
    // takes.
    EXPECT_LE(relative_difference(K.apply(x), ReferenceStiffness(box.mesh, {}, E).apply(x)),
              std::max(rounding<Number>(), 1e-11));
  });
}

// The patch test is exact on distorted elements: with uniform stiffness, a linear displacement
// leaves no force on inner nodes. There are more elements than a GPU processes at a time.
TEST_P(ElementGeometryTest, PassesThePatchTestOnALargeMesh)
{
  if (!is_on_the_fly())
    GTEST_SKIP() << "its matrices would take too much memory";
  with_number([&](const auto tag) {
    using Number       = decltype(number_of(tag));
    BoxOptions options = BoxOptions::regular({{61, 47, 53}}, {{61., 47., 53.}}, 0.2);
    const BoxMesh box  = make_box(options);
    const auto u       = linear_displacement<Number>(box);
    auto K             = this->template make<Number>(box.mesh);
    const auto f       = K.apply(u);
    const double size  = max_norm(K.diagonal()) * max_norm(u);
    double largest = 0, on_boundary = 0;
    for (std::size_t node = 0; node < box.mesh.n_nodes; ++node)
      {
        bool inner = true;
        for (std::size_t d = 0; d < 3; ++d)
          inner &= box.reference[node][d] > 0.5 && box.reference[node][d] < options.size[d] - 0.5;
        for (std::size_t i = 3 * node; i < 3 * node + 3; ++i)
          (inner ? largest : on_boundary) =
            std::max(inner ? largest : on_boundary, static_cast<double>(std::abs(f[i])));
      }
    EXPECT_LE(largest, rounding<Number>() * size);
    EXPECT_GT(on_boundary, 0.1);
  });
}

INSTANTIATE_TEST_SUITE_P(Core, ElementGeometryTest, of_all_strategies(), strategy_case_name);
} // namespace
} // namespace strut::test
