// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "plugin/deck/mesh/file_mesh.h"
#include "plugin/deck/mesh/line_reader.h"

namespace strut
{
namespace
{
/// Returns a type of cells that strut uses, or null.
const CellType *useful_type(const long number)
{
  const CellType *const type = type_of_vtk(number);
  return type != nullptr && type->is_useful() ? type : nullptr;
}

/// Returns the type of second order with the same nodes as a Lagrange cell of that many points, or
/// the same type.
long without_lagrange(const long type, const std::size_t n_points)
{
  return type == 69 && n_points == 6    ? 22
         : type == 70 && n_points == 9  ? 28
         : type == 71 && n_points == 10 ? 24
         : type == 72 && n_points == 27 ? 29
                                        : type;
}

/// Kinds of data with their numbers for each point or cell. 0: the third word of the line tells it.
const std::map<std::string, std::size_t> &kinds_of_data()
{
  static const std::map<std::string, std::size_t> kinds = {{"VECTORS", 3},
                                                           {"NORMALS", 3},
                                                           {"TENSORS", 9},
                                                           {"TENSORS6", 6},
                                                           {"GLOBAL_IDS", 1},
                                                           {"PEDIGREE_IDS", 1},
                                                           {"EDGE_FLAGS", 1},
                                                           {"RATIONAL_WEIGHTS", 1},
                                                           {"HIGHER_ORDER_DEGREES", 3},
                                                           {"TEXTURE_COORDINATES", 0},
                                                           {"COLOR_SCALARS", 0}};
  return kinds;
}

/// Returns whether a word may be one of the numbers that are skipped. Results of computations may
/// be nan.
bool may_be_a_number(const std::string_view word)
{
  if (std::isalpha(static_cast<unsigned char>(word.front())) == 0)
    return true;
  const std::string begin = upper_case(word.substr(0, 3));
  return begin == "NAN" || begin == "INF";
}

/// The lines and numbers of a legacy VTK file. A line announces how many numbers follow, on lines
/// of any length.
class VtkWords
{
public:
  /// @param text  must outlive this object
  explicit VtkWords(const std::string &text) : reader_(text), size_of_text_(text.size())
  {}

  /// Goes to the next line and drops the rest of this one. @return false at the end of the file
  bool next_line()
  {
    if (!is_held_)
      {
        const bool found = reader_.next();
        next_            = reader_.words().size();
        return found;
      }
    is_held_ = false;
    return true;
  }

  /// Goes to the next line, and throws at the end of the file. @param item  expected there
  void require_line(const std::string &item)
  {
    if (!next_line())
      fail("the file ends before " + item + "; it is cut off");
  }

  /// Makes next_line() return the same line again.
  void hold()
  {
    is_held_ = true;
  }

  std::string_view line() const
  {
    return reader_.line();
  }
  std::size_t line_number() const
  {
    return reader_.number();
  }
  std::size_t size() const
  {
    return reader_.words().size();
  }
  std::string_view operator[](const std::size_t i) const
  {
    return reader_.words()[i];
  }

  /// Returns whether word i of the line equals this word, which is in upper case.
  bool is(const std::size_t i, const char *const word) const
  {
    return i < reader_.words().size() && upper_case(reader_.words()[i]) == word;
  }

  /// Throws unless the line has at least n words. @param form  expected form of the line
  void require_size(const std::size_t n, const std::string &form) const
  {
    if (reader_.words().size() < n)
      fail(quote(line()) + " where a line of the form \"" + form + "\" was to be");
  }

  /// Word i of the line as a number of things that follow in the file.
  std::size_t count(const std::size_t i, const std::string &item) const
  {
    const long n = integer_of(reader_, reader_.words()[i], item);
    if (n < 0 || static_cast<std::size_t>(n) > size_of_text_)
      fail(item + " is " + std::to_string(n) +
           (n < 0
              ? "; it is negative"
              : ", more than a file of this size can have: it is cut off, or the number is wrong"));
    return static_cast<std::size_t>(n);
  }

  /// Returns the next word of this line or a later one as a number. The line at which next_line()
  /// stopped does not count, unless it was held.
  /// @param item  the expected item, which the index completes: "the type of cell ", 5
  /// @param index  index of the item
  long integer(const char *const item, const std::size_t index)
  {
    // The text of a message is made only if it is needed: files have millions of numbers.
    const std::string_view word = next_word(item, index);
    long value                  = 0;
    return parse_integer(word, value) ? value
                                      : integer_of(reader_, word, item + std::to_string(index));
  }
  double number(const char *const item, const std::size_t index)
  {
    const std::string_view word = next_word(item, index);
    double value                = 0.;
    return parse_number(word, value) ? value
                                     : number_of(reader_, word, item + std::to_string(index));
  }

  /// The word that integer() or number() read last.
  std::string_view last() const
  {
    return reader_.words()[next_ - 1];
  }

  /// Throws unless all of the line was read. @param item  that the line announced
  void require_end(const std::string &item) const
  {
    if (next_ < reader_.words().size())
      fail(quote(reader_.words()[next_]) + " after the last of " + item +
           ": there are more than announced");
  }

  /// Skips n times m numbers. Throws if there are fewer or more.
  void pass_over(const std::size_t n, const std::size_t m)
  {
    for (std::size_t i = 0; i < n * m; ++i)
      if (const std::string_view word = next_word("number ", i + 1); !may_be_a_number(word))
        fail(quote(word) + " where number " + std::to_string(i + 1) + " of " +
             std::to_string(n * m) + " was to be: there are fewer than announced");
    require_end(std::to_string(n * m) + " numbers");
  }

  /// Skips n lines, including blank ones.
  void pass_over_lines(const std::size_t n)
  {
    const std::size_t end = line_number() + n;
    while (next_line())
      if (line_number() > end)
        return hold();
  }

  /// Skips a METADATA block, which a blank line ends. Names of components may be blank, too.
  void pass_over_metadata(const std::size_t n_components)
  {
    std::size_t last = line_number();
    while (next_line())
      {
        if (line_number() > last + 1)
          return hold();
        last = line_number();
        if (is(0, "COMPONENT_NAMES"))
          {
            pass_over_lines(n_components);
            last += n_components;
          }
      }
  }

  [[noreturn]] void fail(const std::string &text) const
  {
    reader_.fail(text);
  }

private:
  std::string_view next_word(const char *const item, const std::size_t index)
  {
    if (next_ == reader_.words().size())
      {
        // Fails at the end of the file.
        if (!next_line())
          require_line(item + std::to_string(index));
        next_ = 0;
      }
    return reader_.words()[next_++];
  }

  LineReader reader_;
  std::size_t size_of_text_;
  std::size_t next_ = 0; ///< index of the next word to read
  bool is_held_     = false;
};

class VtkReader
{
public:
  explicit VtkReader(const std::string &text) : words_(text)
  {}

  FileMesh read()
  {
    read_header();
    while (words_.next_line())
      read_section();
    if (!has_points_ || !has_cells_ || !has_types_)
      throw MeshFileError(std::string("there is no section ") +
                          (!has_points_  ? "POINTS"
                           : !has_cells_ ? "CELLS"
                                         : "CELL_TYPES") +
                          ": the file has no mesh, or is cut off");
    add_cells();
    return std::move(mesh_);
  }

private:
  void read_header()
  {
    words_.require_line("\"# vtk DataFile Version\"");
    if (words_.line().rfind("# vtk DataFile Version", 0) != 0)
      words_.fail(
        quote(words_.line()) +
        " where \"# vtk DataFile Version\" was to be, with which a legacy VTK file begins "
        "(XML files, .vtu, are not read: save as .vtk, ASCII)");
    parse_number(words_[words_.size() - 1], version_);
    const std::size_t first = words_.line_number();
    words_.require_line("the title and ASCII");
    // The second line is the title, which may be blank.
    if (words_.line_number() == first + 1)
      words_.require_line("ASCII");
    const std::string kind = upper_case(words_.line());
    if (kind == "BINARY")
      words_.fail("the file is binary; write it as ASCII (ParaView: File Type in the options when "
                  "saving)");
    if (kind != "ASCII")
      words_.fail(quote(words_.line()) + " where ASCII was to be");
    words_.require_line("DATASET UNSTRUCTURED_GRID");
    if (words_.size() != 2 || !words_.is(0, "DATASET"))
      words_.fail(quote(words_.line()) + " where DATASET UNSTRUCTURED_GRID was to be");
    if (!words_.is(1, "UNSTRUCTURED_GRID"))
      words_.fail(
        "the data set is " + quote(words_[1]) +
        "; strut reads UNSTRUCTURED_GRID (ParaView: the filter Append Datasets makes one)");
  }

  void read_section()
  {
    const std::string name = upper_case(words_[0]);
    if (name == "POINTS")
      read_points();
    else if (name == "CELLS")
      read_cells();
    else if (name == "CELL_TYPES")
      read_types();
    else if (name == "POINT_DATA")
      begin_data(false);
    else if (name == "CELL_DATA")
      begin_data(true);
    else if (name == "FIELD")
      read_field();
    else if (name == "METADATA")
      words_.pass_over_metadata(n_components_);
    else if (name == "SCALARS")
      read_scalars();
    else if (name == "LOOKUP_TABLE")
      {
        words_.require_size(3, "LOOKUP_TABLE name size");
        words_.pass_over(words_.count(2, "the size of a lookup table"), 4);
      }
    else if (const auto kind = kinds_of_data().find(name); kind != kinds_of_data().end())
      {
        words_.require_size(3, name + " name type");
        n_components_ =
          kind->second > 0 ? kind->second : words_.count(2, "the number of components");
        words_.pass_over(n_tuples_, n_components_);
      }
    else
      words_.fail(quote(words_.line()) + " where a section was to be: " +
                  (std::isalpha(static_cast<unsigned char>(name[0])) != 0
                     ? "this one is not known here; POINTS, CELLS, CELL_TYPES, CELL_DATA, SCALARS, "
                       "FIELD and the like are"
                     : "the one before has more numbers than it announces"));
  }

  void once(bool &has) const
  {
    if (has)
      words_.fail("the section " + upper_case(words_[0]) + " is there twice");
    has = true;
  }

  void read_points()
  {
    once(has_points_);
    n_components_ = 3;
    words_.require_size(3, "POINTS number type");
    const std::size_t n = words_.count(1, "the number of points");
    for (std::size_t i = 0; i < n; ++i)
      {
        dealii::Point<3> point;
        for (unsigned int d = 0; d < 3; ++d)
          point[d] = words_.number("a coordinate of point ", i);
        mesh_.points.push_back(point);
      }
    words_.require_end(std::to_string(n) + " points");
  }

  std::size_t next_count(const char *const item, const std::size_t index)
  {
    const long n = words_.integer(item, index);
    if (n < 0)
      words_.fail(item + std::to_string(index) + " is " + std::to_string(n));
    return static_cast<std::size_t>(n);
  }

  /// Reads cells in the form of version 5, which begins with OFFSETS, or in the older form.
  void read_cells()
  {
    once(has_cells_);
    if (!has_points_)
      words_.fail("CELLS is before POINTS");
    words_.require_size(3, "CELLS and two numbers");
    const std::size_t n    = words_.count(1, "the number of cells");
    const std::size_t size = words_.count(2, "the number of numbers for cells");
    words_.require_line("the cells");
    if (words_.is(0, "OFFSETS"))
      return read_cells_by_offsets(n, size);
    words_.hold();
    for (std::size_t cell = 0; cell < n; ++cell)
      read_cell(next_count("the number of points of cell ", cell), true);
    words_.require_end(std::to_string(n) + " cells");
    if (n + points_.size() != size)
      words_.fail("CELLS announces " + std::to_string(size) + " numbers; there are " +
                  std::to_string(n + points_.size()));
  }

  void read_cells_by_offsets(const std::size_t n_offsets, const std::size_t size)
  {
    std::vector<std::size_t> offsets;
    for (std::size_t i = 0; i < n_offsets; ++i)
      {
        offsets.push_back(next_count("offset ", i));
        if (i == 0 ? offsets[0] != 0 : offsets[i] < offsets[i - 1])
          words_.fail("offset " + std::to_string(i) + " is " + std::to_string(offsets[i]) +
                      "; the first is 0, and none is less than the one before");
      }
    words_.require_end(std::to_string(n_offsets) + " offsets");
    if (offsets.empty() ? size != 0 : offsets.back() != size)
      words_.fail("the last offset must be " + std::to_string(size) +
                  ", the length of CONNECTIVITY that CELLS announces");
    words_.require_line("CONNECTIVITY");
    if (!words_.is(0, "CONNECTIVITY"))
      words_.fail(quote(words_.line()) + " where CONNECTIVITY was to be");
    for (std::size_t i = 1; i < offsets.size(); ++i)
      read_cell(offsets[i] - offsets[i - 1], false);
    words_.require_end(std::to_string(size) + " points of cells");
  }

  /// @param has_line  whether a number of this cell was read before
  void read_cell(const std::size_t n, const bool has_line)
  {
    if (has_line)
      lines_.push_back(words_.line_number());
    for (std::size_t i = 0; i < n; ++i)
      {
        const long point = words_.integer("a point of cell ", n_cells());
        if (point < 0 || static_cast<std::size_t>(point) >= mesh_.points.size())
          words_.fail("there is no point " + std::to_string(point) + "; the " +
                      std::to_string(mesh_.points.size()) + " points are counted from 0");
        if (lines_.size() < begins_.size())
          lines_.push_back(words_.line_number());
        points_.push_back(static_cast<unsigned int>(point));
      }
    lines_.resize(begins_.size(), words_.line_number());
    begins_.push_back(points_.size());
  }

  std::size_t n_cells() const
  {
    return begins_.size() - 1;
  }

  void read_types()
  {
    once(has_types_);
    if (!has_cells_)
      words_.fail("CELL_TYPES is before CELLS");
    words_.require_size(2, "CELL_TYPES number");
    require_n_cells(words_.count(1, "the number of cell types"));
    for (std::size_t cell = 0; cell < n_cells(); ++cell)
      {
        const long written      = words_.integer("the type of cell ", cell);
        const std::size_t found = begins_[cell + 1] - begins_[cell];
        const long type         = without_lagrange(written, found);
        const CellType *known   = useful_type(type);
        // older versions exchange two of the upright lines
        if (written == 72 && type != written && version_ < 5.1)
          std::swap(points_[begins_[cell] + 18], points_[begins_[cell] + 19]);
        if (known != nullptr && known->n_nodes != found)
          words_.fail("a cell of type " + std::to_string(type) + " has " +
                      std::to_string(known->n_nodes) + " points; cell " + std::to_string(cell) +
                      " in line " + std::to_string(lines_[cell]) + " has " + std::to_string(found));
        types_.push_back(type);
        mesh_.contents.count(type_of_vtk(type), std::to_string(type), lines_[cell]);
      }
    words_.require_end(std::to_string(n_cells()) + " types");
  }

  void require_n_cells(const std::size_t n) const
  {
    if (n != n_cells())
      words_.fail(upper_case(words_[0]) + " announces " + std::to_string(n) + " cells; CELLS has " +
                  std::to_string(n_cells()));
  }

  void begin_data(const bool of_cells)
  {
    words_.require_size(2, upper_case(words_[0]) + " number");
    n_tuples_ = words_.count(1, "the number of data");
    of_cells_ = of_cells;
    if (!of_cells)
      return;
    if (!has_types_)
      words_.fail("CELL_DATA is before CELL_TYPES");
    require_n_cells(n_tuples_);
  }

  bool is_material(const std::string_view name) const
  {
    return of_cells_ && upper_case(name) == "MATERIALID";
  }

  void read_scalars()
  {
    words_.require_size(3, "SCALARS name type");
    const bool is_wanted                            = is_material(words_[1]);
    const std::array<std::string, 2> words_of_array = {
      {std::string(words_[1]), upper_case(words_[2])}};
    n_components_ = words_.size() > 3 ? words_.count(3, "the number of components of SCALARS") : 1;
    if (is_wanted)
      require_one_component();
    if (words_.next_line() && !(words_.is(0, "LOOKUP_TABLE") && words_.size() == 2))
      words_.hold();
    if (is_wanted)
      read_materials();
    else
      {
        if (n_components_ == 1)
          pass_over_ids(words_of_array[0], words_of_array[1]);
        words_.pass_over(n_tuples_, n_components_);
      }
  }

  /// Remembers the name of cell data that may be ids.
  void pass_over_ids(const std::string &name, const std::string &type)
  {
    const bool is_whole = type.find("INT") != std::string::npos ||
                          type.find("LONG") != std::string::npos ||
                          type.find("SHORT") != std::string::npos ||
                          type.find("CHAR") != std::string::npos || type == "VTKIDTYPE";
    const std::string upper = upper_case(name);
    if (of_cells_ && upper != "MANIFOLDID" &&
        (is_whole || upper.find("MATERIAL") != std::string::npos))
      other_ids_ += (other_ids_.empty() ? "'" : ", '") + name + "'";
  }

  void require_one_component() const
  {
    if (n_components_ != 1)
      words_.fail("MaterialID has one number per cell; found " + std::to_string(n_components_));
  }

  /// Reads a FIELD of arrays, each with a line "name components tuples type". A FIELD before all
  /// other sections belongs to the data set.
  void read_field()
  {
    words_.require_size(3, "FIELD name number");
    const std::size_t n_arrays = words_.count(2, "the number of arrays of FIELD");
    for (std::size_t i = 0; i < n_arrays; ++i)
      {
        words_.require_line("array " + std::to_string(i) + " of FIELD");
        if (words_.is(0, "METADATA"))
          {
            words_.pass_over_metadata(n_components_);
            words_.require_line("array " + std::to_string(i) + " of FIELD");
          }
        words_.require_size(4, "name, components, tuples and type of an array of FIELD");
        n_components_              = words_.count(1, "the number of components of an array");
        const std::size_t n_tuples = words_.count(2, "the number of tuples of an array");
        const std::string type     = upper_case(words_[3]);
        if (is_material(words_[0]))
          {
            require_one_component();
            require_n_cells(n_tuples);
            read_materials();
          }
        else if (type == "STRING" || type == "UTF8_STRING" || type == "VARIANT")
          words_.pass_over_lines(n_tuples * n_components_);
        else
          {
            if (n_components_ == 1)
              pass_over_ids(std::string(words_[0]), type);
            words_.pass_over(n_tuples, n_components_);
          }
      }
  }

  void read_materials()
  {
    if (!materials_.empty())
      words_.fail("MaterialID is there twice");
    for (std::size_t cell = 0; cell < n_cells(); ++cell)
      {
        const double id      = words_.number("the MaterialID of cell ", cell);
        const CellType *type = useful_type(types_[cell]);
        // deal.II writes -1 for faces and lines without boundary id.
        const bool is_solid = type != nullptr && type->dim == 3;
        if (id != std::floor(id) || id < (is_solid ? 0. : -1.) ||
            id > static_cast<double>(largest_id))
          words_.fail("the MaterialID of cell " + std::to_string(cell) + " is " +
                      quote(words_.last()) + "; ids are whole numbers from 0 to " +
                      std::to_string(largest_id) + (is_solid ? "" : ", or -1 for none"));
        materials_.push_back(id < 0. ? no_id : static_cast<unsigned int>(id));
      }
    words_.require_end(std::to_string(n_cells()) + " ids");
  }

  void add_cells()
  {
    std::map<unsigned int, std::vector<unsigned int>> cells, faces; // by their numbers
    const bool has_materials = !materials_.empty();
    materials_.resize(n_cells(), no_id);
    for (std::size_t c = 0; c < n_cells(); ++c)
      // Faces with nodes between vertices are no faces of linear cells.
      if (const CellType *const type = useful_type(types_[c]);
          type != nullptr &&
          (type->dim == 3 || !type->is_quadratic() || mesh_.contents.has_quadratic_cells))
        {
          std::array<unsigned int, most_nodes_of_cell> nodes{};
          std::copy_n(points_.begin() + begins_[c], type->n_nodes, nodes.begin());
          // Pixels and voxels are lexicographic; the nodes of other types go around.
          if (types_[c] == 8 || types_[c] == 11)
            for (std::size_t i = 2; i < type->n_nodes; i += 4)
              std::swap(nodes[i], nodes[i + 1]);
          const unsigned int added = mesh_.add(*type, nodes, MeshFormat::vtk, lines_[c]);
          if (materials_[c] != no_id && materials_[c] != 0)
            (type->dim == 3 ? cells : faces)[materials_[c]].push_back(added);
          // The number 0 means no group: faces that the file does not list have it, too.
          else if (materials_[c] == 0 && type->dim == 2)
            mesh_.faces_numbered_0.push_back(added);
        }
      else if (types_[c] == 3 && begins_[c + 1] == begins_[c] + 2)
        mesh_.lines.push_back({{{points_[begins_[c]], points_[begins_[c] + 1]}}, lines_[c]});
    for (auto &[id, members] : cells)
      mesh_.cell_groups.push_back({id, "", std::move(members)});
    for (auto &[id, members] : faces)
      mesh_.face_groups.push_back({id, "", std::move(members)});
    if (!has_materials && !other_ids_.empty())
      mesh_.unread_ids =
        "The ids are in the cell data MaterialID, which the file does not have; its cell data " +
        other_ids_ + " are not read: give the right one that name";
  }

  VtkWords words_;
  FileMesh mesh_;
  double version_  = 0.;
  bool has_points_ = false, has_cells_ = false, has_types_ = false;

  // for all cells, including those that strut does not use
  std::vector<unsigned int> points_;      ///< points of one cell after the other
  std::vector<std::size_t> begins_ = {0}; ///< beginning of each cell in points_, then the end
  std::vector<std::size_t> lines_;        ///< line of the file in which each cell begins
  std::vector<long> types_;
  std::vector<unsigned int> materials_;
  static constexpr unsigned int no_id = FileMesh::none; ///< -1 in the file
  /// deal.II uses the next larger number for interior faces.
  static constexpr long largest_id = std::numeric_limits<unsigned int>::max() - 1l;
  std::string other_ids_; ///< names of cell data that may be ids, for a message

  std::size_t n_tuples_     = 0; ///< number of tuples in the data being read
  std::size_t n_components_ = 3; ///< number of components of the last array read
  bool of_cells_            = false;
};
} // namespace

FileMesh read_vtk(const std::string &text)
{
  return VtkReader(text).read();
}
} // namespace strut
