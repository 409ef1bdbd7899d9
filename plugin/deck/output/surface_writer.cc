// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/surface_writer.h"

#include <deal.II/base/mpi.h>

#include <strut/base/exceptions.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>
#include <sstream>
#include <utility>

#include "plugin/base/atomic_file.h"
#include "plugin/base/attempt.h"
#include "source/optimization/design_pieces.h"

namespace strut
{
namespace
{
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "STL is little-endian");

constexpr std::size_t record_size = 50; // normal, three vertices, two unused bytes

using Place = std::array<float, 3>;

Place normal_of(const Place &a, const Place &b, const Place &c)
{
  double u[3], v[3];
  for (std::size_t d = 0; d < 3; ++d)
    {
      u[d] = static_cast<double>(b[d]) - a[d];
      v[d] = static_cast<double>(c[d]) - a[d];
    }
  const double n[3]   = {u[1] * v[2] - u[2] * v[1],
                         u[2] * v[0] - u[0] * v[2],
                         u[0] * v[1] - u[1] * v[0]};
  const double length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  Place normal{};
  if (length > 0.)
    for (std::size_t d = 0; d < 3; ++d)
      normal[d] = static_cast<float>(n[d] / length);
  return normal;
}
} // namespace

std::string stl_records(const Surface &surface, const std::array<double, 3> &origin)
{
  std::string bytes;
  bytes.reserve(surface.triangles.size() * record_size);
  for (const auto &triangle : surface.triangles)
    {
      Place places[4];
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t d = 0; d < 3; ++d)
          places[i + 1][d] = static_cast<float>(surface.vertices[triangle[i]][d] - origin[d]);
      if (places[1] == places[2] || places[2] == places[3] || places[3] == places[1])
        continue;
      places[0]                = normal_of(places[1], places[2], places[3]);
      char record[record_size] = {};
      std::memcpy(record, places, sizeof(places));
      bytes.append(record, record_size);
    }
  return bytes;
}

BackgroundSteps::Steps
stl_steps(const Communicator &communicator, const std::string &file_name, std::string records)
{
  const auto n_bytes =
    dealii::Utilities::MPI::all_gather(communicator.mpi(), std::uint64_t(records.size()));
  const auto ours = n_bytes.begin() + communicator.rank();
  const std::uint64_t n =
    std::accumulate(n_bytes.begin(), n_bytes.end(), std::uint64_t(0)) / record_size;
  if (n > std::numeric_limits<std::uint32_t>::max())
    throw Error("The surface has " + std::to_string(n) + " triangles, more than the file " +
                file_name + " can count.\nLeave it out, or take a coarser mesh.");

  const auto count = static_cast<std::uint32_t>(n);
  std::string head = "Surface of a design, written by strut";
  head.resize(80, ' ');
  head.append(reinterpret_cast<const char *>(&count), sizeof(count));
  const std::uint64_t place = std::accumulate(n_bytes.begin(), ours, std::uint64_t(head.size()));

  const auto file = std::make_shared<SharedFile>(communicator, file_name);
  const auto work = [file, head, place, records = std::move(records), rank = communicator.rank()] {
    if (rank == 0)
      file->write_at(0, head);
    file->write_at(place, records);
    file->finish();
  };
  const auto commit = [file, communicator] { on_root(communicator, [&] { file->commit(); }); };
  return {{work, commit}};
}

std::string note_on_empty_surface(const std::string &file_name, const EnclosingSurface &surface)
{
  std::ostringstream note;
  note << "  NOTE: no element to design has a density from " << DesignPiece::least_density
       << ", the largest is " << surface.empty.value_or(0.) << ": " << file_name
       << (surface.volumes.enclosed > 0. ? " has the surface at a level below that\n"
                                         : " has the surface of solid regions alone, or nothing\n");
  return note.str();
}
} // namespace strut
