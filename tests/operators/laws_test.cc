// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/adapted_box.h"
#include "../fixtures/cantilever_hierarchy.h"
#include "../fixtures/random_solids.h"
#include "applied.h"
#include "source/element/tangent_product.h"
#include "source/mesh/identical_elements.h"
#include "source/solvers/multigrid/level_operator.h"
#include "source/solvers/multigrid/smoother_bound.h"
#include "source/solvers/two_pass_operator.h"

#include <strut/backend/stiffness.h>
#include <strut/base/exceptions.h>
#include <strut/element/elasticity_matrix.h>
#include <strut/element/solids.h>
#include <strut/solvers/elasticity_operator.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace strut::test
{
namespace
{
/// Parameters of elements, `[n_elements]` each.
struct LameOfElements
{
  std::vector<double> lambda, mu;
};

/// Parameters of any ratio: elements that widen when they are pulled, some without lambda, without
/// mu, and without either.
LameOfElements random_lame(const std::size_t n, const unsigned int seed)
{
  LameOfElements lame{random_vector(n, seed, 0.1, 50.), random_vector(n, seed + 1, 0.1, 2.)};
  for (std::size_t e = 0; e < n; ++e)
    {
      if (e % 7 == 1)
        lame.lambda[e] = -0.6 * lame.mu[e];
      if (e % 11 == 3 || e % 11 == 5)
        lame.lambda[e] = 0.;
      if (e % 11 == 4 || e % 11 == 5)
        lame.mu[e] = 0.;
      if (e % 128 >= 32 && e % 128 < 100) // whole patches without stiffness
        lame.lambda[e] = lame.mu[e] = 0.;
    }
  return lame;
}

/// The sum of two textbook matrices, whose materials together have any Lame parameters.
ReferenceStiffness
reference_with(const LameOfElements &lame, const ElementMesh &mesh, const Formulation formulation)
{
  const Material one{1., 0.3, formulation}, other{1., 0., formulation};
  std::vector<ElementMatrix> matrices;
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    {
      double X[3][8];
      vertices(mesh, e, X);
      ElementMatrix K            = reference_element_matrix(X, one);
      const ElementMatrix second = reference_element_matrix(X, other);
      const double a             = lame.lambda[e] / lambda_of(one);
      const double b             = 2. * (lame.mu[e] - a * hooke(one)[3][3]);
      for (std::size_t i = 0; i < 24; ++i)
        for (std::size_t j = 0; j < 24; ++j)
          K[i][j] = a * K[i][j] + b * second[i][j];
      matrices.push_back(K);
    }
  return {mesh, matrices};
}

/// Random symmetric tangents, definite or not: `[n_points][21][n_elements]`.
struct RandomTangents
{
  RandomTangents(const ElementMesh &mesh, const unsigned int n_points, const unsigned int seed)
    : n_points(n_points), n_elements(mesh.n_elements)
  {
    for (unsigned int k = 0; k < n_points * n_tangent_components; ++k)
      numbers.push_back(random_vector(n_elements, seed + 1000 * k, -1., 1.));
  }

  double get(const std::size_t e, const unsigned int q, const unsigned int k) const
  {
    return numbers[(n_points == 1 ? 0 : q) * n_tangent_components + k][e];
  }

  Stiffness::Fields fields() const
  {
    return [this](const unsigned int q, const unsigned int k, Array<double> &values) {
      values.copy_from_host(numbers[q * n_tangent_components + k]);
    };
  }

  const unsigned int n_points;
  const std::size_t n_elements;
  std::vector<std::vector<double>> numbers;
};

/// The sum of element matrices that are computed entry by entry.
ReferenceStiffness reference_with(const RandomTangents &tangents, const ElementMesh &mesh)
{
  std::vector<ElementMatrix> matrices(mesh.n_elements);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    {
      const auto tangent = [&](const int q, const int k) {
        return tangents.get(e, static_cast<unsigned int>(q), static_cast<unsigned int>(k));
      };
      const hexahedron::on_the_fly::TangentSolid<decltype(tangent)> solid{tangent};
      double X[3][8], rows[3][24];
      shape_of(mesh, e, X);
      for (std::size_t a = 0; a < 8; ++a)
        {
          hexahedron::stiffness_rows_by_points(X, solid, static_cast<int>(a), rows);
          for (std::size_t i = 0; i < 3; ++i)
            std::copy_n(rows[i], 24, matrices[e][3 * a + i].begin());
        }
    }
  return {mesh, matrices};
}

template <typename Number>
std::vector<double> product_of(ElasticityOperator<Number> &K, Array<Number> &x, Array<Number> &y)
{
  K.apply(x, y);
  const std::vector<Number> values = y.to_host();
  return {values.begin(), values.end()};
}

/// Each law on every strategy that takes it, against sums of dense element matrices.
class LawsTest : public ElementOperatorTest
{
protected:
  template <typename Number>
  const Strategy<Number> &strategy()
  {
    return find_strategy<Number>(backend(), GetParam().strategy);
  }

  bool knows(const Formulation formulation) const
  {
    return formulation == Formulation::full_integration ||
           GetParam().strategy.substr(0, 9) != "assembled";
  }

  /// Checks what the operator computes with the stiffness that it has.
  template <typename Number>
  void expect(const ElementOperator<Number> &K,
              const ElementMesh &mesh,
              const ReferenceStiffness &reference,
              const double epsilon,
              const bool is_one_pass)
  {
    Memory &memory = backend().memory();
    Array<Number> x(memory, random_vector<Number>(mesh.n_dofs(), 17)), y(memory, mesh.n_dofs()),
      blocks(memory, 2 * mesh.n_dofs());
    y.copy_from_host(poison<Number>(y.size()));
    K.apply(x, y);
    const std::vector<double> expected = reference.apply(x.to_host());
    EXPECT_LE(relative_difference(y.to_host(), expected), epsilon);
    if (is_one_pass && strategy<Number>().takes_float)
      expect_product_of_float(K, memory, mesh, strategy<Number>().deterministic);
    if (is_one_pass && strategy<Number>().subtracts)
      {
        K.subtract(x, y);
        EXPECT_LE(norm(y.to_host()), epsilon * norm(expected));
      }
    K.diagonal(y);
    EXPECT_LE(relative_difference(y.to_host(), reference.diagonal()), epsilon);
    if (is_on_the_fly())
      {
        K.diagonal_blocks(blocks);
        EXPECT_LE(relative_difference(blocks.to_host(), reference.diagonal_blocks()), epsilon);
      }
  }

  template <typename Number>
  void expect_lame(const ElementMesh &mesh, const Formulation formulation)
  {
    Memory &memory         = backend().memory();
    const double epsilon   = 4. * rounding<Number>(); // lambda is up to 500 mu
    const bool is_one_pass = strategy<Number>().takes(Law::lame);
    EXPECT_EQ(is_one_pass, is_on_the_fly());
    const auto K =
      make_element_operator(backend(), mesh, strategy<Number>(), {1., 0.3, formulation}, Law::lame);
    const Array<Number> x(memory, random_vector<Number>(mesh.n_dofs(), 3));
    Array<double> c(memory, mesh.n_elements);
    for (const unsigned int seed : {4u, 14u}) // other ones replace them
      {
        const LameOfElements lame = random_lame(mesh.n_elements, seed);
        const Array<double> lambda(memory, lame.lambda), mu(memory, lame.mu);
        K->set(mesh, Stiffness::of_lame(lambda, mu));
        expect<Number>(*K, mesh, reference_with(lame, mesh, formulation), epsilon, is_one_pass);
        const LameOfElements other = random_lame(mesh.n_elements, seed + 5);
        const Array<double> other_lambda(memory, other.lambda), other_mu(memory, other.mu);
        K->energies_of(Stiffness::of_lame(other_lambda, other_mu), x, c);
        EXPECT_LE(relative_difference(
                    c.to_host(), reference_with(other, mesh, formulation).energies(x.to_host())),
                  10. * epsilon);
      }
  }

  template <typename Number>
  void expect_tangents(const ElementMesh &mesh)
  {
    EXPECT_EQ(strategy<Number>().takes(Law::tangents), is_on_the_fly());
    if (!strategy<Number>().takes(Law::tangents))
      return;
    Memory &memory       = backend().memory();
    const double epsilon = 2. * rounding<Number>();
    const auto K         = strategy<Number>().make(backend(), mesh, Material());
    const Array<Number> x(memory, random_vector<Number>(mesh.n_dofs(), 3));
    Array<double> c(memory, mesh.n_elements);
    for (const unsigned int n_points : {8u, 1u, 8u}) // other ones replace them
      {
        const RandomTangents tangents(mesh, n_points, 4 + n_points);
        const ReferenceStiffness reference = reference_with(tangents, mesh);
        K->set(mesh, Stiffness::of_fields({Law::tangents, n_points}, tangents.fields()));
        expect<Number>(*K, mesh, reference, epsilon, true);
        K->energies(x, c);
        EXPECT_LE(relative_difference(c.to_host(), reference.energies(x.to_host())), 10. * epsilon);
        for (const unsigned int k : {0u, 4u, 20u}) // back again, and the means
          {
            K->mean_component(k, n_points - 1, 1, c);
            std::vector<double> values =
              tangents.numbers[(n_points - 1) * n_tangent_components + k];
            EXPECT_LE(relative_difference(c.to_host(), values), rounding<Number>());
            K->mean_component(k, 0, n_points, c);
            for (std::size_t e = 0; e < mesh.n_elements; ++e)
              {
                values[e] = 0.;
                for (unsigned int q = 0; q < n_points; ++q)
                  values[e] += tangents.get(e, q, k) / n_points;
              }
            EXPECT_LE(relative_difference(c.to_host(), values), rounding<Number>());
          }
      }
  }

  /// Solids of a table, each element with one of its own, and factors.
  template <typename Number>
  void expect_table(const ElementMesh &mesh)
  {
    if (!strategy<Number>().takes(Law::table))
      return;
    Memory &memory = backend().memory();
    const auto K   = strategy<Number>().make(backend(), mesh, Material());
    const Array<Number> x(memory, random_vector<Number>(mesh.n_dofs(), 3));
    Array<double> c(memory, mesh.n_elements);
    for (const unsigned int seed : {4u, 14u}) // other ones replace them
      {
        RandomTangents numbers(mesh, 1, seed);
        AnisotropicSolids solids{std::vector<ElasticityMatrix>(mesh.n_elements),
                                 std::vector<std::uint32_t>(mesh.n_elements)};
        std::iota(solids.of_element.begin(), solids.of_element.end(), 0u);
        for (std::size_t e = 0; e < mesh.n_elements; ++e)
          for (int i = 0; i < 6; ++i)
            for (int j = 0; j < 6; ++j)
              solids.matrices[e].C[i][j] =
                numbers.get(e, 0, static_cast<unsigned int>(hexahedron::tangent_component(i, j)));
        const std::vector<double> of_one = reference_with(numbers, mesh).energies(x.to_host());
        const auto factors               = random_vector(mesh.n_elements, seed, 0.1, 1.);
        for (std::vector<double> &component : numbers.numbers)
          for (std::size_t e = 0; e < mesh.n_elements; ++e)
            component[e] *= factors[e];
        const Array<double> on_backend(memory, factors);
        K->set(mesh, Stiffness::of_solids(solids).times(on_backend));
        expect<Number>(*K, mesh, reference_with(numbers, mesh), 2. * rounding<Number>(), true);
        K->energies(x, c);
        EXPECT_LE(relative_difference(c.to_host(), of_one), 20. * rounding<Number>());
      }
  }

  void expect_all_laws(const ElementMesh &mesh)
  {
    with_number([&](const auto tag) {
      using Number = decltype(number_of(tag));
      for (const auto formulation : {Formulation::full_integration, Formulation::mean_dilatation})
        if (knows(formulation))
          {
            SCOPED_TRACE(formulation == Formulation::mean_dilatation);
            expect_lame<Number>(mesh, formulation);
          }
      expect_tangents<Number>(mesh);
      expect_table<Number>(mesh);
    });
  }
};

TEST_P(LawsTest, EqualTheSumOfElementMatrices)
{
  if (identical_elements_only())
    GTEST_SKIP() << "for elements of one size only";
  for (const std::array<std::size_t, 3> &n :
       std::vector<std::array<std::size_t, 3>>{{1, 1, 1}, {31, 1, 1}, {1, 2, 129}, {4, 5, 3}})
    expect_all_laws(make_box(BoxOptions::wild(n, 3)).mesh);
}

// Strategies may have separate code for copies of a box.
TEST_P(LawsTest, EqualTheSumWhereAllElementsAreOneBox)
{
  expect_all_laws(make_box(BoxOptions::regular({{5, 4, 6}}, {{3., 5., 1.3}}).shuffled()).mesh);
}

TEST_P(LawsTest, EqualTheSumWhereElementsAreSimilar)
{
  if (identical_elements_only())
    GTEST_SKIP() << "for elements of one size only";
  AdaptedBox box(5, [](const double x, const double y, double) { return x < 2. || y > 3.; });
  expect_all_laws(box.mesh);
}

// Elements far from the origin, whose coordinates have few digits left, and elements ten times
// longer than thick.
TEST_P(LawsTest, TangentsEqualTheSumFarFromTheOrigin)
{
  if (identical_elements_only())
    GTEST_SKIP() << "for elements of one size only";
  with_number([&](const auto tag) {
    using Number       = decltype(number_of(tag));
    BoxOptions options = BoxOptions::wild({{4, 5, 3}}, 7);
    options.size       = {{40., 5., 3.}};
    ElementMesh mesh   = make_box(options).mesh;
    expect_tangents<Number>(mesh);
    for (double &x : mesh.coordinates) // exactly, so that the reference has the same elements
      x = static_cast<double>(static_cast<float>(x)) + 1024.;
    expect_tangents<Number>(mesh);
  });
}

// A law is refused by name, with the strategies that take it, and the operator stays as it was.
TEST_P(LawsTest, AreRefusedByName)
{
  with_number([&](const auto tag) {
    using Number      = decltype(number_of(tag));
    Memory &memory    = backend().memory();
    const BoxMesh box = make_box(BoxOptions::regular({{2, 3, 2}}));
    ElasticityOperator<Number> K(
      backend(), Communicator(), box.mesh, Material(), GetParam().strategy);
    const Array<double> factors(memory, random_vector(box.mesh.n_elements, 3, 0.5, 1.));
    const AnisotropicSolids solids{{elasticity_matrix(Material())},
                                   std::vector<std::uint32_t>(box.mesh.n_elements, 0)};
    const RandomTangents tangents(box.mesh, 1, 5);
    Array<Number> x(memory, random_vector<Number>(box.mesh.n_dofs(), 4)),
      y(memory, box.mesh.n_dofs());
    const auto product = [&]() { return product_of(K, x, y); };
    K.set(factors);
    const auto with_factors = product();
    EXPECT_EQ(
      message_of([&]() {
        K.set(Stiffness::of_fields({Law::lame, 8}, tangents.fields()));
      }),
      "Elements have one point with numbers of Lame's parameters, and 8 are given.\n  Tangents "
      "have numbers of each point.");
    if (strategy<Number>().takes(Law::table))
      {
        EXPECT_EQ(message_of([&]() { K.set(Stiffness::of_solids(solids)); }),
                  "Solids of a table need factors: Stiffness::times().");
      }
    EXPECT_LE(relative_difference(product(), with_factors), rounding<Number>());
    for (const Stiffness &stiffness : {Stiffness::of_solids(solids).times(factors),
                                       Stiffness::of_fields({Law::tangents, 1}, tangents.fields())})
      {
        std::string takers;
        for (const auto &other : backend().template strategies<Number>())
          if (other.takes(stiffness.law()))
            takers += (takers.empty() ? "" : ", ") + other.name;
        const std::string message = message_of([&]() { K.set(stiffness); });
        if (strategy<Number>().takes(stiffness.law()))
          EXPECT_EQ(message, "");
        else
          EXPECT_EQ(message,
                    "The operator '" + GetParam().strategy + "' takes no " + stiffness.law().name +
                      ".\n  Take one that does: " + takers + ".");
        K.set(factors);
        EXPECT_LE(relative_difference(product(), with_factors), rounding<Number>());
      }
  });
}

// One operator takes one law after another, and is then that of the last one alone.
TEST_P(LawsTest, FollowOneAnother)
{
  with_number([&](const auto tag) {
    using Number        = decltype(number_of(tag));
    Memory &memory      = backend().memory();
    const BoxMesh box   = make_box(BoxOptions::regular({{3, 2, 4}}, {{3., 2.5, 4.}}));
    const std::size_t n = box.mesh.n_elements;
    const Array<double> factors(memory, random_vector(n, 3, 0.5, 1.)),
      lambda(memory, random_vector(n, 4, 0.5, 1.)), mu(memory, random_vector(n, 5, 0.5, 1.));
    const RandomTangents by_points(box.mesh, 8, 5), by_elements(box.mesh, 1, 6);
    const std::vector<std::uint32_t> first(n, 0);
    const AnisotropicSolids solids{{elasticity_matrix(Material{2., 0.1})}, first},
      others{{elasticity_matrix(Material{3., 0.2})}, first};
    const Stiffness lame             = Stiffness::of_lame(lambda, mu);
    const std::vector<Stiffness> all = {
      factors,
      lame,
      lame.times(factors),
      Stiffness::of_solids(solids).times(lambda),
      Stiffness::of_solids(others).times(factors),
      Stiffness::of_fields({Law::tangents, 8}, by_points.fields()),
      Stiffness::of_fields({Law::tangents, 1}, by_elements.fields())};
    const auto new_operator = [&]() {
      return ElasticityOperator<Number>(
        backend(), Communicator(), box.mesh, Material(), GetParam().strategy);
    };
    Array<Number> x(memory, random_vector<Number>(box.mesh.n_dofs(), 4)),
      y(memory, box.mesh.n_dofs());
    Array<double> c(memory, n);
    const auto results = [&](ElasticityOperator<Number> &K) {
      K.apply(x, y);
      const std::vector<Number> product = y.to_host();
      K.diagonal(y);
      const std::vector<Number> diagonal = y.to_host();
      K.energies(x, c);
      std::vector<double> numbers = c.to_host();
      numbers.insert(numbers.end(), product.begin(), product.end());
      numbers.insert(numbers.end(), diagonal.begin(), diagonal.end());
      return numbers;
    };
    ElasticityOperator<Number> K = new_operator();
    for (std::size_t before = 0; before < all.size(); ++before)
      for (std::size_t after = 0; after < all.size(); ++after)
        {
          SCOPED_TRACE(::testing::Message() << before << " before " << after);
          const auto takes = [&](const std::size_t k) {
            return all[k].law() == Law::lame || strategy<Number>().takes(all[k].law());
          };
          if (!takes(before) || !takes(after))
            continue;
          K.set(all[before]);
          K.set(all[after]);
          ElasticityOperator<Number> fresh = new_operator();
          fresh.set(all[after]);
          EXPECT_EQ(K.layout(), fresh.layout());
          EXPECT_LE(relative_difference(results(K), results(fresh)), rounding<Number>());
        }
  });
}

// A law that another one computes gives the same as the numbers of that one.
TEST_P(LawsTest, ComputedByOthersEqualThem)
{
  if (identical_elements_only())
    GTEST_SKIP() << "for elements of one size only";
  std::size_t n_checked = 0;
  with_number([&](const auto tag) {
    using Number        = decltype(number_of(tag));
    Memory &memory      = backend().memory();
    const BoxMesh box   = make_box(BoxOptions::wild({{3, 2, 2}}, 3));
    const std::size_t n = box.mesh.n_elements;
    const Material material{3., 0.2};
    Array<Number> x(memory, random_vector<Number>(box.mesh.n_dofs(), 4)),
      y(memory, box.mesh.n_dofs());
    const auto product = [&](const Law &law, const std::vector<std::vector<double>> &numbers) {
      ElasticityOperator<Number> K(
        backend(), Communicator(), box.mesh, material, GetParam().strategy);
      std::vector<Array<double>> arrays;
      for (const std::vector<double> &component : numbers)
        arrays.emplace_back(memory, component);
      K.set(Stiffness::of_arrays(law, arrays));
      EXPECT_EQ(K.law(), law.known());
      return product_of(K, x, y);
    };
    for (const Law &law : laws())
      {
        if (law.by == nullptr ||
            (law.known() != Law::lame && !strategy<Number>().takes(law.known())))
          continue;
        SCOPED_TRACE(law.name);
        const Solids solids = random_solids(law, n);
        std::vector<std::vector<double>> known(law.known().n_components, std::vector<double>(n));
        double of_element[Law::most_components];
        for (std::size_t e = 0; e < n; ++e)
          {
            solids.known_numbers(material, e, of_element);
            for (std::size_t k = 0; k < known.size(); ++k)
              known[k][e] = of_element[k];
          }
        const std::vector<double> found = product(law, solids.numbers);
        EXPECT_LE(relative_difference(found, product(law.known(), known)), rounding<Number>());
        ++n_checked;
        if (law.name != std::string("a field that stiffens")) // the test knows its formula
          continue;
        LameOfElements lame{solids.numbers[0], solids.numbers[0]};
        for (std::size_t e = 0; e < n; ++e)
          {
            const double factor = 1. + lame.mu[e];
            lame.lambda[e]      = material.lambda() * factor;
            lame.mu[e]          = material.mu() * factor * factor;
          }
        EXPECT_LE(relative_difference(found,
                                      reference_with(lame, box.mesh, Formulation::full_integration)
                                        .apply(x.to_host())),
                  2. * rounding<Number>());
      }
  });
  EXPECT_GE(n_checked, 2u);
}

// Below the finest level elements have the means of their children's numbers, for each law that the
// strategy takes on the levels.
TEST_P(LawsTest, LevelsHaveTheMeansOfFinerElements)
{
  if (!is_on_the_fly())
    GTEST_SKIP() << "levels have operators without matrices";
  with_number([&](const auto tag) {
    using Number   = decltype(number_of(tag));
    Memory &memory = backend().memory();
    const CantileverHierarchy c({{8, 4, 4}}, 1);
    const ElementMesh &fine = c.box.mesh, &coarse = c.coarser[0].mesh;
    const auto mean = [&](const std::vector<double> &values) {
      std::vector<double> means(coarse.n_elements);
      for (std::size_t e = 0; e < 8 * means.size(); ++e)
        means[e % means.size()] += values[c.coarser[0].transfer.children[e]] / 8.;
      return means;
    };
    std::vector<bool> is_held(coarse.n_dofs(), false);
    for (const LocalIndex dof : coarse.constrained_dofs)
      is_held[dof] = true;
    const auto expect_level = [&](const Material &material,
                                  const Stiffness &stiffness,
                                  const ReferenceStiffness &reference) {
      const auto levels = make_level_operators<Number>(CoarseOperators::rediscretised,
                                                       backend(),
                                                       Communicator(),
                                                       {fine, material, c.coarser},
                                                       1,
                                                       GetParam().strategy,
                                                       material.formulation);
      for (const auto &level : levels)
        level->set(stiffness);
      auto x = random_vector<Number>(coarse.n_dofs(), 17);
      for (std::size_t dof = 0; dof < x.size(); ++dof)
        x[dof] = is_held[dof] ? Number(0) : x[dof];
      auto expected = reference.apply(x);
      Array<Number> on_x(memory, x), on_y(memory, x.size()), blocks(memory, 2 * x.size());
      levels[1]->apply(on_x, on_y);
      auto found = on_y.to_host();
      for (std::size_t dof = 0; dof < x.size(); ++dof)
        if (is_held[dof]) // undefined
          found[dof] = expected[dof] = 0;
      EXPECT_LE(relative_difference(found, expected), 4. * rounding<Number>());
      levels[1]->diagonal_blocks(blocks);
      EXPECT_LE(relative_difference(blocks.to_host(), reference.diagonal_blocks()),
                4. * rounding<Number>());
    };
    const std::size_t n  = fine.n_elements;
    const auto of_lambda = random_vector(n, 3, 0.1, 5.), of_mu = random_vector(n, 4, 0.1, 1.);
    const Array<double> lambda(memory, of_lambda), mu(memory, of_mu);
    for (const auto formulation : {Formulation::full_integration, Formulation::mean_dilatation})
      {
        SCOPED_TRACE(formulation == Formulation::mean_dilatation);
        const Material material{2., 0.3, formulation};
        LameOfElements of_factors{mean(of_mu), mean(of_mu)};
        for (std::size_t e = 0; e < coarse.n_elements; ++e)
          {
            of_factors.lambda[e] *= material.lambda();
            of_factors.mu[e] *= material.mu();
          }
        expect_level(material, mu, reference_with(of_factors, coarse, formulation));
        expect_level(material,
                     Stiffness::of_lame(lambda, mu),
                     reference_with({mean(of_lambda), mean(of_mu)}, coarse, formulation));
      }
    for (const unsigned int n_points : {1u, 8u})
      {
        SCOPED_TRACE(n_points);
        const RandomTangents tangents(fine, n_points, 5);
        RandomTangents means(coarse, 1, 0);
        for (unsigned int k = 0; k < n_tangent_components; ++k)
          {
            std::vector<double> of_points(n, 0.);
            for (std::size_t e = 0; e < n; ++e)
              for (unsigned int q = 0; q < n_points; ++q)
                of_points[e] += tangents.get(e, q, k) / n_points;
            means.numbers[k] = mean(of_points);
          }
        expect_level(Material(),
                     Stiffness::of_fields({Law::tangents, n_points}, tangents.fields()),
                     reference_with(means, coarse));
      }
  });
}

// x . K y = y . K x, and K r = 0 for rigid motions r.
TEST_P(LawsTest, LameIsSymmetricWithoutForcesOfRigidMotions)
{
  with_number([&](const auto tag) {
    using Number      = decltype(number_of(tag));
    const BoxMesh box = make_box(BoxOptions::wild({{5, 4, 6}}, 3));
    Memory &memory    = backend().memory();
    for (const auto formulation : {Formulation::full_integration, Formulation::mean_dilatation})
      {
        if (!knows(formulation))
          continue;
        const auto operator_of_lame = make_element_operator(
          backend(), box.mesh, strategy<Number>(), {1., 0.3, formulation}, Law::lame);
        ElementOperator<Number> &K = *operator_of_lame;
        const LameOfElements lame  = random_lame(box.mesh.n_elements, 2);
        const Array<double> lambda(memory, lame.lambda), mu(memory, lame.mu);
        K.set(box.mesh, Stiffness::of_lame(lambda, mu));
        Array<Number> on_x(memory, box.mesh.n_dofs()), on_y(memory, box.mesh.n_dofs());
        const auto product = [&](const std::vector<Number> &x) {
          on_x.copy_from_host(x);
          K.apply(on_x, on_y);
          return on_y.to_host();
        };
        const auto x  = random_vector<Number>(box.mesh.n_dofs(), 11);
        const auto y  = random_vector<Number>(box.mesh.n_dofs(), 12);
        const auto Kx = product(x), Ky = product(y);
        EXPECT_NEAR(dot(x, Ky), dot(y, Kx), rounding<Number>() * norm(x) * norm(Ky));
        K.diagonal(on_y);
        const double size = max_norm(on_y.to_host());
        for (const auto &motion : rigid_motions<Number>(box))
          EXPECT_LE(norm(product(motion)), rounding<Number>() * size * norm(motion));
      }
  });
}

// The exception has given the reason; the operator is then neither the old one nor a mixture.
TEST_P(LawsTest, OperatorsWithPartOfTheirTangentsRefuseUse)
{
  if (!is_on_the_fly())
    GTEST_SKIP() << "it takes no tangents";
  with_number([&](const auto tag) {
    using Number      = decltype(number_of(tag));
    Memory &memory    = backend().memory();
    const BoxMesh box = make_box(BoxOptions::wild({{3, 2, 2}}, 3));
    ElasticityOperator<Number> K(
      backend(), Communicator(), box.mesh, Material(), GetParam().strategy);
    const Array<double> factors(memory, random_vector(box.mesh.n_elements, 3, 0.5, 1.));
    Array<Number> x(memory, random_vector<Number>(box.mesh.n_dofs(), 4)),
      y(memory, box.mesh.n_dofs());
    const auto product = [&]() { return product_of(K, x, y); };
    const RandomTangents tangents(box.mesh, 8, 5);
    const Stiffness all = Stiffness::of_fields({Law::tangents, 8}, tangents.fields());
    const auto fail     = [&]() {
      EXPECT_THROW(K.set(Stiffness::of_fields(
                     {Law::tangents, 8},
                     [&](const unsigned int q, const unsigned int k, Array<double> &to) {
                       if (q == 3 && k == 4)
                         throw OutOfMemory("there is none");
                       all.component(q, k, to);
                     })),
                   OutOfMemory);
      EXPECT_TRUE(K.is_lost());
      EXPECT_NE(K.law(), Law::tangents);
      EXPECT_THROW(K.apply(x, y), Error);
      EXPECT_THROW(K.diagonal(y), Error);
    };
    K.set(factors);
    const std::vector<double> with_factors = product();
    fail();
    K.set(all);
    const std::vector<double> with_tangents = product();
    EXPECT_GT(relative_difference(with_tangents, with_factors), 0.1);
    fail();
    K.set(all);
    EXPECT_LE(relative_difference(product(), with_tangents), rounding<Number>());
    fail();
    K.set(factors);
    EXPECT_LE(relative_difference(product(), with_factors), rounding<Number>());
  });
}

// What would be computed wrongly, or by nothing, is no law.
TEST(LawTest, AreRefusedUnlessAnotherComputesThem)
{
  const auto convert   = [](const Material &, const double *, double *) {};
  const auto complaint = [](const Law &law) { return message_of([&]() { add_law(law); }); };
  EXPECT_EQ(complaint({"none", 0, &Law::lame, convert}),
            "The law 'none' has 0 numbers: 1 to 32 are allowed.");
  EXPECT_EQ(complaint({"many", 33, &Law::lame, convert}),
            "The law 'many' has 33 numbers: 1 to 32 are allowed.");
  EXPECT_EQ(complaint({"alone", 1}),
            "The law 'alone' does not say which law computes it.\n  Give it a law of class Law in "
            "'by'.");
  EXPECT_EQ(complaint({"mute", 1, &Law::lame}),
            "The law 'mute' has no function 'convert' to the numbers of Lame's parameters.");
  EXPECT_EQ(complaint({"pores", 1, &Law::lame, convert}), "There is a law 'pores' already.");
}

INSTANTIATE_TEST_SUITE_P(Core, LawsTest, of_all_strategies(), strategy_case_name);
} // namespace
} // namespace strut::test
