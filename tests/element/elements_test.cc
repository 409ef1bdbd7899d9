// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/element_types.h"
#include "../fixtures/errors.h"
#include "../fixtures/vectors.h"
#include "source/element/elements.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace strut::test
{
namespace
{
template <typename Element>
class ReferenceElement : public ::testing::Test
{
protected:
  static constexpr int n             = Element::n_nodes;
  static constexpr bool is_quadratic = Element::n_nodes > Element::n_vertices;
  static constexpr bool is_simplex   = Element::n_vertices == 4;

  /// A random point inside of the element.
  static void point(Random &random, double (&x)[3])
  {
    do
      for (double &coordinate : x)
        coordinate = random(0., 1.);
    while (is_simplex && x[0] + x[1] + x[2] > 1.);
  }

  static void node(const int a, double (&x)[3])
  {
    for (int d = 0; d < 3; ++d)
      x[d] = 0.5 * Element::position(a, d);
  }
};

TYPED_TEST_SUITE(ReferenceElement, AllElements, );

TYPED_TEST(ReferenceElement, ShapeFunctionsAreOneAtTheirNode)
{
  for (int a = 0; a < this->n; ++a)
    for (int b = 0; b < this->n; ++b)
      {
        double x[3];
        this->node(b, x);
        EXPECT_NEAR(TypeParam::shape_value(a, x), a == b ? 1. : 0., 1e-15) << a << " at " << b;
      }
}

TYPED_TEST(ReferenceElement, ShapeFunctionsArePartitionsOfUnity)
{
  Random random(1);
  for (int repetition = 0; repetition < 20; ++repetition)
    {
      double x[3], sum = 0., of_gradients[3] = {};
      this->point(random, x);
      for (int a = 0; a < this->n; ++a)
        {
          double gradient[3];
          sum += TypeParam::shape_value(a, x);
          TypeParam::shape_gradient(a, x, gradient);
          for (int d = 0; d < 3; ++d)
            of_gradients[d] += gradient[d];
        }
      EXPECT_NEAR(sum, 1., 1e-14);
      for (const double component : of_gradients)
        EXPECT_NEAR(component, 0., 1e-13);
    }
}

// sum_a p(x_a) N_a = p for x, y, z, and for all quadratic p where there are midpoints.
TYPED_TEST(ReferenceElement, ShapeFunctionsHoldThePolynomials)
{
  Random random(2);
  for (int repetition = 0; repetition < 20; ++repetition)
    {
      double c[10];
      for (int i = 0; i < 10; ++i)
        c[i] = i < 4 || this->is_quadratic ? random(-1., 1.) : 0.;
      const auto p = [&](const double(&x)[3]) {
        return c[0] + c[1] * x[0] + c[2] * x[1] + c[3] * x[2] + c[4] * x[0] * x[0] +
               c[5] * x[1] * x[1] + c[6] * x[2] * x[2] + c[7] * x[0] * x[1] + c[8] * x[1] * x[2] +
               c[9] * x[0] * x[2];
      };
      double x[3], interpolated = 0.;
      this->point(random, x);
      for (int a = 0; a < this->n; ++a)
        {
          double x_a[3];
          this->node(a, x_a);
          interpolated += p(x_a) * TypeParam::shape_value(a, x);
        }
      EXPECT_NEAR(interpolated, p(x), 1e-14);
    }
}

TYPED_TEST(ReferenceElement, GradientsAreThoseOfFiniteDifferences)
{
  Random random(3);
  const double h = 1e-5; // central: error h^2
  for (int repetition = 0; repetition < 5; ++repetition)
    for (int a = 0; a < this->n; ++a)
      {
        double x[3], gradient[3];
        this->point(random, x);
        TypeParam::shape_gradient(a, x, gradient);
        for (int d = 0; d < 3; ++d)
          {
            double before[3] = {x[0], x[1], x[2]}, after[3] = {x[0], x[1], x[2]};
            before[d] -= h;
            after[d] += h;
            const double difference =
              (TypeParam::shape_value(a, after) - TypeParam::shape_value(a, before)) / (2. * h);
            EXPECT_NEAR(gradient[d], difference, 1e-9);
          }
      }
}

// int x^i y^j z^k: 1 / ((i+1) (j+1) (k+1)) on the cube, i! j! k! / (i+j+k+3)! on the tetrahedron.
TYPED_TEST(ReferenceElement, QuadratureIsExactToItsDegree)
{
  const std::string name = TypeParam::name;
  const int degree       = name == "tet4"                             ? 1
                           : name == "tet10"                          ? 2
                           : name == "hex8" || name == "tet10-curved" ? 3
                                                                      : 5;
  const bool each        = !this->is_simplex && name != "hex20-14"; // products of Gauss rules
  for (int i = 0; i <= degree; ++i)
    for (int j = 0; j <= degree; ++j)
      for (int k = 0; k <= degree; ++k)
        {
          if (!each && i + j + k > degree)
            continue;
          double sum = 0.;
          for (int q = 0; q < TypeParam::n_quadrature_points; ++q)
            {
              double x[3];
              const double weight = TypeParam::quadrature_point(q, x);
              sum += weight * std::pow(x[0], i) * std::pow(x[1], j) * std::pow(x[2], k);
            }
          const double exact = this->is_simplex ? std::tgamma(i + 1) * std::tgamma(j + 1) *
                                                    std::tgamma(k + 1) / std::tgamma(i + j + k + 4)
                                                : 1. / ((i + 1) * (j + 1) * (k + 1));
          EXPECT_NEAR(sum, exact, 1e-15) << i << ' ' << j << ' ' << k;
        }
}

TYPED_TEST(ReferenceElement, SameInSinglePrecision)
{
  Random random(4);
  double x[3];
  this->point(random, x);
  const float single[3] = {float(x[0]), float(x[1]), float(x[2])};
  for (int a = 0; a < this->n; ++a)
    {
      double gradient[3];
      float single_gradient[3];
      TypeParam::shape_gradient(a, x, gradient);
      TypeParam::shape_gradient(a, single, single_gradient);
      EXPECT_NEAR(TypeParam::shape_value(a, single), TypeParam::shape_value(a, x), 1e-6);
      for (int d = 0; d < 3; ++d)
        EXPECT_NEAR(single_gradient[d], gradient[d], 4e-6);
    }
}

// The lines of deal.II's cells, as its documentation draws them.
TEST(ReferenceElement, MidpointsAreInTheMiddleOfDealIIsLines)
{
  const int of_cube[12][2] = {
    {0, 2}, {1, 3}, {0, 1}, {2, 3}, {4, 6}, {5, 7}, {4, 5}, {6, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
  const int of_tetrahedron[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
  for (int d = 0; d < 3; ++d)
    {
      for (int line = 0; line < 12; ++line)
        EXPECT_EQ(2 * Hex20::position(8 + line, d),
                  Hex20::position(of_cube[line][0], d) + Hex20::position(of_cube[line][1], d));
      for (int line = 0; line < 6; ++line)
        EXPECT_EQ(2 * Tet10::position(4 + line, d),
                  Tet10::position(of_tetrahedron[line][0], d) +
                    Tet10::position(of_tetrahedron[line][1], d));
    }
}

TEST(ElementTypes, HaveNamesAndNodes)
{
  std::vector<std::string> names;
  for (const ElementType &type : element_types())
    {
      names.push_back(type.name);
      with_element(type, [&](const auto element) {
        EXPECT_STREQ(element.name, type.name);
        EXPECT_EQ(element.n_nodes, static_cast<int>(type.n_nodes));
        EXPECT_EQ(element.n_vertices, static_cast<int>(type.n_vertices));
      });
    }
  EXPECT_EQ(names,
            (std::vector<std::string>{
              "hex8", "hex20", "hex20-14", "hex27", "tet4", "tet10", "tet10-curved"}));
  EXPECT_EQ(ElementMesh().type, type_of<Hex8>()); // the default
  EXPECT_EQ(type_of<Hex8>().n_nodes, 8u);
  EXPECT_EQ(type_of<Hex20>().n_nodes, 20u);
  EXPECT_EQ(type_of<Hex20Irons>().n_nodes, 20u);
  EXPECT_EQ(type_of<Hex27>().n_nodes, 27u);
  EXPECT_EQ(type_of<Tet4>().n_nodes, 4u);
  EXPECT_EQ(type_of<Tet10>().n_nodes, 10u);
  EXPECT_EQ(type_of<Hex27>().n_vertices, 8u);
  EXPECT_EQ(type_of<Tet10>().n_vertices, 4u);
}

TEST(ElementTypes, RefuseOthersByName)
{
  expect_error([]() { with_element({"wedge15", 15, 6}, [](const auto) {}); }, {"'wedge15'"});
}

/// The vertices around each place of a file's order, by their places in that order. A vertex has
/// itself, a midpoint the ends of its line, and a centre all vertices of its face or cell.
using Places = std::vector<std::vector<int>>;

/// Expects that the order has each node once, and that the vertices and the middles are where they
/// belong.
/// @param vertices  positions of the vertices, in edges
template <typename Element>
void expect_order(int (*node)(int), const std::vector<std::array<int, 3>> &vertices, Places places)
{
  for (int v = static_cast<int>(vertices.size()); v-- > 0;)
    places.insert(places.begin(), {v});
  ASSERT_EQ(static_cast<int>(places.size()), Element::n_nodes);
  std::set<int> found;
  for (int k = 0; k < Element::n_nodes; ++k)
    {
      SCOPED_TRACE(std::string(Element::name) + ", place " + std::to_string(k));
      ASSERT_GE(node(k), 0);
      ASSERT_LT(node(k), Element::n_nodes);
      found.insert(node(k));
      const auto &around = places[static_cast<std::size_t>(k)];
      for (std::size_t d = 0; d < 3; ++d)
        {
          int sum = 0; // in edges
          for (const int v : around)
            sum += vertices[static_cast<std::size_t>(v)][d];
          EXPECT_EQ(Element::position(node(k), static_cast<int>(d)) *
                      static_cast<int>(around.size()),
                    2 * sum)
            << "direction " << d;
        }
    }
  EXPECT_EQ(static_cast<int>(found.size()), Element::n_nodes);
}

Places operator+(Places places, const Places &more)
{
  places.insert(places.end(), more.begin(), more.end());
  return places;
}

// The orders of files, as gmsh 4.15 and VTK 9.1 make them, and Abaqus' as CalculiX 2.20 reads it,
// by vertices. Those of a cube: bottom and top, each counter-clockwise.
TEST(ElementTypes, KnowTheOrdersOfFiles)
{
  const std::vector<std::array<int, 3>> tetrahedron = {{{0, 0, 0}},
                                                       {{1, 0, 0}},
                                                       {{0, 1, 0}},
                                                       {{0, 0, 1}}};
  const std::vector<std::array<int, 3>> cube        = {{{0, 0, 0}},
                                                       {{1, 0, 0}},
                                                       {{1, 1, 0}},
                                                       {{0, 1, 0}},
                                                       {{0, 0, 1}},
                                                       {{1, 0, 1}},
                                                       {{1, 1, 1}},
                                                       {{0, 1, 1}}};
  // faces z = 0, z = 1, y = 0, y = 1, x = 0, x = 1
  const std::vector<int> bottom = {0, 1, 2, 3}, top = {4, 5, 6, 7}, front = {0, 1, 5, 4},
                         back = {2, 3, 7, 6}, left = {0, 3, 7, 4}, right = {1, 2, 6, 5},
                         all = {0, 1, 2, 3, 4, 5, 6, 7};

  expect_order<Tet4>(Tet4::vtk_node, tetrahedron, {});
  expect_order<Tet4>(Tet4::gmsh_node, tetrahedron, {});
  expect_order<Tet4>(Tet4::abaqus_node, tetrahedron, {});

  const Places tet10 = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
  expect_order<Tet10>(Tet10::vtk_node, tetrahedron, tet10);
  expect_order<Tet10>(Tet10::abaqus_node, tetrahedron, tet10);
  expect_order<Tet10Curved>(Tet10Curved::vtk_node, tetrahedron, tet10);
  expect_order<Tet10>(Tet10::gmsh_node,
                      tetrahedron,
                      {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {2, 3}, {1, 3}});

  expect_order<Hex8>(Hex8::vtk_node, cube, {});
  expect_order<Hex8>(Hex8::gmsh_node, cube, {});
  expect_order<Hex8>(Hex8::abaqus_node, cube, {});

  const Places hex20_of_vtk = {
    {0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
  const Places hex20_of_gmsh = {
    {0, 1}, {0, 3}, {0, 4}, {1, 2}, {1, 5}, {2, 3}, {2, 6}, {3, 7}, {4, 5}, {4, 7}, {5, 6}, {6, 7}};
  expect_order<Hex20>(Hex20::vtk_node, cube, hex20_of_vtk);
  expect_order<Hex20>(Hex20::gmsh_node, cube, hex20_of_gmsh);
  expect_order<Hex20>(Hex20::abaqus_node, cube, hex20_of_vtk);
  expect_order<Hex20Irons>(Hex20Irons::vtk_node, cube, hex20_of_vtk);

  expect_order<Hex27>(Hex27::vtk_node,
                      cube,
                      hex20_of_vtk + Places{left, right, front, back, bottom, top, all});
  expect_order<Hex27>(Hex27::gmsh_node,
                      cube,
                      hex20_of_gmsh + Places{bottom, front, left, right, back, top, all});
  expect_order<Hex27>(Hex27::abaqus_node,
                      cube,
                      hex20_of_vtk + Places{all, bottom, top, front, right, back, left});
}

TEST(ElementTypes, HaveTheirNumbersInFiles)
{
  const std::map<std::string, std::array<int, 2>> numbers = {{"hex8", {{12, 5}}},
                                                             {"hex20", {{25, 17}}},
                                                             {"hex20-14", {{25, 17}}},
                                                             {"hex27", {{29, 12}}},
                                                             {"tet4", {{10, 4}}},
                                                             {"tet10", {{24, 11}}},
                                                             {"tet10-curved", {{24, 11}}}};
  for (const ElementType &type : element_types())
    with_element(type, [&](const auto element) {
      EXPECT_EQ(element.vtk_type, numbers.at(type.name)[0]) << type.name;
      EXPECT_EQ(element.gmsh_type, numbers.at(type.name)[1]) << type.name;
      EXPECT_EQ(std::string(element.abaqus_names[0]), "C3D" + std::to_string(type.n_nodes));
    });
}
} // namespace
} // namespace strut::test
