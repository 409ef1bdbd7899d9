// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <deal.II/base/mpi.h>
#include <deal.II/base/symmetric_tensor.h>

#include <strut/base/exceptions.h>
#include <strut/load_integrals.h>

#include <cmath>
#include <functional>
#include <sstream>
#include <vector>

#include "plugin/base/spelling.h"
#include "plugin/deck/problem/loads/nodal_forces.h"

namespace strut::loads
{
namespace
{
using Vector = dealii::Tensor<1, 3>;
using Point  = dealii::Point<3>;

constexpr const char *name_of_type = "remote force";

struct Settings
{
  std::vector<double> point, moment = {0., 0., 0.};

  void declare(ParameterList &list)
  {
    constexpr ParameterList::Bounds any = {-1e300, 1e300};
    list.add("Point",
             point,
             any,
             "Where the force acts: x, y, z. Without it, at the centroid of the region.");
    list.add("Moment",
             moment,
             any,
             "About x, y and z, by the right-hand rule, besides that of the force.");
  }
};

[[noreturn]] void refuse(const Load &load, const std::string &entry, const std::string &reason)
{
  std::vector<std::string> path = load.path();
  path.push_back(subsection_of(name_of_type));
  throw EntryError(path, entry, reason);
}

Vector vector_of(const Load &load, const std::string &entry, const std::vector<double> &numbers)
{
  if (numbers.size() != 3)
    refuse(load,
           entry,
           std::to_string(numbers.size()) +
             " numbers are no vector.\nWrite three, along x, y and z, such as 'set " + entry +
             " = 0, 0, 1'.");
  return Vector({numbers[0], numbers[1], numbers[2]});
}

/// Adds forces t(x) to the region: per area of its faces, or on each of its nodes.
std::string
distribute(const LoadContext &context, const Load &load, const std::function<Vector(Point)> &t)
{
  if (acts_on_faces(context, load))
    return add_face_integral(context, load, [&](const Point &x, const Vector &) { return t(x); });
  return add_nodal_forces(context, load, t);
}

/// Sums f(x, force) over the nodes of forces t(x) on the region, on all ranks.
Vector sum_over_nodes(const LoadContext &context,
                      const Load &load,
                      const std::function<Vector(Point)> &t,
                      const std::function<Vector(Point, Vector)> &f)
{
  const ElementMesh &mesh = context.mesh.elements;
  std::vector<double> forces(3 * mesh.n_nodes, 0.);
  std::vector<Vector> no_weights;
  distribute({context.mesh, context.summary, context.communicator, forces, no_weights}, load, t);
  Vector sum;
  for (std::size_t node = 0; node < mesh.n_nodes; ++node)
    {
      const Vector force({forces[3 * node], forces[3 * node + 1], forces[3 * node + 2]});
      if (force.norm_square() > 0.)
        sum += f(Point(mesh.coordinates[node],
                       mesh.coordinates[mesh.n_nodes + node],
                       mesh.coordinates[2 * mesh.n_nodes + node]),
                 force);
    }
  return dealii::Utilities::MPI::sum(sum, context.communicator);
}

/// Force and moment at a point, as `t(x) = F / A + b x (x - c)` over the area A with the centroid c,
/// so that the region may deform: a distributing coupling, or RBE3. The turning vector b follows
/// from the moment about c. Nodal forces have the resultants exactly, since the same sums over
/// nodes give A, c and the moments of each component of b.
std::string assemble(const LoadContext &context, const Load &load)
{
  const auto settings = settings_from<Settings>(load.values());
  const Vector moment = vector_of(load, "Moment", settings.moment);
  if (load.value().norm() == 0. && moment.norm() == 0.)
    refuse(load, "Moment", "The force and the moment are zero.\nSet 'Value', 'Moment' or both.");

  // (1) area and centroid
  const auto unit   = [](const Point &) { return Vector({1., 0., 0.}); };
  const double area = sum_over_nodes(context, load, unit, [](const Point &, const Vector &force) {
    return force;
  })[0];
  const Vector centroid =
    sum_over_nodes(context,
                   load,
                   unit,
                   [](const Point &x, const Vector &force) { return force[0] * x; }) /
    area;

  // (2) moment about the centroid, and moments of the components of b
  const Vector point = settings.point.empty() ? centroid : vector_of(load, "Point", settings.point);
  const Vector arm   = point - centroid;
  const Vector wanted = moment + dealii::cross_product_3d(arm, load.value());
  dealii::SymmetricTensor<2, 3> inertia;
  for (unsigned int k = 0; k < 3; ++k)
    {
      Vector turning;
      turning[k]         = 1.;
      const Vector about = sum_over_nodes(
        context,
        load,
        [&](const Point &x) { return dealii::cross_product_3d(turning, x - centroid); },
        [&](const Point &x, const Vector &force) {
          return dealii::cross_product_3d(x - centroid, force);
        });
      for (unsigned int d = 0; d < 3; ++d)
        inertia[k][d] += (k == d ? 1. : 0.5) * about[d];
    }

  // (3) b, along the principal axes
  const auto axes       = dealii::eigenvectors(inertia);
  const double largest  = axes[0].first;
  const double rounding = 1e-9 * (centroid.norm() + std::sqrt(std::max(0., largest / area)));
  const double least    = std::max(1e-9 * largest, area * rounding * rounding);
  Vector turning;
  for (const auto &[value, axis] : axes)
    if (value > least)
      turning += (axis * wanted / value) * axis;
    else if (std::abs(axis * wanted) > 1e-9 * (moment.norm() + arm.norm() * load.value().norm()))
      {
        std::ostringstream text;
        text << "The nodes of the region lie " << (largest > least ? "on one line" : "in one place")
             << ", and cannot carry the moment (" << wanted[0] << ", " << wanted[1] << ", "
             << wanted[2] << ") about their centroid (" << centroid[0] << ", " << centroid[1]
             << ", " << centroid[2]
             << ").\nTake a region with faces, or with nodes beside that line.";
        refuse(load, "Moment", text.str());
      }

  // (4) the load
  const Vector mean = load.value() / area;
  std::ostringstream text;
  text << distribute(context,
                     load,
                     [&](const Point &x) {
                       return mean + dealii::cross_product_3d(turning, x - centroid);
                     })
       << ", from the point (" << point[0] << ", " << point[1] << ", " << point[2]
       << ") with the moment (" << moment[0] << ", " << moment[1] << ", " << moment[2] << ')';
  return text.str();
}
} // namespace

LoadType remote_force()
{
  return {name_of_type,
          "the value in all at a point, and a moment, distributed over the region so that it may "
          "deform, see subsection Remote force",
          &assemble,
          parameters_of<Settings>()};
}
} // namespace strut::loads
