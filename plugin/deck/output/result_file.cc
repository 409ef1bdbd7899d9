// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/result_file.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <new>
#include <set>
#include <utility>

#include "plugin/base/deflate.h"
#include "plugin/deck/output/array_names.h"
#include "plugin/deck/output/vtu_file.h"
#include "source/base/filled_vector.h"
#include "source/element/element_sizes.h"
#include "source/element/elements.h"

namespace strut
{
namespace
{
/// Largest overshoot of densities in results; such values are replaced by 0 or 1.
constexpr double most_beyond = 0.01;

/// Returns the first of n indices for which a condition does not hold, or n.
template <typename Holds>
std::size_t first_without(const int n_threads, const std::size_t n, const Holds &holds)
{
  return n - static_cast<std::size_t>(cpu::parallel_max(n_threads, n, [&](const std::size_t i) {
           return holds(i) ? 0. : static_cast<double>(n - i);
         }));
}

class VtuReader
{
public:
  VtuReader(const std::string &file_name, const int n_threads)
    : file_name_(file_name), n_threads_(n_threads)
  {
    std::ifstream file(file_name, std::ios::binary | std::ios::ate);
    if (!file)
      throw Error("The result " + file_name + " cannot be opened: " + std::strerror(errno) + ".");
    if (std::filesystem::is_directory(file_name))
      throw Error("The result " + file_name + " is a folder.\nName a .vtu file in it.");
    bytes_.resize(static_cast<std::size_t>(file.tellg()));
    file.seekg(0);
    file.read(bytes_.data(), static_cast<std::streamsize>(bytes_.size()));
    const std::string begin = "<AppendedData encoding=\"raw\">";
    const std::size_t place = bytes_.find(begin);
    data_                   = place == std::string::npos ? place : bytes_.find('_', place);
    if (data_ == std::string::npos || bytes_.find("<UnstructuredGrid>") > place ||
        bytes_.find("compressor=\"vtkZLibDataCompressor\"") > place ||
        bytes_.find("header_type=\"UInt64\"") > place ||
        bytes_.find("byte_order=\"LittleEndian\"") > place)
      fail(
        "it is no .vtu file with its arrays appended raw and compressed by zlib, as strut writes them");
    ++data_;
    head_ = bytes_.substr(0, place);
  }

  [[noreturn]] void fail(const std::string &reason) const
  {
    throw Error("The result " + file_name_ + " cannot be read: " + reason +
                ".\nTake a file that strut has written, <name of the deck>-0050.vtu.");
  }

  /// A number in the attributes of the piece.
  std::size_t count(const std::string &name) const
  {
    const std::size_t piece = head_.find("<Piece ");
    if (piece == std::string::npos || head_.find("<Piece ", piece + 1) != std::string::npos)
      fail("it has not exactly one piece");
    const std::size_t n =
      number(attribute(head_.substr(piece, head_.find('>', piece) - piece), name), name);
    // Local numbers have 32 bits. A compressed array has at least a thousandth of its bytes.
    if (n > std::numeric_limits<LocalIndex>::max() / 2 || n / 1000 > bytes_.size())
      fail("it has " + std::to_string(n) + " as " + name);
    return n;
  }

  bool has(const std::string &array) const
  {
    return head_.find("Name=\"" + array + '"') != std::string::npos;
  }

  /// VTK's name of the type of an array, such as Float32.
  std::string type_of(const std::string &array) const
  {
    return attribute(element_of(array), "type");
  }

  /// Reads the numbers of an array of any type. @param n  required number
  std::vector<double> read(const std::string &array, const std::size_t n) const
  {
    const std::string type = type_of(array);
    const std::vector<char> bytes =
      uncompressed(number(attribute(element_of(array), "offset"), "offset"), array, n);
    if (type == "Float32")
      return numbers<float>(bytes, n, array);
    if (type == "Float64")
      return numbers<double>(bytes, n, array);
    if (type == "Int8")
      return numbers<std::int8_t>(bytes, n, array);
    if (type == "UInt8")
      return numbers<std::uint8_t>(bytes, n, array);
    if (type == "Int32")
      return numbers<std::int32_t>(bytes, n, array);
    if (type == "Int64")
      return numbers<std::int64_t>(bytes, n, array);
    fail("its array '" + array + "' is of the type " + type);
  }

private:
  /// XML element of an array in the head.
  std::string element_of(const std::string &array) const
  {
    const std::size_t name = head_.find("Name=\"" + array + '"');
    if (name == std::string::npos)
      fail("it has no array '" + array + "'");
    const std::size_t begin = head_.rfind('<', name);
    return head_.substr(begin, head_.find('>', begin) - begin);
  }

  std::size_t number(const std::string &text, const std::string &name) const
  {
    if (text.empty() || text.size() > 18 ||
        text.find_first_not_of("0123456789") != std::string::npos)
      fail("its " + name + " is '" + text.substr(0, 40) + "', not a number");
    return std::stoull(text);
  }

  std::string attribute(const std::string &element, const std::string &name) const
  {
    const std::size_t begin = element.find(' ' + name + "=\"");
    if (begin == std::string::npos)
      fail("an element of its head has no '" + name + "'");
    const std::size_t first = begin + name.size() + 3;
    return element.substr(first, element.find('"', first) - first);
  }

  /// Decompresses an array. Its data begin with the number of blocks, the size of a block, and the
  /// size of the last one if it is shorter. The sizes of the compressed blocks and the blocks
  /// follow.
  std::vector<char> uncompressed(const std::size_t offset,
                                 const std::string &array,
                                 const std::size_t n_numbers) const
  {
    const auto damaged        = [&]() { fail("its array '" + array + "' is damaged"); };
    const std::size_t n_bytes = bytes_.size() - data_; // bytes of all arrays
    const auto at             = [&](const std::size_t i) {
      std::uint64_t number = 0;
      if (offset > n_bytes || i >= n_bytes / sizeof(number) ||
          offset + (i + 1) * sizeof(number) > n_bytes)
        damaged();
      std::memcpy(&number, bytes_.data() + data_ + offset + i * sizeof(number), sizeof(number));
      return static_cast<std::size_t>(number);
    };
    const std::size_t n_blocks = at(0), size = at(1), rest = at(2), most = 8 * n_numbers;
    if (n_blocks == 0 ? most > 0 : size == 0 || rest > size || n_blocks - 1 > most / size)
      damaged();
    const std::size_t n_whole =
      n_blocks == 0 ? 0 : (rest > 0 ? n_blocks - 1 : n_blocks) * size + rest;
    if (n_whole > most)
      damaged();
    at(2 + n_blocks); // checks that the sizes exist
    std::vector<std::size_t> places(n_blocks + 1);
    places[0] = offset + (3 + n_blocks) * sizeof(std::uint64_t);
    for (std::size_t block = 0; block < n_blocks; ++block)
      {
        const std::size_t packed = at(3 + block);
        if (packed > n_bytes - places[block])
          damaged();
        places[block + 1] = places[block] + packed;
      }
    std::vector<char> result = cpu::filled_vector<char>(n_threads_, n_whole);
    std::atomic<bool> has_memory{true};
    const auto inflates = [&](const std::size_t block) {
      const std::string_view packed(bytes_.data() + data_ + places[block],
                                    places[block + 1] - places[block]);
      try
        {
          return inflate_to(result.data() + block * size,
                            std::min(size, n_whole - block * size),
                            packed);
        }
      catch (const std::bad_alloc &) // Parts of a loop must not throw.
        {
          has_memory = false;
          return false;
        }
    };
    const bool is_whole = first_without(n_threads_, n_blocks, inflates) == n_blocks;
    if (!has_memory)
      throw std::bad_alloc();
    if (!is_whole)
      damaged();
    return result;
  }

  template <typename Number>
  std::vector<double>
  numbers(const std::vector<char> &bytes, const std::size_t n, const std::string &array) const
  {
    if (bytes.size() != n * sizeof(Number))
      fail("its array '" + array + "' has " + std::to_string(bytes.size() / sizeof(Number)) +
           " numbers, not " + std::to_string(n));
    std::vector<double> result = cpu::filled_vector<double>(n_threads_, n);
    cpu::parallel_for(n_threads_, n, [&](const std::size_t i) {
      Number number;
      std::memcpy(&number, bytes.data() + i * sizeof(Number), sizeof(Number));
      result[i] = static_cast<double>(number);
    });
    return result;
  }

  std::string file_name_, bytes_, head_;
  int n_threads_;
  std::size_t data_ = 0; ///< position where the arrays begin
};

/// Throws Error for points in single precision if the rounding is not small compared with a cell.
/// Earlier versions of strut wrote all points so.
void require_digits(const VtuReader &reader, const ElementMesh &mesh)
{
  double farthest = 0., volume = 0.;
  for (const double x : mesh.coordinates)
    farthest = std::max(farthest, std::abs(x));
  for (const double of_cell : mesh.volumes)
    volume += std::abs(of_cell);
  const double size =
    std::cbrt(volume / static_cast<double>(std::max<std::size_t>(mesh.n_elements, 1)));
  if (0.5 * static_cast<double>(std::numeric_limits<float>::epsilon()) * farthest > 0.02 * size)
    reader.fail(
      "its points are in single precision, which so far from the origin is too coarse for "
      "its cells. Earlier versions of strut wrote such files: run the deck again");
}
/// Returns the type of all cells of a file. Those of quadratic tetrahedra may be curved.
ElementType type_of_cells(const VtuReader &reader, const std::size_t n_cells, const int n_threads)
{
  const std::vector<double> numbers = reader.read("types", n_cells);
  const double first                = numbers.empty() ? vtu::cell_of({}).number : numbers.front();
  const auto is_first               = [&](const std::size_t i) { return numbers[i] == first; };
  if (const std::size_t i = first_without(n_threads, n_cells, is_first); i < n_cells)
    reader.fail("its cells are of VTK's types " + std::to_string(std::lround(first)) + " and " +
                std::to_string(std::lround(numbers[i])) + ", and all have to be of one");
  std::vector<ElementType> types = element_types();
  std::reverse(types.begin(), types.end());
  std::set<int> known;
  for (const ElementType &type : types)
    if (vtu::cell_of(type).number == first)
      return type == type_of<Hex20Irons>() ? type_of<Hex20>() : type;
    else
      known.insert(vtu::cell_of(type).number);
  std::string list;
  for (const int number : known)
    list += (list.empty() ? "" : ", ") + std::to_string(number);
  reader.fail("its cells are of VTK's type " + std::to_string(std::lround(first)) +
              ", and those that are read are " + list);
}
} // namespace

ResultFile read_result(const std::string &file_name, const int n_threads)
{
  const VtuReader reader(file_name, n_threads);
  ResultFile result;
  ElementMesh &mesh  = result.mesh;
  mesh.n_nodes       = reader.count("NumberOfPoints");
  mesh.n_owned_nodes = mesh.n_nodes;
  mesh.n_elements    = reader.count("NumberOfCells");
  if (reader.has(surface_alone))
    reader.fail(
      "it has the elements at the surface of its design alone, as with 'Output / Fields = surface'");
  if (!reader.has("density"))
    reader.fail("it has no cell data 'density'");
  const std::vector<double> points = reader.read("Points", 3 * mesh.n_nodes);
  mesh.coordinates                 = cpu::filled_vector<double>(n_threads, 3 * mesh.n_nodes);
  cpu::parallel_for(n_threads, points.size(), [&](const std::size_t i) {
    mesh.coordinates[i % 3 * mesh.n_nodes + i / 3] = points[i];
  });
  mesh.type                       = type_of_cells(reader, mesh.n_elements, n_threads);
  const std::size_t n             = mesh.type.n_nodes;
  const std::vector<double> nodes = reader.read("connectivity", n * mesh.n_elements);
  if (first_without(n_threads, nodes.size(), [&](const std::size_t i) {
        return nodes[i] >= 0. && nodes[i] < static_cast<double>(mesh.n_nodes);
      }) < nodes.size())
    reader.fail("a cell names a point that there is not");
  mesh.connectivity    = cpu::filled_vector<LocalIndex>(n_threads, n * mesh.n_elements);
  const vtu::Cell cell = vtu::cell_of(mesh.type);
  cpu::parallel_for(n_threads, nodes.size(), [&](const std::size_t i) {
    mesh.connectivity[cell.nodes[i % n] * mesh.n_elements + i / n] =
      static_cast<LocalIndex>(nodes[i]);
  });
  result.densities               = reader.read("density", mesh.n_elements);
  std::vector<double> &densities = result.densities;
  if (reader.has(density_steps))
    result.rounding = 0.5 / n_density_steps;
  if (const std::size_t e = first_without(n_threads,
                                          densities.size(),
                                          [&](const std::size_t e) {
                                            return densities[e] >= -most_beyond &&
                                                   densities[e] <= 1. + most_beyond;
                                          });
      e < densities.size())
    reader.fail("it has a density of " + std::to_string(densities[e]) +
                ", and they are from 0 to 1");
  cpu::parallel_for(n_threads, densities.size(), [&](const std::size_t e) {
    densities[e] = std::clamp(densities[e], 0., 1.);
  });
  mesh.flags.assign(mesh.n_elements, DesignFlag::design);
  if (reader.has("design_flag"))
    {
      const std::vector<double> flags = reader.read("design_flag", mesh.n_elements);
      if (const std::size_t e = first_without(n_threads,
                                              flags.size(),
                                              [&](const std::size_t e) {
                                                return flags[e] == 0. || flags[e] == 1. ||
                                                       flags[e] == 2.;
                                              });
          e < flags.size())
        reader.fail("it has a design_flag of " + std::to_string(flags[e]) +
                    ", and there are 0, 1 and 2");
      cpu::parallel_for(n_threads, flags.size(), [&](const std::size_t e) {
        mesh.flags[e] = static_cast<DesignFlag>(static_cast<int>(flags[e]));
      });
    }
  const std::size_t n_inverted = compute_volumes(mesh, n_threads);
  if (reader.type_of("Points") == "Float32")
    require_digits(reader, mesh);
  if (n_inverted > 0)
    reader.fail(std::to_string(n_inverted) + " of its cells are inside out");
  return result;
}
} // namespace strut
