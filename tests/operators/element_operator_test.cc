// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/adapted_box.h"
#include "applied.h"

namespace strut::test
{
namespace
{
// ||K x - K_reference x|| <= eps ||K_reference x||: sizes around the widths of warps and blocks.
TEST_P(ElementOperatorTest, EqualsTheAssembledMatrix)
{
  with_number([&](const auto tag) {
    using Number                                        = decltype(number_of(tag));
    const std::vector<std::array<std::size_t, 3>> sizes = {
      {1, 1, 1}, {31, 1, 1}, {4, 4, 2}, {1, 11, 3}, {1, 1, 257}, {9, 10, 12}};
    for (const auto &n : sizes)
      for (const unsigned int seed : {1u, 2u, 3u})
        {
          SCOPED_TRACE(::testing::Message()
                       << n[0] << " x " << n[1] << " x " << n[2] << ", seed " << seed);
          const BoxMesh box = make_box(BoxOptions::wild(n, seed));
          const auto E      = random_factors(box.mesh, seed + 10);
          const auto x      = random_vector<Number>(box.mesh.n_dofs(), seed + 20);
          const ReferenceStiffness reference(box.mesh, {}, E);
          auto K = this->template make<Number>(box.mesh, {}, E);
          EXPECT_LE(relative_difference(K.apply(x), reference.apply(x)), rounding<Number>());
          if (n[0] == 9)
            break; // once is enough for the large one
        }
  });
}

// Two elements share a face, the second in each of its 24 orientations.
TEST_P(ElementOperatorTest, EqualsTheAssembledMatrixInEveryOrientation)
{
  if (identical_elements_only())
    GTEST_SKIP() << "for elements of one orientation only";
  with_number([&](const auto tag) {
    using Number                = decltype(number_of(tag));
    BoxOptions options          = BoxOptions::regular({{2, 1, 1}});
    options.distortion          = 0.2;
    BoxMesh box                 = make_box(options);
    const auto upright          = box.mesh.connectivity;
    const auto x                = random_vector<Number>(box.mesh.n_dofs(), 5);
    const std::vector<double> E = {0.4, 0.9};
    const auto expected         = ReferenceStiffness(box.mesh, {}, E).apply(x);
    ASSERT_EQ(cube_rotations().size(), 24u);
    for (const auto &rotation : cube_rotations())
      {
        for (std::size_t v = 0; v < 8; ++v)
          box.mesh.connectivity[2 * v + 1] = upright[2 * static_cast<std::size_t>(rotation[v]) + 1];
        auto K = this->template make<Number>(box.mesh, {}, E);
        EXPECT_LE(relative_difference(K.apply(x), expected), rounding<Number>());
      }
  });
}

// All elements are one box, upright or all in another orientation, for which strategies may have
// separate code.
TEST_P(ElementOperatorTest, EqualsTheAssembledMatrixWhereAllElementsAreOneBox)
{
  with_number([&](const auto tag) {
    using Number        = decltype(number_of(tag));
    BoxMesh box         = make_box(BoxOptions::regular({{9, 5, 7}}, {{3., 5., 1.3}}).shuffled());
    const auto x        = random_vector<Number>(box.mesh.n_dofs(), 5);
    const auto E        = random_factors(box.mesh, 6);
    const auto upright  = box.mesh.connectivity;
    const std::size_t n = box.mesh.n_elements;
    const auto expected = ReferenceStiffness(box.mesh, {}, E).apply(x);
    for (const std::size_t number : {0, 1, 7, 23})
      {
        if (number != 0 && this->identical_elements_only())
          break; // some want them upright
        const auto &rotation = cube_rotations().at(number);
        for (std::size_t v = 0; v < 8; ++v)
          std::copy_n(upright.begin() +
                        static_cast<std::ptrdiff_t>(n * static_cast<std::size_t>(rotation[v])),
                      n,
                      box.mesh.connectivity.begin() + static_cast<std::ptrdiff_t>(n * v));
        auto K = this->template make<Number>(box.mesh, {}, E);
        EXPECT_LE(relative_difference(K.apply(x), expected), rounding<Number>())
          << "rotation " << number;
      }
  });
}

// All elements, or nearly all, have one shape but two sizes, as in a locally refined mesh of boxes.
TEST_P(ElementOperatorTest, EqualsTheAssembledMatrixWhereElementsAreSimilar)
{
  if (identical_elements_only())
    GTEST_SKIP() << "for elements of one size only";
  with_number([&](const auto tag) {
    using Number = decltype(number_of(tag));
    AdaptedBox box(5, [](const double x, const double y, double) { return x < 2. || y > 3.; });
    ElementMesh &mesh = box.mesh;
    for (std::size_t d = 1; d < 3; ++d)
      for (std::size_t node = 0; node < mesh.n_nodes; ++node)
        mesh.coordinates[d * mesh.n_nodes + node] *= d == 1 ? 2. : 0.7;
    const auto x       = random_vector<Number>(mesh.n_dofs(), 5);
    const auto E       = random_factors(mesh, 6);
    const auto on_cpu  = make_cpu_backend(1);
    const auto compare = [&]() {
      auto K = this->template make<Number>(mesh, {}, E);
      EXPECT_LE(relative_difference(K.apply(x), ReferenceStiffness(mesh, {}, E).apply(x)),
                rounding<Number>());
      Applied<double> reference(*on_cpu, "ebe", mesh, {}, E);
      const auto energies = K.energies(x), expected = reference.energies({x.begin(), x.end()});
      for (std::size_t e = 0; e < energies.size(); ++e)
        EXPECT_NEAR(energies[e], expected[e], 20 * rounding<Number>() * expected[e]);
      const auto d = K.diagonal();
      EXPECT_LE(relative_difference(d, reference.diagonal()), rounding<Number>());

      auto solid = this->template make<Number>(mesh); // default factors are 1
      const std::vector<double> ones(mesh.n_elements, 1.);
      EXPECT_LE(relative_difference(solid.apply(x), ReferenceStiffness(mesh, {}, ones).apply(x)),
                rounding<Number>());
    };
    compare();
    mesh.coordinates[mesh.n_nodes / 2] += 0.01;
    compare();
  });
}

// Other materials: auxetic, no lateral contraction, steel in pascals, nearly incompressible.
TEST_P(ElementOperatorTest, EqualsTheAssembledMatrixForOtherMaterials)
{
  with_number([&](const auto tag) {
    using Number      = decltype(number_of(tag));
    const BoxMesh box = make_box(BoxOptions::wild({{3, 4, 2}}, 8));
    const auto E      = random_factors(box.mesh, 3);
    const auto x      = random_vector<Number>(box.mesh.n_dofs(), 4);
    for (const Material material :
         {Material{1., -0.3}, Material{2.5, 0.}, Material{210e9, 0.3}, Material{1e-3, 0.49}})
      {
        auto K = this->template make<Number>(box.mesh, material, E);
        EXPECT_LE(relative_difference(K.apply(x),
                                      ReferenceStiffness(box.mesh, material, E).apply(x)),
                  rounding<Number>())
          << "nu = " << material.poisson_ratio;
      }
  });
}

// The product with the mean of div u over each element, and with incompatible modes, for elements
// of any shape, of one shape, and copies of one.
TEST_P(ElementOperatorTest, TakesOtherElements)
{
  const BoxMesh wild = make_box(BoxOptions::wild({{3, 4, 2}}, 8)),
                one  = make_box(BoxOptions::regular({{4, 3, 5}}));
  const AdaptedBox similar(3, [](const double x, double, double) { return x < 1.; });
  const std::string name = GetParam().strategy;
  with_number([&](const auto tag) {
    using Number = decltype(number_of(tag));
    for (const ElementMesh *const mesh : {&wild.mesh, &one.mesh, &similar.mesh})
      for (const Material &material : {Material{2., 0.3, Formulation::mean_dilatation},
                                       Material{2., 0.49, Formulation::mean_dilatation},
                                       with_modes(2., 0.3),
                                       with_modes(2., 0.49)})
        {
          if (identical_elements_only() && mesh != &one.mesh)
            continue;
          auto E       = random_factors(*mesh, 3);
          E[1]         = 0.; // outside of the structure
          const auto x = random_vector<Number>(mesh->n_dofs(), 4);
          if (name == "assembled" || name == "assembled_ell")
            {
              EXPECT_THROW(this->template make<Number>(*mesh, material, E), Error);
              continue;
            }
          const ReferenceStiffness reference(*mesh, material, E);
          auto K = this->template make<Number>(*mesh, material, E);
          EXPECT_LE(relative_difference(K.apply(x), reference.apply(x)), rounding<Number>());
          EXPECT_LE(relative_difference(K.diagonal(), reference.diagonal()), rounding<Number>());
          EXPECT_LE(relative_difference(K.energies(x), reference.energies(x)),
                    20 * rounding<Number>());
        }
  });
}

// x . K y = y . K x
TEST_P(ElementOperatorTest, IsSymmetric)
{
  with_number([&](const auto tag) {
    using Number      = decltype(number_of(tag));
    const BoxMesh box = make_box(BoxOptions::wild({{5, 4, 6}}, 2));
    auto K            = this->template make<Number>(box.mesh, {}, random_factors(box.mesh, 7));
    expect_symmetric(K, box);
  });
}

// Some elements may have no stiffness, and there may be one patch of elements, or part of one.
TEST_P(ElementOperatorTest, SubtractsItsProduct)
{
  with_number([&](const auto tag) {
    using Number = decltype(number_of(tag));
    for (const auto &n :
         {std::array<std::size_t, 3>{{5, 4, 6}}, std::array<std::size_t, 3>{{2, 1, 1}}})
      for (const bool regular : {false, true})
        {
          const BoxMesh box = make_box(regular ? BoxOptions::regular(n) : BoxOptions::wild(n, 2));
          std::vector<double> factors = random_factors(box.mesh, 7);
          for (std::size_t e = 1; e < factors.size(); e += 3)
            factors[e] = 0.;
          auto K        = this->template make<Number>(box.mesh, {}, factors);
          const auto x  = random_vector<Number>(box.mesh.n_dofs(), 1),
                     y  = random_vector<Number>(box.mesh.n_dofs(), 2);
          const auto Kx = K.apply(x);
          if (!find_strategy<Number>(backend(), GetParam().strategy).subtracts)
            {
              EXPECT_THROW(K.subtract(x, y), Error);
              continue;
            }
          const auto found = K.subtract(x, y);
          for (std::size_t i = 0; i < found.size(); ++i)
            ASSERT_NEAR(found[i], y[i] - Kx[i], rounding<Number>() * (1. + norm(Kx)));
        }
  });
}

// Factors are reported as given, rounded to Number: on distorted meshes, equal boxes, and boxes of
// two sizes, whose size may be stored with the factors.
TEST_P(ElementOperatorTest, TellsItsFactorsIfItSaysSo)
{
  with_number([&](const auto tag) {
    using Number = decltype(number_of(tag));
    const AdaptedBox adapted(5, [](const double x, double, double) { return x < 2.; });
    const BoxMesh wild = make_box(BoxOptions::wild({{5, 4, 6}}, 2));
    const BoxMesh same = make_box(BoxOptions::regular({{5, 4, 6}}));
    for (const ElementMesh *const mesh : {&wild.mesh, &same.mesh, &adapted.mesh})
      {
        if (identical_elements_only() && mesh != &same.mesh)
          continue;
        std::vector<double> factors = random_factors(*mesh, 7);
        factors[3]                  = 0.;
        auto K                      = this->template make<Number>(*mesh, {}, factors);
        if (!find_strategy<Number>(backend(), GetParam().strategy).tells_factors)
          {
            EXPECT_THROW(K.factors(), Error);
            continue;
          }
        const auto told  = K.factors();
        const double eps = std::numeric_limits<Number>::epsilon();
        for (std::size_t e = 0; e < told.size(); ++e)
          EXPECT_NEAR(told[e], factors[e], 2. * eps * factors[e]);
      }
  });
}

// x . K x > 0 unless x is a rigid motion.
TEST_P(ElementOperatorTest, IsPositive)
{
  with_number([&](const auto tag) {
    using Number      = decltype(number_of(tag));
    const BoxMesh box = make_box(BoxOptions::wild({{3, 5, 2}}, 4));
    auto K            = this->template make<Number>(box.mesh, {}, random_factors(box.mesh, 1));
    for (unsigned int seed = 1; seed <= 10; ++seed)
      {
        const auto x = random_vector<Number>(box.mesh.n_dofs(), seed);
        EXPECT_GT(dot(x, K.apply(x)), 0.);
      }
    // a single degree of freedom, then a smooth field of pure bending
    std::vector<Number> bending(box.mesh.n_dofs());
    for (std::size_t node = 0; node < box.mesh.n_nodes; ++node)
      bending[3 * node + 2] = static_cast<Number>(std::pow(box.position(node)[0], 2));
    EXPECT_GT(dot(bending, K.apply(bending)), 0.);
  });
}

// K r = 0 for three translations and three rotations, on distorted elements of unequal stiffness.
TEST_P(ElementOperatorTest, RigidMotionsAreInTheNullSpace)
{
  with_number([&](const auto tag) {
    using Number      = decltype(number_of(tag));
    const BoxMesh box = make_box(BoxOptions::wild({{4, 5, 6}}, 3));
    auto K            = this->template make<Number>(box.mesh, {}, random_factors(box.mesh, 2));
    expect_no_forces_of_rigid_motions(K, box);
  });
}

// c_e = u_e . K0_e u_e does not depend on the factors; sum_e E_e c_e = u . K u.
TEST_P(ElementOperatorTest, EnergiesSumToThatOfTheWhole)
{
  with_number([&](const auto tag) {
    using Number = decltype(number_of(tag));
    for (const auto &n : std::vector<std::array<std::size_t, 3>>{{1, 1, 1}, {33, 1, 1}, {7, 5, 6}})
      {
        const BoxMesh box = make_box(BoxOptions::wild(n, 9));
        const auto E      = random_factors(box.mesh, 11);
        const auto u      = random_vector<Number>(box.mesh.n_dofs(), 12);
        auto K            = this->template make<Number>(box.mesh, {}, E);
        const auto c      = K.energies(u);
        EXPECT_LE(relative_difference(c, ReferenceStiffness(box.mesh, {}, E).energies(u)),
                  rounding<Number>());
        const double whole = dot(u, K.apply(u));
        EXPECT_NEAR(dot(E, c), whole, 2. * rounding<Number>() * whole);
      }
  });
}

// K(a E + b F) x = a K(E) x + b K(F) x; K(0) x = 0 exactly; K(1) after construction.
TEST_P(ElementOperatorTest, IsLinearInTheStiffness)
{
  with_number([&](const auto tag) {
    using Number      = decltype(number_of(tag));
    const BoxMesh box = make_box(BoxOptions::wild({{4, 3, 5}}, 10));
    const auto x      = random_vector<Number>(box.mesh.n_dofs(), 1);
    const auto E = random_factors(box.mesh, 2), F = random_factors(box.mesh, 3);
    std::vector<double> combined(E.size());
    for (std::size_t e = 0; e < E.size(); ++e)
      combined[e] = 0.5 * E[e] + 3. * F[e];

    auto K         = this->template make<Number>(box.mesh);
    const auto K1x = K.apply(x);
    K.set_stiffness(E);
    auto expected = to_double(K.apply(x));
    K.set_stiffness(F);
    const auto KFx = K.apply(x);
    for (std::size_t i = 0; i < expected.size(); ++i)
      expected[i] = 0.5 * expected[i] + 3. * static_cast<double>(KFx[i]);
    K.set_stiffness(combined);
    EXPECT_LE(relative_difference(K.apply(x), expected), rounding<Number>());

    K.set_stiffness(std::vector<double>(E.size(), 0.));
    EXPECT_EQ(max_norm(K.apply(x)), 0.);
    K.set_stiffness(std::vector<double>(E.size(), 1.));
    EXPECT_LE(relative_difference(K.apply(x), to_double(K1x)), rounding<Number>());
  });
}

// The contrast of topology optimization: a void of 1e-9 beside solid material keeps its own
// accuracy.
TEST_P(ElementOperatorTest, KeepsWeakElementsAccurate)
{
  with_number([&](const auto tag) {
    using Number      = decltype(number_of(tag));
    const BoxMesh box = make_box(BoxOptions::wild({{6, 3, 3}}, 12));
    std::vector<double> E(box.mesh.n_elements, 1e-9);
    for (std::size_t e = 0; e < E.size(); ++e)
      if (box.element_at[e][0] < 2)
        E[e] = 1.;
    const auto x        = random_vector<Number>(box.mesh.n_dofs(), 13);
    const auto y        = this->template make<Number>(box.mesh, {}, E).apply(x);
    const auto expected = ReferenceStiffness(box.mesh, {}, E).apply(x);
    std::vector<Number> weak;
    std::vector<double> weak_expected;
    for (std::size_t node = 0; node < box.mesh.n_nodes; ++node)
      if (box.reference[node][0] > 0.4) // touches only the weak ones
        for (std::size_t i = 3 * node; i < 3 * node + 3; ++i)
          {
            weak.push_back(y[i]);
            weak_expected.push_back(expected[i]);
          }
    ASSERT_FALSE(weak.empty());
    EXPECT_LE(relative_difference(weak, weak_expected), rounding<Number>());
  });
}

// A strategy that declares itself deterministic gives the same bits for the same input, from one
// operator and from another.
TEST_P(ElementOperatorTest, IsDeterministicIfItSaysSo)
{
  with_number([&](const auto tag) {
    using Number         = decltype(number_of(tag));
    const auto &strategy = find_strategy<Number>(this->backend(), this->GetParam().strategy);
    if (!strategy.deterministic)
      return;
    const BoxMesh box = make_box(BoxOptions::wild({{9, 10, 12}}, 14));
    const auto E      = random_factors(box.mesh, 15);
    const auto x      = random_vector<Number>(box.mesh.n_dofs(), 16);
    auto K            = this->template make<Number>(box.mesh, {}, E);
    const auto first = K.apply(x), d = K.diagonal();
    const auto c = K.energies(x);
    for (int repetition = 0; repetition < 5; ++repetition)
      {
        EXPECT_TRUE(same_bits(K.apply(x), first));
        EXPECT_TRUE(same_bits(K.diagonal(), d));
        EXPECT_TRUE(same_bits(K.energies(x), c));
      }
    EXPECT_TRUE(same_bits(this->template make<Number>(box.mesh, {}, E).apply(x), first));
  });
}

// A strategy that declares that it needs identical elements refuses others, whether a vertex is
// displaced or the element is rotated. The message says which element it is, and what to use
// instead. Identical elements pass anywhere. Other strategies accept all.
TEST_P(ElementOperatorTest, RefusesUnequalElementsIfItSaysSo)
{
  with_number([&](const auto tag) {
    using Number       = decltype(number_of(tag));
    BoxOptions options = BoxOptions::regular({{5, 4, 3}}, {{1e3, 2e3, 3e3}});
    BoxMesh equal      = test::make_box(options);
    for (std::size_t node = 0; node < equal.mesh.n_nodes; ++node)
      equal.mesh.coordinates[node] += 1e6;
    EXPECT_NO_THROW(this->template make<Number>(equal.mesh));

    BoxMesh moved = test::make_box(options); // the last node belongs to the last element alone
    moved.mesh.coordinates[moved.mesh.n_nodes - 1] += 1e-4;
    BoxMesh turned    = test::make_box(options);
    const auto &other = cube_rotations()[1];
    ASSERT_NE(other[0], 0);
    for (std::size_t v = 0; v < 8; ++v)
      turned.mesh.connectivity[v * 60 + 59] =
        equal.mesh.connectivity[static_cast<std::size_t>(other[v]) * 60 + 59];
    for (const BoxMesh *box : {&moved, &turned})
      {
        if (!this->identical_elements_only())
          {
            EXPECT_NO_THROW(this->template make<Number>(box->mesh));
            continue;
          }
        expect_error([&]() { this->template make<Number>(box->mesh); },
                     {"'" + this->GetParam().strategy + "'", "Element 59", "ebe, nbn"});
      }
  });
}

// A rank without elements applies nothing to nothing.
TEST_P(ElementOperatorTest, AllowsAnEmptyMesh)
{
  with_number([&](const auto tag) {
    using Number      = decltype(number_of(tag));
    const BoxMesh box = make_box(BoxOptions::regular({{0, 0, 0}}));
    auto K            = this->template make<Number>(box.mesh);
    K.set_stiffness({});
    EXPECT_TRUE(K.apply({}).empty());
    EXPECT_TRUE(K.diagonal().empty());
    EXPECT_TRUE(K.energies({}).empty());
  });
}

// Memory is estimated before allocation. The memory of make() fits the estimate, and all of it is
// freed.
TEST_P(ElementOperatorTest, TakesTheMemoryThatItEstimates)
{
  with_number([&](const auto tag) {
    using Number             = decltype(number_of(tag));
    const BoxMesh box        = make_box(BoxOptions::wild({{12, 12, 12}}, 1));
    const auto &strategy     = find_strategy<Number>(this->backend(), this->GetParam().strategy);
    const std::size_t before = this->memory().in_use();
    {
      const auto K         = strategy.make(this->backend(), box.mesh, {});
      const double taken   = static_cast<double>(this->memory().in_use() - before);
      const double planned = strategy.memory_estimate({box.mesh.n_elements, box.mesh.n_nodes});
      EXPECT_GT(taken, 0.);
      EXPECT_LE(taken, 1.05 * planned);
      EXPECT_GE(taken, 0.5 * planned);
      EXPECT_NEAR(K->cost().memory_bytes, planned, 0.05 * planned);
      // Moves at least the vectors, a node number per element and the factors; does at least one
      // product per DoF.
      EXPECT_GE(K->cost().bytes_per_apply,
                6. * static_cast<double>(sizeof(Number) * box.mesh.n_nodes) +
                  static_cast<double>((sizeof(LocalIndex) + sizeof(Number)) * box.mesh.n_elements));
      EXPECT_GE(K->cost().flops_per_apply, 24. * static_cast<double>(box.mesh.n_elements));
    }
    EXPECT_EQ(this->memory().in_use(), before);
  });
}

INSTANTIATE_TEST_SUITE_P(Core, ElementOperatorTest, of_all_strategies(), strategy_case_name);
} // namespace
} // namespace strut::test
