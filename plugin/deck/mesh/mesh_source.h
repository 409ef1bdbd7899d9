// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/plugin/dealii_classes.h>

#include <deal.II/base/parameter_acceptor.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plugin/base/faulty_elements.h"
#include "plugin/deck/mesh/coarse_mesh.h"

namespace strut::plugin
{
struct MeshSets;

/// A way to get a mesh of hexahedra: a generator, or a file. One file each in plugin/deck/mesh/, one line
/// each in mesh_sources.cc; its name in the deck is its name there.
///
/// The parameters of a source are in the subsection `Mesh / <Name>`.
class MeshSource : public dealii::ParameterAcceptor
{
public:
  /// The path is absolute (leading slash): a relative one depends on the objects constructed before.
  ///
  /// @param name  as in `set Type = name` of the subsection Mesh; the subsection is `Mesh/<title>`
  MeshSource(const std::string &name, const std::string &title)
    : dealii::ParameterAcceptor("/Mesh/" + title), name(name), title(title)
  {}

  /// Fill the empty triangulation with the coarse mesh: cells, manifolds, boundary ids, material ids.
  /// @return how often to refine it globally
  /// @throws EntryError with path {"Mesh", title} for parameters that make no mesh
  virtual unsigned int create(dealii::Triangulation<3, 3> &triangulation) const = 0;

  /// The mesh of create() where it is not refined at all, without a triangulation, which takes most of the time of
  /// a large one. Nothing where create() refines, and from sources that have a triangulation alone.
  virtual std::optional<CoarseMesh> create_cells() const
  {
    return std::nullopt;
  }

  /// The other sets that the mesh of create() names or numbers; empty for generators.
  virtual std::shared_ptr<const MeshSets> sets() const
  {
    return nullptr;
  }

  /// Of the mesh of create(): where faces of it lie on each other, and share no nodes.
  enum class TouchingFaces
  {
    none,    ///< the source makes none
    refused, ///< the mesh is refused
    tied     ///< they are tied
  };
  virtual TouchingFaces touching_faces() const
  {
    return TouchingFaces::none;
  }

  /// An entry that was to join parts of the mesh of create(), and has done nothing; empty if there is none.
  virtual std::string joined_in_vain() const
  {
    return "";
  }

  /// Something about the mesh of create() for the log; may be empty.
  virtual std::string note() const
  {
    return "";
  }

  /// The boundary ids that create() sets and their meanings, for messages and the documentation:
  /// "0: left (x = 0), 1: ...".
  virtual std::string boundaries() const = 0;

  const std::string name;
  const std::string title;

  /// Folder of the parameter file: where a relative file name is looked up if it is not found from
  /// the working directory. The program sets it before create().
  std::string deck_folder;

  /// Whether a mesh file may have tetrahedra instead of hexahedra: for callers that do not refine the mesh.
  bool allows_tetrahedra = false;

  /// Bytes of host memory that an element of the mesh will take; create() refuses a mesh that does not
  /// fit before it makes it. 0: it does not look.
  double bytes_per_element = 0.;

  /// Bytes that a cell of the coarse mesh takes besides, likewise; of one that create() does not refine.
  double bytes_per_coarse_cell = 0., bytes_per_flat_cell = 0.;

protected:
  /// Throw an EntryError for one entry of this source. @param place  that can be drawn; may be null
  [[noreturn]] void fail(const std::string &entry,
                         const std::string &text,
                         std::shared_ptr<const FaultyElements> place = nullptr) const;

  /// A number as people write it.
  static std::string to_text(const double number);

  /// Throw unless a length is positive (and finite).
  void require_positive(const std::string &entry, const double length) const;

  /// Throw unless there is at least one element.
  void require_count(const std::string &entry, const unsigned int count) const;

  /// Throw if so many elements, with all refinements of this source, do not fit into the memory.
  /// @param refinements  of the coarse mesh
  void require_room(const std::string &entry, double n_elements, unsigned int refinements) const;
};

/// All sources, in the order in which the documentation lists them.
std::vector<std::unique_ptr<MeshSource>> make_mesh_sources();
} // namespace strut::plugin
