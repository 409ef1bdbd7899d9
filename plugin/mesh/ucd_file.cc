// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/mesh/ucd_file.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "plugin/mesh/line_reader.h"
#include "plugin/mesh/numbered_groups.h"

namespace strut::plugin
{
namespace
{
/// A type of cell, with its number in VTK.
struct CellType
{
  const char *name;
  long type_of_vtk;
  std::size_t n_nodes;
};

constexpr CellType cell_types[] = {{"PT", 1, 1},
                                   {"LINE", 3, 2},
                                   {"TRI", 5, 3},
                                   {"QUAD", 9, 4},
                                   {"TET", 10, 4},
                                   {"PYR", 14, 5},
                                   {"PRISM", 13, 6},
                                   {"HEX", 12, 8}};

const CellType *type_of(const std::string_view word)
{
  const std::string name = upper_case(word);
  for (const CellType &type : cell_types)
    if (name == type.name)
      return &type;
  return nullptr;
}

class Reader
{
public:
  explicit Reader(const std::string &text) : reader_(text)
  {}

  FileMesh read()
  {
    mesh_.contents.format = MeshFileContents::Format::ucd;
    read_header();
    for (std::size_t node = 1; node <= n_nodes_; ++node)
      read_node(node);
    for (std::size_t cell = 1; cell <= n_cells_; ++cell)
      read_cell(cell);
    pass_over_data();
    mesh_.cell_groups = materials_.take();
    mesh_.face_groups = boundaries_.take();
    return std::move(mesh_);
  }

private:
  /// To the next line that is no comment.
  bool next()
  {
    while (reader_.next())
      if (reader_.line().front() != '#')
        {
          split_words(reader_.line(), words_);
          return true;
        }
    return false;
  }

  void require_next(const std::string &what)
  {
    if (!next())
      reader_.fail("the file ends before " + what + "; it is cut off");
  }

  void read_header()
  {
    const std::string what =
      "the numbers of nodes and of cells, and how many data nodes, cells and the model have";
    require_next(what);
    if (words_.size() != 5)
      reader_.fail("a UCD file begins with five whole numbers: " + what + "; found " +
                   quote(reader_.line()));
    std::size_t counts[5];
    for (std::size_t i = 0; i < 5; ++i)
      {
        const long n = integer_of(reader_, words_[i], "one of five: " + what);
        if (n < 0)
          reader_.fail("there cannot be " + std::to_string(n) + " of something; the line has " +
                       what);
        counts[i] = static_cast<std::size_t>(n);
      }
    n_nodes_  = counts[0];
    n_cells_  = counts[1];
    has_data_ = counts[2] + counts[3] + counts[4] > 0;
  }

  static std::string
  one_of(const std::string &what, const std::size_t number, const std::size_t count)
  {
    return what + " " + std::to_string(number) + " of " + std::to_string(count);
  }

  void read_node(const std::size_t number)
  {
    const std::string what = one_of("node", number, n_nodes_);
    require_next(what);
    if (words_.size() != 4)
      reader_.fail(what + ": a node has a number and three coordinates; found " +
                   quote(reader_.line()));
    const long id = integer_of(reader_, words_[0], "the number of " + what);
    dealii::Point<3> point;
    for (unsigned int d = 0; d < 3; ++d)
      point[d] = number_of(reader_, words_[d + 1], "a coordinate");
    if (!points_.emplace(id, static_cast<unsigned int>(mesh_.points.size())).second)
      reader_.fail("the number " + std::to_string(id) + " belongs to a node before, too");
    mesh_.points.push_back(point);
  }

  void read_cell(const std::size_t number)
  {
    const std::string what = one_of("cell", number, n_cells_);
    require_next(what);
    if (words_.size() < 4)
      reader_.fail(what + ": a cell has a number, an id, a type and its nodes; found " +
                   quote(reader_.line()));
    integer_of(reader_, words_[0], "the number of " + what);
    const long id        = integer_of(reader_, words_[1], "the id of " + what);
    const CellType *type = type_of(words_[2]);
    if (type == nullptr)
      reader_.fail(what + " is of the type " + quote(words_[2]) +
                   "; types are pt, line, tri, quad, tet, pyr, prism and hex");
    if (id < 0 || id > NumberedGroups::largest_id)
      reader_.fail("the id " + std::to_string(id) + " of " + what +
                   "; material and boundary ids are whole numbers from 0 to " +
                   std::to_string(NumberedGroups::largest_id));
    if (words_.size() != 3 + type->n_nodes)
      reader_.fail(what + ": a cell of type " + std::string(words_[2]) + " has " +
                   std::to_string(type->n_nodes) + " nodes; found " +
                   std::to_string(words_.size() - 3));
    std::array<unsigned int, 8> nodes;
    for (std::size_t i = 0; i < type->n_nodes; ++i)
      nodes[i] = node_of(words_[3 + i]);
    count_vtk(mesh_.contents, type->type_of_vtk, reader_.number());
    add(*type, nodes, static_cast<unsigned int>(id));
  }

  unsigned int node_of(const std::string_view word) const
  {
    const long id    = integer_of(reader_, word, "the number of a node");
    const auto found = points_.find(id);
    if (found == points_.end())
      reader_.fail("there is no node " + std::to_string(id));
    return found->second;
  }

  void add(const CellType &type, const std::array<unsigned int, 8> &n, const unsigned int id)
  {
    constexpr unsigned int none = FileMesh::none;
    const auto add_cell         = [&](const FileMesh::Cell &cell) {
      materials_.add(id, static_cast<unsigned int>(mesh_.cells.size()));
      mesh_.cells.push_back(cell);
      mesh_.lines_of_cells.push_back(reader_.number());
    };
    const auto add_face = [&](const FileMesh::Face &face) {
      boundaries_.add(id, static_cast<unsigned int>(mesh_.faces.size()));
      mesh_.faces.push_back(face);
      mesh_.lines_of_faces.push_back(reader_.number());
    };
    switch (type.type_of_vtk)
      {
        case 5:
          return add_face({{n[0], n[1], n[2], none}});
        case 9:
          return add_face({{n[0], n[1], n[2], n[3]}});
        case 10:
          return add_cell({{n[0], n[1], n[2], n[3], none, none, none, none}});
        case 12:
          // as deal.II has them: the first four are around y = 0
          return add_cell({{n[0], n[1], n[4], n[5], n[3], n[2], n[7], n[6]}});
        default:
          return;
      }
  }

  /// They have no use here, but more cells than were announced would be lost.
  void pass_over_data()
  {
    while (next())
      if (!has_data_ || (words_.size() > 3 && type_of(words_[2]) != nullptr))
        reader_.fail(quote(reader_.line()) + " after the last of " + std::to_string(n_cells_) +
                     " cells: the first line announces fewer nodes or cells than there are");
  }

  LineReader reader_;
  FileMesh mesh_;
  std::size_t n_nodes_ = 0, n_cells_ = 0;
  bool has_data_ = false;
  std::vector<std::string_view> words_;
  std::unordered_map<long, unsigned int> points_; ///< by number of the node
  NumberedGroups materials_, boundaries_;
};
} // namespace

FileMesh read_ucd(const std::string &text)
{
  return Reader(text).read();
}
} // namespace strut::plugin
