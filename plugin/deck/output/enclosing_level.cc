// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <deal.II/base/mpi.h>

#include <strut/backend/backend.h>

#include <algorithm>

#include "plugin/base/host_halo.h"
#include "plugin/deck/output/node_means.h"
#include "plugin/deck/output/surface.h"
#include "source/backend/nodal_fields.h"
#include "source/optimization/design_pieces.h"

namespace strut
{
std::vector<double> design_densities_at_nodes(MPI_Comm communicator,
                                              const ElementMesh &mesh,
                                              const std::vector<double> &densities,
                                              const unsigned int n_threads)
{
  std::vector<double> means = means_at_nodes(
    communicator,
    mesh,
    densities,
    [&](const std::size_t e) { return mesh.flags[e] == DesignFlag::design ? mesh.volumes[e] : 0.; },
    n_threads);
  update_ghosts(communicator, mesh, means);
  return means;
}

namespace
{
/// A level of a nodal field, and the volume of the parts of design elements where the field is at
/// least the level.
struct EnclosingLevel
{
  double level  = 0.;
  double volume = 0.; ///< over all ranks
};

/// The level that encloses a volume of design elements, found by bisection. If the field is
/// constant over elements, there may be none: then the highest level that encloses more is
/// returned. Collective.
/// @param field  `[n_nodes]`, at least 0, ghosts up to date
EnclosingLevel find_enclosing_level(MPI_Comm communicator,
                                    const ElementMesh &mesh,
                                    const std::vector<double> &field,
                                    const double volume,
                                    const unsigned int n_threads)
{
  using dealii::Utilities::MPI::max;
  using dealii::Utilities::MPI::sum;
  const auto backend = make_cpu_backend(n_threads);
  const auto fields  = backend->make_nodal_fields(mesh);
  const Array<double> values(backend->memory(), field);
  const Array<DesignFlag> flags(backend->memory(), mesh.flags);
  const auto volume_above = [&](const double level) {
    return sum(mesh.n_elements > 0 ? fields->volume_above(values, level, flags) : 0., communicator);
  };
  double largest = 0.;
  for (const double value : field)
    largest = std::max(largest, value);
  largest = max(largest, communicator);

  // A narrower bracket would separate values that differ only by rounding, and a constant field
  // would give noise.
  constexpr double narrow = 1e-10, close = 1e-10;
  EnclosingLevel below = {0., volume_above(0.)};
  double above         = largest * (1. + narrow);
  while (above - below.level > narrow * largest && below.volume - volume > close * volume)
    {
      const double middle        = 0.5 * (below.level + above);
      const double volume_middle = volume_above(middle);
      if (volume_middle >= volume)
        below = {middle, volume_middle};
      else
        above = middle;
    }
  return below;
}
} // namespace

EnclosingSurface make_enclosing_surface(MPI_Comm communicator,
                                        const ElementMesh &mesh,
                                        const std::vector<double> &densities,
                                        const unsigned int n_threads,
                                        const std::optional<double> level)
{
  EnclosingSurface result;
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    if (mesh.flags[e] == DesignFlag::design)
      result.volumes.design += mesh.volumes[e] * densities[e];
  result.volumes.design = dealii::Utilities::MPI::sum(result.volumes.design, communicator);
  const std::vector<double> field =
    design_densities_at_nodes(communicator, mesh, densities, n_threads);
  double largest = -1.; // of design elements
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    if (mesh.flags[e] == DesignFlag::design)
      largest = std::max(largest, densities[e]);
  largest = dealii::Utilities::MPI::max(largest, communicator);
  if (largest >= 0. && largest < DesignPiece::least_density)
    result.empty = largest;
  EnclosingLevel found;
  if (level)
    found.level = *level;
  else
    found = find_enclosing_level(communicator, mesh, field, result.volumes.design, n_threads);
  // Relative to the volume: a level that encloses more describes no shape.
  constexpr double much = 1.05;
  // A level above all densities.
  if (!level && result.empty && found.volume > much * result.volumes.design)
    found = {2., 0.};
  result.volumes.enclosed = found.volume;
  result.surface          = make_surface(communicator, mesh, field, found.level, n_threads);
  return result;
}
} // namespace strut
