// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <libdeflate.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace strut
{
/// Compresses bytes for one thread. It keeps its tables, because making them for each block is
/// slow.
class Deflater
{
public:
  enum class Format
  {
    zlib,
    raw ///< without the header and trailer of zlib's format
  };

  /// @param level  from 0, without compression, to 12
  explicit Deflater(int level, Format format = Format::zlib);

  /// @return valid until the next call
  std::string_view operator()(std::string_view bytes);

private:
  struct Free
  {
    void operator()(libdeflate_compressor *const compressor) const
    {
      libdeflate_free_compressor(compressor);
    }
  };
  std::unique_ptr<libdeflate_compressor, Free> compressor_;
  Format format_;
  std::string packed_;
};

/// Restores what was compressed in zlib's format. @return whether that are exactly n bytes
bool inflate_to(char *place, std::size_t n, std::string_view packed);

/// The checksum of ZIP.
std::uint32_t crc32_of(std::string_view bytes);
} // namespace strut
