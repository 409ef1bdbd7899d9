// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/dealii_classes.h>

#include <deal.II/base/parameter_acceptor.h>

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plugin/base/faulty_elements.h"
#include "plugin/deck/mesh/coarse_mesh.h"

namespace strut
{
struct MeshSets;

/// A source of a mesh: a generator of hexahedra, or a file. Each has a file in plugin/deck/mesh/
/// and a line in mesh_sources.cc. Its name in the deck is set in the constructor.
///
/// The parameters of a source are in the subsection `Mesh / <Name>`.
class MeshSource : public dealii::ParameterAcceptor
{
public:
  /// Declares the subsection by an absolute path (leading slash): a relative one would depend on
  /// the objects constructed before.
  ///
  /// @param name  as in `set Type = name` of the subsection Mesh; the subsection is `Mesh/<title>`
  /// @param title  name of the subsection
  MeshSource(const std::string &name, const std::string &title)
    : dealii::ParameterAcceptor("/Mesh/" + title), name(name), title(title)
  {}

  /// Fills the empty triangulation with the coarse mesh: cells, manifolds, boundary ids, material
  /// ids.
  /// @return how often to refine it globally
  /// @throws EntryError with path {"Mesh", title} for parameters that make no mesh
  virtual unsigned int create(dealii::Triangulation<3, 3> &triangulation) const = 0;

  /// The mesh of create() without a triangulation, which takes most of the time of a large mesh.
  /// Empty if create() refines, or if the source offers only a triangulation.
  virtual std::optional<CoarseMesh> create_cells() const
  {
    return std::nullopt;
  }

  /// The sets that the mesh of create() names or numbers, besides ids. Null for generators.
  virtual std::shared_ptr<const MeshSets> sets() const
  {
    return nullptr;
  }

  /// Treatment of faces of the mesh of create() that lie on each other and share no nodes.
  enum class TouchingFaces
  {
    none,    ///< the source makes no such faces
    refused, ///< the mesh is refused
    tied     ///< the faces are tied
  };
  virtual TouchingFaces touching_faces() const
  {
    return TouchingFaces::none;
  }

  /// Name of an entry that should join parts of the mesh of create() and had no effect; may be
  /// empty.
  virtual std::string joined_in_vain() const
  {
    return "";
  }

  /// A note on the mesh of create() for the log; may be empty.
  virtual std::string note() const
  {
    return "";
  }

  /// The boundary ids that create() sets, with their meanings, for messages and the documentation:
  /// "0: left (x = 0), 1: ...".
  virtual std::string boundaries() const = 0;

  const std::string name;
  const std::string title;

  /// Folder of the parameter file. A relative file name is looked up there if it is not found from
  /// the working directory. The program sets it before create().
  std::string deck_folder;

  /// The cells that a mesh file may have. All cells of a mesh are of one type.
  enum class AllowedCells
  {
    hexahedra, ///< hexahedra of eight nodes
    linear,    ///< hexahedra or tetrahedra, without nodes between vertices
    all        ///< cells of any type of element; create() takes hexahedra of eight nodes alone
  };
  AllowedCells allowed_cells = AllowedCells::hexahedra;

  /// Bytes of host memory that an element of the mesh takes. create() refuses a mesh that does not
  /// fit before it makes it. 0: no check.
  double bytes_per_element = 0.;

  /// Additional bytes for a cell of the coarse mesh, and for a cell of a mesh that create() does
  /// not refine.
  double bytes_per_coarse_cell = 0., bytes_per_flat_cell = 0.;

protected:
  /// Throws an EntryError for one entry of this source. @param place  faulty elements to draw; may
  /// be null
  [[noreturn]] void fail(const std::string &entry,
                         const std::string &text,
                         std::shared_ptr<const FaultyElements> place = nullptr) const;

  /// A number as text, for messages.
  static std::string to_text(const double number);

  /// Throws EntryError unless a length is positive and finite.
  void require_positive(const std::string &entry, const double length) const;

  /// Throws EntryError unless there is at least one element.
  void require_count(const std::string &entry, const unsigned int count) const;

  /// Throws EntryError if so many elements, with all refinements of this source, do not fit into
  /// memory.
  /// @param refinements  number of global refinements of the coarse mesh
  void require_room(const std::string &entry, double n_elements, unsigned int refinements) const;
};

/// Least bytes of host memory that deal.II's triangulation takes for a hexahedron, with neighbours,
/// faces and lines. Measured with version 9.4: 606 to 830.
constexpr double bytes_of_hexahedron = 600.;
/// Bytes that strut's own arrays take for an element of a deck during set-up, multigrid levels
/// included. A coarse mesh that is refined is deal.II's and does not count here.
constexpr double bytes_of_deck_element = 200.;
/// Additional bytes for a cell of a mesh that is not refined. Measured: 430 to 540 in all.
constexpr double bytes_of_flat_cell = 200.;
/// Bytes of deal.II's triangulation for the 24 tetrahedra that a hexahedron is cut into. Measured:
/// 13.2 to 13.9 kB.
constexpr double bytes_of_cut_hexahedron = 13e3;

/// Checks that the host has memory for a mesh. @return a message if not, else an empty text
std::string mesh_does_not_fit(double n_elements, double bytes_per_element);

/// Throws EntryError (Mesh / Additional refinements) if a mesh does not fit into memory after
/// global refinement.
void require_room_to_refine(std::size_t n_cells,
                            unsigned int refinements,
                            double bytes_per_element);

/// Returns how often all element counts of a mesh can be halved. This is the number of global
/// refinements that make the fine mesh from a coarse one. A multigrid method gets a level from each
/// of them.
unsigned int common_halvings(std::initializer_list<unsigned int> counts);

/// Returns all sources, in the order in which the documentation lists them.
std::vector<std::unique_ptr<MeshSource>> make_mesh_sources();
} // namespace strut
