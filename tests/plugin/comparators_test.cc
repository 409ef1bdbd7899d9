// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/comparators/comparators.h"

#include <strut/solvers/elasticity_operator.h>

#include "tests/plugin/problem_fixture.h"

#include <cmath>

#include "tests/fixtures/backends.h"
#include "tests/fixtures/box_mesh.h"
#include "tests/fixtures/partition.h"
#include "tests/fixtures/typed_box.h"
#include "tests/operators/applied.h"

using namespace strut;
using namespace strut::test;

namespace
{
const Material material{2.5, 0.2};

/// Expects the product, diagonal and energies of `ebe` in double: with the initial factors (ones),
/// and then with two other sets of factors.
template <typename Number>
void expect_equals_ebe(const std::string &strategy,
                       const ElementMesh &mesh,
                       const unsigned int n_threads,
                       const unsigned int seed)
{
  SCOPED_TRACE(::testing::Message()
               << strategy << ", " << 8 * sizeof(Number) << " bits, " << mesh.n_elements
               << " elements, " << n_threads << " threads, seed " << seed);
  const auto backend = make_cpu_backend(n_threads);
  Applied<double> ebe(*backend, "ebe", mesh, material);
  Applied<Number> comparator(*backend, strategy, mesh, material);
  for (unsigned int round = 0; round < 3; ++round)
    {
      if (round > 0)
        {
          const auto E = random_vector(mesh.n_elements, 100 * round + seed, 0.01, 1.);
          ebe.set_stiffness(E);
          comparator.set_stiffness(E);
        }
      const auto x = to_double(random_vector<float>(mesh.n_dofs(), 1000 * round + seed));
      const std::vector<Number> same(x.begin(), x.end());
      EXPECT_LE(relative_difference(comparator.apply(same), ebe.apply(x)), rounding<Number>());
      EXPECT_LE(relative_difference(comparator.diagonal(), ebe.diagonal()), rounding<Number>());
      EXPECT_LE(relative_difference(comparator.energies(same), ebe.energies(x)), 1e-13);
    }
}

void expect_all_equal_ebe(const ElementMesh &mesh, const unsigned int seed = 1)
{
  for (const unsigned int n_threads : {1u, 2u})
    {
      expect_equals_ebe<double>("dealii_matrix_free", mesh, n_threads, seed);
      expect_equals_ebe<float>("dealii_matrix_free", mesh, n_threads, seed);
      expect_equals_ebe<double>("trilinos_csr", mesh, n_threads, seed);
    }
}

class ComparatorsTest : public ProblemTest
{
protected:
  void SetUp() override
  {
    ProblemTest::SetUp();
    register_comparators();
  }
};

template <typename Number>
std::size_t n_named(const std::string &name)
{
  std::size_t n = 0;
  for (const Strategy<Number> &strategy : cpu_strategies<Number>())
    n += strategy.name == name ? 1 : 0;
  return n;
}

TEST_F(ComparatorsTest, AreRegisteredOnce)
{
  register_comparators();
  EXPECT_EQ(n_named<double>("dealii_matrix_free"), 1u);
  EXPECT_EQ(n_named<float>("dealii_matrix_free"), 1u);
  EXPECT_EQ(n_named<double>("trilinos_csr"), 1u);
  EXPECT_EQ(n_named<float>("trilinos_csr"), 0u);
}

// Boxes whose geometry deal.II compresses: cubes, and parallelepipeds of random orientation.
TEST_F(ComparatorsTest, EqualEbeOnRegularBoxes)
{
  expect_all_equal_ebe(make_box(BoxOptions::regular({{5, 4, 3}})).mesh);
  BoxOptions rotated      = BoxOptions::regular({{4, 3, 5}});
  rotated.size            = {{1., 2., 3.}};
  rotated.rotate_elements = true;
  BoxMesh box             = make_box(rotated);
  expect_all_equal_ebe(box.mesh);
  for (std::size_t n = 0; n < box.mesh.n_nodes; ++n) // shear
    box.mesh.coordinates[n] += 0.4 * box.mesh.coordinates[box.mesh.n_nodes + n];
  expect_all_equal_ebe(box.mesh);
}

// Distorted, nodes and elements in random order, elements in random orientations.
TEST_F(ComparatorsTest, EqualEbeOnWildMeshes)
{
  const std::vector<std::array<std::size_t, 3>> sizes = {
    {{1, 1, 1}}, {{31, 1, 1}}, {{4, 4, 2}}, {{1, 11, 3}}, {{1, 1, 257}}, {{9, 10, 12}}};
  for (const auto &n : sizes)
    for (const unsigned int seed : {1u, 2u})
      expect_all_equal_ebe(make_box(BoxOptions::wild(n, seed)).mesh, seed);
}

TEST_F(ComparatorsTest, MatrixFreeOfDealIIEqualsEbeOnOtherElements)
{
  for (const char *const type : {"hex8", "hex27", "tet4", "tet10"})
    {
      SCOPED_TRACE(type);
      const ElementMesh mesh = TypedBox(type, {{4, 3, 2}}).box.mesh;
      for (const unsigned int n_threads : {1u, 2u})
        {
          expect_equals_ebe<double>("dealii_matrix_free", mesh, n_threads, 1);
          expect_equals_ebe<float>("dealii_matrix_free", mesh, n_threads, 1);
        }
    }
}

TEST_F(ComparatorsTest, MatrixFreeOfDealIIRefusesOtherShapes)
{
  const auto backend = make_cpu_backend(1);
  const auto make    = [&](const ElementMesh &mesh) {
    Applied<double>(*backend, "dealii_matrix_free", mesh, material);
  };
  ElementMesh mesh = TypedBox("hex20", {{2, 1, 1}}).box.mesh;
  expect_error([&]() { make(mesh); }, {"it takes hex8, hex27, tet4 and tet10, not hex20"});
  mesh = TypedBox("tet10", {{2, 1, 1}}).box.mesh;
  mesh.coordinates[mesh.connectivity[4 * mesh.n_elements]] += 0.01;
  expect_error([&]() { make(mesh); }, {"is curved"});
}

// Two elements that share a face, the second in each of its 24 orientations.
TEST_F(ComparatorsTest, EqualEbeInEveryOrientation)
{
  BoxOptions options = BoxOptions::regular({{2, 1, 1}});
  options.distortion = 0.2;
  BoxMesh box        = make_box(options);
  const auto upright = box.mesh.connectivity;
  for (const auto &rotation : cube_rotations())
    {
      for (std::size_t v = 0; v < 8; ++v)
        box.mesh.connectivity[2 * v + 1] = upright[2 * static_cast<std::size_t>(rotation[v]) + 1];
      expect_all_equal_ebe(box.mesh);
    }
}

// A band of elements closed into a ring with half a twist: its edges cannot all be given one
// direction (a Moebius strip).
TEST_F(ComparatorsTest, EqualEbeOnATwistedRing)
{
  constexpr std::size_t n = 12;
  ElementMesh mesh;
  mesh.n_elements = n;
  mesh.n_nodes = mesh.n_owned_nodes = 4 * n;
  mesh.coordinates.resize(3 * mesh.n_nodes);
  mesh.connectivity.resize(8 * n);
  const double pi = std::acos(-1.);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < 4; ++k)
      {
        const double angle     = 2 * pi * static_cast<double>(i) / n;
        const double corner    = pi * (0.25 + 0.5 * static_cast<double>(k)) + 0.5 * angle;
        const double radius    = 3. + std::cos(corner);
        const std::size_t node = 4 * i + k;
        mesh.coordinates[node] = radius * std::cos(angle);
        mesh.coordinates[mesh.n_nodes + node]     = radius * std::sin(angle);
        mesh.coordinates[2 * mesh.n_nodes + node] = std::sin(corner);
      }
  // Corners of the section in the order of the vertices; after a turn, the one two further on.
  const std::size_t corner_of[4] = {0, 1, 3, 2};
  for (std::size_t e = 0; e < n; ++e)
    for (std::size_t v = 0; v < 8; ++v)
      {
        const std::size_t i    = e + v / 4;
        const std::size_t turn = i == n ? 2 : 0;
        const std::size_t node = 4 * (i % n) + (corner_of[v % 4] + turn) % 4;
        mesh.connectivity[n * ((v % 4) + 4 * (v / 4)) + e] = static_cast<LocalIndex>(node);
      }
  for (std::size_t e = 0; e < n; ++e)
    {
      double X[3][8];
      vertices(mesh, e, X);
      if (smallest_corner_jacobian(X) < 0) // with the opposite orientation
        for (std::size_t v = 0; v < 4; ++v)
          std::swap(mesh.connectivity[n * v + e], mesh.connectivity[n * (v + 4) + e]);
      vertices(mesh, e, X);
      ASSERT_GT(smallest_corner_jacobian(X), 0.);
    }
  expect_all_equal_ebe(mesh);
}

// One rank's part of a divided mesh, with ghosts: irregular pieces whose elements are connected by
// edges and vertices only. Another rank has no elements.
TEST_F(ComparatorsTest, EqualEbeOnPartsOfAMesh)
{
  const BoxMesh box = make_box(BoxOptions::wild({{6, 5, 4}}, 3));
  for (const Partition partition : all_partitions())
    for (int rank = 0; rank < 3; ++rank)
      {
        SCOPED_TRACE(to_string(partition));
        expect_all_equal_ebe(take_part(box, partition, 3, rank).mesh);
      }
}

// Meshes of the program: round bores, curved rings between plane fields.
TEST_F(ComparatorsTest, EqualEbeOnAHollowCylinderAndAConnectingRod)
{
  for (const std::string &deck : {tube_deck(3, 16, 4), rod_deck(2)})
    {
      const ElementMesh &mesh = setup(deck).mesh();
      EXPECT_GT(mesh.n_elements, 150u);
      expect_all_equal_ebe(mesh);
    }
}

// deal.II numbers no node without elements: refused, with both counts.
TEST_F(ComparatorsTest, NodesWithoutElementsAreRefusedByDealii)
{
  BoxMesh box         = make_box(BoxOptions::regular({{2, 1, 1}}));
  box.mesh.n_elements = 1;
  box.mesh.connectivity.clear();
  for (LocalIndex v = 0; v < 8; ++v)
    box.mesh.connectivity.push_back(box.node_at[(v & 1) + 3 * (v >> 1)]);
  const auto backend = make_cpu_backend(1);
  const std::string text =
    message_of<Error>([&] { Applied<double>(*backend, "dealii_matrix_free", box.mesh, material); });
  EXPECT_CONTAINS(text, "12 nodes");
  EXPECT_CONTAINS(text, "use 8");
  expect_equals_ebe<double>("trilinos_csr", box.mesh, 1, 1);
}

/// Displacements of a cantilever with random stiffness.
std::vector<double> solve(const BoxMesh &box, const std::string &strategy)
{
  const auto backend = make_cpu_backend(1);
  TimingTable timing;
  StateSettings settings;
  settings.strategy          = strategy;
  settings.control.tolerance = 1e-10;
  const auto solver =
    make_state_solver({*backend, {}, timing}, {box.mesh}, {{"down", 1., edge_load(box)}}, settings);
  solver->set_stiffness(
    Array<double>(backend->memory(), random_vector(box.mesh.n_elements, 4, 0.01, 1.)));
  solver->solve(0);
  return solver->displacement(0);
}

// K u = f, solved with each of them to 1e-10.
TEST_F(ComparatorsTest, SolveToTheSameDisplacements)
{
  BoxOptions options = BoxOptions::wild({{8, 4, 4}}, 5);
  BoxMesh box        = make_box(options);
  hold_left_face(box);
  const auto expected = solve(box, "ebe");
  EXPECT_LE(relative_difference(solve(box, "dealii_matrix_free"), expected), 1e-8);
  EXPECT_LE(relative_difference(solve(box, "trilinos_csr"), expected), 1e-8);
}

// Strategies that declare themselves deterministic give the same bits again.
TEST_F(ComparatorsTest, AreAsDeterministicAsTheySay)
{
  const BoxMesh box  = make_box(BoxOptions::wild({{9, 8, 7}}, 6));
  const auto x       = random_vector(box.mesh.n_dofs(), 7);
  const auto backend = make_cpu_backend(2);
  for (const Strategy<double> &strategy : cpu_strategies<double>())
    if (strategy.deterministic)
      {
        Applied<double> first(*backend, strategy.name, box.mesh, material);
        Applied<double> second(*backend, strategy.name, box.mesh, material);
        const auto y = first.apply(x);
        EXPECT_TRUE(same_bits(first.apply(x), y)) << strategy.name;
        EXPECT_TRUE(same_bits(second.apply(x), y)) << strategy.name;
      }
}

// The estimate of the remaining memory is within a tenth for the matrix, and not too small for
// deal.II's operator.
TEST_F(ComparatorsTest, MemoryIsForeseen)
{
  for (const auto &n : std::vector<std::array<std::size_t, 3>>{{{20, 20, 20}}, {{60, 15, 4}}})
    {
      const BoxMesh box  = make_box(BoxOptions::wild(n, 6));
      const auto backend = make_cpu_backend(1);
      for (const std::string strategy : {"dealii_matrix_free", "trilinos_csr"})
        {
          const double planned = find_strategy<double>(*backend, strategy)
                                   .memory_estimate({box.mesh.n_elements, box.mesh.n_nodes});
          const OperatorCost cost = Applied<double>(*backend, strategy, box.mesh, material).cost();
          EXPECT_LE(cost.memory_bytes, planned) << strategy;
          EXPECT_GT(cost.memory_bytes, cost.bytes_per_apply / 2.) << strategy;
          if (strategy == "trilinos_csr")
            {
              EXPECT_GE(cost.memory_bytes, 0.9 * planned);
            }
        }
    }
}
} // namespace
