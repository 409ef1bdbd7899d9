// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/dense_reference.h"
#include "source/element/element_product.h"
#include "source/element/stored_stiffness.h"

#include <gtest/gtest.h>

namespace strut::test
{
namespace
{
struct DistortedElement
{
  double X[3][8]; ///< coordinates of the vertices
};

/// Distorted elements in all orientations.
std::vector<DistortedElement> distorted_elements()
{
  std::vector<DistortedElement> elements;
  for (const unsigned int seed : {1u, 2u, 3u})
    {
      const BoxMesh box = make_box(BoxOptions::wild({{3, 4, 2}}, seed));
      for (std::size_t e = 0; e < box.mesh.n_elements; ++e)
        vertices(box.mesh, e, elements.emplace_back().X);
    }
  return elements;
}

// V = 1/3 sum over faces of int x . n dA. A bilinear face contributes the mean of what its two
// splittings into triangles do; a triangle abc contributes a . (b x c) / 6 to the volume.
double volume_from_faces(const double (&X)[3][8])
{
  const int faces[6][4] = {
    {0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  const auto triangle = [&](const int a, const int b, const int c) {
    double triple = 0;
    for (int i = 0; i < 3; ++i)
      triple +=
        X[i][a] * (X[(i + 1) % 3][b] * X[(i + 2) % 3][c] - X[(i + 2) % 3][b] * X[(i + 1) % 3][c]);
    return triple / 6.;
  };
  double volume = 0;
  for (const auto &f : faces)
    volume += 0.5 * (triangle(f[0], f[1], f[2]) + triangle(f[0], f[2], f[3]) +
                     triangle(f[0], f[1], f[3]) + triangle(f[1], f[2], f[3]));
  return volume;
}

TEST(Hexahedron, VolumeIsThatInsideItsFaces)
{
  for (const DistortedElement &element : distorted_elements())
    {
      const auto &X         = element.X;
      const double expected = volume_from_faces(X);
      ASSERT_GT(expected, 0.);
      EXPECT_NEAR(hexahedron::volume(X), expected, 1e-14);
    }
}

// Moving inner nodes only moves volume from one element to its neighbours: the sum is the box's.
TEST(Hexahedron, VolumesFillTheBox)
{
  const BoxMesh box = make_box(BoxOptions::wild({{4, 3, 5}}, 7).with_regular_surface());
  double sum        = 0;
  for (const double volume : box.mesh.volumes)
    sum += volume;
  EXPECT_NEAR(sum, 1. * 1.3 * 0.8, 1e-13);
}

// sum_v grad N_v = 0, sum_v x_v (grad N_v)^T = I, at every quadrature point.
TEST(Hexahedron, GradientsReproduceLinearFields)
{
  for (const DistortedElement &element : distorted_elements())
    {
      const auto &X = element.X;
      double G[3][8];
      for (int q = 0; q < 8; ++q)
        {
          EXPECT_GT(hexahedron::gradients(X, q, G), 0.);
          for (int i = 0; i < 3; ++i)
            {
              double of_one = 0, of_x[3] = {};
              for (int v = 0; v < 8; ++v)
                {
                  of_one += G[i][v];
                  for (int d = 0; d < 3; ++d)
                    of_x[d] += G[i][v] * X[d][v];
                }
              EXPECT_NEAR(of_one, 0., 1e-12);
              for (int d = 0; d < 3; ++d)
                EXPECT_NEAR(of_x[d], i == d ? 1. : 0., 1e-12);
            }
        }
    }
}

// J J^-1 = I
TEST(Hexahedron, InvertsThreeByThreeMatrices)
{
  Random random(3);
  for (int repetition = 0; repetition < 100; ++repetition)
    {
      double J[3][3], inverse[3][3];
      for (auto &row : J)
        for (double &entry : row)
          entry = random(-1., 1.);
      for (int i = 0; i < 3; ++i)
        J[i][i] += 3.; // diagonally dominant
      hexahedron::invert(J, inverse);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          {
            double product = 0;
            for (int k = 0; k < 3; ++k)
              product += J[i][k] * inverse[k][j];
            EXPECT_NEAR(product, i == j ? 1. : 0., 1e-14);
          }
    }
}

// K = sum_q B^T D B, entry by entry; symmetric.
TEST(Hexahedron, StiffnessEqualsTheTextbook)
{
  for (const Material material : {Material{1., 0.3},
                                  Material{7., -0.2},
                                  Material{1., 0.49},
                                  Material{1., 0.49, Formulation::mean_dilatation},
                                  with_modes(7., 0.),
                                  with_modes(1., 0.49)})
    for (const DistortedElement &element : distorted_elements())
      {
        const auto &X                = element.X;
        const ElementMatrix expected = reference_element_matrix(X, material);
        double size                  = 0;
        for (std::size_t i = 0; i < 24; ++i)
          size = std::max(size, expected[i][i]);
        for (int a = 0; a < 8; ++a)
          {
            double rows[3][24];
            hexahedron::stiffness_rows(X, material, a, rows);
            for (int i = 0; i < 3; ++i)
              for (int j = 0; j < 24; ++j)
                ASSERT_NEAR(rows[i][j], expected[3 * a + i][j], 1e-14 * size);
          }
      }
}

// The product and the diagonal on the fly equal those of the matrix.
TEST(Hexahedron, ProductOnTheFlyIsThatOfTheMatrix)
{
  Random random(7);
  for (const Material &material : {Material{3., 0.3},
                                   Material{3., 0.3, Formulation::mean_dilatation},
                                   with_modes(3., 0.3),
                                   with_modes(1., -0.3)})
    for (const DistortedElement &element : distorted_elements())
      {
        const auto &X = element.X;
        double u[3][8], f[3][8], d[3][8], rows[3][24];
        float X32[3][8], u32[3][8], f32[3][8];
        for (int i = 0; i < 3; ++i)
          for (int v = 0; v < 8; ++v)
            {
              u32[i][v] = static_cast<float>(random(-1., 1.));
              u[i][v]   = static_cast<double>(u32[i][v]);
              X32[i][v] = static_cast<float>(X[i][v] - X[i][0]);
            }
        using hexahedron::on_the_fly::WeightedMaterial;
        with_formulation(material.formulation, [&](const auto formulation) {
          using hexahedron::on_the_fly::element_product;
          element_product<formulation.value>(WeightedMaterial<double>(material), 1., X, u, f);
          element_product<formulation.value>(WeightedMaterial<float>(material), 1.f, X32, u32, f32);
        });
        hexahedron::on_the_fly::stiffness_diagonal(material, X, d);
        double size = 0;
        for (int a = 0; a < 8; ++a)
          for (int i = 0; i < 3; ++i)
            size = std::max(size, d[i][a]);
        for (int a = 0; a < 8; ++a)
          {
            hexahedron::stiffness_rows(X, material, a, rows);
            for (int i = 0; i < 3; ++i)
              {
                double expected = 0;
                for (int b = 0; b < 8; ++b)
                  for (int j = 0; j < 3; ++j)
                    expected += rows[i][3 * b + j] * u[j][b];
                EXPECT_NEAR(f[i][a], expected, 1e-13 * size);
                EXPECT_NEAR(static_cast<double>(f32[i][a]), expected, 2e-5 * size);
                EXPECT_NEAR(d[i][a], rows[i][3 * a + i], 1e-14 * size);
              }
          }
      }
}

// Rounded to float, the matrix stays symmetric and close, and translations still cost nothing.
// These statements are exact, since all entries are multiples of one number.
TEST(Hexahedron, RoundedStiffnessLetsElementsMove)
{
  const Material material{3., 0.3};
  for (const DistortedElement &element : distorted_elements())
    {
      const auto &X = element.X;
      double exact[3][24], rows[3][24];
      double K[24][24];
      double size = 0, error = 0;
      for (int a = 0; a < 8; ++a)
        {
          hexahedron::stiffness_rows(X, material, a, exact);
          hexahedron::stored_stiffness_rows<double, Hex8>(X, material, a, rows);
          for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 24; ++j)
              ASSERT_EQ(rows[i][j], exact[i][j]); // double is stored as it is
          hexahedron::stored_stiffness_rows<float, Hex8>(X, material, a, rows);
          for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 24; ++j)
              {
                K[3 * a + i][j] = rows[i][j];
                size            = std::max(size, std::abs(exact[i][j]));
                error           = std::max(error, std::abs(rows[i][j] - exact[i][j]));
                ASSERT_EQ(rows[i][j], static_cast<double>(static_cast<float>(rows[i][j])));
              }
        }
      EXPECT_LE(error, 1e-6 * size);

      double moved[3][3] = {}; // sum over both vertices: the force of a translation
      for (int i = 0; i < 24; ++i)
        for (int j = 0; j < 24; ++j)
          {
            ASSERT_EQ(K[i][j], K[j][i]) << i << ' ' << j;
            moved[i % 3][j % 3] += K[i][j];
          }
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          EXPECT_EQ(moved[i][j], 0.);
      // separately for each vertex, whose force is in the direction of its motion
      for (int a = 0; a < 8; ++a)
        for (int i = 0; i < 3; ++i)
          {
            double force = 0;
            for (int b = 0; b < 8; ++b)
              force += K[3 * a + i][3 * b + i];
            EXPECT_EQ(force, 0.);
          }
    }
}

// For u = epsilon x on any shape, u . K0 u = V epsilon : D : epsilon.
TEST(Hexahedron, ConstantStrainHasItsEnergy)
{
  Random random(5);
  for (const Material material :
       {Material{2., 0.25}, Material{2., 0.25, Formulation::mean_dilatation}, with_modes(2., 0.25)})
    for (const DistortedElement &element : distorted_elements())
      {
        const auto &X = element.X;
        double H[3][3]; // displacement gradient, rotation included
        for (auto &row : H)
          for (double &entry : row)
            entry = random(-1., 1.);
        double u[24];
        for (int v = 0; v < 8; ++v)
          for (int i = 0; i < 3; ++i)
            u[3 * v + i] = 1. + H[i][0] * X[0][v] + H[i][1] * X[1][v] + H[i][2] * X[2][v];

        double energy = 0;
        for (int a = 0; a < 8; ++a)
          {
            double rows[3][24];
            hexahedron::stiffness_rows(X, material, a, rows);
            for (int i = 0; i < 3; ++i)
              for (int j = 0; j < 24; ++j)
                energy += u[3 * a + i] * rows[i][j] * u[j];
          }

        const double strain[6] = {
          H[0][0], H[1][1], H[2][2], H[0][1] + H[1][0], H[1][2] + H[2][1], H[2][0] + H[0][2]};
        const Matrix6 D = hooke(material);
        double density  = 0;
        for (std::size_t i = 0; i < 6; ++i)
          for (std::size_t j = 0; j < 6; ++j)
            density += strain[i] * D[i][j] * strain[j];
        const double expected = density * volume_from_faces(X);
        EXPECT_NEAR(energy, expected, 1e-12 * expected);
      }
}

// lambda and mu from E and nu, by way of the bulk modulus K = lambda + 2/3 mu = E / (3 (1 - 2 nu)).
TEST(Material, LameParameters)
{
  const Material steel{210e9, 0.3};
  EXPECT_NEAR(steel.lambda() + 2. / 3. * steel.mu(), 210e9 / (3. * 0.4), 1.);
  EXPECT_NEAR(2. * steel.mu() * 1.3, 210e9, 1e-3);
  const Material cork{1., 0.};
  EXPECT_EQ(cork.lambda(), 0.);
  EXPECT_EQ(cork.mu(), 0.5);
}
} // namespace
} // namespace strut::test
