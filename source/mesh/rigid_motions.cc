// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

#include "source/mesh/rigid_motions.h"
#include "source/base/forest.h"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace strut
{
namespace
{
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
/// The values of the six rigid motions in component c at a point: translations along x, y, z, rotations
/// about x, y, z. Lengths relative to a box, to make translations and rotations comparable.
std::array<double, 6>
rigid_motions_at(const Box3 &box, const std::array<double, 3> &point, const int c)
{
  double size = 0.;
  for (int d = 0; d < 3; ++d)
    size = std::max(size, box.upper[d] - box.lower[d]);
  std::array<double, 3> x;
  for (int d = 0; d < 3; ++d)
    x[d] = size > 0. ? (point[d] - (box.lower[d] + box.upper[d]) / 2.) / size : 0.;
  std::array<double, 6> value{};
  value[c]               = 1.;
  value[3 + (c + 1) % 3] = x[(c + 2) % 3];
  value[3 + (c + 2) % 3] = -x[(c + 1) % 3];
  return value;
}

/// Bodies that hang together by hinges: lists of their numbers.
std::vector<std::vector<std::size_t>> connect(const Bodies &bodies)
{
  Forest forest(bodies.boxes.size());
  for (const Bodies::Hinge &hinge : bodies.hinges)
    forest.unite(hinge.first, hinge.second);
  std::vector<std::vector<std::size_t>> groups(bodies.boxes.size());
  for (std::size_t b = 0; b < groups.size(); ++b)
    groups[forest.root(b)].push_back(b);
  groups.erase(std::remove_if(groups.begin(),
                              groups.end(),
                              [](const auto &group) { return group.empty(); }),
               groups.end());
  return groups;
}

/// The null space of a Gram matrix of several bodies, in words.
std::vector<FreeMotion> describe_null_space(const Eigen::MatrixXd &gram,
                                            const std::vector<std::size_t> &bodies)
{
  Eigen::FullPivLU<Eigen::MatrixXd> factors(gram);
  factors.setThreshold(1e-10);
  // each vector has one free entry, so that motions along the axes stay such
  const Eigen::MatrixXd vectors = factors.kernel();
  std::vector<FreeMotion> result;
  for (Eigen::Index i = 0; i < factors.dimensionOfKernel(); ++i)
    {
      // the body that moves most speaks for all of them
      std::size_t body = 0;
      double most      = -1.;
      for (std::size_t b = 0; b < bodies.size(); ++b)
        {
          double norm = 0.;
          for (int k = 0; k < 6; ++k)
            norm += std::pow(vectors(static_cast<Eigen::Index>(6 * b) + k, i), 2);
          if (norm > most * (1. + 1e-9))
            {
              most = norm;
              body = b;
            }
        }
      const auto v = [&](const int k) {
        return vectors(static_cast<Eigen::Index>(6 * body) + k, i) / std::sqrt(most);
      };
      const std::array<double, 3> t{{v(0), v(1), v(2)}};
      const std::array<double, 3> r{{v(3), v(4), v(5)}};
      const double rotation = std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
      result.push_back({bodies[body],
                        rotation > 1e-6 ? "rotation about an axis along " + direction(r)
                                        : "translation along " + direction(t)});
    }
  return result;
}
/// Add to the Gram matrix the rigid motions on owned DoFs that depend on others: by how much those that follow from the
/// others differ from them. Means of the same component elsewhere, as at hanging nodes, hold nothing.
void add_rows(const ElementMesh &mesh,
              const Box3 &box,
              const std::vector<std::size_t> &rows_left_out,
              std::vector<double> &gram)
{
  const auto motions = [&](const LocalIndex dof) {
    std::array<double, 3> point;
    for (int d = 0; d < 3; ++d)
      point[d] = mesh.coordinates[d * mesh.n_nodes + dof / 3];
    return rigid_motions_at(box, point, static_cast<int>(dof % 3));
  };
  const AffineRows &rows = mesh.dependent;
  for (std::size_t k = 0; k < rows.dofs.size(); ++k)
    {
      const LocalIndex dof = rows.dofs[k];
      if (dof >= mesh.n_owned_dofs() ||
          std::binary_search(rows_left_out.begin(), rows_left_out.end(), k))
        continue;
      std::array<double, 6> value = motions(dof);
      double sum                  = 0.;
      bool is_mean                = rows.offsets[k + 1] - rows.offsets[k] > 1;
      for (std::uint32_t j = rows.offsets[k]; j < rows.offsets[k + 1]; ++j)
        {
          const std::array<double, 6> of_master = motions(rows.masters[j]);
          for (int i = 0; i < 6; ++i)
            value[i] -= rows.weights[j] * of_master[i];
          sum += rows.weights[j];
          is_mean = is_mean && rows.weights[j] > 0. && rows.masters[j] % 3 == dof % 3;
        }
      if (is_mean && std::abs(sum - 1.) < 1e-12)
        continue;
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j)
          gram[6 * i + j] += value[i] * value[j];
    }
}
} // namespace

std::vector<FreeMotion> free_rigid_motions(const Communicator &communicator,
                                           const ElementMesh &mesh,
                                           const Bodies &bodies,
                                           const std::vector<std::size_t> &rows_left_out)
{
  // (1) For each body, the Gram matrix of its six rigid motions on the constrained DoFs of owned nodes.
  std::vector<LocalIndex> body_of_node(bodies.of_element.empty() ? 0 : mesh.n_nodes);
  if (!body_of_node.empty())
    for (std::size_t a = 0; a < 8; ++a)
      for (std::size_t e = 0; e < mesh.n_elements; ++e)
        body_of_node[mesh.connectivity[a * mesh.n_elements + e]] = bodies.of_element[e];
  std::vector<double> grams(36 * bodies.boxes.size());
  for (const LocalIndex dof : mesh.constrained_dofs)
    {
      if (dof >= mesh.n_owned_dofs())
        continue;
      const std::size_t node = dof / 3;
      std::array<double, 3> point;
      for (int d = 0; d < 3; ++d)
        point[d] = mesh.coordinates[d * mesh.n_nodes + node];
      const std::size_t body = body_of_node.empty() ? 0 : body_of_node[node];
      const std::array<double, 6> value =
        rigid_motions_at(bodies.boxes[body], point, static_cast<int>(dof % 3));
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j)
          grams[36 * body + 6 * i + j] += value[i] * value[j];
    }
  if (bodies.boxes.size() == 1)
    add_rows(mesh, bodies.boxes[0], rows_left_out, grams);
  communicator.sum(grams.data(), grams.size());

  // (2) For bodies that share nodes: their motions must agree there.
  std::vector<FreeMotion> result;
  std::vector<std::size_t> place(bodies.boxes.size()), group_of(bodies.boxes.size());
  const auto groups = connect(bodies);
  std::vector<Eigen::MatrixXd> matrices;
  for (std::size_t g = 0; g < groups.size(); ++g)
    {
      const auto n = static_cast<Eigen::Index>(6 * groups[g].size());
      matrices.push_back(Eigen::MatrixXd::Zero(n, n));
      for (std::size_t b = 0; b < groups[g].size(); ++b)
        {
          const std::size_t body = groups[g][b];
          place[body]            = 6 * b;
          group_of[body]         = g;
          for (int i = 0; i < 6; ++i)
            for (int j = 0; j < 6; ++j)
              matrices[g](6 * b + i, 6 * b + j) = grams[36 * body + 6 * i + j];
        }
    }
  for (const Bodies::Hinge &hinge : bodies.hinges)
    for (int c = 0; c < 3; ++c)
      {
        Eigen::MatrixXd &matrix = matrices[group_of[hinge.first]];
        const auto &first       = bodies.boxes[hinge.first];
        const auto &second      = bodies.boxes[hinge.second];
        // a rotation by a unit moves a point by the size of its box, which differ
        std::array<std::array<double, 6>, 2> value = {
          {rigid_motions_at(first, hinge.point, c), rigid_motions_at(second, hinge.point, c)}};
        for (double &v : value[1])
          v = -v;
        const std::array<std::size_t, 2> at = {{place[hinge.first], place[hinge.second]}};
        for (int a = 0; a < 2; ++a)
          for (int b = 0; b < 2; ++b)
            for (int i = 0; i < 6; ++i)
              for (int j = 0; j < 6; ++j)
                matrix(at[a] + i, at[b] + j) += value[a][i] * value[b][j];
      }

  // (3) The motions that no support and no neighbour prevents.
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (FreeMotion &motion : describe_null_space(matrices[g], groups[g]))
      result.push_back(std::move(motion));
  return result;
}

std::vector<std::string> free_rigid_motions(const Communicator &communicator,
                                            const ElementMesh &mesh,
                                            const std::vector<std::size_t> &rows_left_out)
{
  Bodies one;
  one.boxes.resize(1);
  for (int d = 0; d < 3; ++d)
    {
      double lower = std::numeric_limits<double>::max();
      double upper = std::numeric_limits<double>::lowest();
      for (std::size_t n = 0; n < mesh.n_nodes; ++n)
        {
          lower = std::min(lower, mesh.coordinates[d * mesh.n_nodes + n]);
          upper = std::max(upper, mesh.coordinates[d * mesh.n_nodes + n]);
        }
      one.boxes[0].lower[d] = communicator.min(lower);
      one.boxes[0].upper[d] = communicator.max(upper);
    }
  std::vector<std::string> result;
  for (FreeMotion &motion : free_rigid_motions(communicator, mesh, one, rows_left_out))
    result.push_back(std::move(motion.text));
  return result;
}
} // namespace strut
