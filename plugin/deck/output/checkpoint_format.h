// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace strut
{
/// The file of a checkpoint, from its first byte to its last. Numbers are in the machine's format.
///
///     8 bytes   "strutchk"
///     u32       byte_order     0x01020304; another value: machine of other byte order
///     u32       version        these 16 bytes keep their place in every version
///     u64       size of the file
///     u64       position where the small parts begin
///               the fields, one after the other, by kind: see Kind. They are in the order of the
///               elements of all ranks along the curve, and of their nodes by first use. This
///               order does not depend on the number of ranks
///               the small parts: MeshFingerprint, parameters, history, ..., the sums of the
///               fields, the ranges of the multiples, and the unit of each range of each field
///     u64       checksum of the header and the small parts
///     8 bytes   "endofchk"
namespace checkpoint_format
{
constexpr std::string_view begin_mark = "strutchk";
constexpr std::string_view end_mark   = "endofchk";
constexpr std::uint32_t byte_order    = 0x01020304;
constexpr std::uint32_t version       = 8;
constexpr std::size_t header_size     = 32;
constexpr std::size_t trailer_size    = 16;

/// The kinds of fields, in the order of the file. Those of the design are of DesignState.
enum Kind : std::size_t
{
  of_elements,          ///< fields of the design, `[n_elements]` doubles
  of_nodes,             ///< fields of the design, `[n_nodes]` doubles
  vectors,              ///< vectors of the design, `[3 * n_nodes]` doubles
  displacements,        ///< `[3 * n_nodes]` doubles
  packed_vectors,       ///< vectors of the design, `[3 * n_nodes]` multiples, i32
  displacements_before, ///< `[3 * n_nodes]` multiples, i32
  n_kinds
};

/// Numbers of a field, of so many elements and nodes.
constexpr std::uint64_t
size_of(const std::size_t kind, const std::uint64_t n_elements, const std::uint64_t n_nodes)
{
  return kind == of_elements ? n_elements : kind == of_nodes ? n_nodes : 3 * n_nodes;
}

/// Bytes of a number of a field.
constexpr std::size_t bytes_of(const std::size_t kind)
{
  return kind < packed_vectors ? sizeof(double) : sizeof(std::int32_t);
}

/// Numbers that distinguish meshes; equal for every partition up to rounding.
struct MeshFingerprint
{
  std::uint64_t n_elements = 0;
  std::uint64_t n_nodes    = 0;
  std::uint64_t cells      = 0; ///< sum of mixed() of all cell keys
  std::uint64_t nodes      = 0; ///< sum of mixed() of the numbers of all vertices
  std::array<double, 6> box{};  ///< minimal and maximal coordinates
  double volume = 0;
};

/// Part of the fields on this rank: a range of the elements of all ranks, and a range of their
/// nodes.
struct CheckpointPart
{
  std::uint64_t first_element = 0, first_node = 0, n_elements = 0, n_nodes = 0;

  /// Position where the part begins in a field of this kind. size() is the number of its values.
  std::uint64_t begin(const std::size_t kind) const
  {
    return size_of(kind, first_element, first_node);
  }
  std::size_t size(const std::size_t kind) const
  {
    return size_of(kind, n_elements, n_nodes);
  }
};

/// FNV-1a with words of eight bytes; the last word is padded with zeros.
inline std::uint64_t checksum(std::string_view bytes, std::uint64_t sum = 1469598103934665603ULL)
{
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

/// Hash of a word and its position in a list, by the final mix of MurmurHash3, which is bijective.
/// A sum of these is a checksum that ranks can add up, each over its part.
inline std::uint64_t mixed(const std::uint64_t place, const std::uint64_t word)
{
  std::uint64_t x = word + 0x9e3779b97f4a7c15ULL * (place + 1);
  x               = (x ^ x >> 33) * 0xff51afd7ed558ccdULL;
  x               = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53ULL;
  return x ^ x >> 33;
}

/// The checksum of a part of a field. @param begin  position of the part in the field
template <typename Number>
std::uint64_t sum_of(const Number *const values, const std::size_t n, const std::uint64_t begin)
{
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < n; ++i)
    {
      std::uint64_t word = 0;
      std::memcpy(&word, values + i, sizeof(Number));
      sum += mixed(begin + i, word);
    }
  return sum;
}

/// Appends values to the bytes of a file: numbers, texts, lists of either, and types with a
/// transfer().
class Writer
{
public:
  template <typename T>
  void operator()(const T &value)
  {
    if constexpr (std::is_arithmetic_v<T>)
      bytes.append(reinterpret_cast<const char *>(&value), sizeof(T));
    // Only a Reader changes the value.
    else
      transfer(*this, const_cast<T &>(value));
  }
  template <typename T>
  void operator()(const std::vector<T> &values)
  {
    (*this)(std::uint64_t(values.size()));
    if constexpr (std::is_arithmetic_v<T>)
      bytes.append(reinterpret_cast<const char *>(values.data()), values.size() * sizeof(T));
    else
      for (const T &value : values)
        (*this)(value);
  }
  void operator()(const std::string &text)
  {
    (*this)(std::uint64_t(text.size()));
    bytes += text;
  }

  std::string bytes;
};

/// Thrown if the contents end early, or a count in them is larger than the rest.
class Damaged : public std::runtime_error
{
public:
  Damaged() : std::runtime_error("damaged")
  {}
};

/// Reads values from bytes. Throws Damaged instead of reading beyond the end. Allocates nothing
/// larger than the remaining bytes.
class Reader
{
public:
  explicit Reader(const std::string_view bytes) : bytes_(bytes)
  {}

  template <typename T>
  void operator()(T &value)
  {
    if constexpr (std::is_arithmetic_v<T>)
      std::memcpy(&value, take(1, sizeof(T)), sizeof(T));
    else
      transfer(*this, value);
  }
  template <typename T>
  void operator()(std::vector<T> &values)
  {
    const auto n = next<std::uint64_t>();
    if constexpr (std::is_arithmetic_v<T>)
      {
        const char *const source = take(n, sizeof(T));
        values.resize(n);
        std::copy_n(source, n * sizeof(T), reinterpret_cast<char *>(values.data()));
      }
    else
      for (std::uint64_t i = 0; i < n;
           ++i) // each element takes some bytes; without them the list ends
        (*this)(values.emplace_back());
  }
  void operator()(std::string &text)
  {
    const auto length = next<std::uint64_t>();
    text.assign(take(length, 1), length);
  }

  template <typename T>
  T next()
  {
    T value{};
    (*this)(value);
    return value;
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
} // namespace strut
