// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Maps that give elements at corresponding places the same density: `extrusion`, `repetition`,
// `cyclic`, `mirror`.
#include "../fixtures/backends.h"
#include "../fixtures/box_mesh.h"
#include "../fixtures/mapped.h"
#include "../fixtures/vectors.h"
#include "source/optimization/maps/design_chain.h"

#include <strut/base/exceptions.h>

#include <cmath>
#include <numeric>

namespace strut::test
{
namespace
{
using Point = std::array<double, 3>;

class FoldedMapTest : public PlaceTest
{
protected:
  std::vector<double> densities(const std::string &name,
                                const ElementMesh &mesh,
                                const ParameterValues &values,
                                const std::vector<double> &x)
  {
    DesignChain map =
      make_design_chain({name}, backend(), Communicator(), mesh, {0., 1e-3}, {{name, values}});
    EXPECT_TRUE(map.is_affine());
    return mapped(backend(), map, x);
  }
};

/// The mean of x, weighted by volume, over elements with equivalent centres, as given by alike().
template <typename Alike>
std::vector<double> means(const ElementMesh &mesh, const std::vector<double> &x, const Alike &alike)
{
  std::vector<double> result(x.size());
  for (std::size_t e = 0; e < x.size(); ++e)
    {
      double sum = 0, volume = 0;
      for (std::size_t i = 0; i < x.size(); ++i)
        if (alike(mesh.centre(e), mesh.centre(i)))
          {
            sum += mesh.volumes[i] * x[i];
            volume += mesh.volumes[i];
          }
      result[e] = sum / volume;
    }
  return result;
}

bool are_near(const double a, const double b)
{
  return std::abs(a - b) < 1e-6;
}

// On a box of cubes the maps are means over the elements that correspond to each other.
TEST_P(FoldedMapTest, AreMeansOverCorrespondingElementsOfABox)
{
  const BoxMesh box       = make_box(BoxOptions::unit_cubes({{6, 4, 4}}));
  const ElementMesh &mesh = box.mesh;
  const auto x            = random_vector(mesh.n_elements, 1, 0.1, 1.);
  const auto expect       = [&](const std::string &name,
                          const ParameterValues &values,
                          const std::vector<double> &expected) {
    SCOPED_TRACE(name);
    const auto rho = densities(name, mesh, values, x);
    EXPECT_LE(relative_difference(rho, expected), 1e-13);
    EXPECT_NEAR(dot(rho, mesh.volumes), dot(x, mesh.volumes), 1e-12 * dot(x, mesh.volumes));
  };
  expect("extrusion",
         {{"Direction", "0, 3, 0"}},
         means(mesh, x, [](const Point &a, const Point &b) {
           return are_near(a[0], b[0]) && are_near(a[2], b[2]);
         }));
  expect("repetition",
         {{"Repetitions", "3, 1, 2"}},
         means(mesh, x, [](const Point &a, const Point &b) {
           return are_near(std::fmod(a[0], 2.), std::fmod(b[0], 2.)) && are_near(a[1], b[1]) &&
                  are_near(std::fmod(a[2], 2.), std::fmod(b[2], 2.));
         }));
  expect("mirror",
         {{"Normals", "0, 2, 0, 0, 0, -1"}},
         means(mesh, x, [](const Point &a, const Point &b) {
           return are_near(a[0], b[0]) && are_near(std::abs(a[1] - 2.), std::abs(b[1] - 2.)) &&
                  are_near(std::abs(a[2] - 2.), std::abs(b[2] - 2.));
         }));
  // about the x axis through the middle, a quarter turn each
  expect("cyclic",
         {{"Axis", "1, 0, 0"}, {"Sectors", 4}},
         means(mesh, x, [](const Point &a, const Point &b) {
           const double y = a[1] - 2., z = a[2] - 2., v = b[1] - 2., w = b[2] - 2.;
           const bool turned =
             (are_near(y, v) && are_near(z, w)) || (are_near(y, -w) && are_near(z, v)) ||
             (are_near(y, -v) && are_near(z, -w)) || (are_near(y, w) && are_near(z, -v));
           return are_near(a[0], b[0]) && turned;
         }));
}

// On any mesh the density is a function of the folded place. A second mesh, rotated by a sector,
// shifted by a pattern, or mirrored, has the same densities, element by element, for any design.
TEST_P(FoldedMapTest, AreFunctionsOfThePlaceOnAnyMesh)
{
  BoxMesh one         = make_box(BoxOptions::wild({{5, 4, 3}}, 11));
  ElementMesh both    = one.mesh;
  const std::size_t n = one.mesh.n_elements, n_nodes = one.mesh.n_nodes;
  // twice the mesh, the second copy somewhere else
  const auto with_copy = [&](const auto &copy) {
    both               = ElementMesh();
    both.n_elements    = 2 * n;
    both.n_nodes       = 2 * n_nodes;
    both.n_owned_nodes = both.n_nodes;
    both.coordinates.resize(3 * both.n_nodes);
    both.connectivity.resize(8 * both.n_elements);
    for (std::size_t i = 0; i < n_nodes; ++i)
      {
        Point p;
        for (std::size_t d = 0; d < 3; ++d)
          p[d] = one.mesh.coordinates[d * n_nodes + i] + 0.1; // away from axis and planes
        const Point q = copy(p);
        for (std::size_t d = 0; d < 3; ++d)
          {
            both.coordinates[d * both.n_nodes + i]           = p[d];
            both.coordinates[d * both.n_nodes + n_nodes + i] = q[d];
          }
      }
    for (std::size_t v = 0; v < 8; ++v)
      for (std::size_t e = 0; e < n; ++e)
        {
          const LocalIndex node                          = one.mesh.connectivity[v * n + e];
          both.connectivity[v * both.n_elements + e]     = node;
          both.connectivity[v * both.n_elements + n + e] = node + static_cast<LocalIndex>(n_nodes);
        }
    both.volumes = one.mesh.volumes;
    both.volumes.insert(both.volumes.end(), one.mesh.volumes.begin(), one.mesh.volumes.end());
    both.flags.assign(2 * n, DesignFlag::design);
  };
  const auto x      = random_vector(2 * n, 2, 0.1, 1.);
  const auto expect = [&](const std::string &name, const ParameterValues &values) {
    SCOPED_TRACE(name);
    const auto rho = densities(name, both, values, x);
    for (std::size_t e = 0; e < n; ++e)
      EXPECT_NEAR(rho[n + e], rho[e], 1e-12);
    EXPECT_NEAR(dot(rho, both.volumes), dot(x, both.volumes), 1e-12 * dot(x, both.volumes));
    EXPECT_GT(*std::max_element(rho.begin(), rho.end()),
              *std::min_element(rho.begin(), rho.end()) + 0.01); // and not constant
  };
  with_copy([](const Point &p) -> Point { return {{p[0] + 3., p[1] - 1.5, p[2] + 6.}}; });
  expect("extrusion", {{"Direction", "2, -1, 4"}});
  with_copy([](const Point &p) -> Point { return {{-p[0], p[1], p[2]}}; });
  expect("mirror", {{"Normals", "3, 0, 0"}, {"Point", "0, 0, 0"}});
  for (const int sectors : {3, 7})
    {
      const double angle = 8. * std::atan(1.) / sectors;
      with_copy([&](const Point &p) -> Point {
        return {{std::cos(angle) * p[0] - std::sin(angle) * p[1],
                 std::sin(angle) * p[0] + std::cos(angle) * p[1],
                 p[2]}};
      });
      expect("cyclic", {{"Sectors", sectors}, {"Point", "0, 0, 5"}, {"Cell size", 0.3}});
      expect("cyclic", {{"Sectors", sectors}, {"Point", "0, 0, 5"}, {"Each sector", "mirrored"}});
    }
}

// Solid and void elements do not spread to the places that correspond to theirs.
TEST_P(FoldedMapTest, SolidAndVoidElementsCountForNothing)
{
  BoxMesh box       = make_box(BoxOptions::regular({{2, 3, 4}}));
  ElementMesh &mesh = box.mesh;
  std::vector<double> x(mesh.n_elements, 0.4);
  for (std::size_t e = 0; e < x.size(); e += 5)
    {
      mesh.flags[e] = e % 2 == 0 ? DesignFlag::solid : DesignFlag::empty;
      x[e]          = e % 2 == 0 ? 1. : 1e-3;
    }
  const auto rho = densities("extrusion", mesh, {{"Cell size", 0.2}}, x);
  EXPECT_LE(relative_difference(rho, x), 1e-13);
}

// A region on one side alone is not made alike, and said.
TEST_P(FoldedMapTest, SayHowManyElementsCorrespondToSolidOrVoidOnes)
{
  for (const bool is_wild : {false, true})
    {
      BoxOptions options = BoxOptions::unit_cubes({{4, 3, 2}});
      if (is_wild)
        {
          options.size          = {{4.4, 2.7, 2.6}};
          options.shuffle_nodes = options.shuffle_elements = options.rotate_elements = true;
        }
      BoxMesh box        = make_box(options);
      const auto remarks = [&](const std::string &name, const ParameterValues &values = {}) {
        return make_design_chain(
                 {name}, backend(), Communicator(), box.mesh, {0., 1e-3}, {{name, values}})
          .remarks();
      };
      const auto set = [&](const auto &flag_of) {
        for (std::size_t e = 0; e < box.mesh.n_elements; ++e)
          box.mesh.flags[e] = flag_of(box.element_at[e]);
      };
      EXPECT_TRUE(remarks("mirror").empty());
      set([](const auto &at) { return at[0] == 0 ? DesignFlag::solid : DesignFlag::design; });
      ASSERT_EQ(remarks("mirror").size(), 1u);
      EXPECT_NE(remarks("mirror")[0].find("the map 'mirror'"), std::string::npos);
      EXPECT_NE(remarks("mirror")[0].find("and 6 elements to design correspond to one"),
                std::string::npos)
        << remarks("mirror")[0];
      EXPECT_NE(remarks("repetition", {{"Repetitions", "4, 1, 1"}})[0].find("and 18 elements"),
                std::string::npos);
      EXPECT_TRUE(remarks("extrusion", {{"Direction", "0, 1, 0"}}).empty());
      EXPECT_EQ(remarks("extrusion", {{"Direction", "1, 0, 0"}}).size(), 1u);
      set([](const auto &at) {
        return at[0] == 0 || at[0] == 3 ? DesignFlag::empty : DesignFlag::design;
      });
      EXPECT_TRUE(remarks("mirror").empty());
    }
}

INSTANTIATE_TEST_SUITE_P(Core, FoldedMapTest, at_all_places(), place_name);

TEST(FoldedMaps, RefuseValuesWithoutAMeaning)
{
  const auto backend = make_cpu_backend(1);
  BoxMesh box        = make_box(BoxOptions::regular({{2, 2, 2}}));
  const auto make    = [&](const std::string &name, const ParameterValues &values) {
    make_design_chain({name}, *backend, Communicator(), box.mesh, {0., 1e-3}, {{name, values}});
  };
  EXPECT_THROW(make("extrusion", {{"Direction", "0, 0, 0"}}), Error);
  EXPECT_THROW(make("extrusion", {{"Direction", "1, 0"}}), Error);
  EXPECT_THROW(make("repetition", {{"Repetitions", "1.5, 1, 1"}}), Error);
  EXPECT_THROW(make("repetition", {{"Repetitions", "2"}}), Error);
  EXPECT_THROW(make("cyclic", {{"Point", "1, 2"}}), Error);
  EXPECT_THROW(make("mirror", {{"Normals", "1, 0, 0, 1, 1, 0"}}), Error);
  EXPECT_THROW(make("mirror", {{"Normals", "1, 0"}}), Error);
  EXPECT_THROW(make("extrusion", {{"Cell size", 1e-12}}), Error); // more nodes than numbers
  box.mesh.symmetry_planes = {{1, 0.}};
  EXPECT_NO_THROW(make("extrusion", {{"Direction", "1, 0, 2"}}));
  EXPECT_NO_THROW(make("extrusion", {{"Direction", "0, -3, 0"}}));
  // mirroring would change the direction
  EXPECT_THROW(make("extrusion", {{"Direction", "1, 1, 0"}}), Error);
}
} // namespace
} // namespace strut::test
