// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/checkpoint_file.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace strut
{
namespace format = checkpoint_format;

// The contents of the file in order. The archive is a Writer or a Reader.
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
  archive(record.adjoint_residual);
}

template <typename Archive>
void transfer(Archive &archive, CheckpointHead &head)
{
  archive(head.mesh);
  archive(head.state.parameters);
  archive(head.state.history);
  archive(head.state.written_results);
  archive(head.state.design.numbers);
  for (std::uint64_t &n : head.n_fields)
    archive(n);
  archive(head.sums);
  archive(head.ends_of_ranges);
  archive(head.units);
}
} // namespace checkpoint_format

namespace
{
constexpr const char *start_again =
  "Take a copy of it if there is one, or start from the beginning.";

/// Throws Error for a checkpoint from which no run can resume.
/// @param finding  a sentence
/// @param advice  a separate line, which is left out if the run resumes from another checkpoint
[[noreturn]] void refuse(const std::string &file_name,
                         const std::string &finding,
                         const std::string &advice = start_again)
{
  throw Error("Cannot go on from the checkpoint \"" + file_name + "\": " + finding + "\n  " +
              advice);
}

/// Checks in the first bytes that this is a complete checkpoint of the present version.
void check_header(const std::string &file_name,
                  const std::string_view header,
                  const std::uint64_t size)
{
  const std::size_t n_mark = std::min(header.size(), format::begin_mark.size());
  if (size == 0)
    refuse(file_name, "the file is empty.");
  if (header.substr(0, n_mark) != format::begin_mark.substr(0, n_mark))
    refuse(file_name,
           "this is no checkpoint of strut.",
           "Name the file that an earlier run wrote, or start from the beginning.");

  const auto truncated = [&](const std::string &of) {
    refuse(file_name, "the file is truncated: it has " + std::to_string(size) + of + " bytes.");
  };
  if (header.size() < format::header_size)
    truncated("");
  format::Reader reader(header.substr(format::begin_mark.size()));
  if (reader.next<std::uint32_t>() != format::byte_order)
    refuse(file_name,
           "it was written on a machine with another byte order.",
           "Go on there, or start from the beginning.");
  const auto version = reader.next<std::uint32_t>();
  if (version != format::version)
    refuse(file_name,
           "its format has version " + std::to_string(version) + ", this program reads version " +
             std::to_string(format::version) + ".",
           "Go on with the strut that wrote it, or start from the beginning.");
  const auto expected = reader.next<std::uint64_t>();
  if (size < expected || size < format::header_size + format::trailer_size)
    truncated(" of " + std::to_string(expected));
  if (size > expected)
    refuse(file_name,
           "the file has " + std::to_string(size) + " bytes, more than the " +
             std::to_string(expected) + " that were written.");
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

std::string small_parts_of(const CheckpointHead &head)
{
  format::Writer writer;
  writer(head);
  return std::move(writer.bytes);
}

CheckpointEnds to_bytes(const CheckpointHead &head)
{
  format::Writer header, trailer;
  trailer.bytes                   = small_parts_of(head);
  const std::uint64_t small_parts = head.end_of_fields();
  header.bytes += format::begin_mark;
  header(format::byte_order);
  header(format::version);
  header(std::uint64_t(small_parts + trailer.bytes.size() + format::trailer_size));
  header(small_parts);
  trailer(format::checksum(trailer.bytes, format::checksum(header.bytes)));
  trailer.bytes += format::end_mark;
  return {std::move(header.bytes), std::move(trailer.bytes)};
}

void refuse_damaged(const std::string &file_name)
{
  refuse(file_name, "the file is damaged: its contents do not match its checksum.");
}

CheckpointHead head_from_bytes(const std::string &file_name, const std::string_view small_parts)
{
  try
    {
      format::Reader contents(small_parts);
      CheckpointHead head;
      contents(head);
      // Limits the counts so that their sums do not overflow.
      constexpr std::uint64_t most           = std::uint64_t(1) << 40;
      const std::vector<std::uint64_t> &ends = head.ends_of_ranges;
      if (!contents.at_end() || head.mesh.n_elements > most || head.mesh.n_nodes > most ||
          *std::max_element(head.n_fields.begin(), head.n_fields.end()) > head.sums.size() ||
          head.sums.size() != head.n_all_fields() ||
          head.units.size() != head.n_packed() * ends.size() ||
          !std::is_sorted(ends.begin(), ends.end()) ||
          (head.n_packed() > 0 &&
           (ends.empty() || ends.back() != head.size_of(format::packed_vectors))))
        throw format::Damaged();
      return head;
    }
  catch (const format::Damaged &)
    {
      // its checksum is correct
      refuse(
        file_name,
        "the file is damaged, or another strut wrote it: it has other contents than this program expects of its version.",
        "Go on with the strut that wrote it, or start from the beginning.");
    }
}

namespace
{
/// A checkpoint file that is open for reading.
class OpenFile
{
public:
  explicit OpenFile(const std::string &file_name) : file_name_(file_name)
  {
    std::error_code error;
    if (std::filesystem::is_directory(file_name, error))
      fail("it is a folder");
    size_ = std::filesystem::file_size(file_name, error);
    if (error)
      fail(error.message());
    errno = 0;
    stream_.open(file_name, std::ios::binary);
    if (!stream_)
      fail(std::generic_category().message(errno));
  }

  std::uint64_t size() const
  {
    return size_;
  }
  void read(const std::uint64_t position, char *const bytes, const std::size_t n)
  {
    stream_.seekg(static_cast<std::streamoff>(position));
    stream_.read(bytes, static_cast<std::streamsize>(n));
    if (!stream_)
      fail("it ended while it was read");
  }
  std::string read(const std::uint64_t position, const std::size_t n)
  {
    std::string bytes(n, '\0');
    read(position, bytes.data(), n);
    return bytes;
  }

private:
  [[noreturn]] void fail(const std::string &reason) const
  {
    refuse(file_name_,
           "cannot read it: " + reason + ".",
           "Name a checkpoint that an earlier run wrote, or start from the beginning.");
  }

  const std::string file_name_;
  std::uint64_t size_ = 0;
  std::ifstream stream_;
};
} // namespace

CheckpointHead read_checkpoint_head(const std::string &file_name)
{
  OpenFile file(file_name);
  const std::string header =
    file.read(0,
              static_cast<std::size_t>(std::min<std::uint64_t>(file.size(), format::header_size)));
  check_header(file_name, header, file.size());
  std::uint64_t begin = 0;
  std::memcpy(&begin, header.data() + format::header_size - sizeof(begin), sizeof(begin));
  const std::uint64_t end = file.size() - format::trailer_size;
  if (begin < format::header_size || begin > end)
    refuse_damaged(file_name);
  const std::string bytes = file.read(begin, static_cast<std::size_t>(file.size() - begin));
  const std::string_view small_parts(bytes.data(), static_cast<std::size_t>(end - begin));
  format::Reader trailer(std::string_view(bytes).substr(small_parts.size()));
  if (trailer.next<std::uint64_t>() != format::checksum(small_parts, format::checksum(header)) ||
      std::string_view(bytes).substr(bytes.size() - format::end_mark.size()) != format::end_mark)
    refuse_damaged(file_name);
  CheckpointHead head = head_from_bytes(file_name, small_parts);
  if (head.end_of_fields() != begin)
    refuse(file_name, "the sizes of its fields and of its mesh do not match.");
  return head;
}

void read_checkpoint_bytes(const std::string &file_name,
                           const std::uint64_t position,
                           char *const bytes,
                           const std::size_t n)
{
  OpenFile(file_name).read(position, bytes, n);
}

void compare_meshes(const std::string &file_name,
                    const format::MeshFingerprint &then,
                    const format::MeshFingerprint &now)
{
  const std::string advice = "Set the mesh in the deck back, or start from the beginning.";
  const auto counts        = [](const format::MeshFingerprint &mesh) {
    return std::to_string(mesh.n_elements) + " elements and " + std::to_string(mesh.n_nodes) +
           " nodes";
  };
  if (then.n_elements != now.n_elements || then.n_nodes != now.n_nodes)
    refuse(file_name,
           "its mesh has " + counts(then) + ", the deck makes one of " + counts(now) + ".",
           advice);
  if (then.cells != now.cells || then.nodes != now.nodes)
    refuse(file_name,
           "its mesh has as many elements and nodes as the one of the deck (" + counts(now) +
             "), but other cells: the coarse cells, their connections or the refinements differ.",
           advice);

  // Another partition adds the volumes in another order.
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
               box_text(now.box) + "; " + volumes,
             advice);
    }
}
} // namespace strut
