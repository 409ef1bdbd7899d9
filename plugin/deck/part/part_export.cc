// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/part/part_export.h"

#include <deal.II/base/mpi.h>

#include <strut/base/communicator.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <set>
#include <sstream>

#include "plugin/base/atomic_file.h"
#include "plugin/base/attempt.h"
#include "plugin/base/coordinate_text.h"
#include "plugin/deck/output/single_precision.h"
#include "plugin/deck/output/surface.h"
#include "plugin/deck/part/part_file.h"
#include "source/base/forest.h"
#include "source/base/text.h"
#include "source/optimization/design_pieces.h"
#include "source/surface/weld.h"

namespace strut
{
namespace
{
/// A place with material that a region of the deck makes solid.
struct SolidPlace
{
  Point place;
  std::string region; ///< empty: unknown
};

/// Adds a place for each group of elements of a solid region on this rank that share nodes.
void add_places(const ElementMesh &mesh,
                const std::string &region,
                const std::vector<LocalIndex> &elements,
                std::vector<SolidPlace> &places)
{
  constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> at_node(elements.empty() ? 0 : mesh.n_nodes, none);
  Forest forest(elements.size());
  for (std::uint32_t i = 0; i < elements.size(); ++i)
    for (std::size_t v = 0; v < mesh.type.n_nodes; ++v)
      {
        std::uint32_t &other = at_node[mesh.connectivity[v * mesh.n_elements + elements[i]]];
        if (other == none)
          other = i;
        else
          forest.unite(i, other);
      }
  for (std::uint32_t i = 0; i < elements.size(); ++i)
    if (forest.root(i) == i)
      {
        const auto centre = mesh.centre(elements[i]);
        places.push_back({{{centre[0], centre[1], centre[2]}}, region});
      }
}

std::vector<SolidPlace> solid_places(const ElementMesh &mesh, const PartRequest &request)
{
  std::vector<SolidPlace> places;
  for (const auto &[name, elements] : request.regions)
    add_places(mesh, name, elements, places);
  if (!request.regions.empty())
    return places;
  std::vector<LocalIndex> elements;
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    if (mesh.flags[e] == DesignFlag::solid)
      elements.push_back(static_cast<LocalIndex>(e));
  add_places(mesh, {}, elements, places);
  return places;
}

/// Gathers the entries of all ranks on the root. Collective.
std::vector<SolidPlace> gathered(MPI_Comm communicator, const std::vector<SolidPlace> &places)
{
  using dealii::Utilities::MPI::gather;
  std::vector<Point> points;
  std::vector<std::string> regions;
  for (const SolidPlace &solid : places)
    {
      points.push_back(solid.place);
      regions.push_back(solid.region);
    }
  const auto all_points  = gather(communicator, points);
  const auto all_regions = gather(communicator, regions);
  std::vector<SolidPlace> all;
  for (std::size_t rank = 0; rank < all_points.size(); ++rank)
    for (std::size_t i = 0; i < all_points[rank].size(); ++i)
      all.push_back({all_points[rank][i], all_regions[rank][i]});
  return all;
}

std::string warning_of_apart(const std::set<std::string> &regions)
{
  std::string names;
  for (const std::string &name : regions)
    add_to_list(names, '\'' + name + '\'');
  const bool are_known = *regions.begin() != "", is_one = are_known && regions.size() == 1;
  return (!are_known ? "solid elements"
          : is_one   ? "the solid region " + names
                     : "the solid regions " + names) +
         (is_one
            ? " has no connection with the largest body: it stays in the part, and nothing there carries it"
            : " have no connection with the largest body: they stay in the part, and nothing there carries them");
}

std::string place_in_file(const Point &origin)
{
  return '(' + number_with_digits(origin[0], digits_of_double) + ", " +
         number_with_digits(origin[1], digits_of_double) + ", " +
         number_with_digits(origin[2], digits_of_double) + ')';
}
} // namespace

Part part_of_design(MPI_Comm communicator,
                    const ElementMesh &mesh,
                    const std::vector<double> &densities,
                    const PartRequest &asked,
                    const unsigned int n_threads)
{
  using dealii::Utilities::MPI::sum;
  PartRequest request = asked;
  double solid        = 0.;
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    if (mesh.flags[e] == DesignFlag::solid)
      solid += mesh.volumes[e];
  solid = sum(solid, communicator);
  EnclosingSurface found =
    make_enclosing_surface(communicator, mesh, densities, n_threads, request.level);
  if (sum(found.surface.triangles.size(), communicator) == 0)
    {
      std::ostringstream reason;
      reason << "There is nothing to export: ";
      if (found.empty && !request.level)
        reason << "no element of the design has a density from " << DesignPiece::least_density
               << ", the largest is " << *found.empty
               << ".\nstrut-export --level makes a part of lower densities.";
      else
        reason << "no density of the design reaches its level.";
      throw NothingToExport(reason.str());
    }
  const std::vector<SolidPlace> solids = gathered(communicator, solid_places(mesh, request));
  for (const SolidPlace &of_region : solids)
    request.settings.demanded.push_back(of_region.place);
  const SinglePrecision precision = SinglePrecision::of(Communicator(communicator), mesh);

  CutSurface surface = whole_surface(communicator, std::move(found.surface));
  Part part;
  on_root(Communicator(communicator), [&] {
    if (surface.mesh.triangles.empty())
      throw Error("The design has no surface: no density reaches its level.");
    part = make_part(std::move(surface), request.settings, static_cast<int>(n_threads));
    part.design_volume =
      std::ldexp(found.volumes.design + solid, static_cast<int>(request.settings.mirrors.size()));
    part.file_origin = precision.origin;
    std::set<std::string> apart;
    for (const std::size_t i : part.largest.apart)
      apart.insert(solids[i].region);
    if (!apart.empty())
      part.warnings.push_back(warning_of_apart(apart));
    if (found.empty && !request.level)
      {
        std::ostringstream text;
        text << "no element to design has a density from " << DesignPiece::least_density
             << ", the largest is " << *found.empty << ": the part is "
             << (found.volumes.enclosed > 0. ? "at a level below that"
                                             : "that of the solid regions");
        part.warnings.push_back(text.str());
      }
  });
  return part;
}

std::vector<WrittenPart>
write_part(const Part &part, const PartRequest &request, const int n_threads)
{
  std::vector<WrittenPart> files;
  const std::string name = printable(std::filesystem::path(request.base_name).filename().string());
  for (const std::string &format_name : request.formats)
    {
      const PartFormat &format = find_part_format(format_name);
      const TriangleMesh mesh  = format.numbers(part.mesh, part.file_origin, request.unit);
      const bool is_moved      = format.is_single && part.file_origin != Point{};
      WrittenPart written;
      written.file = request.base_name + '.' + format.name;
      write_file_atomically(
        written.file,
        format.bytes(mesh,
                     name + (is_moved ? ", origin at " + place_in_file(part.file_origin) : ""),
                     request.unit));
      written.is_closed        = is_closed_in_file(mesh, n_threads);
      const double millimeters = format.in_millimeters(request.unit);
      const auto [low, high]   = box_of(part.mesh);
      std::ostringstream size;
      size.precision(4);
      double largest = 0.;
      for (std::size_t d = 0; d < 3; ++d)
        {
          const double side = millimeters * (high[d] - low[d]);
          largest           = std::max(largest, side);
          size << (d > 0 ? " x " : "") << side;
        }
      written.text =
        (written.is_closed ? "closed, " : "not closed, ") + size.str() + " mm in a slicer";
      if (millimeters != millimeters_of(request.unit))
        written.text += ", which takes " + request.unit + "s for millimeters in this format";
      if (is_moved)
        written.text += "; single precision, so places count from " +
                        place_in_file(part.file_origin) + " of the deck";
      if (largest < 1. && millimeters_of(request.unit) == 1.)
        written.text +=
          "\n    NOTE: that is small: 'Export / Unit' (strut-export --unit) says which unit the "
          "lengths of the deck have";
      files.push_back(std::move(written));
    }
  return files;
}

std::vector<std::string> warnings_of(const Part &part, const std::vector<WrittenPart> &files)
{
  std::vector<std::string> warnings = part.warnings;
  for (const WrittenPart &written : files)
    if (!written.is_closed)
      warnings.push_back(
        std::filesystem::path(written.file).filename().string() +
        " is not closed where vertices at one place are one: the surface touches itself, or has too few digits there");
  double islands = 0.;
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

std::string
describe_part(const Part &part, const std::vector<WrittenPart> &files, const std::string &unit)
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
      const AxisBox box          = box_of(part.mesh);
      for (std::size_t i = 0; i < std::min(n, most); ++i)
        {
          const Island &island = part.largest.islands[i];
          text << "    volume " << island.volume << " in "
               << box_text(island.low, island.high, digits_in_box(6, box.low, box.high)) << '\n';
        }
      if (n > most)
        text << "    and " << n - most << " smaller ones\n";
    }
  if (part.n_still > 0)
    text << "  vertices that stay as the mesh has them, since the surface would cross itself: "
         << part.n_still << '\n';
  for (const WrittenPart &written : files)
    text << "  written: " << written.file << ": " << written.text << '\n';
  for (const std::string &warning : warnings_of(part, files))
    text << "  WARNING: " << warning << '\n';
  return text.str();
}
} // namespace strut
