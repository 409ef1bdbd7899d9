// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Nodal blocks in 12 bytes, compared with a dense eigenvalue solver.
#include "../fixtures/vectors.h"
#include "source/element/packed_block.h"

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include <cmath>

namespace strut::test
{
namespace
{
constexpr int of_entry[6][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};

NodalBlock<float> block_of(const Eigen::Matrix3d &D)
{
  NodalBlock<float> block;
  for (int k = 0; k < 6; ++k)
    block.entry[k] = static_cast<float>(D(of_entry[k][0], of_entry[k][1]));
  return block;
}

Eigen::Matrix3d matrix_of(const NodalBlock<float> &block)
{
  Eigen::Matrix3d D;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      D(i, j) = static_cast<double>(block.entry[NodalBlock<float>::index(i, j)]);
  return D;
}

/// The matrix by which a packed block multiplies, column by column, with rows and columns scaled by
/// t.
Eigen::Matrix3d scaled_inverse(const PackedBlock &packed, const Eigen::Vector3d &t)
{
  Eigen::Matrix3d B;
  for (int j = 0; j < 3; ++j)
    {
      float x[3] = {}, y[3];
      x[j]       = static_cast<float>(t[j]);
      packed.multiply(x, y);
      for (int i = 0; i < 3; ++i)
        B(i, j) = t[i] * static_cast<double>(y[i]);
    }
  return B;
}

/// Expects eigenvalues of D'^-1 D of at most 1, up to the rounding of floats. The lower bound
/// allows for rounded numbers, which matter in directions that D hardly resists.
void expect_stiffer(const NodalBlock<float> &block)
{
  const Eigen::Matrix3d D   = matrix_of(block);
  const Eigen::Vector3d t   = D.diagonal().cwiseSqrt();
  const Eigen::Matrix3d G   = t.cwiseInverse().asDiagonal() * D * t.cwiseInverse().asDiagonal();
  const double least        = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(G).eigenvalues()[0];
  const Eigen::Matrix3d B   = scaled_inverse(PackedBlock::of_free_part(block, 0), t);
  const double size         = B.norm();
  const Eigen::Matrix3d sym = 0.5 * (B + B.transpose());
  EXPECT_LE((B - B.transpose()).norm(), 1e-5 * size);
  EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(sym).eigenvalues()[0], 0.);
  const auto both =
    Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::Matrix3d>(G,
                                                              sym.inverse(),
                                                              Eigen::EigenvaluesOnly)
      .eigenvalues();
  EXPECT_LE(both[2], 1. + 1e-6 * size) << block.entry[0];
  EXPECT_GE(both[0], 1. / (1. + 1.01 * 3.5 / 2048. / least) - 1e-6 * size) << least;
  EXPECT_GE(both[2], 1. - 4. / 2048.); // in stiff directions it equals D
}

/// A block with random directions, these stiffnesses, and scales of the components over many
/// decades.
Eigen::Matrix3d random_block(Random &random, const double second, const double third)
{
  Eigen::Matrix3d A;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      A(i, j) = random(-1., 1.);
  const Eigen::Matrix3d Q = Eigen::HouseholderQR<Eigen::Matrix3d>(A).householderQ();
  Eigen::Vector3d s;
  const double common = random(-9., 6.);
  for (int i = 0; i < 3; ++i)
    s[i] = std::pow(10., 0.5 * (common + random(-4., 4.)));
  const Eigen::Vector3d d(1., second, third);
  return s.asDiagonal() * Q * d.asDiagonal() * Q.transpose() * s.asDiagonal();
}

TEST(PackedBlockTest, IsNotLessThanTheBlock)
{
  Random random(1);
  for (int sample = 0; sample < 20000; ++sample)
    expect_stiffer(block_of(random_block(random, random(0.2, 1.), random(0.2, 1.))));
}

// One or two directions without much stiffness, down to the rounding of a float.
TEST(PackedBlockTest, StaysDefiniteWhereTheBlockHardlyIs)
{
  Random random(2);
  int n = 0;
  for (int sample = 0; sample < 20000; ++sample)
    {
      const double little = std::pow(10., random(-6., -1.));
      const auto block =
        block_of(random_block(random, sample % 2 == 0 ? little : random(0.2, 1.), little));
      const Eigen::Matrix3d D = matrix_of(block);
      const Eigen::Vector3d t = D.diagonal().cwiseSqrt().cwiseInverse();
      const Eigen::Matrix3d G = t.asDiagonal() * D * t.asDiagonal();
      if (Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(G).eigenvalues()[0] < 1e-7)
        continue; // rounding to float may have taken all there was
      expect_stiffer(block);
      ++n;
    }
  EXPECT_GT(n, 15000);
}

TEST(PackedBlockTest, KeepsTheFreePart)
{
  Random random(3);
  for (int sample = 0; sample < 100; ++sample)
    for (unsigned int constrained = 0; constrained < 8; ++constrained)
      {
        const auto block        = block_of(random_block(random, 0.5, 0.3));
        const Eigen::Vector3d t = matrix_of(block).diagonal().cwiseSqrt();
        const Eigen::Matrix3d B = scaled_inverse(PackedBlock::of_free_part(block, constrained), t);
        const Eigen::Matrix3d expected =
          t.asDiagonal() * matrix_of(block.inverse_of_free_part(constrained)) * t.asDiagonal();
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            if ((constrained >> i & 1) != 0 || (constrained >> j & 1) != 0)
              {
                EXPECT_EQ(B(i, j), 0.);
              }
        EXPECT_LE((B - expected).norm(), 0.05 * expected.norm()) << constrained;
      }
}

TEST(PackedBlockTest, IsZeroWhereTheBlockIsNotDefinite)
{
  for (const NodalBlock<float> &block : {NodalBlock<float>{{0, 0, 0, 0, 0, 0}},
                                         NodalBlock<float>{{1, 2, 0, 1, 0, 1}},
                                         NodalBlock<float>{{1, 0, 0, -1, 0, 1}}})
    EXPECT_EQ(scaled_inverse(PackedBlock::of_free_part(block, 0), {1., 1., 1.}).norm(), 0.);
}

TEST(PackedNumberTest, IsNotMoreThanTheInverse)
{
  const auto inverse_of = [](const float value, const unsigned int constrained) {
    const float one[1] = {1.f};
    float inverse[1];
    PackedNumber::of_free_part({{value}}, constrained).multiply(one, inverse);
    return static_cast<double>(inverse[0]);
  };
  Random random(4);
  for (int sample = 0; sample < 20000; ++sample)
    {
      const auto value   = static_cast<float>(std::pow(10., random(-20., 20.)));
      const double exact = 1. / static_cast<double>(value);
      EXPECT_LE(inverse_of(value, 0), exact);
      EXPECT_GE(inverse_of(value, 0), (1. - 3e-7) * exact);
      EXPECT_EQ(inverse_of(value, 1), 0.);
      EXPECT_EQ(inverse_of(-value, 0), 0.);
    }
}
} // namespace
} // namespace strut::test
