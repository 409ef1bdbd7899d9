// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/base/zip_archive.h"

#include <strut/base/exceptions.h>

#include <zlib.h>

#include <limits>

namespace strut
{
namespace
{
constexpr std::uint16_t stored = 0, deflated = 8, version = 20, utf8 = 1 << 11;
constexpr std::uint16_t first_date = 1 << 5 | 1; // 1 January 1980

/// Appends a number in little-endian order on any machine.
template <typename Number>
void put(std::string &bytes, const Number number)
{
  for (std::size_t i = 0; i < sizeof(Number); ++i)
    bytes.push_back(static_cast<char>(number >> 8 * i & 0xff));
}

/// Compresses without the header and trailer of zlib's format.
std::string deflate_raw(const std::string_view contents)
{
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) !=
      Z_OK)
    throw Error("zlib has no memory for a ZIP archive.");
  std::string bytes(deflateBound(&stream, static_cast<uLong>(contents.size())), '\0');
  stream.next_in   = reinterpret_cast<Bytef *>(const_cast<char *>(contents.data()));
  stream.avail_in  = static_cast<uInt>(contents.size());
  stream.next_out  = reinterpret_cast<Bytef *>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  deflate(&stream, Z_FINISH);
  bytes.resize(stream.total_out);
  deflateEnd(&stream);
  return bytes;
}
} // namespace

void ZipArchive::add(const std::string &name, const std::string_view contents)
{
  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
  // deflateBound() adds a little to incompressible data
  if (members_.size() + directory_.size() + name.size() + 100 > most - contents.size() / 1000 ||
      contents.size() >
        most - members_.size() - directory_.size() - name.size() - 100 - contents.size() / 1000)
    throw Error("The ZIP archive would have more than 4 GB with " + name + ", of " +
                std::to_string(contents.size()) + " bytes.");
  std::string packed   = deflate_raw(contents);
  const bool is_packed = packed.size() < contents.size();
  if (!is_packed)
    packed = contents;
  const auto checksum = static_cast<std::uint32_t>(
    crc32(0, reinterpret_cast<const Bytef *>(contents.data()), static_cast<uInt>(contents.size())));

  std::string facts; // attributes of the member, the same in its header and in the directory
  put(facts, version);
  put(facts, utf8);
  put(facts, is_packed ? deflated : stored);
  put(facts, std::uint16_t(0)); // midnight
  put(facts, first_date);
  put(facts, checksum);
  put(facts, static_cast<std::uint32_t>(packed.size()));
  put(facts, static_cast<std::uint32_t>(contents.size()));
  put(facts, static_cast<std::uint16_t>(name.size()));
  put(facts, std::uint16_t(0)); // no extra field

  directory_ += "PK\1\2";
  put(directory_, version);
  directory_ += facts;
  directory_.append(10, '\0'); // comment, disk, attributes
  put(directory_, static_cast<std::uint32_t>(members_.size()));
  directory_ += name;

  members_ += "PK\3\4" + facts + name + packed;
  ++n_members_;
}

std::string ZipArchive::bytes() const
{
  std::string end = "PK\5\6";
  end.append(4, '\0'); // one disk
  put(end, n_members_);
  put(end, n_members_);
  put(end, static_cast<std::uint32_t>(directory_.size()));
  put(end, static_cast<std::uint32_t>(members_.size()));
  put(end, std::uint16_t(0)); // no comment
  return members_ + directory_ + end;
}
} // namespace strut
