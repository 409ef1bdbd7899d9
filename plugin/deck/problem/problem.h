// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/parameter_acceptor.h>

#include <strut/element/material.h>
#include <strut/element/material_ratios.h>
#include <strut/mesh/element_mesh.h>
#include <strut/mesh/hierarchy.h>
#include <strut/plugin/deck_mesh.h>
#include <strut/plugin/load.h>
#include <strut/plugin/mesh_summary.h>
#include <strut/plugin/region.h>
#include <strut/solvers/state/state_solver.h>

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "plugin/deck/mesh/mesh_source.h"
#include "plugin/deck/mesh/touching_parts.h"
#include "plugin/deck/parameters/deck.h"
#include "plugin/deck/problem/material_region.h"
#include "plugin/deck/problem/mesh_maker.h"
#include "plugin/deck/problem/spring.h"
#include "plugin/deck/problem/support.h"
#include "plugin/deck/problem/void_nodes.h"

namespace strut::plugin
{
/// `Mesh` in the deck.
class MeshParameters : public dealii::ParameterAcceptor
{
public:
  explicit MeshParameters(const std::vector<std::unique_ptr<MeshSource>> &sources);

  std::string type         = "box";
  unsigned int refinements = 0;
};

/// `Material` in the deck.
class MaterialParameters : public dealii::ParameterAcceptor
{
public:
  MaterialParameters();

  /// Throws EntryError for values that are no material.
  Material get() const;

private:
  Material material_;
};

/// `Load cases` in the deck.
class LoadCaseParameters : public dealii::ParameterAcceptor
{
public:
  LoadCaseParameters();

  std::map<std::string, double> weights;
};

/// Elements that the optimizer may not change: `Non-design regions / <name>` in the deck.
class NonDesignRegion : public dealii::ParameterAcceptor
{
public:
  explicit NonDesignRegion(const std::string &name)
    : dealii::ParameterAcceptor("/Non-design regions/" + name), name(name)
  {
    region.declare(*this, path());
    add_parameter("Density",
                  density_,
                  "solid: density 1 throughout; void: the minimum density throughout.",
                  prm,
                  dealii::Patterns::Selection("solid|void"));
    add_parameter(
      "Distance",
      distance_,
      "To faces of 'Boundary ids', in length units of the mesh: elements whose centres are at most so "
      "far from one belong to the region too. 0: only elements with a face there.");
  }

  const std::string name;
  Region region;

  bool is_solid() const
  {
    return density_ == "solid";
  }
  /// Throws EntryError for a distance from nothing.
  double distance() const;
  std::string describe() const;

  std::vector<std::string> path() const
  {
    return {"Non-design regions", name};
  }

private:
  std::string density_ = "solid";
  double distance_     = 0.;
};

/// The elastic structure that a deck describes: mesh, materials, supports, loads, non-design regions.
/// The members are in the order of the deck.
class Problem
{
public:
  /// Declares the parameters; the names of supports, loads and regions are those that the deck uses.
  explicit Problem(const Deck &deck);

  /// Make the mesh and everything on it, after the parameters were parsed. Collective.
  /// @param with_hierarchy  whether to make hierarchy(), too
  /// @throws EntryError, Error
  void setup(MPI_Comm communicator, bool with_hierarchy = false);

  /// Throw unless the supports hold the structure and something acts on it. Collective.
  /// @param needs_loads  whether something has to act
  void check_well_posed(bool needs_loads = true) const;

  /// Tables of the mesh, boundary ids, supports, loads and regions, for people.
  std::string describe() const;

  const ElementMesh &mesh() const
  {
    return mesh_.elements;
  }
  /// The mesh with the places of its elements in the coarse one.
  const DeckMesh &deck_mesh() const
  {
    return mesh_;
  }
  /// The coarser meshes of the mesh; empty unless setup() was asked for them.
  const MeshHierarchy &hierarchy() const
  {
    return hierarchy_;
  }
  /// `[n_nodes]`: bit d if a plane of symmetry with the normal d passes through the node.
  std::vector<std::uint8_t> mirrors() const;
  /// The planes of symmetry behind which the body goes on: those that the mesh is on one side of.
  std::vector<SymmetryPlane> symmetry_planes() const;
  /// The NOTE on walls with too few layers for stresses at centres of elements, or nothing.
  std::string note_on_layers() const;
  /// Whether the elements lock: Poisson's ratio is near 0.5, and the integration full.
  bool locks() const;
  const Material &material() const
  {
    return material_;
  }
  /// What is of one material.
  struct MaterialShare
  {
    std::string name; ///< empty: of `Material`, all elements that no other has
    double youngs_modulus = 0., poisson_ratio = 0., mass_ratio = 1.;
    std::uint64_t n_elements = 0;
    double volume            = 0.;
    bool is_orthotropic      = false; ///< then it has no single modulus
  };
  /// Of all materials over all ranks, `Material` first; empty unless the deck has others.
  const std::vector<MaterialShare> &material_shares() const
  {
    return material_shares_;
  }
  /// Whether the deck has other materials than 'Material'; the same on all ranks.
  bool has_materials() const
  {
    return !materials_.empty();
  }
  /// Those of the elements; empty unless there are some.
  const MaterialRatios &ratios() const
  {
    return ratios_;
  }
  const std::vector<LoadCase> &load_cases() const
  {
    return load_cases_;
  }
  /// For a solver, which keeps them: they are as large as displacements.
  std::vector<LoadCase> take_load_cases()
  {
    return std::move(load_cases_);
  }
  const MeshSummary &summary() const
  {
    return summary_;
  }

  /// A material, support, spring or non-design region of the deck, with what it selects on this rank.
  struct Selection
  {
    std::string name; ///< "support wall"
    bool has_elements = false;
    std::vector<LocalIndex> members; ///< elements or nodes
  };
  /// All of them, in the order of the deck. Collective.
  std::vector<Selection> selections() const;

private:
  void make_mesh();
  /// Find those that are not joined; if they shall be tied, those that lie on others whole leave the boundary. Collective.
  /// @param joined_in_vain  entries that were to join parts, and have done nothing
  void find_touching_faces(std::vector<std::string> joined_in_vain);
  /// Pairs of coarse cells that are tied.
  std::vector<std::array<std::uint32_t, 2>> tied_cells() const;
  /// Tie the faces that touch, if the deck wants it; after apply_supports(). Collective.
  void tie_touching();
  /// Throw for faces that touch, and are neither joined nor tied. Collective.
  void check_touching() const;
  void apply_supports();
  /// Springs that stand on one node add up. Collective.
  void apply_springs();
  void assemble_loads();
  /// Note on a load on faces whose node sets have more nodes; mostly empty. Collective.
  std::string note_on_node_sets(const Load &load) const;
  /// Take over the self weight of a load, by element or empty. @param total  gets its sum over this rank
  /// @return whether there is some on any rank. Collective.
  bool add_weights(const std::vector<dealii::Tensor<1, 3>> &weights,
                   LoadCase &load_case,
                   dealii::Tensor<1, 3> &total) const;
  void flag_regions();
  /// Give the elements the materials of their regions. Collective.
  void assign_materials();
  /// Add up material_shares(). @param material_of  the elements' materials, from 1; 0: `Material`
  void count_materials(const std::vector<std::uint32_t> &material_of);
  /// Note what is allowed and hardly meant. Collective.
  void note_doubts();
  std::string materials_table() const;
  /// Note the entities of a region, with their share and box, and that they are the whole mesh. Collective.
  void note_region(const std::string &text, const SelectedPart &local, const Region &region);

  std::string deck_folder_;
  MPI_Comm communicator_ = MPI_COMM_NULL;

  std::vector<std::unique_ptr<MeshSource>> mesh_sources_;
  MeshParameters mesh_parameters_;
  MaterialParameters material_parameters_;
  /// Subsections of named ones, which a deck may leave empty.
  dealii::ParameterAcceptor of_materials_{"/Materials"}, of_supports_{"/Supports"},
    of_springs_{"/Springs"}, of_loads_{"/Loads"}, of_regions_{"/Non-design regions"};
  std::vector<std::unique_ptr<MaterialRegion>> materials_;
  std::vector<std::unique_ptr<Support>> supports_;
  std::vector<std::unique_ptr<Spring>> springs_;
  SymmetryPlanes symmetry_;
  std::vector<std::unique_ptr<Load>> loads_;
  std::set<std::string> loads_without_type_; ///< by name
  LoadCaseParameters load_case_parameters_;
  std::vector<std::unique_ptr<NonDesignRegion>> regions_;

  std::unique_ptr<MeshMaker> mesh_maker_;
  MeshSummary summary_;
  std::string mesh_note_;
  std::string mesh_doubts_;             ///< NOTEs on slits, hinges and gaps
  bool ties_ = false;                   ///< whether to tie them:
  std::vector<UnjoinedFaces> unjoined_; ///< of the coarse mesh
  std::size_t n_partly_covered_ = 0;    ///< faces of it that touch others with some of their area
  DeckMesh mesh_;
  MeshHierarchy hierarchy_;
  std::unique_ptr<VoidNodes> void_nodes_;
  Material material_;
  MaterialRatios ratios_;
  std::vector<MaterialShare> material_shares_;
  std::vector<LoadCase> load_cases_;

  /// The nodes, faces or elements of each support, load and region, for describe().
  std::vector<std::string> notes_;
};
} // namespace strut::plugin
