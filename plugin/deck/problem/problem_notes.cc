// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <algorithm>
#include <sstream>

#include "plugin/deck/problem/material_region.h"
#include "plugin/deck/problem/parted_by_void.h"
#include "plugin/deck/problem/problem.h"
#include "plugin/deck/problem/wall_bending.h"

namespace strut
{
void Problem::note_doubts()
{
  const auto &[lower, upper] = summary_.box.get_boundary_points();
  const double tolerance     = summary_.tolerance();
  const auto planes          = symmetry_.planes(summary_);
  for (const SymmetryPlanes::Plane &plane : planes)
    if (plane.passes_through(summary_))
      {
        std::ostringstream note;
        note
          << "NOTE: the symmetry plane " << plane.text
          << " passes through the mesh, which goes from " << lower[plane.component] << " to "
          << upper[plane.component]
          << ". That is right only if mesh, materials, loads and design are symmetric to it themselves; for half "
             "of a structure mesh one side";
        notes_.push_back(note.str());
      }

  const bool have_other_ratios =
    std::any_of(materials_.begin(), materials_.end(), [&](const auto &material) {
      return material->poisson_ratio(material_) != material_.poisson_ratio;
    });
  if (locks())
    notes_.push_back(
      "NOTE: Poisson's ratio is near 0.5, where elements with 'Volumetric integration = full' "
      "are too stiff and solves take many iterations: 'set Volumetric integration = mean' in "
      "subsection Material" +
      std::string(material_.has_incompatible_modes() ? ", in place of 'Element'" : "") +
      (!have_other_ratios ? "" : ", and one Poisson's ratio for all materials") +
      " (doc/studies/locking.md)");
  // Locking does not depend on walls.
  else if (const std::string note = note_on_walls(mesh_maker_->coarse(),
                                                  mesh_.n_refinements(),
                                                  material_,
                                                  planes,
                                                  summary_.longest_edge,
                                                  tolerance);
           !note.empty())
    notes_.push_back(note);

  for (const std::string &note : notes_on_parted_loads(mesh_.elements, load_cases_, communicator_))
    notes_.push_back(note);
}

std::string Problem::note_on_layers() const
{
  return strut::note_on_layers(mesh_maker_->coarse(),
                               mesh_.n_refinements(),
                               material_,
                               symmetry_.planes(summary_),
                               summary_.longest_edge,
                               summary_.tolerance());
}

bool Problem::locks() const
{
  constexpr double nearly_incompressible = 0.49;
  const bool is_near = std::any_of(materials_.begin(), materials_.end(), [&](const auto &material) {
    return material->poisson_ratio(material_) >= nearly_incompressible;
  });
  return (is_near || material_.poisson_ratio >= nearly_incompressible) &&
         !material_.has_mean_dilatation();
}
} // namespace strut
