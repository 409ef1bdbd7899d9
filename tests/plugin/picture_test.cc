// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Pictures: visible elements, PNG files, and the pieces of a design that are drawn.
#include "plugin/deck/picture/drawing.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>

#include "plugin/deck/picture/structure_picture.h"
#include "plugin/deck/problem/element_places.h"

namespace strut
{
namespace
{
constexpr Colour red{{1.f, 0.f, 0.f}}, blue{{0.f, 0.f, 1.f}};

/// A square normal to x, at this x.
std::array<Point, 4> square(const double x, const double half)
{
  return {{{{x, -half, -half}}, {{x, half, -half}}, {{x, half, half}}, {{x, -half, half}}}};
}

class Picture : public testing::Test
{
protected:
  /// View from +x: y points right, z up; the box of +-1 fills the image except for its margin.
  Drawing drawing{100, 100, {0., 0.}, {{-1., -1., -1.}}, {{1., 1., 1.}}};

  Colour at(const std::size_t x, const std::size_t y) const
  {
    return drawing.image().pixels[100 * y + x];
  }
};

TEST_F(Picture, ShowsTheNearestFace)
{
  drawing.face(square(0.5, 0.4), blue, Drawing::Surface::opaque); // nearer, smaller, drawn first
  drawing.face(square(-0.5, 0.9), red, Drawing::Surface::opaque);
  const Colour middle = at(50, 50), beside = at(50, 20), outside = at(2, 2);
  EXPECT_GT(middle[2], 0.3f);
  EXPECT_EQ(middle[0], 0.f);
  EXPECT_GT(beside[0], 0.3f);
  EXPECT_EQ(beside[2], 0.f);
  EXPECT_EQ(outside, (Colour{{1.f, 1.f, 1.f}}));
}

TEST_F(Picture, ShowsWhatIsBehindAHalf)
{
  drawing.face(square(-0.5, 0.9), red, Drawing::Surface::opaque);
  const float whole = at(50, 50)[0];
  drawing.face(square(0.5, 0.4), blue, Drawing::Surface::half);
  EXPECT_NEAR(at(50, 50)[0],
              0.5f * whole,
              1e-6f); // every other pixel, and the image is half as fine
}

TEST_F(Picture, HasPlacesToScale)
{
  drawing.face(square(0., 0.5), red, Drawing::Surface::opaque);
  std::size_t n = 0;
  for (std::size_t x = 0; x < 100; ++x)
    n += at(x, 50)[2] == 0.f ? 1 : 0;
  // as the image is drawn with twice the resolution
  EXPECT_NEAR(static_cast<double>(n), 0.5 * drawing.scale(), 1.);
  drawing.spot({{1., 0.5, 0.}}, 3., blue);
  EXPECT_EQ(at(50 + static_cast<std::size_t>(std::lround(0.25 * drawing.scale())), 50), blue);
}

std::size_t number_at(const std::string &bytes, const std::size_t place)
{
  std::size_t number = 0;
  for (std::size_t i = 0; i < 4; ++i)
    number = number << 8 | static_cast<unsigned char>(bytes[place + i]);
  return number;
}

TEST(Png, HasThePixels)
{
  Image image(3, 2, red);
  image.pixels[4]       = {{0.2f, 1.5f, -1.f}}; // out of range: cut off
  const std::string png = to_png(image);
  EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  std::string contents;
  std::size_t n_chunks = 0;
  for (std::size_t place = 8; place < png.size(); ++n_chunks)
    {
      const std::size_t size = number_at(png, place);
      const std::string type = png.substr(place + 4, 4), data = png.substr(place + 8, size);
      EXPECT_EQ(number_at(png, place + 8 + size),
                crc32(0,
                      reinterpret_cast<const Bytef *>(&png[place + 4]),
                      static_cast<uInt>(size + 4)));
      if (type == "IHDR")
        {
          EXPECT_TRUE(number_at(data, 0) == 3 && number_at(data, 4) == 2 && data[8] == 8 &&
                      data[9] == 2);
        }
      if (type == "IDAT")
        {
          uLongf length = 2 * (1 + 3 * 3);
          contents.resize(length);
          ASSERT_EQ(uncompress(reinterpret_cast<Bytef *>(contents.data()),
                               &length,
                               reinterpret_cast<const Bytef *>(data.data()),
                               data.size()),
                    Z_OK);
          ASSERT_EQ(length, contents.size());
        }
      place += size + 12;
    }
  EXPECT_EQ(n_chunks, 3u);
  EXPECT_EQ(contents.substr(0, 4), std::string("\0\xff\0\0", 4));
  EXPECT_EQ(contents.substr(14, 3), std::string("\x33\xff\0", 3));
}

FaultyElements::Vertices unit_cube(const double x, const double y, const double z)
{
  FaultyElements::Vertices vertices;
  for (std::size_t v = 0; v < 8; ++v)
    vertices[v] = {{x + static_cast<double>(v & 1),
                    y + static_cast<double>(v >> 1 & 1),
                    z + static_cast<double>(v >> 2)}};
  return vertices;
}

TEST(Pieces, AreJoinedByFacesAlone)
{
  FaultyElements solid;
  solid.faulty     = {unit_cube(5, 0, 0),
                      unit_cube(0, 0, 0),
                      unit_cube(1, 0, 0),
                      unit_cube(1, 1, 0),
                      unit_cube(2, 2, 0)};
  solid.others     = {unit_cube(9, 9, 9)};
  const auto split = without_largest_piece(solid);
  EXPECT_EQ(split->others,
            (std::vector<FaultyElements::Vertices>{unit_cube(0, 0, 0),
                                                   unit_cube(1, 0, 0),
                                                   unit_cube(1, 1, 0)}));
  EXPECT_EQ(split->faulty,
            (std::vector<FaultyElements::Vertices>{unit_cube(5, 0, 0), unit_cube(2, 2, 0)}));
}
} // namespace
} // namespace strut
