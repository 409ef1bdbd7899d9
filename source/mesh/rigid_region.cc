// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/mesh/rigid_region.h"

#include <strut/base/exceptions.h>

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <sstream>
#include <string>

namespace strut
{
namespace
{
using Motion = Eigen::Matrix<double, 6, 1>; // translation of the centre, and rotation by its size

/// Rows of the motions are of order one, and coordinates of files have six digits or more.
constexpr double rounding = 1e-5;

/// The rows of the displacements for rigid motions about the centre of a region.
class MotionRows
{
public:
  MotionRows(const ElementMesh &mesh, const std::vector<LocalIndex> &nodes) : mesh_(mesh)
  {
    for (const LocalIndex node : nodes)
      for (std::size_t d = 0; d < 3; ++d)
        centre_[d] += place(node)[d] / static_cast<double>(nodes.size());
    for (const LocalIndex node : nodes)
      for (std::size_t d = 0; d < 3; ++d)
        size_ = std::max(size_, std::abs(place(node)[d] - centre_[d]));
    if (size_ == 0.)
      size_ = 1.;
  }

  /// Returns the displacement of a place along a direction.
  Motion at(const std::array<double, 3> &x, const std::size_t direction) const
  {
    Motion row           = Motion::Zero();
    const auto d         = static_cast<Eigen::Index>(direction);
    const auto arm       = [&](const std::size_t c) { return (x[c] - centre_[c]) / size_; };
    row[d]               = 1.;
    row[3 + (d + 1) % 3] = arm((direction + 2) % 3); // (theta x r)_d
    row[3 + (d + 2) % 3] = -arm((direction + 1) % 3);
    return row;
  }

  Motion of_dof(const LocalIndex dof) const
  {
    return at(place(dof / 3), dof % 3);
  }

  /// Returns the rotation about an axis, in radians.
  Motion rotation(const std::size_t axis) const
  {
    return Motion::Unit(3 + static_cast<Eigen::Index>(axis)) / size_;
  }

  std::array<double, 3> place(const LocalIndex node) const
  {
    std::array<double, 3> x;
    for (std::size_t d = 0; d < 3; ++d)
      x[d] = mesh_.coordinates[d * mesh_.n_nodes + node];
    return x;
  }

private:
  const ElementMesh &mesh_;
  std::array<double, 3> centre_{};
  double size_ = 0.;
};

/// Linear conditions on a rigid motion, made orthonormal one by one.
class Conditions
{
public:
  /// Adds row . q = value. Returns whether it agrees with the others.
  bool add(Motion row, double value)
  {
    const double norm = row.norm(), scale = std::max(std::abs(value), largest_);
    largest_ = scale;
    for (int repeat = 0; repeat < 2; ++repeat) // twice is enough for rounding
      for (std::size_t k = 0; k < rows_.size(); ++k)
        {
          const double part = rows_[k].dot(row);
          row -= part * rows_[k];
          value -= part * values_[k];
        }
    if (row.norm() <= rounding * norm)
      return std::abs(value) <= 10. * rounding * scale;
    rows_.push_back(row / row.norm());
    values_.push_back(value / row.norm());
    return true;
  }

  /// Returns whether a row is a combination of the others, and their value of it.
  std::optional<double> value_of(const Motion &row) const
  {
    Motion rest  = row;
    double value = 0.;
    for (std::size_t k = 0; k < rows_.size(); ++k)
      {
        const double part = rows_[k].dot(rest);
        rest -= part * rows_[k];
        value += part * values_[k];
      }
    return rest.norm() <= rounding * row.norm() ? std::make_optional(value) : std::nullopt;
  }

  std::size_t size() const
  {
    return rows_.size();
  }

  /// Returns the smallest motion that satisfies the conditions.
  Motion particular() const
  {
    Motion result = Motion::Zero();
    for (std::size_t k = 0; k < rows_.size(); ++k)
      result += values_[k] * rows_[k];
    return result;
  }

  /// Returns orthonormal motions that are free, as columns.
  Eigen::MatrixXd free() const
  {
    Conditions all = *this;
    Eigen::MatrixXd result(6, 6 - static_cast<Eigen::Index>(size()));
    for (Eigen::Index n = 0, last = 0; n < result.cols(); ++n)
      {
        for (Eigen::Index i = 0; i < 6; ++i) // the unit motion furthest from the others
          if (all.distance(Motion::Unit(i)) > all.distance(Motion::Unit(last)))
            last = i;
        all.add(Motion::Unit(last), 0.);
        result.col(n) = all.rows_.back();
      }
    return result;
  }

private:
  double distance(Motion row) const
  {
    for (const Motion &other : rows_)
      row -= other.dot(row) * other;
    return row.norm();
  }

  std::vector<Motion> rows_;
  std::vector<double> values_;
  double largest_ = 0.; ///< The largest of the values
};

/// Throws an Error for a prescribed motion that moves no node, or that a motion which moves none
/// can take: nodes on a line do not turn about it.
void require_effect(const RigidRegion &region, const MotionRows &rows)
{
  Conditions of_nodes;
  for (const LocalIndex node : region.nodes)
    for (LocalIndex dof = 3 * node; dof < 3 * node + 3 && of_nodes.size() < 6; ++dof)
      of_nodes.add(rows.of_dof(dof), 0.);
  for (std::size_t m = 3; m < 6; ++m)
    if (region.motions[m] && !of_nodes.value_of(rows.rotation(m - 3)))
      throw Error(std::string("The nodes of the region are on a line, and the motion about ") +
                  "xyz"[m - 3] +
                  " turns them about it in part, which moves none.\n  Take a region that is no "
                  "line, or leave the motion out.");
}
} // namespace

RigidRegionRows rows_of_rigid_region(const ElementMesh &mesh, const RigidRegion &region)
{
  const MotionRows rows(mesh, region.nodes);
  Conditions conditions;
  const auto row_of = [&](const std::size_t motion) {
    return motion < 3 ? rows.at(region.point, motion) : rows.rotation(motion - 3);
  };
  for (std::size_t d = 0; d < 3; ++d)
    if (region.is_cut[d])
      for (const std::size_t m : {d, 3 + (d + 1) % 3, 3 + (d + 2) % 3})
        conditions.add(row_of(m), 0.);
  for (std::size_t m = 0; m < 6; ++m)
    if (region.motions[m] && !conditions.add(row_of(m), *region.motions[m]))
      {
        std::ostringstream text;
        text << "The motion " << *region.motions[m] << ' ' << (m < 3 ? "along " : "about ")
             << "xyz"[m % 3]
             << " is not symmetric to a plane of symmetry that cuts the region.\n  Leave it out, "
                "or mesh the whole.";
        throw Error(text.str());
      }
  require_effect(region, rows);
  const Conditions of_motions = conditions;
  std::vector<LocalIndex> dofs; // those without a constraint
  for (const LocalIndex node : region.nodes)
    for (LocalIndex dof = 3 * node; dof < 3 * node + 3; ++dof)
      {
        const auto at =
          std::lower_bound(mesh.constrained_dofs.begin(), mesh.constrained_dofs.end(), dof);
        if (at == mesh.constrained_dofs.end() || *at != dof)
          dofs.push_back(dof);
        else if (const double value = mesh.constrained_values[static_cast<std::size_t>(
                   at - mesh.constrained_dofs.begin())];
                 !conditions.add(rows.of_dof(dof), value))
          {
            const std::optional<double> by_motions = of_motions.value_of(rows.of_dof(dof));
            std::ostringstream text;
            const std::array<double, 3> x = rows.place(node);
            text << "The displacement " << value << " along "
                 << "xyz"[dof % 3] << " that a support prescribes at (" << x[0] << ", " << x[1]
                 << ", " << x[2] << ") is that of no rigid motion which "
                 << (by_motions
                       ? "the coupling prescribes: its motions move the node by " +
                           std::to_string(*by_motions) + " there"
                       : std::string("the motions of the coupling and the other supports leave"))
                 << ".\n  Take the node out of the support or of the region, or prescribe what "
                    "agrees.";
            throw Error(text.str());
          }
      }

  const Motion particular    = conditions.particular();
  const Eigen::MatrixXd free = conditions.free(); // N, of the six motions
  const Eigen::Index n_free  = free.cols();
  std::vector<LocalIndex> masters;
  Eigen::MatrixXd basis(n_free, n_free), triangle = Eigen::MatrixXd::Zero(n_free, n_free);
  std::vector<Eigen::VectorXd> left; // rows of N at the DoFs less their parts along the masters'
  for (const LocalIndex dof : dofs)
    left.emplace_back(free.transpose() * rows.of_dof(dof));
  for (Eigen::Index m = 0; m < n_free; ++m)
    {
      const auto largest = std::max_element(left.begin(), left.end(), [](auto &a, auto &b) {
        return a.squaredNorm() < b.squaredNorm();
      });
      if (largest == left.end() || largest->norm() < 1e-6)
        break; // as of nodes on a line, which do not turn about it
      const LocalIndex dof = dofs[static_cast<std::size_t>(largest - left.begin())];
      basis.col(m)         = largest->normalized();
      masters.push_back(dof);
      triangle.col(m).head(m + 1) =
        basis.leftCols(m + 1).transpose() * (free.transpose() * rows.of_dof(dof));
      for (Eigen::VectorXd &row : left)
        row -= basis.col(m).dot(row) * basis.col(m);
    }

  RigidRegionRows result;
  result.n_free_motions    = masters.size();
  result.dependent.offsets = {0};
  const auto n_masters     = static_cast<Eigen::Index>(masters.size());
  for (const LocalIndex dof : dofs)
    {
      if (std::find(masters.begin(), masters.end(), dof) != masters.end())
        continue;
      // row = sum of weights times the masters' rows, which are basis times triangle
      const Eigen::VectorXd weights =
        triangle.topLeftCorner(n_masters, n_masters)
          .triangularView<Eigen::Upper>()
          .solve(basis.leftCols(n_masters).transpose() * (free.transpose() * rows.of_dof(dof)));
      double value = rows.of_dof(dof).dot(particular);
      std::map<LocalIndex, double> of_masters; // ascending
      for (std::size_t m = 0; m < masters.size(); ++m)
        if (const double weight = weights[static_cast<Eigen::Index>(m)]; std::abs(weight) > 1e-12)
          {
            of_masters.emplace(masters[m], weight);
            value -= weight * rows.of_dof(masters[m]).dot(particular);
          }
      for (const auto &[master, weight] : of_masters)
        {
          result.dependent.masters.push_back(master);
          result.dependent.weights.push_back(weight);
        }
      if (result.dependent.masters.size() == result.dependent.offsets.back())
        {
          result.held_dofs.push_back(dof);
          result.held_values.push_back(value);
          continue;
        }
      result.dependent.dofs.push_back(dof);
      result.dependent.values.push_back(value);
      result.dependent.offsets.push_back(
        static_cast<std::uint32_t>(result.dependent.masters.size()));
    }
  return result;
}
} // namespace strut
