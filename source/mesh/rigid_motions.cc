// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/mesh/rigid_motions.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <sstream>

namespace strut
{
namespace
{
using Matrix6 = std::array<std::array<double, 6>, 6>;

/// Eigenvalues and eigenvectors (columns of V) of a symmetric matrix by cyclic Jacobi rotations
/// (Golub and Van Loan, section 8.5).
void diagonalize(Matrix6 &A, Matrix6 &V)
{
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      V[i][j] = i == j ? 1. : 0.;
  for (int sweep = 0; sweep < 50; ++sweep)
    for (int p = 0; p < 6; ++p)
      for (int q = p + 1; q < 6; ++q)
        {
          if (std::abs(A[p][q]) <= 1e-300)
            continue;
          const double theta = (A[q][q] - A[p][p]) / (2. * A[p][q]);
          const double t =
            (theta >= 0. ? 1. : -1.) / (std::abs(theta) + std::sqrt(theta * theta + 1.));
          const double c = 1. / std::sqrt(t * t + 1.);
          const double s = t * c;
          for (int k = 0; k < 6; ++k)
            {
              const double akp = A[k][p], akq = A[k][q];
              A[k][p] = c * akp - s * akq;
              A[k][q] = s * akp + c * akq;
            }
          for (int k = 0; k < 6; ++k)
            {
              const double apk = A[p][k], aqk = A[q][k];
              A[p][k]          = c * apk - s * aqk;
              A[q][k]          = s * apk + c * aqk;
              const double vkp = V[k][p], vkq = V[k][q];
              V[k][p] = c * vkp - s * vkq;
              V[k][q] = s * vkp + c * vkq;
            }
        }
}

/// "x", "y", "z", or "(a, b, c)".
std::string direction(std::array<double, 3> d)
{
  const double norm = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  for (int i = 0; i < 3; ++i)
    if (std::abs(d[i]) > 0.999 * norm)
      return std::string(1, "xyz"[i]);
  std::ostringstream text;
  text.precision(3);
  const double sign = d[0] + d[1] + d[2] < 0. ? -1. : 1.;
  text << '(' << sign * d[0] / norm << ", " << sign * d[1] / norm << ", " << sign * d[2] / norm
       << ')';
  return text.str();
}
} // namespace

std::vector<std::string> free_rigid_motions(const Communicator &communicator,
                                            const ElementMesh &mesh)
{
  // (1) Centre and size of the mesh, to make translations and rotations comparable.
  std::array<double, 3> centre{}, lower{}, upper{};
  double size = 0.;
  for (int d = 0; d < 3; ++d)
    {
      lower[d] = std::numeric_limits<double>::max();
      upper[d] = std::numeric_limits<double>::lowest();
      for (std::size_t n = 0; n < mesh.n_nodes; ++n)
        {
          lower[d] = std::min(lower[d], mesh.coordinates[d * mesh.n_nodes + n]);
          upper[d] = std::max(upper[d], mesh.coordinates[d * mesh.n_nodes + n]);
        }
      lower[d]  = communicator.min(lower[d]);
      upper[d]  = communicator.max(upper[d]);
      centre[d] = (lower[d] + upper[d]) / 2.;
      size      = std::max(size, upper[d] - lower[d]);
    }

  // (2) Gram matrix of the six rigid motions on the constrained DoFs of owned nodes.
  Matrix6 gram{};
  double n_constrained = 0.;
  for (const LocalIndex dof : mesh.constrained_dofs)
    {
      if (dof >= mesh.n_owned_dofs())
        continue;
      const std::size_t node = dof / 3;
      const int c            = static_cast<int>(dof % 3);
      std::array<double, 3> x;
      for (int d = 0; d < 3; ++d)
        x[d] = (mesh.coordinates[d * mesh.n_nodes + node] - centre[d]) / size;
      // value in component c of: translations along x, y, z; rotations about x, y, z
      std::array<double, 6> value{};
      value[c]               = 1.;
      value[3 + (c + 1) % 3] = x[(c + 2) % 3];
      value[3 + (c + 2) % 3] = -x[(c + 1) % 3];
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j)
          gram[i][j] += value[i] * value[j];
      n_constrained += 1.;
    }
  communicator.sum(gram[0].data(), 36);
  n_constrained = communicator.sum(n_constrained);
  if (n_constrained == 0.)
    return {"translation along x",
            "translation along y",
            "translation along z",
            "rotation about x",
            "rotation about y",
            "rotation about z"};

  // (3) Its null space, in words.
  Matrix6 vectors;
  diagonalize(gram, vectors);
  double largest = 0.;
  for (int i = 0; i < 6; ++i)
    largest = std::max(largest, gram[i][i]);
  std::vector<std::string> result;
  for (int i = 0; i < 6; ++i)
    if (gram[i][i] <= 1e-10 * largest)
      {
        const std::array<double, 3> t{{vectors[0][i], vectors[1][i], vectors[2][i]}};
        const std::array<double, 3> r{{vectors[3][i], vectors[4][i], vectors[5][i]}};
        const double rotation = std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
        result.push_back(rotation > 1e-6 ? "rotation about an axis along " + direction(r)
                                         : "translation along " + direction(t));
      }
  return result;
}
} // namespace strut
