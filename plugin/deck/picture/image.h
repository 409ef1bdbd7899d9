// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace strut
{
/// Red, green and blue, from 0 to 1.
using Colour = std::array<float, 3>;

/// An image as rows of pixels, from top to bottom.
struct Image
{
  Image(std::size_t width, std::size_t height, const Colour &background)
    : width(width), height(height), pixels(width * height, background)
  {}

  std::size_t width, height;
  std::vector<Colour> pixels; ///< `[height][width]`
};

/// Returns the image with means of 2 x 2 pixels. @param image  of even width and height
Image halved(const Image &image);

/// Joins two images of the same height side by side.
Image beside_each_other(const Image &left, const Image &right);

/// Returns a PNG file (ISO 15948) with eight bits for each colour.
std::string to_png(const Image &image);
} // namespace strut
