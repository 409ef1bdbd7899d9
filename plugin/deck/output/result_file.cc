// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/result_file.h"

#include <strut/base/exceptions.h>

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <utility>

#include "plugin/deck/output/vtu_file.h"
#include "source/element/element_volumes.h"

namespace strut::plugin
{
namespace
{
class VtuReader
{
public:
  explicit VtuReader(const std::string &file_name) : file_name_(file_name)
  {
    std::ifstream file(file_name, std::ios::binary | std::ios::ate);
    if (!file)
      throw Error("The result " + file_name + " cannot be opened: " + std::strerror(errno) + ".");
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

  /// A number of the piece.
  std::size_t count(const std::string &name) const
  {
    const std::size_t piece = head_.find("<Piece ");
    if (piece == std::string::npos || head_.find("<Piece ", piece + 1) != std::string::npos)
      fail("it has not exactly one piece");
    return std::stoull(attribute(head_.substr(piece, head_.find('>', piece) - piece), name));
  }

  bool has(const std::string &array) const
  {
    return head_.find("Name=\"" + array + '"') != std::string::npos;
  }

  /// The numbers of an array, whatever their type is. @param n  how many there have to be
  std::vector<double> read(const std::string &array, const std::size_t n) const
  {
    const std::size_t name = head_.find("Name=\"" + array + '"');
    if (name == std::string::npos)
      fail("it has no array '" + array + "'");
    const std::size_t begin   = head_.rfind('<', name);
    const std::string element = head_.substr(begin, head_.find('>', begin) - begin);
    const std::string type    = attribute(element, "type");
    const std::string bytes   = uncompressed(std::stoull(attribute(element, "offset")), array);
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
  std::string attribute(const std::string &element, const std::string &name) const
  {
    const std::size_t begin = element.find(' ' + name + "=\"");
    if (begin == std::string::npos)
      fail("an element of its head has no '" + name + "'");
    const std::size_t first = begin + name.size() + 3;
    return element.substr(first, element.find('"', first) - first);
  }

  /// Number of blocks, size of a block, size of the last one if it is shorter, sizes of the compressed blocks; these.
  std::string uncompressed(const std::size_t offset, const std::string &array) const
  {
    const auto at = [&](const std::size_t i) {
      std::uint64_t number    = 0;
      const std::size_t place = data_ + offset + i * sizeof(number);
      if (place + sizeof(number) > bytes_.size())
        fail("it ends before its array '" + array + "' does");
      std::memcpy(&number, bytes_.data() + place, sizeof(number));
      return static_cast<std::size_t>(number);
    };
    const std::size_t n_blocks = at(0), size = at(1), rest = at(2);
    if (n_blocks > bytes_.size() || size > (std::size_t(1) << 40))
      fail("its array '" + array + "' is damaged");
    std::string result(n_blocks == 0 ? 0 : (rest > 0 ? n_blocks - 1 : n_blocks) * size + rest,
                       '\0');
    std::size_t place = data_ + offset + (3 + n_blocks) * sizeof(std::uint64_t), filled = 0;
    for (std::size_t block = 0; block < n_blocks; ++block)
      {
        const std::size_t packed = at(3 + block);
        uLongf n                 = static_cast<uLongf>(std::min(size, result.size() - filled));
        if (place + packed > bytes_.size() ||
            uncompress(reinterpret_cast<Bytef *>(result.data() + filled),
                       &n,
                       reinterpret_cast<const Bytef *>(bytes_.data() + place),
                       static_cast<uLong>(packed)) != Z_OK)
          fail("its array '" + array + "' is damaged");
        filled += n;
        place += packed;
      }
    return result;
  }

  template <typename Number>
  std::vector<double>
  numbers(const std::string &bytes, const std::size_t n, const std::string &array) const
  {
    if (bytes.size() != n * sizeof(Number))
      fail("its array '" + array + "' has " + std::to_string(bytes.size() / sizeof(Number)) +
           " numbers, not " + std::to_string(n));
    std::vector<double> result(n);
    for (std::size_t i = 0; i < n; ++i)
      {
        Number number;
        std::memcpy(&number, bytes.data() + i * sizeof(Number), sizeof(Number));
        result[i] = static_cast<double>(number);
      }
    return result;
  }

  std::string file_name_, bytes_, head_;
  std::size_t data_ = 0; ///< where the arrays begin
};
} // namespace

ResultFile read_result(const std::string &file_name, const int n_threads)
{
  const VtuReader reader(file_name);
  ResultFile result;
  ElementMesh &mesh  = result.mesh;
  mesh.n_nodes       = reader.count("NumberOfPoints");
  mesh.n_owned_nodes = mesh.n_nodes;
  mesh.n_elements    = reader.count("NumberOfCells");
  if (!reader.has("density"))
    reader.fail("it has no cell data 'density'");
  const std::vector<double> points = reader.read("Points", 3 * mesh.n_nodes);
  mesh.coordinates.resize(3 * mesh.n_nodes);
  for (std::size_t i = 0; i < points.size(); ++i)
    mesh.coordinates[i % 3 * mesh.n_nodes + i / 3] = points[i];
  const std::vector<double> nodes = reader.read("connectivity", 8 * mesh.n_elements);
  mesh.connectivity.resize(8 * mesh.n_elements);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    {
      if (nodes[i] < 0. || nodes[i] >= static_cast<double>(mesh.n_nodes))
        reader.fail("a cell names a point that there is not");
      mesh.connectivity[vtu::vertex_of_hexahedron[i % 8] * mesh.n_elements + i / 8] =
        static_cast<LocalIndex>(nodes[i]);
    }
  result.densities = reader.read("density", mesh.n_elements);
  mesh.flags.assign(mesh.n_elements, DesignFlag::design);
  if (reader.has("design_flag"))
    {
      const std::vector<double> flags = reader.read("design_flag", mesh.n_elements);
      for (std::size_t e = 0; e < mesh.n_elements; ++e)
        mesh.flags[e] = static_cast<DesignFlag>(static_cast<int>(flags[e]));
    }
  if (const std::size_t n = compute_volumes(mesh, n_threads); n > 0)
    reader.fail(std::to_string(n) + " of its cells are inside out");
  return result;
}
} // namespace strut::plugin
