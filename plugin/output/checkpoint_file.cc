// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/output/checkpoint_file.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace strut::plugin
{
namespace format = checkpoint_format;

// The contents of the file, in order: the archive is a Writer or a Reader.
namespace checkpoint_format
{
template <typename Archive>
void transfer(Archive &archive, MeshFingerprint &mesh)
{
  archive(mesh.n_elements);
  archive(mesh.n_nodes);
  archive(mesh.cells);
  archive(mesh.nodes);
  for (double &x : mesh.box)
    archive(x);
  archive(mesh.volume);
}

template <typename Archive>
void transfer(Archive &archive, std::pair<std::string, std::string> &parameter)
{
  archive(parameter.first);
  archive(parameter.second);
}

template <typename Archive>
void transfer(Archive &archive, IterationRecord &record)
{
  archive(record.iteration);
  archive(record.objective);
  archive(record.volume_fraction);
  archive(record.solver_iterations);
  archive(record.residual);
  archive(record.seconds);
  archive(record.values);
  archive(record.case_objectives);
}

template <typename Archive>
void transfer(Archive &archive, CheckpointFile &file)
{
  archive(file.mesh);
  archive(file.state.parameters);
  archive(file.state.history);
  archive(file.state.written_results);
  archive(file.state.design.element_fields);
  archive(file.state.design.numbers);
  archive(file.state.design.node_fields);
  archive(file.state.displacements);
}
} // namespace checkpoint_format

namespace
{
[[noreturn]] void refuse(const std::string &file_name, const std::string &what)
{
  throw Error("Cannot go on from the checkpoint \"" + file_name + "\": " + what);
}

constexpr const char *start_again =
  " Take a copy of it if there is one, or start from the beginning.";

/// The first bytes: is this a checkpoint, of this version, and all of it?
void check_header(const std::string &file_name,
                  const std::string_view header,
                  const std::uint64_t size)
{
  const std::size_t n_mark = std::min(header.size(), format::begin_mark.size());
  if (size == 0)
    refuse(file_name, std::string("the file is empty.") + start_again);
  if (header.substr(0, n_mark) != format::begin_mark.substr(0, n_mark))
    refuse(file_name,
           "this is no checkpoint of strut. Name the file that an earlier run wrote, or start from "
           "the beginning.");

  const auto truncated = [&](const std::string &of) {
    refuse(file_name,
           "the file is truncated: it has " + std::to_string(size) + of + " bytes." + start_again);
  };
  if (header.size() < format::header_size)
    truncated("");
  format::Reader reader(header.substr(format::begin_mark.size()));
  if (reader.next<std::uint32_t>() != format::byte_order)
    refuse(file_name,
           "it was written on a machine with another byte order. Go on there, or start from the "
           "beginning.");
  const auto version = reader.next<std::uint32_t>();
  if (version != format::version)
    refuse(file_name,
           "its format has version " + std::to_string(version) + ", this program reads version " +
             std::to_string(format::version) +
             ". Go on with the strut that wrote it, or start from the beginning.");
  const auto expected = reader.next<std::uint64_t>();
  if (size < expected || size < format::header_size + format::trailer_size)
    truncated(" of " + std::to_string(expected));
  if (size > expected)
    refuse(file_name,
           "the file has " + std::to_string(size) + " bytes, more than the " +
             std::to_string(expected) + " that were written." + start_again);
}

std::string box_text(const std::array<double, 6> &box)
{
  char text[256];
  std::snprintf(text,
                sizeof(text),
                "[%.9g, %.9g] x [%.9g, %.9g] x [%.9g, %.9g]",
                box[0],
                box[3],
                box[1],
                box[4],
                box[2],
                box[5]);
  return text;
}
} // namespace

CheckpointFile small_parts_of(const CheckpointFile &file)
{
  CheckpointFile small;
  small.mesh                  = file.mesh;
  small.state.parameters      = file.state.parameters;
  small.state.history         = file.state.history;
  small.state.written_results = file.state.written_results;
  small.state.design.numbers  = file.state.design.numbers;
  return small;
}

std::string to_bytes(const CheckpointFile &file)
{
  const CheckpointState &state = file.state;
  format::Writer writer;

  // Once, not by doubling: the fields are most of the memory of rank 0.
  std::size_t n_numbers = 0;
  for (const auto *const fields :
       {&state.design.element_fields, &state.design.node_fields, &state.displacements})
    for (const std::vector<double> &field : *fields)
      n_numbers += field.size();
  writer.bytes.reserve(n_numbers * sizeof(double) + state.history.size() * sizeof(IterationRecord) +
                       state.parameters.size() * 128 + 4096);

  writer.bytes += format::begin_mark;
  writer(format::byte_order);
  writer(format::version);
  writer(std::uint64_t(0)); // the size, below
  writer(file);

  const std::uint64_t size = writer.bytes.size() + format::trailer_size;
  std::memcpy(writer.bytes.data() + format::header_size - sizeof(size), &size, sizeof(size));
  writer(format::checksum(writer.bytes));
  writer.bytes += format::end_mark;
  return std::move(writer.bytes);
}

CheckpointFile from_bytes(const std::string &file_name, const std::string_view bytes)
{
  check_header(file_name, bytes.substr(0, format::header_size), bytes.size());
  const std::string_view before_trailer = bytes.substr(0, bytes.size() - format::trailer_size);
  format::Reader trailer(bytes.substr(before_trailer.size()));
  try
    {
      if (trailer.next<std::uint64_t>() != format::checksum(before_trailer) ||
          bytes.substr(bytes.size() - format::end_mark.size()) != format::end_mark)
        throw format::Damaged();
      format::Reader contents(before_trailer.substr(format::header_size));
      const auto file = contents.next<CheckpointFile>();
      if (!contents.at_end())
        throw format::Damaged();
      return file;
    }
  catch (const format::Damaged &)
    {
      refuse(file_name,
             std::string("the file is damaged: its contents do not match its checksum.") +
               start_again);
    }
}

CheckpointFile read_checkpoint_file(const std::string &file_name)
{
  const auto unreadable = [&](const std::string &reason) {
    refuse(file_name,
           "cannot read it: " + reason +
             ". Name a checkpoint that an earlier run wrote, or start "
             "from the beginning.");
  };
  std::error_code error;
  if (std::filesystem::is_directory(file_name, error))
    unreadable("it is a folder");
  const std::uint64_t size = std::filesystem::file_size(file_name, error);
  if (error)
    unreadable(error.message());

  errno = 0;
  std::ifstream stream(file_name, std::ios::binary);
  if (!stream)
    unreadable(std::generic_category().message(errno));

  // The header first: a large file that is no checkpoint is not read.
  std::string bytes(std::min<std::uint64_t>(size, format::header_size), '\0');
  stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (stream)
    {
      check_header(file_name, bytes, size);
      const std::size_t n_header = bytes.size();
      bytes.resize(size);
      stream.read(bytes.data() + n_header, static_cast<std::streamsize>(size - n_header));
    }
  if (!stream)
    unreadable("it ended while it was read");

  CheckpointFile file = from_bytes(file_name, bytes);
  bool whole          = true;
  for (const std::vector<double> &field : file.state.design.element_fields)
    whole = whole && field.size() == file.mesh.n_elements;
  for (const std::vector<double> &displacement : file.state.displacements)
    whole = whole && displacement.size() == 3 * file.mesh.n_nodes;
  if (!whole)
    refuse(file_name,
           std::string("the sizes of its fields and of its mesh do not match.") + start_again);
  return file;
}

void compare_meshes(const std::string &file_name,
                    const format::MeshFingerprint &then,
                    const format::MeshFingerprint &now)
{
  const std::string advice = " Set the mesh in the deck back, or start from the beginning.";
  const auto counts        = [](const format::MeshFingerprint &mesh) {
    return std::to_string(mesh.n_elements) + " elements and " + std::to_string(mesh.n_nodes) +
           " nodes";
  };
  if (then.n_elements != now.n_elements || then.n_nodes != now.n_nodes)
    refuse(file_name,
           "its mesh has " + counts(then) + ", the deck makes one of " + counts(now) + "." +
             advice);
  if (then.cells != now.cells || then.nodes != now.nodes)
    refuse(file_name,
           "its mesh has as many elements and nodes as the one of the deck (" + counts(now) +
             "), but other cells: the coarse cells, their connections or the refinements differ." +
             advice);

  // Another partition adds up the volume in another order.
  double diagonal = 0;
  for (std::size_t d = 0; d < 3; ++d)
    diagonal = std::max(diagonal, now.box[d + 3] - now.box[d]);
  bool same = std::abs(then.volume - now.volume) <= 1e-9 * now.volume;
  for (std::size_t i = 0; i < 6; ++i)
    same = same && std::abs(then.box[i] - now.box[i]) <= 1e-9 * diagonal;
  if (!same)
    {
      char volumes[128];
      std::snprintf(
        volumes, sizeof(volumes), "its volume %.9g, now %.9g.", then.volume, now.volume);
      refuse(file_name,
             "its mesh has another shape. Its box was " + box_text(then.box) + ", is now " +
               box_text(now.box) + "; " + volumes + advice);
    }
}
} // namespace strut::plugin
