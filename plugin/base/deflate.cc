// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/base/deflate.h"

#include <new>
#include <stdexcept>

namespace strut
{
Deflater::Deflater(const int level, const Format format)
  : compressor_(libdeflate_alloc_compressor(level)), format_(format)
{
  if (compressor_ == nullptr)
    throw std::bad_alloc();
}

std::string_view Deflater::operator()(const std::string_view bytes)
{
  const bool is_raw   = format_ == Format::raw;
  const auto bound    = is_raw ? libdeflate_deflate_compress_bound : libdeflate_zlib_compress_bound;
  const auto compress = is_raw ? libdeflate_deflate_compress : libdeflate_zlib_compress;
  const std::size_t most = bound(compressor_.get(), bytes.size());
  if (packed_.size() < most)
    packed_.resize(most);
  const std::size_t n =
    compress(compressor_.get(), bytes.data(), bytes.size(), packed_.data(), packed_.size());
  if (n == 0) // the buffer is large enough
    throw std::logic_error("Deflater: bytes were not compressed");
  return std::string_view(packed_).substr(0, n);
}

bool inflate_to(char *const place, const std::size_t n, const std::string_view packed)
{
  const auto free = [](libdeflate_decompressor *const d) { libdeflate_free_decompressor(d); };
  const std::unique_ptr<libdeflate_decompressor, decltype(free)> decompressor(
    libdeflate_alloc_decompressor(), free);
  if (decompressor == nullptr)
    throw std::bad_alloc();
  return libdeflate_zlib_decompress(
           decompressor.get(), packed.data(), packed.size(), place, n, nullptr) ==
         LIBDEFLATE_SUCCESS;
}

std::uint32_t crc32_of(const std::string_view bytes)
{
  return libdeflate_crc32(0, bytes.data(), bytes.size());
}
} // namespace strut
