// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace strut::plugin
{
/// Red, green and blue, from 0 to 1.
using Colour = std::array<float, 3>;

/// Rows of pixels, the highest one first.
struct Image
{
  Image(std::size_t width, std::size_t height, const Colour &background)
    : width(width), height(height), pixels(width * height, background)
  {}

  std::size_t width, height;
  std::vector<Colour> pixels; ///< `[height][width]`
};

/// Each pixel is the mean of 2 x 2. @param image  of even width and height
Image halved(const Image &image);

/// The images side by side, all of one height.
Image beside_each_other(const Image &left, const Image &right);

/// A file of PNG (ISO 15948), eight bits for each colour.
std::string to_png(const Image &image);
} // namespace strut::plugin
