// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <unordered_map>
#include <utility>

#include "plugin/deck/mesh/line_reader.h"
#include "plugin/deck/mesh/mesh_formats.h"
#include "plugin/deck/mesh/numbered_groups.h"

namespace strut::plugin
{
namespace
{
class UcdReader
{
public:
  explicit UcdReader(const std::string &text) : reader_(text, "#")
  {}

  FileMesh read()
  {
    read_header();
    for (std::size_t node = 1; node <= n_nodes_; ++node)
      read_node(node);
    for (std::size_t cell = 1; cell <= n_cells_; ++cell)
      read_cell(cell);
    pass_over_data();
    groups_.move_to(mesh_);
    return std::move(mesh_);
  }

private:
  void read_header()
  {
    const std::string item =
      "the numbers of nodes and of cells, and how many data nodes, cells and the model have";
    reader_.require_next(item);
    if (reader_.words().size() != 5)
      reader_.fail("a UCD file begins with five whole numbers: " + item + "; found " +
                   quote(reader_.line()));
    std::size_t counts[5];
    for (std::size_t i = 0; i < 5; ++i)
      {
        const long n = integer_of(reader_, reader_.words()[i], "one of five: " + item);
        if (n < 0)
          reader_.fail("there cannot be " + std::to_string(n) + " of something; the line has " +
                       item);
        counts[i] = static_cast<std::size_t>(n);
      }
    n_nodes_  = counts[0];
    n_cells_  = counts[1];
    has_data_ = counts[2] + counts[3] + counts[4] > 0;
  }

  static std::string
  one_of(const std::string &item, const std::size_t number, const std::size_t count)
  {
    return item + " " + std::to_string(number) + " of " + std::to_string(count);
  }

  void read_node(const std::size_t number)
  {
    const std::string item = one_of("node", number, n_nodes_);
    reader_.require_next(item);
    if (reader_.words().size() != 4)
      reader_.fail(item + ": a node has a number and three coordinates; found " +
                   quote(reader_.line()));
    const long id = integer_of(reader_, reader_.words()[0], "the number of " + item);
    dealii::Point<3> point;
    for (unsigned int d = 0; d < 3; ++d)
      point[d] = number_of(reader_, reader_.words()[d + 1], "a coordinate");
    if (!points_.emplace(id, static_cast<unsigned int>(mesh_.points.size())).second)
      reader_.fail("the number " + std::to_string(id) + " belongs to a node before, too");
    mesh_.points.push_back(point);
  }

  void read_cell(const std::size_t number)
  {
    const std::string item = one_of("cell", number, n_cells_);
    reader_.require_next(item);
    if (reader_.words().size() < 4)
      reader_.fail(item + ": a cell has a number, an id, a type and its nodes; found " +
                   quote(reader_.line()));
    integer_of(reader_, reader_.words()[0], "the number of " + item);
    const long id        = integer_of(reader_, reader_.words()[1], "the id of " + item);
    const CellType *type = type_of_ucd(upper_case(reader_.words()[2]));
    if (type == nullptr)
      reader_.fail(item + " is of the type " + quote(reader_.words()[2]) +
                   "; types are pt, line, tri, quad, tet, pyr, prism and hex");
    if (id < 0 || id > NumberedGroups::largest_id)
      reader_.fail("the id " + std::to_string(id) + " of " + item +
                   "; material and boundary ids are whole numbers from 0 to " +
                   std::to_string(NumberedGroups::largest_id));
    if (reader_.words().size() != 3 + type->n_nodes)
      reader_.fail(item + ": a cell of type " + std::string(reader_.words()[2]) + " has " +
                   std::to_string(type->n_nodes) + " nodes; found " +
                   std::to_string(reader_.words().size() - 3));
    std::array<unsigned int, 8> nodes{};
    for (std::size_t i = 0; i < type->n_nodes; ++i)
      nodes[i] = node_of(reader_.words()[3 + i]);
    mesh_.contents.count(type, {}, reader_.number());
    if (type->dim == 1)
      mesh_.lines.push_back({{{nodes[0], nodes[1]}}, reader_.number()});
    if (!type->is_useful())
      return;
    if (type->n_nodes == 8) // deal.II's order begins with the four nodes at y = 0
      nodes = {{nodes[0], nodes[1], nodes[5], nodes[4], nodes[3], nodes[2], nodes[6], nodes[7]}};
    const unsigned int added = mesh_.add(*type, nodes, reader_.number());
    groups_.add(type->dim, static_cast<unsigned int>(id), added);
  }

  unsigned int node_of(const std::string_view word) const
  {
    const long id    = integer_of(reader_, word, "the number of a node");
    const auto found = points_.find(id);
    if (found == points_.end())
      reader_.fail("there is no node " + std::to_string(id));
    return found->second;
  }

  /// Skips the data, which are not used. Throws if they contain cells that were not announced.
  void pass_over_data()
  {
    while (reader_.next())
      if (!has_data_ ||
          (reader_.words().size() > 3 && type_of_ucd(upper_case(reader_.words()[2])) != nullptr))
        reader_.fail(quote(reader_.line()) + " after the last of " + std::to_string(n_cells_) +
                     " cells: the first line announces fewer nodes or cells than there are");
  }

  LineReader reader_;
  FileMesh mesh_;
  std::size_t n_nodes_ = 0, n_cells_ = 0;
  bool has_data_ = false;
  std::unordered_map<long, unsigned int> points_; ///< points by number of the node
  NumberedGroups groups_;
};
} // namespace

FileMesh read_ucd(const std::string &text)
{
  return UcdReader(text).read();
}
} // namespace strut::plugin
