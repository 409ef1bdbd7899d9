// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/vtu_head.h"

#include <cmath>
#include <utility>

#include "source/base/text_stream.h"

namespace strut
{
namespace
{
/// Bytes for ` offset="..."` of any 64-bit number.
constexpr std::size_t offset_room = 32;

/// Reduces a text to one line of characters that XML allows in a comment.
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

/// Writes the elements of arrays, and remembers the positions of their offsets.
class HeadWriter
{
public:
  HeadWriter(const VtuContents &contents, const std::vector<VtuArray> &mesh_arrays)
  {
    text_.precision(17); // reproduces the same double
    text_ << "<?xml version=\"1.0\"?>\n<!--\n";
    for (const std::string &remark : contents.remarks)
      text_ << for_comment(remark) << '\n';
    const bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    text_ << "-->\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\""
          << (little ? "LittleEndian" : "BigEndian")
          << "\" header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n"
          << "<UnstructuredGrid>\n<FieldData>\n";
    // Readers accept no other numbers.
    for (const auto &[name, number] : contents.numbers)
      if (std::isfinite(number))
        text_ << "<DataArray type=\"Float64\" Name=\"" << name
              << "\" NumberOfTuples=\"1\" format=\"ascii\">" << number << "</DataArray>\n";
    text_ << "</FieldData>\n<Piece NumberOfPoints=\"" << contents.n_points << "\" NumberOfCells=\""
          << contents.n_cells << "\">\n";
    text_ << "<Points>\n";
    add(mesh_arrays[0]);
    text_ << "</Points>\n<Cells>\n";
    for (std::size_t i = 1; i < mesh_arrays.size(); ++i)
      add(mesh_arrays[i]);
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
  std::vector<std::uint64_t> take_places()
  {
    return std::move(places_);
  }

private:
  /// Marks the arrays that readers show by default: the first scalar and the first vector in
  /// floats.
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

  TextStream text_;
  std::vector<std::uint64_t> places_;
};
} // namespace

VtuHead::VtuHead(const VtuContents &contents, const std::vector<VtuArray> &mesh_arrays)
{
  HeadWriter writer(contents, mesh_arrays);
  text_   = writer.text();
  places_ = writer.take_places();
}

std::string VtuHead::with_offsets(const std::vector<std::uint64_t> &offsets) const
{
  std::string text = text_;
  for (std::size_t i = 0; i < places_.size(); ++i)
    {
      const std::string offset = " offset=\"" + std::to_string(offsets[i]) + '"';
      text.replace(places_[i], offset.size(), offset);
    }
  return text;
}
} // namespace strut
