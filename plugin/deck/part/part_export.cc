// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/part/part_export.h"

#include <deal.II/base/mpi.h>

#include <strut/base/exceptions.h>

#include <cmath>
#include <filesystem>
#include <sstream>

#include "plugin/base/atomic_file.h"
#include "plugin/base/attempt.h"
#include "plugin/deck/output/surface.h"
#include "plugin/deck/output/whole_surface.h"
#include "plugin/deck/part/part_file.h"

namespace strut::plugin
{
Part part_of_design(MPI_Comm communicator,
                    const ElementMesh &mesh,
                    const std::vector<double> &densities,
                    const PartRequest &request,
                    const unsigned int n_threads)
{
  double solid = 0.;
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    if (mesh.flags[e] == DesignFlag::solid)
      solid += mesh.volumes[e];
  solid = dealii::Utilities::MPI::sum(solid, communicator);
  const EnclosingSurface found =
    make_enclosing_surface(communicator, mesh, densities, n_threads, request.level);
  CutSurface surface = whole_surface(communicator, found.surface);
  Part part;
  on_root(Communicator(communicator), [&] {
    if (surface.mesh.triangles.empty())
      throw Error("The design has no surface: no density reaches its level.");
    part = make_part(std::move(surface), request.settings, static_cast<int>(n_threads));
    part.design_volume =
      std::ldexp(found.volumes.design + solid, static_cast<int>(request.settings.mirrors.size()));
  });
  return part;
}

std::vector<std::string> write_part(const Part &part, const PartRequest &request)
{
  std::vector<std::string> files;
  const std::string name = printable(std::filesystem::path(request.base_name).filename().string());
  for (const std::string &format : request.formats)
    {
      files.push_back(request.base_name + '.' + format);
      write_file_atomically(files.back(),
                            find_part_format(format).bytes(part.mesh, name, request.unit));
    }
  return files;
}

std::vector<std::string> warnings_of(const Part &part)
{
  std::vector<std::string> warnings = part.warnings;
  double islands                    = 0.;
  for (const Island &island : part.largest.islands)
    islands += island.volume;
  const double whole = part.volume + islands;
  std::ostringstream text;
  if (islands > 0.01 * whole)
    {
      text << "the islands have " << std::lround(100. * islands / whole)
           << " % of the volume: the part may lack what carries loads";
      warnings.push_back(text.str());
    }
  if (std::abs(whole - part.design_volume) > 0.01 * part.design_volume)
    {
      text.str("");
      text << "the part has a volume of " << whole << (islands > 0. ? ", with its islands," : "")
           << " and the design one of " << part.design_volume
           << ": no level of its densities encloses that, or another level was asked for";
      warnings.push_back(text.str());
    }
  return warnings;
}

std::string describe_part(const Part &part, const std::string &unit)
{
  std::ostringstream text;
  text << "  " << part.mesh.triangles.size() << " triangles (of " << part.n_triangles_before
       << "), volume " << part.volume << " (the design: " << part.design_volume << "), area "
       << part.area << ", lengths in " << unit << "\n  vertices moved by at most " << part.farthest
       << " of the shortest edge of their elements\n";
  if (part.largest.n_cavities > 0)
    text << "  closed cavities: " << part.largest.n_cavities << '\n';
  if (const std::size_t n = part.largest.islands.size(); n > 0)
    {
      double volume = 0.;
      for (const Island &island : part.largest.islands)
        volume += island.volume;
      text << "  islands taken away: " << n << ", volume " << volume << '\n';
      constexpr std::size_t most = 5;
      for (std::size_t i = 0; i < std::min(n, most); ++i)
        {
          const Island &island = part.largest.islands[i];
          text << "    volume " << island.volume << " in";
          for (std::size_t d = 0; d < 3; ++d)
            text << (d > 0 ? " x [" : " [") << island.low[d] << ", " << island.high[d] << ']';
          text << '\n';
        }
      if (n > most)
        text << "    and " << n - most << " smaller ones\n";
    }
  if (part.n_still > 0)
    text << "  vertices that stay as the mesh has them, since the surface would cross itself: "
         << part.n_still << '\n';
  for (const std::string &warning : warnings_of(part))
    text << "  WARNING: " << warning << '\n';
  return text.str();
}
} // namespace strut::plugin
