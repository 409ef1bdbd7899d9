// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/partition.h"
#include "applied.h"

namespace strut::test
{
namespace
{
/// Tests the strategy `slices` on places that have it.
class SlicesTest : public PlaceTest
{
protected:
  static constexpr char name[] = "slices";

  void SetUp() override
  {
    PlaceTest::SetUp();
    const auto names = strategy_names(GetParam());
    if (!IsSkipped() && std::find(names.begin(), names.end(), name) == names.end())
      GTEST_SKIP() << "no strategy '" << name << "' here";
  }

  /// Cubes in any numbering.
  static BoxMesh make_cubes(const std::array<std::size_t, 3> &n)
  {
    return test::make_box(BoxOptions::unit_cubes(n).shuffled());
  }

  /// Expects that product, diagonal and energies are those of the assembled matrix.
  template <typename Number>
  void expect_the_assembled_matrix(const BoxMesh &box, const std::vector<double> &factors)
  {
    const auto x = random_vector<Number>(box.mesh.n_dofs(), 3);
    const ReferenceStiffness reference(box.mesh, {}, factors);
    Applied<Number> K(backend(), name, box.mesh, {}, factors);
    const double eps = rounding<Number>();
    EXPECT_LE(relative_difference(K.apply(x), reference.apply(x)), eps);
    EXPECT_LE(relative_difference(K.energies(x), reference.energies(x)), eps);
    EXPECT_LE(relative_difference(K.diagonal(), reference.diagonal()), eps);
  }

  void expect_refused(const ElementMesh &mesh)
  {
    expect_error([&]() { Applied<double>(backend(), name, mesh); }, {"'slices'", "full box"});
  }
};

// Boxes around the 32 x 4 nodes of a patch and the 32 planes of a march, in each direction.
TEST_P(SlicesTest, PatchesMeetWithoutAGap)
{
  for (const auto &n : std::vector<std::array<std::size_t, 3>>{{30, 2, 2},
                                                               {31, 3, 3},
                                                               {32, 4, 4},
                                                               {33, 9, 4},
                                                               {65, 3, 2},
                                                               {3, 8, 31},
                                                               {2, 3, 32},
                                                               {2, 5, 65}})
    {
      SCOPED_TRACE(::testing::Message() << n[0] << " x " << n[1] << " x " << n[2]);
      const BoxMesh box  = make_cubes(n);
      const auto factors = random_factors(box.mesh, 4);
      expect_the_assembled_matrix<double>(box, factors);
      expect_the_assembled_matrix<float>(box, factors);
    }
}

// Elements without stiffness: some everywhere, whole patches, all but one.
TEST_P(SlicesTest, TakesElementsWithoutStiffness)
{
  const BoxMesh box = make_cubes({{33, 9, 4}});
  const auto random = random_factors(box.mesh, 5);
  for (const int kind : {0, 1, 2})
    {
      SCOPED_TRACE(kind);
      std::vector<double> factors(random.size(), 0.);
      for (std::size_t e = 0; e < factors.size(); ++e)
        {
          const auto &at      = box.element_at[e];
          const bool has_some = kind == 0   ? (at[0] + 2 * at[1] + 3 * at[2]) % 4 == 0
                                : kind == 1 ? at[0] == 32
                                            : at == std::array<std::size_t, 3>{{31, 4, 2}};
          factors[e]          = has_some ? random[e] : 0.;
        }
      expect_the_assembled_matrix<double>(box, factors);
      expect_the_assembled_matrix<float>(box, factors);
    }
}

// Identical elements are not enough: a box without one of its elements, and a rank's part that is
// no box.
TEST_P(SlicesTest, RefusesMeshesThatAreNoBox)
{
  const BoxMesh box = make_cubes({{6, 4, 3}});
  EXPECT_NO_THROW(Applied<double>(backend(), name, box.mesh));

  // the missing last element leaves a notch, not only a missing corner
  ElementMesh notched = box.mesh;
  notched.n_elements -= 1;
  notched.connectivity.clear();
  for (std::size_t v = 0; v < 8; ++v)
    for (std::size_t e = 0; e < notched.n_elements; ++e)
      notched.connectivity.push_back(box.mesh.connectivity[v * box.mesh.n_elements + e]);
  notched.volumes.pop_back();
  notched.flags.pop_back();
  expect_refused(notched);

  for (const int rank : {0, 1})
    expect_refused(take_part(box, Partition::scattered, 2, rank).mesh);
}

// The part of a rank that is a box itself, ghosts included.
TEST_P(SlicesTest, TakesPartsThatAreBoxes)
{
  const BoxMesh box = make_cubes({{8, 5, 3}});
  const auto random = random_factors(box.mesh, 6);
  for (const int rank : {0, 1})
    {
      const Part part    = take_part(box, Partition::slabs, 2, rank);
      const auto factors = part.of_elements(random);
      const auto x       = random_vector(part.mesh.n_dofs(), 7);
      Applied<double> K(backend(), name, part.mesh, {}, factors);
      EXPECT_LE(relative_difference(K.apply(x),
                                    ReferenceStiffness(part.mesh, {}, factors).apply(x)),
                rounding<double>());
    }
}

INSTANTIATE_TEST_SUITE_P(Core, SlicesTest, at_all_places(), place_name);
} // namespace
} // namespace strut::test
