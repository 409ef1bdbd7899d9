// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/problem/mirror_image_notes.h"
#include "source/base/text.h"
#include <strut/mesh_summary.h>

#include <strut/base/communicator.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace strut
{
namespace
{
/// Smaller fractions of the total are rounding.
constexpr double share_of_rounding = 1e-9;

/// Returns a text such as "y = ymin, z = 0".
std::string texts_of(const std::vector<const SymmetryPlanes::Plane *> &planes)
{
  std::string list;
  for (const SymmetryPlanes::Plane *const plane : planes)
    add_to_list(list, plane->text);
  return list;
}

/// Returns "along y, normal to the symmetry plane y = ymin", or nothing.
std::string along_normals(const std::vector<const SymmetryPlanes::Plane *> &planes)
{
  if (planes.empty())
    return {};
  std::string axes;
  for (unsigned int d = 0; d < 3; ++d)
    if (std::any_of(planes.begin(), planes.end(), [d](const SymmetryPlanes::Plane *plane) {
          return plane->component == d;
        }))
      axes += (axes.empty() ? "" : " and ") + std::string(1, "xyz"[d]);
  return "along " + axes + ", normal to the symmetry plane" + (planes.size() > 1 ? "s " : " ") +
         texts_of(planes);
}

/// Whether an entry in Voigt's notation changes its sign in the mirror image: shears with the
/// normal of the plane do.
bool is_odd(const unsigned int entry, const unsigned int normal)
{
  return entry >= 3 && entry - 3 != normal;
}
} // namespace

MirrorImageNotes::MirrorImageNotes(const DeckMesh &mesh,
                                   const MeshSummary &summary,
                                   const std::vector<SymmetryPlanes::Plane> &planes,
                                   MPI_Comm communicator)
  : mesh_(mesh), tolerance_(summary.tolerance()), communicator_(communicator)
{
  for (const SymmetryPlanes::Plane &plane : planes)
    if (!plane.passes_through(summary))
      planes_.push_back(plane);
}

std::string MirrorImageNotes::of_load(const std::string &owner,
                                      const std::vector<double> &forces,
                                      const std::vector<dealii::Tensor<1, 3>> &weights) const
{
  if (planes_.empty())
    return {};
  const ElementMesh &mesh = mesh_.elements;
  // Sum of the sizes of all forces, their sums along each axis, and the forces on the nodes of each
  // plane.
  std::vector<double> sums(4 + planes_.size(), 0.);
  for (std::size_t node = 0; node < mesh.n_owned_nodes; ++node)
    {
      const double *const force = &forces[3 * node];
      if (force[0] == 0. && force[1] == 0. && force[2] == 0.)
        continue;
      sums[0] += std::hypot(force[0], force[1], force[2]);
      for (std::size_t d = 0; d < 3; ++d)
        sums[1 + d] += force[d];
      for (std::size_t p = 0; p < planes_.size(); ++p)
        if (const std::size_t d = planes_[p].component;
            std::abs(mesh.coordinates[d * mesh.n_nodes + node] - planes_[p].value) <= tolerance_)
          sums[4 + p] += std::abs(force[d]);
    }
  for (std::size_t e = 0; e < weights.size(); ++e)
    {
      sums[0] += weights[e].norm() * mesh.volumes[e];
      for (unsigned int d = 0; d < 3; ++d)
        sums[1 + d] += weights[e][d] * mesh.volumes[e];
    }
  Communicator(communicator_).sum(sums.data(), sums.size());
  std::vector<const SymmetryPlanes::Plane *> without;
  for (std::size_t p = 0; p < planes_.size(); ++p)
    if (std::max(std::abs(sums[1 + planes_[p].component]), sums[4 + p]) >
        share_of_rounding * sums[0])
      without.push_back(&planes_[p]);
  const std::string along = along_normals(without);
  return along.empty()
           ? along
           : "NOTE: " + owner + " acts " + along +
               ": its mirror image acts the other way, and the halves are pulled apart or pressed together. "
               "For a load to one side mesh the whole, without that plane";
}

std::string MirrorImageNotes::of_support(const Support &support) const
{
  std::vector<const SymmetryPlanes::Plane *> without;
  for (const SymmetryPlanes::Plane &plane : planes_)
    if (support.holds(plane.component) && support.displacement(plane.component) != 0.)
      without.push_back(&plane);
  const std::string along = along_normals(without);
  return along.empty()
           ? along
           : "NOTE: support '" + support.name + "' moves its nodes " + along +
               ": its mirror image moves the other way. For a motion to one side mesh the whole, without "
               "that plane";
}

std::string MirrorImageNotes::of_material(const std::string &owner,
                                          const ElasticityMatrix &solid) const
{
  double largest = 0.;
  for (const auto &row : solid.C)
    for (const double entry : row)
      largest = std::max(largest, std::abs(entry));
  std::vector<const SymmetryPlanes::Plane *> without;
  for (const SymmetryPlanes::Plane &plane : planes_)
    {
      bool is_symmetric = true;
      for (unsigned int i = 0; i < 6; ++i)
        for (unsigned int j = 0; j < i; ++j)
          if (is_odd(i, plane.component) != is_odd(j, plane.component))
            is_symmetric = is_symmetric && std::abs(solid.C[i][j]) <= share_of_rounding * largest;
      if (!is_symmetric)
        without.push_back(&plane);
    }
  return without.empty()
           ? std::string()
           : "NOTE: " + owner + " has axes that are oblique to the symmetry plane" +
               (without.size() > 1 ? "s " : " ") + texts_of(without) +
               ": the mirror image has them at the mirrored angle. For fibres that go straight on "
               "behind it mesh the whole, without that plane";
}
} // namespace strut
