// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "generated_matrix.h"

#include "../../fixtures/dense_reference.h"
#include "../../fixtures/errors.h"

#include <functional>

namespace strut::test
{
namespace
{
/// A third of the DoFs of a sixth of the nodes, and all of another sixth.
std::vector<LocalIndex> some_dofs(const std::size_t n_nodes)
{
  std::vector<LocalIndex> dofs;
  for (std::size_t node = 0; node < n_nodes; ++node)
    for (std::size_t c = 0; c < 3; ++c)
      if (node % 6 == 1 || (node % 6 == 3 && c == node % 3))
        dofs.push_back(static_cast<LocalIndex>(3 * node + c));
  return dofs;
}

/// Expects equality in norm, and of each entry relative to the largest.
template <typename Number>
void expect_equal(const std::vector<Number> &values, const std::vector<double> &reference)
{
  ASSERT_EQ(values.size(), reference.size());
  EXPECT_LE(relative_difference(values, reference), rounding<Number>());
  double worst = 0;
  for (std::size_t k = 0; k < values.size(); ++k)
    worst = std::max(worst, std::abs(static_cast<double>(values[k]) - reference[k]));
  EXPECT_LE(worst, rounding<Number>() * max_norm(reference));
}

/// Constrained DoFs, and their diagonal entries.
enum class Supports
{
  none,
  kept,
  one
};

/// A place, an element type, a way to make the values, and a precision.
struct ValueCase
{
  Place place;
  ElementType type;
  ValueMethod method;
  bool one_thread;
  Precision precision;

  friend std::ostream &operator<<(std::ostream &out, const ValueCase &c)
  {
    std::string text = to_string(c.place) + "_" + c.type.name + "_" + to_string(c.method) +
                       (c.one_thread ? "_1thread_" : "_") + to_string(c.precision);
    for (char &letter : text)
      letter = letter == ' ' || letter == '-' ? '_' : letter;
    return out << text;
  }
};

std::vector<ValueCase> all_value_cases()
{
  std::vector<ValueCase> cases;
  for (const Place place : all_places())
    for (const ElementType &type : element_types())
      for (const ValueMethod method : {ValueMethod::same_kernel,
                                       ValueMethod::separate_kernels,
                                       ValueMethod::gather,
                                       ValueMethod::shared_nz})
        for (const bool one_thread : {false, true})
          for (const Precision precision : {Precision::fp64, Precision::fp32})
            {
              const bool integrates_in_teams =
                place == Place::cuda && type != type_of<Tet4>() && method != ValueMethod::shared_nz;
              const bool is_refused = method == ValueMethod::shared_nz &&
                                      (place != Place::cuda ||
                                       (type == type_of<Hex27>() && precision == Precision::fp64));
              if ((one_thread && !integrates_in_teams) || is_refused)
                continue;
              cases.push_back({place, type, method, one_thread, precision});
            }
  return cases;
}

/// Hexahedra per direction, so that there are 1, 31, 32, 33 or 257 elements, or the nearest numbers
/// with six tetrahedra per hexahedron. Large matrices have few of them.
std::vector<std::array<std::size_t, 3>> sizes_of(const ElementType &type)
{
  using Sizes                                    = std::vector<std::array<std::size_t, 3>>;
  static const std::map<std::string, Sizes> list = {
    {"hex8", {{{1, 1, 1}}, {{31, 1, 1}}, {{4, 4, 2}}, {{1, 11, 3}}, {{1, 1, 257}}, {{5, 4, 3}}}},
    {"tet4", {{{1, 1, 1}}, {{5, 1, 1}}, {{1, 43, 1}}, {{3, 4, 3}}}},
    {"tet10", {{{1, 1, 1}}, {{1, 5, 1}}, {{3, 2, 2}}}},
    {"hex20", {{{1, 1, 1}}, {{1, 1, 5}}, {{3, 2, 2}}}}};
  const auto found = list.find(type.name);
  return found == list.end() ? Sizes{{{2, 2, 1}}} : found->second;
}

class ValuesTest : public TestOnBackend<ValueCase>
{
protected:
  ValueOptions options(const ConstrainedDiagonal diagonal) const
  {
    return {GetParam().method, diagonal, GetParam().one_thread};
  }

  template <typename Number>
  Generated<Number> generate(const ElementMesh &mesh,
                             const MatrixFormat format          = MatrixFormat::csr,
                             const ConstrainedDiagonal diagonal = ConstrainedDiagonal::kept) const
  {
    return Generated<Number>(backend(), mesh, material_, format, options(diagonal));
  }

  /// Expects the dense assembly entry by entry, in all formats, with and without constraints, and
  /// again with other factors.
  template <typename Number>
  void expect_the_dense_assembly(ElementMesh mesh) const
  {
    std::vector<std::vector<double>> E;
    std::vector<Rows> free_rows;
    for (const unsigned int seed : {1u, 2u})
      {
        E.push_back(random_vector(mesh.n_elements, seed, 0.01, 1.));
        free_rows.push_back(reference_rows(mesh, material_, E.back()));
      }
    for (const Supports supports : {Supports::none, Supports::kept, Supports::one})
      {
        const auto diagonal =
          supports == Supports::one ? ConstrainedDiagonal::one : ConstrainedDiagonal::kept;
        mesh.constrained_dofs =
          supports == Supports::none ? std::vector<LocalIndex>() : some_dofs(mesh.n_nodes);
        std::vector<Rows> rows;
        for (const Rows &of_factors : free_rows)
          rows.push_back(with_constraints(of_factors, mesh.constrained_dofs, diagonal));
        for (const MatrixFormat format : {MatrixFormat::coo, MatrixFormat::csr, MatrixFormat::ell})
          {
            SCOPED_TRACE(::testing::Message()
                         << to_string(format) << ", supports " << static_cast<int>(supports));
            auto generated = generate<Number>(mesh, format, diagonal);
            for (std::size_t k = 0; k < E.size(); ++k)
              expect_equal(generated.in_order(generated.assemble(E[k]), rows[k]),
                           in_order(rows[k]));
          }
      }
  }

  /// Expects the same bits from repeated runs, and from stages made anew.
  template <typename Number>
  void expect_the_same_bits(const ElementMesh &mesh, const MatrixFormat format) const
  {
    const auto E     = random_vector(mesh.n_elements, 6, 0.01, 1.);
    auto generated   = generate<Number>(mesh, format);
    const auto first = generated.assemble(E);
    for (int repetition = 0; repetition < 3; ++repetition)
      EXPECT_TRUE(same_bits(generated.assemble(E), first)) << to_string(format);
    EXPECT_TRUE(same_bits(generate<Number>(mesh, format).assemble(E), first)) << to_string(format);
  }

  const Material material_ = {2.5, 0.2};
};

// Meshes are distorted, with sizes around the widths of warps and blocks.
TEST_P(ValuesTest, EqualTheDenseAssembly)
{
  with_number(GetParam().precision, [&](const auto tag) {
    using Number = decltype(number_of(tag));
    for (const auto &n : sizes_of(GetParam().type))
      {
        SCOPED_TRACE(::testing::Message() << n[0] << " x " << n[1] << " x " << n[2]);
        expect_the_dense_assembly<Number>(make_assembly_mesh(GetParam().type, n, 3));
      }
  });
}

// A node of no element has an empty row, which ELL pads as a whole.
TEST_P(ValuesTest, EqualTheDenseAssemblyWithANodeOfNoElement)
{
  with_number(GetParam().precision, [&](const auto tag) {
    ElementMesh mesh = make_assembly_mesh(GetParam().type, {{2, 2, 1}}, 4);
    for (std::size_t d = 3; d-- > 0;) // the last node
      mesh.coordinates.insert(mesh.coordinates.begin() +
                                static_cast<std::ptrdiff_t>((d + 1) * mesh.n_nodes),
                              0.5);
    ++mesh.n_nodes;
    expect_the_dense_assembly<decltype(number_of(tag))>(mesh);
  });
}

// Symmetric; without constraints, rigid motions cost nothing.
TEST_P(ValuesTest, AreSymmetricWithRigidMotionsInTheNullSpace)
{
  with_number(GetParam().precision, [&](const auto tag) {
    using Number           = decltype(number_of(tag));
    const ElementMesh mesh = make_assembly_mesh(GetParam().type, {{3, 2, 2}}, 5);
    const std::size_t n    = mesh.n_nodes;
    const auto E           = random_vector(mesh.n_elements, 6, 0.01, 1.);
    Rows rows              = reference_rows(mesh, material_, E);
    auto generated         = this->template generate<Number>(mesh);
    const auto values      = generated.assemble(E);
    std::size_t k          = 0;
    for (auto &row : rows)
      for (auto &entry : row)
        entry.second = static_cast<double>(values[k++]);
    const double scale = max_norm(values);
    double asymmetry   = 0;
    for (LocalIndex i = 0; i < rows.size(); ++i)
      for (const auto &entry : rows[i])
        asymmetry = std::max(asymmetry, std::abs(entry.second - rows[entry.first].at(i)));
    EXPECT_LE(asymmetry, 0.1 * rounding<Number>() * scale);

    for (std::size_t motion = 0; motion < 6; ++motion)
      {
        double largest = 0;
        for (const auto &row : rows)
          {
            double sum = 0;
            for (const auto &entry : row)
              {
                const std::size_t node = entry.first / 3, c = entry.first % 3;
                const auto x = [&](const std::size_t d) { return mesh.coordinates[d * n + node]; };
                const std::size_t axis = motion - 3;
                sum += entry.second * (motion < 3            ? (c == motion ? 1. : 0.)
                                       : c == (axis + 1) % 3 ? -x((axis + 2) % 3)
                                       : c == (axis + 2) % 3 ? x((axis + 1) % 3)
                                                             : 0.);
              }
            largest = std::max(largest, std::abs(sum));
          }
        EXPECT_LE(largest, 10. * rounding<Number>() * scale) << "motion " << motion;
      }
  });
}

TEST_P(ValuesTest, ReportTimesAndBytes)
{
  with_number(GetParam().precision, [&](const auto tag) {
    using Number             = decltype(number_of(tag));
    const ElementMesh mesh   = make_assembly_mesh(GetParam().type, {{3, 2, 2}}, 5);
    const std::size_t before = memory().in_use();
    {
      auto generated = this->template generate<Number>(mesh);
      StageReport report;
      generated.assemble(std::vector<double>(mesh.n_elements, 1.), &report);
      EXPECT_FALSE(report.steps.empty());
      EXPECT_GT(report.seconds(), 0.);
      EXPECT_GT(report.bytes, 0.);
      const double planned = value_stage_memory_estimate(mesh.n_elements,
                                                         mesh.type.n_nodes,
                                                         sizeof(Number),
                                                         GetParam().method);
      const double kept    = generated.stage().memory_bytes();
      EXPECT_LE(kept, 1.05 * planned);
      if (GetParam().method == ValueMethod::separate_kernels)
        {
          EXPECT_FALSE(generated.stage().preparation().steps.empty());
          EXPECT_EQ(kept, planned);
        }
    }
    EXPECT_EQ(memory().in_use(), before);
  });
}

INSTANTIATE_TEST_SUITE_P(Core,
                         ValuesTest,
                         ::testing::ValuesIn(all_value_cases()),
                         ::testing::PrintToStringParamName());

class LongRowsTest : public ValuesTest
{};

class WithoutAtomicsTest : public ValuesTest
{};

// Nodes with 203 and 603 neighbours: more than one window of `gather`, and then lists longer than
// those that a warp sorts.
TEST_P(LongRowsTest, EqualTheDenseAssembly)
{
  with_number(GetParam().precision, [&](const auto tag) {
    for (const std::size_t n : {50, 150})
      {
        SCOPED_TRACE(n);
        expect_the_dense_assembly<decltype(number_of(tag))>(make_wheel(n));
      }
  });
}

// The promise of `gather`.
TEST_P(WithoutAtomicsTest, HasTheSameBits)
{
  with_number(GetParam().precision, [&](const auto tag) {
    using Number = decltype(number_of(tag));
    for (const MatrixFormat format : {MatrixFormat::coo, MatrixFormat::csr, MatrixFormat::ell})
      {
        expect_the_same_bits<Number>(make_assembly_mesh(GetParam().type, {{4, 3, 2}}, 8), format);
        if (GetParam().type == type_of<Tet10>() && GetParam().method == ValueMethod::gather)
          expect_the_same_bits<Number>(make_wheel(50), format);
      }
  });
}

std::vector<ValueCase> cases_with(const std::function<bool(const ValueCase &)> &wanted)
{
  std::vector<ValueCase> cases;
  for (const ValueCase &c : all_value_cases())
    if (wanted(c))
      cases.push_back(c);
  return cases;
}

// SharedNZ is left out, as a block would have to hold all elements of a node.
INSTANTIATE_TEST_SUITE_P(Core,
                         LongRowsTest,
                         ::testing::ValuesIn(cases_with([](const ValueCase &c) {
                           return c.type == type_of<Tet10>() && c.method != ValueMethod::shared_nz;
                         })),
                         ::testing::PrintToStringParamName());

INSTANTIATE_TEST_SUITE_P(Core,
                         WithoutAtomicsTest,
                         ::testing::ValuesIn(cases_with([](const ValueCase &c) {
                           return c.method == ValueMethod::gather ||
                                  c.method == ValueMethod::shared_nz;
                         })),
                         ::testing::PrintToStringParamName());

// Against a textbook's element matrix, which shares nothing with strut/element.
TEST(ValuesReference, IsThatOfATextbook)
{
  const BoxMesh box = make_box(BoxOptions::wild({{3, 4, 2}}, 2));
  const Material material{2.5, 0.2};
  const auto E    = random_vector(box.mesh.n_elements, 6, 0.01, 1.);
  const Rows rows = reference_rows(box.mesh, material, E);
  const ReferenceStiffness textbook(box.mesh, material, E);
  for (const unsigned int seed : {1u, 2u, 3u})
    {
      const auto x = random_vector(rows.size(), seed);
      std::vector<double> y(rows.size(), 0.);
      for (std::size_t i = 0; i < rows.size(); ++i)
        for (const auto &entry : rows[i])
          y[i] += entry.second * x[entry.first];
      EXPECT_LE(relative_difference(y, textbook.apply(x)), 1e-13);
    }
}

// Eight matrices of hex27 in double are more than the shared memory of a block holds.
TEST(ValuesReference, OfSharedNzRefusesHex27InDouble)
{
  const std::string reason = why_not(Place::cuda);
  if (!reason.empty())
    GTEST_SKIP() << reason;
  const auto backend     = make_backend(Place::cuda);
  const ElementMesh mesh = make_assembly_mesh(type_of<Hex27>(), {{2, 2, 2}}, 1);
  expect_error(
    [&]() { Generated<double>(*backend, mesh, {}, MatrixFormat::csr, {ValueMethod::shared_nz}); },
    {"8 elements of type hex27", "'SharedNZ'"});
}

// The CPU does not have all methods, and refuses the others.
TEST(ValuesReference, OfTheCpuRefusesSharedNz)
{
  const auto backend     = make_cpu_backend(1);
  const ElementMesh mesh = make_assembly_mesh(type_of<Tet4>(), {{1, 1, 1}}, 1);
  expect_error(
    [&]() { Generated<double>(*backend, mesh, {}, MatrixFormat::csr, {ValueMethod::shared_nz}); },
    {"'SharedNZ'"});
}
} // namespace
} // namespace strut::test
