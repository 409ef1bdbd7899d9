// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/tensor.h>

#include <strut/base/parameter.h>
#include <strut/deck_mesh.h>
#include <strut/mesh/element_mesh.h>
#include <strut/region.h>
#include <strut/selected_part.h>

#include <mpi.h>

#include <map>
#include <string>
#include <vector>

namespace strut
{
struct MeshSummary;

/// Forces on a region: `Loads / <name>` in the deck.
class Load : public dealii::ParameterAcceptor
{
public:
  explicit Load(const std::string &name);

  const std::string name;
  Region region;

  const std::string &type() const
  {
    return type_;
  }
  const std::string &load_case() const
  {
    return load_case_;
  }
  /// Force, force per area or force per volume, depending on the type.
  const dealii::Tensor<1, 3> &value() const
  {
    return value_;
  }
  /// Values that the deck sets for the type's own parameters (LoadType::parameters), for
  /// settings_from().
  ParameterValues values() const;
  /// Throws EntryError if the deck sets parameters of a type that this load does not have to other
  /// values than their defaults.
  void check_values() const;
  std::string describe() const;

  std::vector<std::string> path() const
  {
    return {"Loads", name};
  }

private:
  std::string type_ = "force per node";
  dealii::Tensor<1, 3> value_;
  std::string load_case_ = "1";
  /// Values of each type, with the type's name as the key.
  std::map<std::string, ParameterValues> values_;
};

/// The structure and the forces on its degrees of freedom, to which loads add.
struct LoadContext
{
  const DeckMesh &mesh;
  const MeshSummary &summary;
  MPI_Comm communicator;
  /// Forces, `[3 * n_nodes]`, to add to. Values on ghosts are added to those of their owners later.
  std::vector<double> &forces;

  /// Forces per volume of solid material, which scale with the density, `[n_elements]`, to add to.
  /// Empty until a load of this kind sizes it.
  std::vector<dealii::Tensor<1, 3>> &weights;

  /// Counts of this rank's part of the region, for the log; null if not wanted.
  SelectedPart *selection = nullptr;

  /// The planes behind which the body continues as its mirror image.
  std::vector<SymmetryPlane> planes = {};

  /// LoadCase::uneven_weights and LoadCase::expansion to add to, both of a solid with unit
  /// properties: before the ratio of mass, and as strains of the free expansion,
  /// `int strain dN_v/dx_c dx`. Empty until a load sizes them; null if not wanted.
  std::vector<double> *uneven_weights = nullptr, *expansion = nullptr;
};

/// A kind of load: its name in the deck and its assembly. Each kind has a file in
/// plugin/deck/problem/loads/ and a line in load_types.cc; load_integrals.h does most of the work.
struct LoadType
{
  std::string name;
  std::string summary;
  /// Returns a description of the nodes, faces or elements of the load, for the log: "17 nodes",
  /// "32 faces of area 8".
  std::string (*assemble)(const LoadContext &context, const Load &load);
  /// Own parameters of the type, in a subsection of the load that has the type's name; see
  /// Load::values().
  std::vector<Parameter> parameters = {};
};

const std::vector<LoadType> &load_types();

/// Registers a kind of load from outside of strut, after the existing ones. Call it before a deck
/// is read; the kind stays for the life of the program. Throws Error if the name is taken.
void add_load_type(const LoadType &type);

/// Assembles one load, and returns the description from LoadType::assemble. Throws EntryError if
/// its region selects nothing. Collective.
std::string assemble_load(const LoadContext &context, const Load &load);
} // namespace strut
