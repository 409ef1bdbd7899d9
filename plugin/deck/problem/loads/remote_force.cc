// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <deal.II/base/mpi.h>
#include <deal.II/base/symmetric_tensor.h>

#include <strut/base/exceptions.h>
#include <strut/load_integrals.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "plugin/deck/problem/loads/nodal_forces.h"
#include "plugin/deck/problem/loads/type_entries.h"
#include <strut/mesh_summary.h>

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

/// Forces t(x) on the region of a load: per area of its faces, or on each of its nodes.
class Spread
{
public:
  using Force = std::function<Vector(const Point &)>;

  Spread(const LoadContext &context, const Load &load)
    : context_(context)
    , load_(load)
    , is_on_faces_(acts_on_faces(context, load))
    , forces_(3 * context.mesh.elements.n_nodes)
  {}

  /// Adds them to the forces of a context, and returns a description of the region.
  std::string add_to(const LoadContext &context, const Force &t) const
  {
    if (!is_on_faces_)
      return add_nodal_forces(context, load_, t) + note_on_equal_parts(context);
    return add_face_integral(context, load_, [&](const Point &x, const Vector &) { return t(x); });
  }

  /// Sums f(x, force) over the nodes, on all ranks.
  template <typename Term>
  Vector sum(const Force &t, const Term &f)
  {
    std::fill(forces_.begin(), forces_.end(), 0.);
    std::vector<Vector> no_weights;
    add_to({context_.mesh, context_.summary, context_.communicator, forces_, no_weights}, t);
    const ElementMesh &mesh = context_.mesh.elements;
    Vector result;
    for (std::size_t node = 0; node < mesh.n_nodes; ++node)
      {
        const Vector force({forces_[3 * node], forces_[3 * node + 1], forces_[3 * node + 2]});
        if (force.norm_square() > 0.)
          result += f(Point(mesh.coordinates[node],
                            mesh.coordinates[mesh.n_nodes + node],
                            mesh.coordinates[2 * mesh.n_nodes + node]),
                      force);
      }
    return dealii::Utilities::MPI::sum(result, context_.communicator);
  }

private:
  const LoadContext &context_;
  const Load &load_;
  const bool is_on_faces_;
  std::vector<double> forces_; ///< `[3 * n_nodes]`, room for sum()
};

/// Throws EntryError for a force or moment of a region that goes on behind a plane of symmetry, if
/// its mirror image cancels it.
void require_image(const Load &load, const SymmetryPlane &plane, const Vector &moment)
{
  const std::string axis(1, "xyz"[plane.normal]);
  const std::string cancels = " of a region that meets the plane of symmetry with the normal " +
                              axis + " is cancelled by its mirror image.\n";
  const std::string instead = ", or mesh the whole without this plane.";
  if (load.value()[plane.normal] != 0.)
    throw EntryError(load.path(),
                     "Value",
                     "The force along " + axis + cancels + "Leave it out" + instead);
  for (unsigned int d = 0; d < 3; ++d)
    if (d != plane.normal && moment[d] != 0.)
      refuse(load,
             name_of_type,
             "Moment",
             "The moment about " + std::string(1, "xyz"[d]) + cancels + "Keep the one about " +
               axis + instead);
}

/// Assembles a force and a moment at a point as `t(x) = F / A + b x (x - c)` over the area A with
/// the centroid c, so that the region may deform: a distributing coupling, or RBE3. The turning
/// vector b follows from the moment about c. Nodal forces have the resultants exactly, since the
/// same sums over nodes give A, c and the moments of each component of b. The region and its mirror
/// images at planes of symmetry that it meets are one: c is on the plane, and b is normal to it.
std::string assemble(const LoadContext &context, const Load &load)
{
  const auto settings = settings_from<Settings>(load.values());
  const Vector moment = vector_of(load, name_of_type, "Moment", settings.moment);
  if (load.value().norm() == 0. && moment.norm() == 0.)
    refuse(load,
           name_of_type,
           "Moment",
           "The force and the moment are zero.\nSet 'Value', 'Moment' or both.");

  // (1) area, centroid, and the planes of symmetry that the region meets
  Spread spread(context, load);
  const double tolerance = context.summary.tolerance();
  const auto unit        = [](const Point &) { return Vector({1., 0., 0.}); };
  const double area = spread.sum(unit, [](const Point &, const Vector &force) { return force; })[0];
  Vector centroid =
    spread.sum(unit, [](const Point &x, const Vector &force) { return force[0] * x; }) / area;
  std::vector<unsigned int> normals;
  for (const SymmetryPlane &plane : context.planes)
    {
      const Vector n_there = spread.sum(unit, [&](const Point &x, const Vector &) {
        return Vector({std::abs(x[plane.normal] - plane.value) <= tolerance ? 1. : 0., 0., 0.});
      });
      if (n_there[0] == 0.)
        continue;
      require_image(load, plane, moment);
      centroid[plane.normal] = plane.value;
      normals.push_back(plane.normal);
    }

  // (2) moment about the centroid, and moments of the components of b
  const Vector point =
    settings.point.empty() ? centroid : vector_of(load, name_of_type, "Point", settings.point);
  const Vector arm    = point - centroid;
  const Vector wanted = moment + dealii::cross_product_3d(arm, load.value());
  dealii::SymmetricTensor<2, 3> inertia;
  for (unsigned int k = 0; k < 3; ++k)
    {
      Vector turning;
      turning[k] = 1.;
      const Vector about =
        spread.sum([&](const Point &x) { return dealii::cross_product_3d(turning, x - centroid); },
                   [&](const Point &x, const Vector &force) {
                     return dealii::cross_product_3d(x - centroid, force);
                   });
      for (unsigned int d = 0; d < 3; ++d)
        inertia[k][d] += (k == d ? 1. : 0.5) * about[d];
    }

  // (3) b, along the principal axes, or along the normal of one plane; two planes let nothing turn
  const auto principal = dealii::eigenvectors(inertia);
  std::vector<std::pair<double, Vector>> axes;
  if (normals.empty())
    axes.assign(principal.begin(), principal.end());
  else if (normals.size() == 1)
    {
      axes.emplace_back(inertia[normals[0]][normals[0]], Vector());
      axes[0].second[normals[0]] = 1.;
    }
  const double largest  = principal[0].first;
  const double rounding = 1e-9 * (centroid.norm() + std::sqrt(std::max(0., largest / area)));
  const double least    = std::max(1e-9 * largest, area * rounding * rounding);
  Vector turning;
  for (const auto &[value, axis] : axes)
    if (value > least)
      turning += (axis * wanted / value) * axis;
    else if (std::abs(axis * wanted) >
             1e-9 * moment.norm() + (tolerance + 1e-9 * arm.norm()) * load.value().norm())
      {
        std::ostringstream text;
        text << "The nodes of the region lie " << (largest > least ? "on one line" : "in one place")
             << ", and cannot carry the moment (" << wanted[0] << ", " << wanted[1] << ", "
             << wanted[2] << ") about their centroid (" << centroid[0] << ", " << centroid[1]
             << ", " << centroid[2]
             << ").\nTake a region with faces, or with nodes beside that line.";
        refuse(load, name_of_type, "Moment", text.str());
      }

  // (4) the load
  const Vector mean = load.value() / area;
  std::ostringstream text;
  text << spread.add_to(context,
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
