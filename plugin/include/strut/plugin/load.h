// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/tensor.h>

#include <strut/base/parameter.h>
#include <strut/plugin/deck_mesh.h>
#include <strut/plugin/region.h>
#include <strut/plugin/selected_part.h>

#include <mpi.h>

#include <map>
#include <string>
#include <vector>

namespace strut::plugin
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
  /// Force, force per area or force per volume, as the type says.
  const dealii::Tensor<1, 3> &value() const
  {
    return value_;
  }
  /// What the deck sets of the parameters that the type has of its own (LoadType::parameters), for settings_from().
  ParameterValues values() const;
  /// Throws EntryError if the deck sets parameters of another type.
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
  std::map<std::string, ParameterValues> values_; ///< of all types, by their names
};

/// The structure, and the forces on degrees of freedom to which a load adds its own.
struct LoadContext
{
  const DeckMesh &mesh;
  const MeshSummary &summary;
  MPI_Comm communicator;
  /// `[3 * n_nodes]`, to add to; those on ghosts are added to their owners' afterwards.
  std::vector<double> &forces;

  /// Forces that follow the density: per volume of solid material, `[n_elements]`. Empty until a load that
  /// has some makes it; to add to.
  std::vector<dealii::Tensor<1, 3>> &weights;

  /// This rank's part of the region, for the log, if the caller wants it.
  SelectedPart *selection = nullptr;
};

/// A kind of load: its name in the deck and how it assembles. One file each in plugin/deck/problem/loads/,
/// one line each in load_types.cc; load_integrals.h does most of the work.
struct LoadType
{
  std::string name;
  std::string summary;
  /// Returns a description of the nodes, faces or elements of the load, for the log: "17 nodes", "32 faces of area 8".
  std::string (*assemble)(const LoadContext &context, const Load &load);
  /// Of its own, in a subsection of the load that is called like the type; see Load::values().
  std::vector<Parameter> parameters = {};
};

const std::vector<LoadType> &load_types();

/// One more kind of load, from outside of strut: after the others, for the life of the program, before
/// a deck is read. Throws Error if the name is taken.
void add_load_type(const LoadType &type);

/// Assemble one load; returns the description of LoadType::assemble. Throws EntryError if its region selects nothing.
/// Collective.
std::string assemble_load(const LoadContext &context, const Load &load);
} // namespace strut::plugin
