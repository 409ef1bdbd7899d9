// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/picture/image.h"

#include <strut/base/exceptions.h>

#include <zlib.h>

#include <algorithm>

namespace strut
{
namespace
{
/// Bytes of a number in big-endian order, as PNG requires.
std::string four_bytes(const std::size_t number)
{
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8)
    bytes.push_back(static_cast<char>(number >> shift & 0xff));
  return bytes;
}

std::string chunk(const std::string &type, const std::string &data)
{
  const std::string checked = type + data;
  return four_bytes(data.size()) + checked +
         four_bytes(crc32(0,
                          reinterpret_cast<const Bytef *>(checked.data()),
                          static_cast<uInt>(checked.size())));
}

std::string deflated(const std::string &bytes)
{
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string packed(size, '\0');
  if (compress(reinterpret_cast<Bytef *>(packed.data()),
               &size,
               reinterpret_cast<const Bytef *>(bytes.data()),
               static_cast<uLong>(bytes.size())) != Z_OK)
    throw Error("zlib has no memory for a picture.");
  packed.resize(size);
  return packed;
}
} // namespace

Image halved(const Image &image)
{
  Image half(image.width / 2, image.height / 2, {});
  for (std::size_t y = 0; y < half.height; ++y)
    for (std::size_t x = 0; x < half.width; ++x)
      for (std::size_t c = 0; c < 3; ++c)
        {
          const auto at = [&](const std::size_t i, const std::size_t j) {
            return image.pixels[(2 * y + j) * image.width + 2 * x + i][c];
          };
          half.pixels[y * half.width + x][c] = 0.25f * (at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1));
        }
  return half;
}

Image beside_each_other(const Image &left, const Image &right)
{
  Image both(left.width + right.width, left.height, {});
  for (std::size_t y = 0; y < both.height; ++y)
    for (std::size_t x = 0; x < both.width; ++x)
      both.pixels[y * both.width + x] = x < left.width
                                          ? left.pixels[y * left.width + x]
                                          : right.pixels[y * right.width + x - left.width];
  return both;
}

std::string to_png(const Image &image)
{
  constexpr char eight_bits = 8, red_green_blue = 2, no_filter = 0;
  std::string rows;
  for (std::size_t y = 0; y < image.height; ++y)
    {
      rows.push_back(no_filter); // areas of one colour compress better without a filter
      for (std::size_t x = 0; x < image.width; ++x)
        for (const float value : image.pixels[y * image.width + x])
          rows.push_back(static_cast<char>(
            static_cast<unsigned char>(255.f * std::clamp(value, 0.f, 1.f) + 0.5f)));
    }
  return "\x89PNG\r\n\x1a\n" +
         chunk("IHDR",
               four_bytes(image.width) + four_bytes(image.height) +
                 std::string{eight_bits, red_green_blue, 0, 0, 0}) +
         chunk("IDAT", deflated(rows)) + chunk("IEND", "");
}
} // namespace strut
