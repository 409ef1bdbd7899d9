// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

#include "source/mesh/rigid_motions.h"
#include "source/base/forest.h"
#include "source/mesh/bounding_box.h"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

namespace strut
{
namespace
{
/// A direction as text: "x", "y", "z", or "(a, b, c)".
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
/// The values of the six rigid motions in component c at a point: translations along x, y, z,
/// rotations about x, y, z. Lengths are relative to a box, which makes translations and rotations
/// comparable.
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

/// Equations for the rigid motions of some bodies, as orthonormal vectors. An equation that depends
/// on earlier ones up to 1e-5 of a body's size is dropped: coordinates have few digits in some
/// meshes.
class Equations
{
public:
  explicit Equations(const std::size_t n_bodies = 1) : n_(static_cast<Eigen::Index>(6 * n_bodies))
  {}

  bool are_all() const
  {
    return static_cast<Eigen::Index>(vectors_.size()) == n_;
  }
  const std::vector<Eigen::VectorXd> &vectors() const
  {
    return vectors_;
  }

  void add(Eigen::VectorXd vector)
  {
    for (int twice = 0; twice < 2; ++twice)
      for (const Eigen::VectorXd &other : vectors_)
        vector -= other.dot(vector) * other;
    if (const double norm = vector.norm(); norm > 1e-5)
      vectors_.push_back(vector / norm);
  }

private:
  Eigen::Index n_;
  std::vector<Eigen::VectorXd> vectors_;
};

/// Equations by their bodies, whose numbers ascend.
using EquationsOfBodies = std::map<std::vector<LocalIndex>, Equations>;

Equations &equations_of(EquationsOfBodies &equations, const std::vector<LocalIndex> &bodies)
{
  return equations.try_emplace(bodies, bodies.size()).first->second;
}

/// The equations for the rigid motions of the bodies of a mesh, from all supports on this rank.
class Holders
{
public:
  Holders(const ElementMesh &mesh, const Bodies &bodies) : mesh_(mesh), bodies_(bodies)
  {}

  /// Adds displacements that are prescribed, or held by springs.
  void add_held(const std::vector<LocalIndex> &dofs)
  {
    std::vector<Equations *> of_body(bodies_.boxes.size(), nullptr);
    for (const LocalIndex dof : dofs)
      {
        if (dof >= mesh_.n_owned_dofs())
          continue;
        const LocalIndex body = body_of(dof);
        if (of_body[body] == nullptr)
          of_body[body] = &equations_of(result, {body});
        if (of_body[body]->are_all())
          continue;
        const auto value = rigid_motions_at(bodies_.boxes[body], place(dof), component(dof));
        of_body[body]->add(Eigen::VectorXd::Map(value.data(), 6));
      }
  }

  /// Adds owned DoFs that depend on others, which couples their bodies.
  void add_rows(const std::vector<std::size_t> &rows_left_out)
  {
    const AffineRows &rows = mesh_.dependent;
    for (std::size_t k = 0; k < rows.dofs.size(); ++k)
      if (rows.dofs[k] < mesh_.n_owned_dofs() &&
          !std::binary_search(rows_left_out.begin(), rows_left_out.end(), k))
        add_row(k);
  }

  /// Adds a node that moves with both bodies.
  void add_hinge(const Bodies::Hinge &hinge)
  {
    if (hinge.first == hinge.second)
      return;
    const auto first = static_cast<LocalIndex>(std::min(hinge.first, hinge.second));
    const auto last  = static_cast<LocalIndex>(std::max(hinge.first, hinge.second));
    Equations &both  = equations_of(result, {first, last});
    for (int c = 0; c < 3; ++c)
      {
        Eigen::VectorXd vector = Eigen::VectorXd::Zero(12);
        add_motions(1., first, hinge.point, c, &vector[0]);
        add_motions(-1., last, hinge.point, c, &vector[6]);
        both.add(std::move(vector));
      }
  }

  EquationsOfBodies result;

private:
  using Place = std::array<double, 3>;

  LocalIndex body_of(const LocalIndex dof) const
  {
    return bodies_.of_node.empty() ? 0 : bodies_.of_node[dof / 3];
  }
  static int component(const LocalIndex dof)
  {
    return static_cast<int>(dof % 3);
  }
  Place place(const LocalIndex dof) const
  {
    Place result;
    for (std::size_t d = 0; d < 3; ++d)
      result[d] = mesh_.coordinates[d * mesh_.n_nodes + dof / 3];
    return result;
  }
  void add_motions(const double weight,
                   const LocalIndex body,
                   const Place &place,
                   const int component,
                   double *const vector) const
  {
    const auto value = rigid_motions_at(bodies_.boxes[body], place, component);
    for (std::size_t i = 0; i < 6; ++i)
      vector[i] += weight * value[i];
  }

  /// Whether row k interpolates at the place of its DoF, as at hanging nodes and between tied
  /// faces. On curved faces the place differs from the weighted mean of the masters' places, and
  /// yet they rotate together.
  bool interpolates(const std::size_t k) const
  {
    const AffineRows &rows = mesh_.dependent;
    if (rows.offsets[k + 1] - rows.offsets[k] < 2)
      return false;
    Place mean{};
    double sum = 0.;
    for (std::uint32_t j = rows.offsets[k]; j < rows.offsets[k + 1]; ++j)
      {
        if (rows.weights[j] <= 0. || component(rows.masters[j]) != component(rows.dofs[k]))
          return false;
        sum += rows.weights[j];
        const Place master = place(rows.masters[j]);
        for (std::size_t d = 0; d < 3; ++d)
          mean[d] += rows.weights[j] * master[d];
      }
    if (std::abs(sum - 1.) > 1e-12)
      return false;
    const auto distance = [&](const LocalIndex dof) {
      const Place other = place(dof);
      return std::hypot(other[0] - mean[0], other[1] - mean[1], other[2] - mean[2]);
    };
    double widest = 0.;
    for (std::uint32_t j = rows.offsets[k]; j < rows.offsets[k + 1]; ++j)
      widest = std::max(widest, distance(rows.masters[j]));
    return distance(rows.dofs[k]) <= 0.25 * widest;
  }

  void add_row(const std::size_t k)
  {
    const AffineRows &rows = mesh_.dependent;
    const LocalIndex dof   = rows.dofs[k];
    const bool is_at_dof   = interpolates(k);
    const LocalIndex first = body_of(dof);
    const bool is_of_one =
      std::all_of(rows.masters.begin() + rows.offsets[k],
                  rows.masters.begin() + rows.offsets[k + 1],
                  [&](const LocalIndex master) { return body_of(master) == first; });
    if (is_at_dof && is_of_one)
      return; // done by the elements around it
    std::vector<LocalIndex> among{first};
    for (std::uint32_t j = rows.offsets[k]; j < rows.offsets[k + 1] && !is_of_one; ++j)
      among.push_back(body_of(rows.masters[j]));
    std::sort(among.begin(), among.end());
    among.erase(std::unique(among.begin(), among.end()), among.end());
    Eigen::VectorXd vector = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(6 * among.size()));
    const auto add         = [&](const double weight, const LocalIndex of, const Place &at) {
      const LocalIndex body = body_of(of);
      const auto i          = std::lower_bound(among.begin(), among.end(), body) - among.begin();
      add_motions(weight, body, at, component(of), vector.data() + 6 * i);
    };
    add(1., dof, place(dof));
    for (std::uint32_t j = rows.offsets[k]; j < rows.offsets[k + 1]; ++j)
      add(-rows.weights[j], rows.masters[j], place(is_at_dof ? dof : rows.masters[j]));
    equations_of(result, among).add(std::move(vector));
  }

  const ElementMesh &mesh_;
  const Bodies &bodies_;
};

/// Gathers the equations of all ranks; the result is the same on each. Collective.
EquationsOfBodies gather(const Communicator &communicator, const EquationsOfBodies &own)
{
  std::vector<double> numbers;
  for (const auto &[bodies, equations] : own)
    {
      numbers.push_back(static_cast<double>(bodies.size()));
      numbers.push_back(static_cast<double>(equations.vectors().size()));
      numbers.insert(numbers.end(), bodies.begin(), bodies.end());
      for (const Eigen::VectorXd &vector : equations.vectors())
        numbers.insert(numbers.end(), vector.data(), vector.data() + vector.size());
    }
  EquationsOfBodies result;
  const std::vector<double> all = communicator.gather(numbers);
  for (auto next = all.begin(); next != all.end();)
    {
      const auto n_bodies  = static_cast<std::ptrdiff_t>(*next++);
      const auto n_vectors = static_cast<std::size_t>(*next++);
      std::vector<LocalIndex> bodies;
      for (const auto end = next + n_bodies; next != end; ++next)
        bodies.push_back(static_cast<LocalIndex>(*next));
      Equations &equations = equations_of(result, bodies);
      for (std::size_t i = 0; i < n_vectors; ++i, next += 6 * n_bodies)
        equations.add(Eigen::VectorXd::Map(&*next, 6 * n_bodies));
    }
  return result;
}

/// Groups of connected bodies, as lists of their numbers.
std::vector<std::vector<std::size_t>> connect(const std::size_t n_bodies,
                                              const EquationsOfBodies &equations)
{
  Forest forest(n_bodies);
  for (const auto &[bodies, some] : equations)
    for (const LocalIndex body : bodies)
      forest.unite(bodies.front(), body);
  std::vector<std::vector<std::size_t>> groups(n_bodies);
  for (std::size_t b = 0; b < groups.size(); ++b)
    groups[forest.root(b)].push_back(b);
  groups.erase(std::remove_if(groups.begin(),
                              groups.end(),
                              [](const auto &group) { return group.empty(); }),
               groups.end());
  return groups;
}

/// Unites each group of more than `most` bodies to one body. That may miss free motions, but
/// invents none.
Bodies united(const Bodies &bodies,
              const std::vector<std::vector<std::size_t>> &groups,
              const std::size_t most,
              std::vector<std::size_t> &first_of_united)
{
  Bodies result;
  std::vector<LocalIndex> number(bodies.boxes.size());
  for (const auto &group : groups)
    for (const std::size_t body : group)
      {
        if (group.size() <= most || body == group.front())
          {
            result.boxes.push_back(bodies.boxes[body]);
            first_of_united.push_back(body);
          }
        number[body] = static_cast<LocalIndex>(result.boxes.size() - 1);
        result.boxes.back().enclose(bodies.boxes[body]);
      }
  for (const LocalIndex body : bodies.of_node)
    result.of_node.push_back(number[body]);
  for (const Bodies::Hinge &hinge : bodies.hinges)
    result.hinges.push_back({number[hinge.first], number[hinge.second], hinge.point});
  return result;
}

/// The null space of a Gram matrix of several bodies, in words.
std::vector<FreeMotion> describe_null_space(const Eigen::MatrixXd &gram,
                                            const std::vector<std::size_t> &bodies)
{
  Eigen::FullPivLU<Eigen::MatrixXd> factors(gram);
  factors.setThreshold(1e-10);
  // each vector has one free entry, so that motions along the axes stay separate
  const Eigen::MatrixXd vectors = factors.kernel();
  std::vector<FreeMotion> result;
  for (Eigen::Index i = 0; i < factors.dimensionOfKernel(); ++i)
    {
      // describe the body that moves most
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
} // namespace

std::vector<LocalIndex> bodies_of_nodes(const ElementMesh &mesh,
                                        const std::vector<LocalIndex> &of_element)
{
  std::vector<LocalIndex> result(mesh.n_nodes, 0);
  for (std::size_t v = 0; v < mesh.type.n_nodes; ++v)
    for (std::size_t e = 0; e < mesh.n_elements; ++e)
      result[mesh.node(e, v)] = of_element[e];
  return result;
}

std::vector<FreeMotion> free_rigid_motions(const Communicator &communicator,
                                           const ElementMesh &mesh,
                                           const Bodies &bodies,
                                           const std::vector<std::size_t> &rows_left_out)
{
  // (1) The equations of single bodies, and of connected ones.
  Holders own(mesh, bodies);
  own.add_held(mesh.constrained_dofs);
  own.add_held(mesh.spring_dofs);
  own.add_rows(rows_left_out);
  Holders all(mesh, bodies);
  all.result = gather(communicator, own.result);
  for (const Bodies::Hinge &hinge : bodies.hinges)
    all.add_hinge(hinge);
  const auto groups = connect(bodies.boxes.size(), all.result);

  // (2) Matrices of large groups would be too large.
  constexpr std::size_t most = 150;
  if (std::any_of(groups.begin(), groups.end(), [](const auto &group) {
        return group.size() > most;
      }))
    {
      std::vector<std::size_t> first;
      std::vector<FreeMotion> result =
        free_rigid_motions(communicator, mesh, united(bodies, groups, most, first), rows_left_out);
      for (FreeMotion &motion : result)
        motion.body = first[motion.body];
      return result;
    }

  // (3) The motions that no equation prevents.
  std::vector<std::size_t> place(bodies.boxes.size()), group_of(bodies.boxes.size());
  std::vector<Eigen::MatrixXd> matrices;
  for (const auto &group : groups)
    {
      for (std::size_t b = 0; b < group.size(); ++b)
        {
          place[group[b]]    = 6 * b;
          group_of[group[b]] = matrices.size();
        }
      const auto n = static_cast<Eigen::Index>(6 * group.size());
      matrices.push_back(Eigen::MatrixXd::Zero(n, n));
    }
  for (const auto &[among, equations] : all.result)
    {
      Eigen::MatrixXd &matrix = matrices[group_of[among.front()]];
      for (const Eigen::VectorXd &vector : equations.vectors())
        for (std::size_t a = 0; a < among.size(); ++a)
          for (std::size_t b = 0; b < among.size(); ++b)
            matrix.block<6, 6>(static_cast<Eigen::Index>(place[among[a]]),
                               static_cast<Eigen::Index>(place[among[b]])) +=
              vector.segment<6>(static_cast<Eigen::Index>(6 * a)) *
              vector.segment<6>(static_cast<Eigen::Index>(6 * b)).transpose();
    }
  std::vector<FreeMotion> result;
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (FreeMotion &motion : describe_null_space(matrices[g], groups[g]))
      result.push_back(std::move(motion));
  return result;
}

std::vector<std::string> free_rigid_motions(const Communicator &communicator,
                                            const ElementMesh &mesh,
                                            const std::vector<std::size_t> &rows_left_out)
{
  const Box box = bounding_box(communicator, mesh.coordinates, mesh.n_nodes);
  Bodies one;
  one.boxes = {{{{box[0], box[1], box[2]}}, {{box[3], box[4], box[5]}}}};
  std::vector<std::string> result;
  for (FreeMotion &motion : free_rigid_motions(communicator, mesh, one, rows_left_out))
    result.push_back(std::move(motion.text));
  return result;
}
} // namespace strut
