// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "plugin/deck/mesh/abaqus_deck.h"

namespace strut
{
/// A place of a model: numbers and names of sets, as the model has them in one or several lines.
struct ModelPlace
{
  std::vector<std::string> words;
  std::size_t line = 0; ///< The line is for messages and names of sets.
};

/// The words by which a deck names the places of a model. Where the mesh has no name for a place,
/// or one that a deck cannot write, a new set gets one. Members throw MeshFileError for words that
/// the model does not know.
class ModelRegions
{
public:
  /// @param deck  must outlive the object
  explicit ModelRegions(const AbaqusDeck &deck);

  const FileMesh &mesh() const
  {
    return mesh_->mesh();
  }

  /// The points of nodes or of sets of nodes.
  std::vector<unsigned int> points(const ModelPlace &place);

  /// The points of the nodes of elements or of sets of elements, of solids alone.
  std::vector<unsigned int> points_of_elements(const ModelPlace &place);

  /// The solids that elements or sets of elements are.
  std::vector<unsigned int> cells(const ModelPlace &place);

  // These return numbers of faces, which are equal for equal faces.
  /// @param label  "S1" to "S6", of each of the elements
  std::vector<unsigned int> numbers_of_faces(const ModelPlace &place, const std::string &label);
  /// The faces of a surface; none if it is made of nodes, or unknown.
  std::vector<unsigned int> numbers_of_faces(const std::string &surface, std::size_t line);

  /// Whether a solid has the point.
  bool is_of_solid(const unsigned int point) const
  {
    return is_of_solid_[point];
  }

  /// Parts points of solids where no solid connects them.
  std::vector<std::vector<unsigned int>> pieces(const std::vector<unsigned int> &points) const;

  // These return a word for 'Boundary ids'. @param label  beginning of the name of a new set
  std::string nodes(const ModelPlace &place, const std::string &label);
  std::string surface(const std::string &name, std::size_t line, const std::string &label);
  /// @param faces  of each word of the place, "S1" to "S6"
  std::string
  faces(const ModelPlace &place, const std::vector<std::string> &faces, const std::string &label);

  /// Returns a word for 'Material ids'; empty if these are all solids of the mesh.
  std::string elements(const ModelPlace &place, const std::string &label);

  /// The keywords of the new sets; empty if there are none.
  const std::string &new_sets() const
  {
    return new_sets_;
  }

private:
  static AbaqusDeck::Set set_of(const ModelPlace &place);
  std::vector<unsigned int> numbers_of(const std::vector<unsigned int> &faces);
  /// The surface that a word means, outside of all parts or in an instance; null: there is none.
  const AbaqusDeck::Set *find_surface(const std::string &word) const;
  std::string add(const std::string &keyword,
                  const std::string &label,
                  std::size_t line,
                  const std::string &data);

  const AbaqusDeck &deck_;
  std::unique_ptr<AbaqusMesh> mesh_;
  std::vector<bool> is_of_solid_;
  std::map<std::pair<std::string, std::string>, std::string>
    names_; ///< names of new sets, by keyword and data
  std::string new_sets_;
  /// Numbers of faces by their points in ascending order.
  std::map<FileMesh::Face, unsigned int> number_of_face_;
};
} // namespace strut
