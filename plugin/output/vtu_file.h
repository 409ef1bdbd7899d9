// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace strut::plugin
{
/// An array of a VTU file: this rank's part of it. In the file the parts follow each other by rank.
struct VtuArray
{
  std::string name;
  std::string type; ///< VTK's word: Float32, Int8, ...
  unsigned int n_components = 1;
  std::function<std::string()> bytes; ///< called when it is written: one array at a time is there
};

/// The array of `n_components * n` numbers `value(i)`.
template <typename Number, typename Value>
VtuArray
make_vtu_array(std::string name, const unsigned int n_components, const std::size_t n, Value value);

/// A mesh of hexahedra with fields.
struct VtuContents
{
  /// Lines for those who open the file in an editor.
  std::vector<std::string> remarks;
  /// One number each, of the whole file ("field data").
  std::vector<std::pair<std::string, double>> numbers;

  std::uint64_t n_points = 0; ///< of all ranks
  std::uint64_t n_cells  = 0; ///< of all ranks
  VtuArray points;            ///< three components
  /// Eight points per cell, numbered over all ranks, in the order of VTK_HEXAHEDRON.
  VtuArray connectivity;
  std::vector<VtuArray> point_data;
  std::vector<VtuArray> cell_data;
};

/// Write one file for all ranks: one piece, the arrays appended raw, in blocks of zlib. Beside its
/// name, and renamed. Collective; if that fails, every rank throws the same Error.
void write_vtu(MPI_Comm communicator, const std::string &file_name, const VtuContents &contents);

// ---------------------------------------------------------------------------------------------

namespace vtu
{
/// VTK's word for a type of numbers.
template <typename Number>
constexpr const char *type_name()
{
  if (std::is_same_v<Number, float>)
    return "Float32";
  static_assert(std::is_same_v<Number, float> || std::is_integral_v<Number>);
  if (sizeof(Number) == 1)
    return std::is_signed_v<Number> ? "Int8" : "UInt8";
  return sizeof(Number) == 4 ? "Int32" : "Int64";
}
} // namespace vtu

template <typename Number, typename Value>
VtuArray
make_vtu_array(std::string name, const unsigned int n_components, const std::size_t n, Value value)
{
  return {std::move(name), vtu::type_name<Number>(), n_components, [=]() {
            std::string bytes(n_components * n * sizeof(Number), '\0');
            auto *const numbers = reinterpret_cast<Number *>(bytes.data());
#pragma omp parallel for schedule(static)
            for (std::size_t i = 0; i < n_components * n; ++i)
              numbers[i] = static_cast<Number>(value(i));
            return bytes;
          }};
}
} // namespace strut::plugin
