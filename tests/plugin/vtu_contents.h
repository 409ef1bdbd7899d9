// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <zlib.h>

#include "tests/plugin/text_checks.h"

namespace strut
{
/// The densities that the tests of result files write.
inline double linear_density(const double x, const double y, const double z)
{
  return 0.5 + 0.02 * x + 0.03 * y - 0.04 * z;
}

/// A VTU file with appended raw data in blocks of zlib, read according to VTK's description of the
/// format.
class VtuFileContents
{
public:
  explicit VtuFileContents(std::string text) : text_(std::move(text))
  {
    const std::string begin = "<AppendedData encoding=\"raw\">\n_";
    data_                   = text_.find(begin);
    EXPECT_NE(data_, std::string::npos);
    head_ = text_.substr(0, data_);
    data_ += begin.size();
    n_points = std::stoul("0" + between(head_, "NumberOfPoints=\"", "\""));
    n_cells  = std::stoul("0" + between(head_, "NumberOfCells=\"", "\""));
  }

  /// The XML before the data.
  const std::string &head() const
  {
    return head_;
  }

  bool has(const std::string &name) const
  {
    return head_.find("Name=\"" + name + "\"") != std::string::npos;
  }

  /// @param type  VTK's name of T
  template <typename T>
  std::vector<T> array(const std::string &name, const std::string &type) const
  {
    const std::string line = between(head_, " Name=\"" + name + "\"", "/>");
    EXPECT_NE(head_.find("type=\"" + type + "\" Name=\"" + name + "\""), std::string::npos) << name;
    std::size_t at = data_ + std::stoul("0" + between(line, "offset=\"", "\""));

    const auto number = [&]() {
      std::uint64_t value = 0;
      std::memcpy(&value, &text_[at], sizeof(value));
      at += sizeof(value);
      return value;
    };
    const std::uint64_t n_blocks = number();
    const std::uint64_t size     = number();
    const std::uint64_t last     = number();
    std::vector<std::uint64_t> packed(n_blocks);
    for (std::uint64_t &n : packed)
      n = number();
    std::string bytes;
    for (std::uint64_t k = 0; k < n_blocks; ++k)
      {
        std::string block(k + 1 == n_blocks && last > 0 ? last : size, '\0');
        uLongf n = block.size();
        EXPECT_EQ(uncompress(reinterpret_cast<Bytef *>(block.data()),
                             &n,
                             reinterpret_cast<const Bytef *>(&text_[at]),
                             packed[k]),
                  Z_OK)
          << name;
        EXPECT_EQ(n, block.size()) << name;
        at += packed[k];
        bytes += block;
      }
    std::vector<T> values(bytes.size() / sizeof(T));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }

  std::vector<float> floats(const std::string &name) const
  {
    return array<float>(name, "Float32");
  }
  std::vector<std::int8_t> codes(const std::string &name) const
  {
    return array<std::int8_t>(name, "Int8");
  }

  /// The points of each cell.
  std::vector<std::array<std::int32_t, 8>> cells() const
  {
    const auto numbers = array<std::int32_t>("connectivity", "Int32");
    std::vector<std::array<std::int32_t, 8>> all(numbers.size() / 8);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      all[i / 8][i % 8] = numbers[i];
    return all;
  }

  /// Mean of the points of each cell.
  std::vector<std::array<double, 3>> centres() const
  {
    const auto points = floats("Points");
    std::vector<std::array<double, 3>> all;
    for (const auto &cell : cells())
      {
        all.push_back({});
        for (const std::int32_t point : cell)
          for (std::size_t d = 0; d < 3; ++d)
            all.back()[d] += points[3 * static_cast<std::size_t>(point) + d] / 8.;
      }
    return all;
  }

  std::size_t n_points = 0;
  std::size_t n_cells  = 0;

private:
  std::string text_;
  std::string head_;
  std::size_t data_ = 0; ///< position from which offsets count
};
} // namespace strut
