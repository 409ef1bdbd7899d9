// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace strut::plugin
{
/// The file of a checkpoint, from its first byte to its last. Numbers as the machine holds them.
///
///     8 bytes   "strutchk"
///     u32       byte_order     0x01020304; another value: written on a machine of other byte order
///     u32       version        these 16 bytes stay where they are in every version
///     u64       size of the file
///               contents: MeshFingerprint, parameters, history, written results, fields
///     u64       checksum of all before
///     8 bytes   "endofchk"
namespace checkpoint_format
{
constexpr std::string_view begin_mark = "strutchk";
constexpr std::string_view end_mark   = "endofchk";
constexpr std::uint32_t byte_order    = 0x01020304;
constexpr std::uint32_t version       = 2;
constexpr std::size_t header_size     = 24;
constexpr std::size_t trailer_size    = 16;

/// What tells one mesh from another, the same for every partition up to rounding.
struct MeshFingerprint
{
  std::uint64_t n_elements = 0;
  std::uint64_t n_nodes    = 0;
  std::uint64_t cells      = 0; ///< made of all cell keys
  std::uint64_t nodes      = 0; ///< made of all node keys
  std::array<double, 6> box{};  ///< least and greatest coordinates
  double volume = 0;
};

/// FNV-1a by words of eight bytes; the last one filled with zeros.
inline std::uint64_t checksum(std::string_view bytes)
{
  std::uint64_t sum = 1469598103934665603ULL;
  while (!bytes.empty())
    {
      std::uint64_t word  = 0;
      const std::size_t n = bytes.size() < sizeof(word) ? bytes.size() : sizeof(word);
      std::memcpy(&word, bytes.data(), n);
      sum = (sum ^ word) * 1099511628211ULL;
      bytes.remove_prefix(n);
    }
  return sum;
}

/// Appends numbers, texts and lists to the bytes of a file.
class Writer
{
public:
  template <typename T>
  void number(const T value)
  {
    static_assert(std::is_arithmetic_v<T>);
    bytes.append(reinterpret_cast<const char *>(&value), sizeof(T));
  }
  void text(const std::string &value)
  {
    number(std::uint64_t(value.size()));
    bytes += value;
  }
  void doubles(const std::vector<double> &values)
  {
    bytes.append(reinterpret_cast<const char *>(values.data()), values.size() * sizeof(double));
  }

  std::string bytes;
};

/// The contents ended early, or a count in them is larger than what follows.
class Damaged : public std::runtime_error
{
public:
  Damaged() : std::runtime_error("damaged")
  {}
};

/// Takes them out again. Throws Damaged rather than read beyond the end; allocates nothing that is
/// larger than the bytes that are left.
class Reader
{
public:
  explicit Reader(const std::string_view bytes) : bytes_(bytes)
  {}

  template <typename T>
  T number()
  {
    static_assert(std::is_arithmetic_v<T>);
    T value;
    std::memcpy(&value, take(1, sizeof(T)), sizeof(T));
    return value;
  }
  std::string text()
  {
    const auto length = number<std::uint64_t>();
    return std::string(take(length, 1), length);
  }
  std::vector<double> doubles(const std::uint64_t n)
  {
    const char *const source = take(n, sizeof(double));
    std::vector<double> values(n);
    if (n > 0)
      std::memcpy(values.data(), source, n * sizeof(double));
    return values;
  }
  /// The number of entries of a list, each of which takes `least_size` bytes or more.
  std::uint64_t count(const std::size_t least_size)
  {
    const auto n = number<std::uint64_t>();
    if (n > bytes_.size() / least_size)
      throw Damaged();
    return n;
  }
  bool at_end() const
  {
    return bytes_.empty();
  }

private:
  const char *take(const std::uint64_t n, const std::size_t size)
  {
    if (n > bytes_.size() / size)
      throw Damaged();
    const char *const source = bytes_.data();
    bytes_.remove_prefix(n * size);
    return source;
  }

  std::string_view bytes_;
};
} // namespace checkpoint_format
} // namespace strut::plugin
