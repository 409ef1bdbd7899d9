// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "plugin/deck/mesh/file_mesh.h"
#include "plugin/deck/mesh/line_reader.h"
#include "plugin/deck/mesh/tag_numbers.h"

namespace strut
{
namespace
{
/// Merges cells that occur once for each of several groups, as format 2 writes them. The merged
/// cell is in all of these groups. Cells that occur twice in one group, or in none, stay.
void merge_repeated_cells(FileMesh &mesh)
{
  std::vector<std::uint32_t> first = mesh.first_of_equal_cells();
  std::size_t n_first              = 0;
  while (n_first < first.size() && first[n_first] == n_first)
    ++n_first;
  if (n_first == first.size())
    return;
  // Cells that occur twice in one group, or in none, are kept: a later check refuses them.
  std::vector<bool> in_group(mesh.cells.size(), false);
  for (const FileMesh::Group &group : mesh.cell_groups)
    for (const unsigned int member : group.members)
      in_group[member] = true;
  for (unsigned int c = 0; c < first.size(); ++c)
    if (!in_group[c])
      first[c] = c;
  for (FileMesh::Group &group : mesh.cell_groups)
    {
      std::set<unsigned int> members;
      for (unsigned int &member : group.members)
        if (members.insert(first[member]).second)
          member = first[member];
        else
          first[member] = member;
    }
  std::vector<unsigned int> number(mesh.cells.size());
  std::size_t n               = 0;
  const std::size_t n_middles = mesh.n_middles();
  for (unsigned int c = 0; c < first.size(); ++c)
    if (first[c] == c)
      {
        mesh.cells[n]          = mesh.cells[c];
        mesh.lines_of_cells[n] = mesh.lines_of_cells[c];
        std::copy_n(mesh.middles.begin() + static_cast<std::ptrdiff_t>(c * n_middles),
                    n_middles,
                    mesh.middles.begin() + static_cast<std::ptrdiff_t>(n * n_middles));
        number[c] = static_cast<unsigned int>(n++);
      }
  mesh.cells.resize(n);
  mesh.lines_of_cells.resize(n);
  mesh.middles.resize(n * n_middles);
  for (FileMesh::Group &group : mesh.cell_groups)
    for (unsigned int &member : group.members)
      member = number[member];
}

class Reader
{
public:
  explicit Reader(const std::string &text) : reader_(text)
  {}

  FileMesh read()
  {
    while (reader_.next())
      {
        if (reader_.line().front() != '$')
          reader_.fail(quote(reader_.line()) +
                       (version_ == 0.
                          ? " where $MeshFormat was to be, with which a Gmsh mesh begins"
                          : " is outside of all sections, each of which begins with "
                            "$Name and ends with $EndName"));
        read_section(std::string(reader_.line().substr(1)));
      }
    if (version_ == 0.)
      throw MeshFileError("there is no $MeshFormat section, with which a Gmsh mesh begins");
    if (!has_elements_)
      throw MeshFileError("there is no $Elements section: the file has no mesh, or is cut off");
    for (const auto &[key, name] : names_)
      if (groups_.count(key) == 0)
        mesh_.names_of_nothing[name] = "no element that strut reads is in this physical group";
    for (auto &[key, group] : groups_)
      {
        const int dim = key.first;
        if (!std::is_sorted(group.members.begin(), group.members.end()))
          std::sort(group.members.begin(), group.members.end());
        group.members.erase(std::unique(group.members.begin(), group.members.end()),
                            group.members.end());
        if (dim == 3)
          mesh_.cell_groups.push_back(std::move(group));
        else if (dim == 2)
          mesh_.face_groups.push_back(std::move(group));
        else if (!group.name.empty())
          mesh_.node_groups.push_back(std::move(group));
      }
    if (version_ < 4.)
      merge_repeated_cells(mesh_);
    return std::move(mesh_);
  }

private:
  using Key = std::pair<int, unsigned int>; // dimension and physical number

  void read_section(const std::string &name)
  {
    if (name.rfind("End", 0) == 0)
      reader_.fail(quote(reader_.line()) + " ends a section that did not begin");
    if (name == "MeshFormat")
      read_format();
    else if (version_ == 0. && name != "Comments")
      reader_.fail("the file must begin with $MeshFormat");
    else if (name == "PhysicalNames")
      read_names();
    else if (name == "Entities" && version_ >= 4.)
      read_entities();
    else if (name == "PartitionedEntities")
      reader_.fail("the mesh is partitioned; save it without partitions");
    else if (name == "Nodes")
      version_ < 4. ? read_nodes_2(4) : read_nodes_4();
    // Nodes have the dimension and tag of an entity, and up to three parameters on it.
    else if (name == "ParametricNodes" && version_ < 4.)
      read_nodes_2(9);
    else if (name == "Elements")
      {
        if (nodes_.size() == 0)
          reader_.fail("$Elements is before $Nodes, or there are no nodes");
        has_elements_ = true;
        version_ < 4. ? read_elements_2() : read_elements_4();
      }
    else
      {
        const std::size_t begin = reader_.number();
        do
          if (!reader_.next())
            LineReader::fail_at(begin, "the section $" + name + " never ends; the file is cut off");
        while (reader_.line() != "$End" + name);
        return;
      }
    reader_.require_next("$End" + name);
    if (reader_.line() != "$End" + name)
      reader_.fail(quote(reader_.line()) + " where $End" + name +
                   " was to be: the section has more lines than it announces, or $End" + name +
                   " is missing");
  }

  void words(const std::string &item, const std::size_t at_least)
  {
    reader_.require_next(item);
    if (reader_.line().front() == '$')
      reader_.fail(quote(reader_.line()) + " where " + item +
                   " was to be: the section has fewer lines than it announces");
    if (reader_.words().size() < at_least)
      reader_.fail("found " + std::to_string(reader_.words().size()) + " number" +
                   (reader_.words().size() == 1 ? "" : "s") + " of " + std::to_string(at_least) +
                   " for " + item);
  }

  long integer(const std::size_t i, const std::string &item) const
  {
    return integer_of(reader_, reader_.words()[i], item);
  }

  std::size_t count(const std::size_t i, const std::string &item) const
  {
    const long n = integer(i, item);
    if (n < 0)
      reader_.fail(item + " is negative");
    return static_cast<std::size_t>(n);
  }

  void read_format()
  {
    words("the version of the format", 3);
    version_ = number_of(reader_, reader_.words()[0], "the version of the format");
    if (integer(1, "the file type") != 0)
      reader_.fail("the file type is " + std::string(reader_.words()[1]) +
                   "; 0 is text, and 1 is binary, which strut reads if $MeshFormat is the first "
                   "section (in Gmsh: export the mesh again)");
    if (!(version_ >= 2. && version_ < 3.) && version_ != 4.1)
      reader_.fail("the format is of version " + std::string(reader_.words()[0]) +
                   "; strut reads 2 and 4.1 (in Gmsh: -format msh41)");
  }

  void read_names()
  {
    words("the number of physical names", 1);
    const std::size_t n = count(0, "the number of physical names");
    for (std::size_t i = 0; i < n; ++i)
      {
        words("a physical name", 3);
        const long dim          = integer(0, "the dimension of a physical name");
        const long tag          = integer(1, "the number of a physical name");
        const auto line         = reader_.line();
        const std::size_t begin = line.find('"'), end = line.rfind('"');
        if (begin == std::string_view::npos || begin == end)
          reader_.fail("the physical name is not between quotation marks");
        if (dim < 0 || dim > 3)
          reader_.fail("a physical name of dimension " + std::to_string(dim));
        names_[{static_cast<int>(dim), physical(tag)}] =
          std::string(trim_view(line.substr(begin + 1, end - begin - 1)));
      }
  }

  unsigned int physical(const long tag) const
  {
    if (std::labs(tag) >= 4294967295l)
      reader_.fail("the physical number " + std::to_string(tag) + " is too large");
    return static_cast<unsigned int>(std::labs(tag));
  }

  void read_entities()
  {
    words("the numbers of entities", 4);
    std::array<std::size_t, 4> n;
    for (std::size_t dim = 0; dim < 4; ++dim)
      n[dim] = count(dim, "the number of entities");
    has_entities_ = true;
    for (int dim = 0; dim < 4; ++dim)
      for (std::size_t i = 0; i < n[static_cast<std::size_t>(dim)]; ++i)
        {
          const std::size_t box = dim == 0 ? 3 : 6;
          words("an entity", box + 2);
          const std::size_t n_physical = count(box + 1, "the number of physical groups");
          if (n_physical > reader_.words().size() - (box + 2))
            reader_.fail("an entity of " + std::to_string(n_physical) +
                         " physical groups, which are not all in its line");
          std::vector<long> tags;
          for (std::size_t p = 0; p < n_physical; ++p)
            {
              const long tag = integer(box + 2 + p, "the number of a physical group");
              physical(tag);
              tags.push_back(tag);
            }
          if (dim > 0)
            {
              const std::size_t at = box + 2 + n_physical;
              if (reader_.words().size() <= at ||
                  count(at, "the number of bounding entities") != reader_.words().size() - at - 1)
                reader_.fail("the number of bounding entities does not fit the line");
            }
          if (!entities_.emplace(std::pair(dim, integer(0, "the tag of an entity")), tags).second)
            reader_.fail("the entity of dimension " + std::to_string(dim) + " with tag " +
                         std::string(reader_.words()[0]) + " is there twice");
        }
  }

  void add_node(const long tag, const std::size_t first_coordinate)
  {
    require_positive(tag, reader_.number());
    dealii::Point<3> point;
    for (unsigned int d = 0; d < 3; ++d)
      point[d] = number_of(reader_, reader_.words()[first_coordinate + d], "a coordinate");
    add_node(tag, point, reader_.number());
  }

  static void require_positive(const long tag, const std::size_t line)
  {
    if (tag < 1)
      LineReader::fail_at(line,
                          "a node with the tag " + std::to_string(tag) + "; tags are positive");
  }

  void add_node(const long tag, const dealii::Point<3> &point, const std::size_t line)
  {
    if (!nodes_.insert(tag, static_cast<unsigned int>(mesh_.points.size())))
      LineReader::fail_at(line,
                          "the tag " + std::to_string(tag) + " belongs to a node before, too");
    mesh_.points.push_back(point);
  }

  /// A node in a line of its own.
  struct Node
  {
    long tag;
    dealii::Point<3> point;
  };

  /// Reads lines of coordinates, each after a tag or not, with all threads.
  template <bool has_tags>
  static bool parse_node(std::string_view line, std::vector<Node> &nodes)
  {
    Node &node = nodes.emplace_back();
    if (has_tags && !parse_integer(take_word(line), node.tag))
      return false;
    for (unsigned int d = 0; d < 3; ++d)
      if (!parse_number(take_word(line), node.point[d]))
        return false;
    return line.empty();
  }

  static bool parse_tag(const std::string_view line, std::vector<long> &tags)
  {
    return parse_integer(line, tags.emplace_back());
  }

  /// Reads nodes of format 2. @param most  the most numbers in the line of a node
  void read_nodes_2(const std::size_t most)
  {
    words("the number of nodes", 1);
    const std::size_t n = count(0, "the number of nodes");
    for (std::size_t i = 0; i < n; ++i)
      {
        words("a node", 4);
        if (reader_.words().size() > most)
          reader_.fail("a node has a tag and three coordinates; found " +
                       std::to_string(reader_.words().size()) + " numbers");
        add_node(integer(0, "the tag of a node"), 1);
        for (const auto &block : reader_.read_ahead<Node>(n - i - 1, parse_node<true>))
          for (std::size_t k = 0; k < block.n; ++k, ++i)
            {
              require_positive(block.values[k].tag, block.first + k);
              add_node(block.values[k].tag, block.values[k].point, block.first + k);
            }
      }
  }

  void read_nodes_4()
  {
    words("the numbers of blocks and nodes", 4);
    const std::size_t n_blocks = count(0, "the number of blocks");
    const std::size_t n_nodes  = count(1, "the number of nodes");
    for (std::size_t block = 0; block < n_blocks; ++block)
      {
        words("a block of nodes", 4);
        const std::size_t n   = count(3, "the number of nodes of a block");
        const bool parameters = integer(2, "whether there are parameters") != 0;
        if (reader_.words().size() > 4)
          reader_.fail("a block of nodes begins with four numbers; found " +
                       std::to_string(reader_.words().size()));
        std::vector<long> tags;
        for (std::size_t i = 0; i < n; ++i)
          {
            words("the tag of a node", 1);
            if (reader_.words().size() > 1)
              reader_.fail("the tag of a node was to be here; found " +
                           std::to_string(reader_.words().size()) + " numbers");
            tags.push_back(integer(0, "the tag of a node"));
            for (const auto &ahead : reader_.read_ahead<long>(n - i - 1, parse_tag))
              {
                tags.insert(tags.end(), ahead.values.begin(), ahead.values.end());
                i += ahead.n;
              }
          }
        for (std::size_t i = 0; i < n; ++i)
          {
            words("the coordinates of a node", 3);
            if (reader_.words().size() > (parameters ? 6u : 3u))
              reader_.fail("three coordinates were to be here; found " +
                           std::to_string(reader_.words().size()) + " numbers");
            add_node(tags[i], 0);
            for (const auto &ahead : reader_.read_ahead<Node>(n - i - 1, parse_node<false>))
              for (std::size_t k = 0; k < ahead.n; ++k)
                {
                  require_positive(tags[++i], ahead.first + k);
                  add_node(tags[i], ahead.values[k].point, ahead.first + k);
                }
          }
      }
    if (nodes_.size() != n_nodes)
      reader_.fail("the section announces " + std::to_string(n_nodes) + " nodes and has " +
                   std::to_string(nodes_.size()));
  }

  /// Adds an element whose nodes begin at a word of the line, to physical groups.
  /// @param has_number_0  whether its number of a group is 0, which may mean no group
  void add_element(const long type,
                   const std::size_t first_node,
                   const std::vector<long> &physicals,
                   const bool has_number_0 = false)
  {
    const CellType *const kind = type_of_gmsh(type);
    mesh_.contents.count(kind, std::to_string(std::clamp(type, -1l, 10000l)));
    if (kind == nullptr)
      return;
    if (reader_.words().size() != first_node + kind->n_nodes)
      reader_.fail("an element of type " + std::to_string(type) + " has " +
                   std::to_string(kind->n_nodes) + " nodes; found " +
                   std::to_string(reader_.words().size() < first_node
                                    ? 0
                                    : reader_.words().size() - first_node));
    std::array<unsigned int, most_nodes_of_cell> nodes{};
    for (std::size_t i = 0; i < kind->n_nodes; ++i)
      {
        const long tag = integer(first_node + i, "the tag of a node");
        nodes[i]       = nodes_(tag);
        if (nodes[i] == TagNumbers::none)
          reader_.fail("there is no node " + std::to_string(tag));
      }
    const auto in_groups = [&](const unsigned int member) {
      for (const long tag : physicals)
        group(static_cast<int>(kind->dim), physical(tag)).members.push_back(member);
    };
    if (kind->is_useful())
      {
        if (kind->dim == 2 && !physicals.empty() && physicals.front() < 0)
          std::reverse(nodes.begin(), nodes.begin() + kind->n_vertices());
        const unsigned int added = mesh_.add(*kind, nodes, MeshFormat::gmsh, reader_.number());
        in_groups(added);
        if (kind->dim == 2 && has_number_0)
          mesh_.faces_numbered_0.push_back(added);
      }
    else if (kind->dim < 2) // points and lines, whose third node is between the others
      {
        for (std::size_t i = 0; i < kind->n_nodes; ++i)
          in_groups(nodes[i]);
        if (kind->n_nodes < 2)
          return;
        mesh_.lines.push_back({{{nodes[0], nodes[1]}}, reader_.number()});
        for (const long tag : physicals)
          group(1, physical(tag)).edges.push_back(mesh_.lines.back().ends);
      }
  }

  /// Adds the solids that follow the one in the current line, and differ from it only in tag and
  /// nodes. All threads parse them.
  /// @param most  the most solids
  /// @return their number
  std::size_t add_solids_ahead(const std::size_t most,
                               const long type,
                               const std::size_t first_node,
                               const std::vector<long> &physicals)
  {
    const CellType *const kind = type_of_gmsh(type);
    if (kind == nullptr || kind->dim != 3 || !kind->is_useful() || mesh_.has_several_types)
      return 0;
    const std::vector<std::string_view> words(reader_.words());
    const auto parse = [&](std::string_view line, std::vector<long> &values) {
      if (!parse_integer(take_word(line), values.emplace_back()))
        return false;
      for (std::size_t i = 1; i < first_node; ++i)
        if (take_word(line) != words[i])
          return false;
      for (std::size_t i = 0; i < kind->n_nodes; ++i)
        {
          long tag = 0;
          if (!parse_integer(take_word(line), tag))
            return false;
          if (values.emplace_back(nodes_(tag)) == TagNumbers::none)
            return false;
        }
      return line.empty();
    };
    const std::vector<LinesAhead<long>> blocks = reader_.read_ahead<long>(most, parse);
    std::size_t n                              = 0;
    for (const LinesAhead<long> &block : blocks)
      {
        for (std::size_t i = 0; version_ >= 4. && i < block.n; ++i)
          add_element_tag(block.values[(1 + kind->n_nodes) * i], block.first + i);
        n += block.n;
      }
    if (n == 0)
      return 0;
    mesh_.contents.count_more(*kind, n);
    const unsigned int first = mesh_.add(*kind, blocks, MeshFormat::gmsh);
    for (const long tag : physicals)
      {
        std::vector<unsigned int> &members = group(3, physical(tag)).members;
        members.resize(members.size() + n);
        std::iota(members.end() - static_cast<std::ptrdiff_t>(n), members.end(), first);
      }
    return n;
  }

  void add_element_tag(const long tag, const std::size_t line)
  {
    if (tag < 0)
      LineReader::fail_at(line,
                          "an element with the tag " + std::to_string(tag) + "; tags are positive");
    if (!element_tags_.insert(tag, 0))
      LineReader::fail_at(line,
                          "the tag " + std::to_string(tag) + " belongs to an element before, too");
  }

  FileMesh::Group &group(const int dim, const unsigned int tag)
  {
    const Key key(dim, tag);
    if (last_group_ != nullptr && last_key_ == key)
      return *last_group_;
    FileMesh::Group &result = groups_[key];
    result.id               = tag;
    if (const auto name = names_.find(key); name != names_.end())
      result.name = name->second;
    last_key_   = key;
    last_group_ = &result;
    return result;
  }

  void read_elements_2()
  {
    words("the number of elements", 1);
    const std::size_t n = count(0, "the number of elements");
    for (std::size_t i = 0; i < n; ++i)
      {
        words("an element", 3);
        integer(0, "the tag of an element");
        const long type          = integer(1, "the type of an element");
        const std::size_t n_tags = count(2, "the number of tags");
        if (n_tags > reader_.words().size() - 3)
          reader_.fail("an element of " + std::to_string(n_tags) +
                       " tags, which are not all in its line");
        std::vector<long> physicals;
        bool has_number_0 = false;
        if (n_tags > 0)
          {
            // The number 0 is a group if it has a name; otherwise it means no group.
            const long tag           = integer(3, "the number of a physical group");
            const CellType *const of = tag == 0 ? type_of_gmsh(type) : nullptr;
            has_number_0 = of != nullptr && names_.count({static_cast<int>(of->dim), 0}) == 0;
            if (!has_number_0 && (tag != 0 || of != nullptr))
              physicals.push_back(tag);
          }
        add_element(type, 3 + n_tags, physicals, has_number_0);
        i += add_solids_ahead(n - i - 1, type, 3 + n_tags, physicals);
      }
  }

  void read_elements_4()
  {
    words("the numbers of blocks and elements", 4);
    const std::size_t n_blocks   = count(0, "the number of blocks");
    const std::size_t n_elements = count(1, "the number of elements");
    std::size_t n_read           = 0;
    for (std::size_t block = 0; block < n_blocks; ++block)
      {
        words("a block of elements", 4);
        const long dim      = integer(0, "the dimension of a block");
        const long tag      = integer(1, "the tag of an entity");
        const long type     = integer(2, "the type of the elements");
        const std::size_t n = count(3, "the number of elements of a block");
        if (reader_.words().size() > 4)
          reader_.fail("a block of elements begins with four numbers; found " +
                       std::to_string(reader_.words().size()));
        if (const auto *known = type_of_gmsh(type); known != nullptr && known->dim != dim)
          reader_.fail("elements of type " + std::to_string(type) + " in an entity of dimension " +
                       std::to_string(dim));
        std::vector<long> physicals;
        if (dim >= 0 && dim <= 3 && has_entities_)
          {
            const auto found = entities_.find({static_cast<int>(dim), tag});
            if (found == entities_.end())
              reader_.fail("$Entities has no entity of dimension " + std::to_string(dim) +
                           " with tag " + std::to_string(tag));
            physicals = found->second;
          }
        for (std::size_t i = 0; i < n; ++i)
          {
            words("an element", 2);
            add_element_tag(integer(0, "the tag of an element"), reader_.number());
            add_element(type, 1, physicals);
            i += add_solids_ahead(n - i - 1, type, 1, physicals);
          }
        n_read += n;
      }
    if (n_read != n_elements)
      reader_.fail("the section announces " + std::to_string(n_elements) + " elements and has " +
                   std::to_string(n_read));
  }

  LineReader reader_;
  FileMesh mesh_;
  double version_    = 0.;
  bool has_elements_ = false;
  bool has_entities_ = false;
  TagNumbers nodes_, element_tags_;
  std::map<Key, std::string> names_;
  std::map<Key, FileMesh::Group> groups_;
  std::map<std::pair<int, long>, std::vector<long>> entities_; ///< physical groups of each entity
  Key last_key_;
  FileMesh::Group *last_group_ = nullptr;
};
} // namespace

FileMesh read_gmsh(const std::string &text)
{
  return Reader(text).read();
}
} // namespace strut
