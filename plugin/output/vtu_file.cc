// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/output/vtu_file.h"

#include <deal.II/base/mpi.h>

#include <strut/base/exceptions.h>

#include "plugin/base/atomic_file.h"
#include "plugin/base/attempt.h"
#include "plugin/base/collective.h"
#include "plugin/output/compressed_bytes.h"

#include <cmath>
#include <limits>
#include <memory>
#include <sstream>

namespace strut::plugin
{
namespace
{
constexpr std::uint8_t vtk_hexahedron = 12;

/// Room for ` offset="..."` of any 64-bit number.
constexpr std::size_t offset_room = 32;

/// The text with the characters that XML allows in a comment, on one line.
std::string for_comment(std::string text)
{
  for (std::size_t i = 0; i < text.size(); ++i)
    {
      const auto c = static_cast<unsigned char>(text[i]);
      if (c < 32 || c > 126)
        text[i] = '?';
      else if (c == '-' && i > 0 && text[i - 1] == '-')
        text[i] = '_';
    }
  return text;
}

/// The sizes of the blocks of each rank, by rank; on rank 0.
using BlockSizes = std::vector<std::vector<std::uint64_t>>;

/// The file on rank 0, where everything is written; on the others nothing. The first error is kept
/// until all ranks can hear of it; later output is dropped.
class OneFile
{
public:
  OneFile(MPI_Comm communicator, const std::string &file_name) : communicator_(communicator)
  {
    if (dealii::Utilities::MPI::this_mpi_process(communicator) == 0)
      attempt([&] { file_ = std::make_unique<AtomicFile>(file_name); });
  }

  /// Rank 0's text.
  void append(const std::string &text)
  {
    if (file_)
      attempt([&] { file_->append(text); });
  }

  void overwrite(const std::uint64_t position, const std::string &text)
  {
    if (file_)
      attempt([&] { file_->overwrite(position, text); });
  }

  std::uint64_t size() const
  {
    return file_ ? file_->size() : 0;
  }

  /// The blocks of all ranks, one rank's after the other's.
  void append_together(const std::vector<std::string> &blocks, const BlockSizes &sizes)
  {
    const bool is_root = dealii::Utilities::MPI::this_mpi_process(communicator_) == 0;
    for (const std::string &block : blocks)
      if (is_root)
        append(block);
      else
        send_bytes(communicator_, 0, block.data(), block.size());
    for (std::size_t rank = 1; rank < sizes.size(); ++rank)
      for (const std::uint64_t size : sizes[rank])
        {
          std::string other(size, '\0');
          receive_bytes(communicator_, static_cast<int>(rank), other.data(), size);
          append(other);
        }
  }

  void commit()
  {
    if (file_)
      attempt([&] { file_->commit(); });
    on_root(communicator_, [&] {
      if (!message_.empty())
        throw Error(message_);
    });
  }

private:
  template <typename Action>
  void attempt(const Action &action)
  {
    try
      {
        action();
      }
    catch (const Error &error)
      {
        message_ = error.what();
        file_.reset();
      }
  }

  MPI_Comm communicator_;
  std::unique_ptr<AtomicFile> file_;
  std::string message_;
};

/// One array as VTK reads it: number of blocks, their size, that of the last one if it is shorter,
/// their sizes after compression; then the blocks.
void append_array(MPI_Comm communicator, const VtuArray &array, OneFile &file)
{
  const CompressedBytes bytes(communicator, array.bytes());
  std::vector<std::uint64_t> mine;
  for (const std::string &block : bytes.blocks())
    mine.push_back(block.size());
  const BlockSizes sizes            = dealii::Utilities::MPI::gather(communicator, mine);
  std::vector<std::uint64_t> header = {0,
                                       CompressedBytes::block_size,
                                       bytes.n_bytes() % CompressedBytes::block_size};
  for (const auto &of_rank : sizes)
    header.insert(header.end(), of_rank.begin(), of_rank.end());
  header[0] = header.size() - 3;
  file.append({reinterpret_cast<const char *>(header.data()), header.size() * sizeof(header[0])});
  file.append_together(bytes.blocks(), sizes);
}

/// The XML before the data, and in it the places where the offsets of the arrays belong.
class Head
{
public:
  Head(const VtuContents &contents, const std::vector<const VtuArray *> &mesh_arrays)
  {
    text_.precision(17); // give back the same double
    text_ << "<?xml version=\"1.0\"?>\n<!--\n";
    for (const std::string &remark : contents.remarks)
      text_ << for_comment(remark) << '\n';
    const bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    text_ << "-->\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\""
          << (little ? "LittleEndian" : "BigEndian")
          << "\" header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n"
          << "<UnstructuredGrid>\n<FieldData>\n";
    for (const auto &[name, number] : contents.numbers)
      if (std::isfinite(number)) // readers know no other numbers
        text_ << "<DataArray type=\"Float64\" Name=\"" << name
              << "\" NumberOfTuples=\"1\" format=\"ascii\">" << number << "</DataArray>\n";
    text_ << "</FieldData>\n<Piece NumberOfPoints=\"" << contents.n_points << "\" NumberOfCells=\""
          << contents.n_cells << "\">\n";
    text_ << "<Points>\n";
    add(*mesh_arrays[0]);
    text_ << "</Points>\n<Cells>\n";
    for (std::size_t i = 1; i < mesh_arrays.size(); ++i)
      add(*mesh_arrays[i]);
    text_ << "</Cells>\n<PointData";
    mark_defaults(contents.point_data);
    for (const VtuArray &array : contents.point_data)
      add(array);
    text_ << "</PointData>\n<CellData";
    mark_defaults(contents.cell_data);
    for (const VtuArray &array : contents.cell_data)
      add(array);
    text_ << "</CellData>\n</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_";
  }

  std::string text() const
  {
    return text_.str();
  }
  const std::vector<std::uint64_t> &places() const
  {
    return places_;
  }

private:
  /// The arrays that readers show by default: the first scalar, the first vector in floats.
  void mark_defaults(const std::vector<VtuArray> &arrays)
  {
    const auto mark = [&](const char *const attribute, const unsigned int n_components) {
      for (const VtuArray &array : arrays)
        if (array.n_components == n_components && array.type == vtu::type_name<float>())
          {
            text_ << ' ' << attribute << "=\"" << array.name << '"';
            return;
          }
    };
    mark("Scalars", 1);
    mark("Vectors", 3);
    text_ << ">\n";
  }

  void add(const VtuArray &array)
  {
    text_ << "<DataArray type=\"" << array.type << "\" Name=\"" << array.name
          << "\" NumberOfComponents=\"" << array.n_components << "\" format=\"appended\"";
    places_.push_back(static_cast<std::uint64_t>(text_.tellp()));
    text_ << std::string(offset_room, ' ') << "/>\n";
  }

  std::ostringstream text_;
  std::vector<std::uint64_t> places_;
};
} // namespace

void write_vtu(MPI_Comm communicator, const std::string &file_name, const VtuContents &contents)
{
  // (1) Data that follow from the numbers of cells: rank 0 has them all.
  const bool is_root        = dealii::Utilities::MPI::this_mpi_process(communicator) == 0;
  const std::size_t n_cells = is_root ? contents.n_cells : 0;
  const auto end_of_cell    = [](const std::size_t cell) { return 8 * (cell + 1); };
  const VtuArray ends       = 8 * contents.n_cells <= std::numeric_limits<std::int32_t>::max()
                                ? make_vtu_array<std::int32_t>("offsets", 1, n_cells, end_of_cell)
                                : make_vtu_array<std::int64_t>("offsets", 1, n_cells, end_of_cell);
  const VtuArray types =
    make_vtu_array<std::uint8_t>("types", 1, n_cells, [](std::size_t) { return vtk_hexahedron; });

  // (2) The head, with room for the offsets.
  std::vector<const VtuArray *> arrays = {&contents.points, &contents.connectivity, &ends, &types};
  const Head head(contents, arrays);
  for (const std::vector<VtuArray> *const fields : {&contents.point_data, &contents.cell_data})
    for (const VtuArray &array : *fields)
      arrays.push_back(&array);
  OneFile file(communicator, file_name);
  file.append(head.text());

  // (3) The data. Offsets count from behind the underscore.
  const std::uint64_t begin = file.size();
  for (std::size_t i = 0; i < arrays.size(); ++i)
    {
      file.overwrite(head.places()[i], " offset=\"" + std::to_string(file.size() - begin) + '"');
      append_array(communicator, *arrays[i], file);
    }
  file.append("\n</AppendedData>\n</VTKFile>\n");
  file.commit();
}
} // namespace strut::plugin
