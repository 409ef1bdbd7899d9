// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/mesh/element_mesh.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "plugin/base/background_steps.h"
#include "plugin/deck/output/compressed_arrays.h"
#include "plugin/deck/output/compressed_bytes.h"

namespace strut
{
/// Array of a VTU file, with the part of this rank. In the file, the parts follow each other by
/// rank.
struct VtuArray
{
  std::string name;
  std::string type; ///< VTK's name: Float32, Int8, ...
  unsigned int n_components = 1;
  ByteSource bytes; ///< requested while the file is written
};

/// Makes an array of `n_components * n` numbers `value(i)`. Each is computed when it is written,
/// from several threads at a time. Objects that `value` refers to must live as long.
template <typename Number, typename Value>
VtuArray
make_vtu_array(std::string name, unsigned int n_components, std::size_t n, const Value &value);

/// A mesh of hexahedra with fields.
struct VtuContents
{
  /// Lines for readers of the file in an editor.
  std::vector<std::string> remarks;
  /// Single numbers of the whole file ("field data").
  std::vector<std::pair<std::string, double>> numbers;

  std::uint64_t n_points   = 0; ///< number over all ranks
  std::uint64_t n_cells    = 0; ///< number over all ranks
  std::uint64_t first_cell = 0; ///< first cell of this rank, and its number of cells
  std::size_t n_own_cells  = 0;
  /// Points with three components.
  VtuArray points;
  ElementType type; ///< type of the cells

  /// Points of the cells, numbered over all ranks, in VTK's order.
  VtuArray connectivity;
  std::vector<VtuArray> point_data;
  std::vector<VtuArray> cell_data;
  /// Arrays of the mesh from compressed_mesh(), after its compress(), if they were compressed
  /// before.
  std::shared_ptr<const CompressedArrays> compressed_mesh;
};

/// The arrays of the mesh, to compress them once for several files with the same mesh. Collective;
/// throws as CompressedArrays.
/// @param file_name  the scratch file is made beside this file
std::shared_ptr<CompressedArrays> compressed_mesh(const Communicator &communicator,
                                                  const VtuContents &contents,
                                                  const std::string &file_name);

/// The steps that write one file for all ranks: one piece, the arrays appended raw, in blocks of
/// zlib. The file has a temporary name until it is complete. Opens the file: collective; if that
/// fails, every rank throws the same Error.
/// @param afterwards  rank 0 calls it when the file has its name
BackgroundSteps::Steps vtu_steps(const Communicator &communicator,
                                 const std::string &file_name,
                                 VtuContents contents,
                                 int n_threads,
                                 std::function<void()> afterwards);

// ---------------------------------------------------------------------------------------------

namespace vtu
{
/// VTK's number of a type of cells, and the node at each place of its order.
struct Cell
{
  int number = 0;
  std::vector<std::size_t> nodes;
};
Cell cell_of(const ElementType &type);

/// VTK's name of a type of numbers.
template <typename Number>
constexpr const char *type_name()
{
  if (std::is_floating_point_v<Number>)
    return sizeof(Number) == 4 ? "Float32" : "Float64";
  static_assert(std::is_floating_point_v<Number> || std::is_integral_v<Number>);
  if (sizeof(Number) == 1)
    return std::is_signed_v<Number> ? "Int8" : "UInt8";
  return sizeof(Number) == 4 ? "Int32" : "Int64";
}
} // namespace vtu

template <typename Number, typename Value>
VtuArray make_vtu_array(std::string name,
                        const unsigned int n_components,
                        const std::size_t n,
                        const Value &value)
{
  // Blocks begin and end between numbers.
  const auto fill = [value](const std::size_t first, const std::size_t n_bytes, char *const place) {
    auto *const numbers     = reinterpret_cast<Number *>(place);
    const std::size_t begin = first / sizeof(Number);
    for (std::size_t i = 0; i < n_bytes / sizeof(Number); ++i)
      numbers[i] = static_cast<Number>(value(begin + i));
  };
  return {std::move(name),
          vtu::type_name<Number>(),
          n_components,
          {n_components * n * sizeof(Number), fill}};
}
} // namespace strut
