// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Generated matrices with constraints in the conjugate gradient method.
#include "generated_matrix.h"
#include "source/comparison/solvers/generated_system.h"

#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCore>

#include <set>

namespace strut::test
{
namespace
{
using SparseMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;

/// The corners of the faces that belong to one element only.
std::set<LocalIndex> surface_corners(const ElementMesh &mesh)
{
  const bool hexahedra = mesh.type.n_vertices == 8;
  const std::vector<std::vector<int>> faces =
    hexahedra ? std::vector<std::vector<int>>{{0, 2, 4, 6},
                                              {1, 3, 5, 7},
                                              {0, 1, 4, 5},
                                              {2, 3, 6, 7},
                                              {0, 1, 2, 3},
                                              {4, 5, 6, 7}}
              : std::vector<std::vector<int>>{{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}};
  std::map<std::set<LocalIndex>, int> count;
  const auto corners = [&](const std::size_t e, const std::vector<int> &face) {
    std::set<LocalIndex> result;
    for (const int a : face)
      result.insert(mesh.node(e, static_cast<std::size_t>(a)));
    return result;
  };
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    for (const auto &face : faces)
      ++count[corners(e, face)];
  std::set<LocalIndex> nodes;
  for (const auto &[face, n] : count)
    if (n == 1)
      nodes.insert(face.begin(), face.end());
  return nodes;
}

std::vector<double> factors_of(const ElementMesh &mesh)
{
  return random_vector(mesh.n_elements, 3, 1e-3, 1.);
}

/// Holds the corners of the surface.
void hold_corners(ElementMesh &mesh)
{
  for (const LocalIndex node : surface_corners(mesh))
    for (LocalIndex i = 0; i < 3; ++i)
      mesh.constrained_dofs.push_back(3 * node + i);
}

/// The matrix as generated on the backend, with the constraints of the mesh, including entries that
/// are zero.
SparseMatrix generate(Backend &backend, const ElementMesh &mesh, const MatrixFormat format)
{
  Generated<double> generated(backend, mesh, Material(), format, {});
  const auto entries           = generated.assemble(factors_of(mesh));
  const SparsePattern &pattern = generated.pattern();
  const auto columns           = pattern.columns.to_host();
  const auto begin             = pattern.row_begin.to_host();
  std::vector<Eigen::Triplet<double>> triplets;
  for (std::size_t row = 0; row < pattern.n_rows; ++row)
    if (format == MatrixFormat::csr)
      for (std::size_t k = begin[row]; k < begin[row + 1]; ++k)
        triplets.emplace_back(row, columns[k], entries[k]);
    else
      for (std::size_t k = 0; k < pattern.width; ++k)
        triplets.emplace_back(row,
                              columns[k * pattern.n_rows + row],
                              entries[k * pattern.n_rows + row]);
  SparseMatrix matrix(static_cast<long>(pattern.n_rows), static_cast<long>(pattern.n_rows));
  matrix.setFromTriplets(triplets.begin(), triplets.end()); // padding adds zeros
  return matrix;
}

struct SolveCase
{
  Place place;
  ElementType type;
  MatrixFormat format;

  friend std::ostream &operator<<(std::ostream &out, const SolveCase &c)
  {
    return out << to_string(c.place) << "_" << word_of(c.type) << "_" << strut::to_string(c.format);
  }
};

std::vector<SolveCase> all_cases()
{
  std::vector<SolveCase> cases;
  for (const Place place : all_places())
    for (const ElementType &type : element_types())
      for (const MatrixFormat format : {MatrixFormat::csr, MatrixFormat::ell})
        cases.push_back({place, type, format});
  return cases;
}

using GeneratedMatrixSolveTest = TestOnBackend<SolveCase>;

// The corners of the surface are held, and forces act elsewhere. PCG with the diagonal runs on the
// constrained matrix, whose held DoFs keep their diagonal entries. It gives zeros there, and
// elsewhere the solution of the reduced system. So r = f - K u of the unconstrained matrix vanishes
// on the free DoFs.
TEST_P(GeneratedMatrixSolveTest, ConjugateGradientsBalanceTheForces)
{
  const SolveCase c       = GetParam();
  ElementMesh mesh        = make_assembly_mesh(c.type, {{4, 3, 3}}, 5);
  const SparseMatrix free = generate(backend(), mesh, c.format);
  hold_corners(mesh);
  const SparseMatrix held = generate(backend(), mesh, c.format);

  // symmetric, entry by entry, except for the order of sums
  EXPECT_LT(SparseMatrix(held - SparseMatrix(held.transpose())).norm(), 1e-14 * held.norm());

  const auto loads  = random_vector(free.rows(), 9, -1., 1.);
  Eigen::VectorXd f = Eigen::Map<const Eigen::VectorXd>(loads.data(), free.rows());
  for (const LocalIndex dof : mesh.constrained_dofs)
    f[dof] = 0.;
  Eigen::ConjugateGradient<SparseMatrix, Eigen::Lower | Eigen::Upper> solver(held);
  solver.setTolerance(1e-13);
  const Eigen::VectorXd u = solver.solve(f);
  EXPECT_EQ(solver.info(), Eigen::Success) << solver.iterations();

  Eigen::VectorXd r = f - free * u;
  for (const LocalIndex dof : mesh.constrained_dofs)
    {
      EXPECT_EQ(u[dof], 0.);
      r[dof] = 0.;
    }
  EXPECT_GT(u.norm(), 0.);
  EXPECT_LT(r.norm(), 1e-11 * f.norm());
}

// The product and the diagonal of each format are those of the entries. The system that
// strut-assemble solves has the solution of an independent solver.
TEST_P(GeneratedMatrixSolveTest, GeneratedSystemsAreSolved)
{
  const SolveCase c = GetParam();
  ElementMesh mesh  = make_assembly_mesh(c.type, {{4, 3, 3}}, 5);
  hold_corners(mesh);
  const SparseMatrix expected = generate(backend(), mesh, MatrixFormat::csr);

  for (const MatrixFormat format : {c.format, MatrixFormat::coo})
    {
      SCOPED_TRACE(strut::to_string(format));
      Generated<double> generated(backend(), mesh, Material(), format, {});
      generated.assemble(factors_of(mesh));
      const SparsePattern &pattern         = generated.pattern();
      const GeneratedMatrix<double> matrix = generated.matrix();
      const auto product = assembly_operations(backend()).make_product<double>(matrix);
      const auto random  = random_vector(pattern.n_rows, 7, -1., 1.);
      const Array<double> x(memory(), random);
      Array<double> y(memory(), pattern.n_rows), d(memory(), pattern.n_rows);
      product->apply(x, y);
      product->diagonal(d);
      const auto n            = static_cast<long>(pattern.n_rows);
      const Eigen::VectorXd a = expected * Eigen::Map<const Eigen::VectorXd>(random.data(), n);
      const auto found = y.to_host(), diagonal = d.to_host();
      EXPECT_LT((a - Eigen::Map<const Eigen::VectorXd>(found.data(), n)).norm(), 1e-14 * a.norm());
      EXPECT_LT(
        (expected.diagonal() - Eigen::Map<const Eigen::VectorXd>(diagonal.data(), n)).norm(),
        1e-14 * expected.diagonal().norm());

      auto forces = random_vector(pattern.n_rows, 9, -1., 1.);
      for (const LocalIndex dof : mesh.constrained_dofs)
        forces[dof] = 0.;
      Array<double> u(memory(), std::vector<double>(pattern.n_rows, 0.));
      SolverControl control;
      control.tolerance = 1e-12;
      GeneratedSystem<double> system(backend(), matrix);
      EXPECT_TRUE(system.solve(control, Array<double>(memory(), forces), u).converged);

      Eigen::ConjugateGradient<SparseMatrix, Eigen::Lower | Eigen::Upper> solver(expected);
      solver.setTolerance(1e-14);
      const Eigen::VectorXd right =
        solver.solve(Eigen::Map<const Eigen::VectorXd>(forces.data(), n));
      const auto solution = u.to_host();
      EXPECT_LT((right - Eigen::Map<const Eigen::VectorXd>(solution.data(), n)).norm(),
                1e-9 * right.norm());
    }
}

INSTANTIATE_TEST_SUITE_P(Core,
                         GeneratedMatrixSolveTest,
                         ::testing::ValuesIn(all_cases()),
                         [](const auto &info) { return ::testing::PrintToString(info.param); });
} // namespace
} // namespace strut::test
