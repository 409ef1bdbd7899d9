// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "tests/plugin/stiffness_operator_fixture.h"

namespace strut::test
{
using Tangent        = dealii::SymmetricTensor<4, 3>;
using TangentOfPlace = std::function<Tangent(const dealii::Point<3> &, unsigned int)>;

/// Entries in the order of set_tangents()'s array.
constexpr unsigned int voigt_of_array[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};

/// A generator that gives the same numbers on all ranks.
inline std::mt19937 generator_of(const dealii::Point<3> &centre, const unsigned int q)
{
  std::seed_seq seed{std::int64_t(std::llround(1e6 * centre[0])),
                     std::int64_t(std::llround(1e6 * centre[1])),
                     std::int64_t(std::llround(1e6 * centre[2])),
                     std::int64_t(q)};
  return std::mt19937(seed);
}

/// Symmetric and positive definite tangents, independent of their neighbours.
inline Tangent random_tangent(const dealii::Point<3> &centre, const unsigned int q)
{
  auto generator = generator_of(centre, q);
  std::uniform_real_distribution<double> entry(-1., 1.);
  double A[6][6];
  for (auto &row : A)
    for (double &a : row)
      a = entry(generator);
  Tangent C;
  for (unsigned int i = 0; i < 6; ++i)
    for (unsigned int j = 0; j < 6; ++j)
      {
        double sum = i == j ? 0.3 : 0.;
        for (unsigned int k = 0; k < 6; ++k)
          sum += A[i][k] * A[j][k];
        C[voigt_of_array[i][0]][voigt_of_array[i][1]][voigt_of_array[j][0]][voigt_of_array[j][1]] =
          100. * sum;
      }
  return C;
}

inline Tangent isotropic(const double lambda, const double mu)
{
  return lambda * dealii::outer_product(dealii::unit_symmetric_tensor<3>(),
                                        dealii::unit_symmetric_tensor<3>()) +
         2. * mu * dealii::identity_tensor<3>();
}

inline Tangent elastic(const double E)
{
  const Material material{E, 0.3};
  return isotropic(material.lambda(), material.mu());
}

/// Tangent of a fibre-reinforced solid whose orientation varies smoothly: orthotropic, stiff along
/// one direction.
inline Tangent smooth_tangent(const dealii::Point<3> &x, const unsigned int)
{
  const double angle = 0.8 * x[0] + 0.5 * x[1];
  const dealii::Tensor<1, 3> fibre({std::cos(angle), std::sin(angle), 0.});
  const auto direction = dealii::symmetrize(dealii::outer_product(fibre, fibre));
  return elastic(100.) + 400. * dealii::outer_product(direction, direction);
}

/// Tangent after a return mapping. In plastic flow it is `C - 6 G^2 / (3 G + H) n (x) n`, with the
/// direction n of the deviatoric stress and the hardening H, 1 per cent of 3 G. A band flows, and
/// at its rim single points.
inline Tangent plastic_tangent(const dealii::Point<3> &x, const unsigned int q)
{
  auto generator        = generator_of(x, q);
  const double distance = std::abs(x[0] + 0.4 * x[1] - 0.6);
  const bool flows      = distance < 0.3 || (distance < 0.6 && generator() % 2 == 0);
  const double G        = Material{200., 0.3}.mu();
  dealii::SymmetricTensor<2, 3> n;
  n[0][0] = 1. + 0.3 * x[1];
  n[1][1] = -0.6;
  n[0][1] = 0.7 * std::sin(2. * x[2]);
  n[1][2] = 0.4 * x[0];
  n       = dealii::deviator(n);
  n /= n.norm();
  return flows ? elastic(200.) - 2. * G / 1.01 * dealii::outer_product(n, n) : elastic(200.);
}

class StiffnessTangentsProblem : public StiffnessMeshProblem
{
protected:
  template <typename Number = double>
  std::unique_ptr<StiffnessOperator<Number>> make_operator(const TangentOfPlace &tangent)
  {
    assemble(tangent);
    auto K = make_plain_operator<Number>();
    set(*K, tangent);
    return K;
  }

  void assemble(const TangentOfPlace &tangent)
  {
    application->tangent = tangent;
    application->assemble(false);
  }

  template <typename Number>
  static void set(StiffnessOperator<Number> &K, const TangentOfPlace &tangent)
  {
    K.set_tangents(
      [&](const auto &cell, const unsigned int q) { return tangent(cell->center(), q); });
  }

  std::vector<double> array_of(const TangentOfPlace &tangent, const unsigned int n_points) const
  {
    std::vector<double> array;
    for (const auto &cell : application->triangulation->active_cell_iterators())
      if (cell->is_locally_owned())
        for (unsigned int q = 0; q < n_points; ++q)
          {
            const Tangent C = tangent(cell->center(), q);
            for (unsigned int i = 0; i < 6; ++i)
              for (unsigned int j = i; j < 6; ++j)
                array.push_back(C[voigt_of_array[i][0]][voigt_of_array[i][1]][voigt_of_array[j][0]]
                                 [voigt_of_array[j][1]]);
          }
    return array;
  }

  /// The numbers as `[n_points][21][n_cells]`, in the memory of a backend of the same kind.
  Array<double> array_there(Backend &backend, const std::vector<double> &by_cells) const
  {
    std::size_t n_cells = 0;
    for (const auto &cell : application->triangulation->active_cell_iterators())
      n_cells += cell->is_locally_owned() ? 1 : 0;
    std::vector<double> by_numbers;
    const std::size_t of_cell = n_cells == 0 ? 0 : by_cells.size() / n_cells;
    for (std::size_t k = 0; k < of_cell; ++k)
      for (std::size_t c = 0; c < n_cells; ++c)
        by_numbers.push_back(by_cells[of_cell * c + k]);
    return Array<double>(backend.memory(), by_numbers);
  }
  static std::unique_ptr<Backend> backend_of_test()
  {
    return std::string(std::get<1>(GetParam())) == "cuda" ? make_cuda_backend()
                                                          : make_cpu_backend();
  }
};
} // namespace strut::test
