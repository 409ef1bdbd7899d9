// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <array>
#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "plugin/deck/mesh/file_mesh.h"

namespace strut
{
/// Order of names that ignores case, as Abaqus does.
struct LessIgnoringCase
{
  bool operator()(const std::string &a, const std::string &b) const;
};

/// A line that begins with `*`, such as "*ELEMENT, TYPE=C3D8, ELSET=steel".
struct AbaqusKeyword
{
  std::string name; ///< The name is in upper case, with one blank for white space.
  std::map<std::string, std::string> parameters; ///< names are in upper case without blanks
  std::size_t line = 0;

  bool has(const std::string &parameter) const
  {
    return parameters.count(parameter) > 0;
  }
  std::string get(const std::string &parameter) const
  {
    const auto found = parameters.find(parameter);
    return found == parameters.end() ? std::string() : found->second;
  }
};

/// Contents of an Abaqus file, part by part, before instances are placed and names are looked up.
/// The views refer to the text of the file.
struct AbaqusDeck
{
  struct Element
  {
    long id                = 0;
    std::size_t line       = 0;
    const CellType *type   = nullptr; ///< null: a type that strut does not use
    std::size_t first_node = 0;       ///< in Part::nodes_of_elements; for the types that strut uses
    std::array<long, 2> ends{};       ///< the two ends of a line; equal for other elements
  };

  /// An entry of a set: a number, or the name of another set. Entries of surfaces have a face, too.
  struct Item
  {
    std::string_view text;
    std::string_view face;
    std::size_t line = 0;
  };

  /// A *NSET, *ELSET or *SURFACE: the union of all keywords with this name.
  struct Set
  {
    std::vector<Item> items;
    std::vector<std::array<long, 3>> ranges; ///< first, last, step
    std::vector<long> ids;
    std::string instance; ///< in an assembly: the instance that owns the members
    std::size_t line = 0;
    bool is_internal = false; ///< made by Abaqus/CAE for its own use
    bool of_nodes    = false; ///< a *SURFACE of type NODE
    bool of_elements = false; ///< *NSET, ELSET=: the nodes of a set of elements
  };
  /// Sets with their names. A name may occur several times, for several instances.
  using Sets = std::vector<std::pair<std::string, Set>>;

  struct Part
  {
    std::string name;
    std::size_t line = 0;
    std::vector<std::pair<long, std::array<double, 3>>> nodes;
    std::unordered_map<long, std::size_t> node_of_id;
    std::vector<Element> elements;
    std::vector<long> nodes_of_elements;
    std::unordered_map<long, std::size_t> element_of_id;
    Sets node_sets, element_sets, surfaces; ///< in the order of the file
  };

  struct Instance
  {
    std::string name, part;
    std::size_t line = 0;
    std::vector<std::vector<double>> placement; ///< translation, then two points and an angle
    Part own;                                   ///< the data between *INSTANCE and *END INSTANCE
  };

  /// A keyword that a mesh has no use for, such as a material or a load, with its lines of data.
  struct Card
  {
    AbaqusKeyword keyword;
    std::string part, instance; ///< the part or the instance that it is in; empty: none
    std::vector<Item> lines;
  };

  Part root; ///< the data outside of all parts, or in the assembly
  std::vector<Part> parts;
  std::vector<Instance> instances;
  MeshFileContents contents;
  /// Second-order solids whose type is a variant of C3D10, C3D20 or C3D27, by type. They are
  /// computed as those.
  struct Variant
  {
    std::size_t count    = 0;
    std::size_t first    = 0; ///< line of the first element in the file
    const CellType *type = nullptr;
  };
  std::map<std::string, Variant> variants;
  std::vector<Card> cards;     ///< The keywords in the order of the file, if they are wanted.
  std::list<std::string> kept; ///< texts of those views that do not refer to the file
};

/// Parses the text of an Abaqus file.
/// @param text  must outlive the result
/// @param with_cards  whether the rest of the model is kept: the cards, and all from *STEP on
/// @throws MeshFileError
AbaqusDeck parse_abaqus(const std::string &text, bool with_cards = false);

/// Place of a point in an instance: a translation, then a rotation about the axis through two
/// points, by an angle in degrees.
/// @param placement  of an AbaqusDeck::Instance
dealii::Point<3> place_in_instance(const std::array<double, 3> &location,
                                   const std::vector<std::vector<double>> &placement);

/// The mesh of a deck, and what entries of sets mean in it.
class AbaqusMesh
{
public:
  virtual ~AbaqusMesh() = default;

  virtual FileMesh &mesh() = 0;

  // These return the points, the cells and the faces of the mesh, in ascending order, that a set
  // outside of all parts has. They throw MeshFileError for entries that the deck does not know.
  virtual std::vector<unsigned int> points_of(const AbaqusDeck::Set &set)    = 0;
  virtual std::vector<unsigned int> cells_of(const AbaqusDeck::Set &set)     = 0;
  virtual std::vector<unsigned int> faces_of(const AbaqusDeck::Set &surface) = 0;
};

/// Places the instances of a deck and looks up its names.
/// @param deck  must outlive the result
/// @throws MeshFileError
std::unique_ptr<AbaqusMesh> assemble_abaqus(const AbaqusDeck &deck);
} // namespace strut
