// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/parameter_acceptor.h>

#include <strut/deck_mesh.h>
#include <strut/element/material.h>
#include <strut/element/solids.h>
#include <strut/load.h>
#include <strut/mesh/element_mesh.h>
#include <strut/mesh/hierarchy.h>
#include <strut/region.h>
#include <strut/solvers/state/state_solver.h>

#include <array>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "plugin/deck/mesh/bodies.h"
#include "plugin/deck/mesh/mesh_source.h"
#include "plugin/deck/parameters/deck.h"
#include "plugin/deck/problem/mesh_maker.h"
#include "plugin/deck/problem/region_sections.h"
#include <strut/mesh_summary.h>

namespace strut
{
struct MeshOfWalls;

/// The subsection `Mesh` of the deck.
class MeshParameters : public dealii::ParameterAcceptor
{
public:
  explicit MeshParameters(const std::vector<std::unique_ptr<MeshSource>> &sources);

  std::string type         = "box";
  std::string element_type = "of the source";
  unsigned int refinements = 0;
};

/// The subsection `Material` of the deck.
class MaterialParameters : public dealii::ParameterAcceptor
{
public:
  MaterialParameters();

  /// Returns the material. Throws EntryError for invalid values.
  Material get() const;

  double strength = 0.; ///< force per area; 0: not known

private:
  Material material_; ///< material without its formulation
  bool has_mean_ = false, has_modes_ = false;
};

/// The entry of `Material` that asks for a formulation, and its value; empty for full integration.
std::pair<std::string, std::string> entry_of(Formulation formulation);

/// The subsection `Load cases` of the deck.
class LoadCaseParameters : public dealii::ParameterAcceptor
{
public:
  LoadCaseParameters();

  std::map<std::string, double> weights;
};

/// The owned nodes that touch only void elements. Their supports and forces act through elements of
/// the minimum density, which is rarely intended and does not make the solve fail.
class VoidNodes
{
public:
  /// Finds the nodes by the flags of the elements. Does nothing if no rank has void elements.
  /// Collective.
  VoidNodes(const ElementMesh &mesh, MPI_Comm communicator);

  /// Returns "NOTE: load 'tip': 3 of its 9 nodes are in void regions only, ...", or nothing if
  /// there are none. Collective.
  /// @param nodes  owned nodes, each once
  std::string note(const std::string &subject, const std::vector<LocalIndex> &nodes) const;

  /// Takes nodes that move as one for nodes of the structure, if any of them is one.
  void join(const std::vector<LocalIndex> &nodes);

private:
  MPI_Comm communicator_;
  bool any_ = false;           ///< whether any rank has void elements
  std::vector<bool> is_among_; ///< marks of the owned nodes
};

/// The elastic structure that a deck describes: mesh, materials, supports, loads, non-design
/// regions. The members are in the order of the deck.
class Problem
{
public:
  /// Declares the parameters. The deck gives the names of supports, loads and regions.
  explicit Problem(const Deck &deck);

  /// Makes the mesh and everything on it, after the parameters were parsed. Collective.
  /// @param with_hierarchy  whether to make hierarchy(), too
  /// @throws EntryError, Error
  void setup(MPI_Comm communicator, bool with_hierarchy = false);

  /// Throws EntryError unless the supports hold the structure and something acts on it. Collective.
  /// @param needs_loads  whether something has to act on it
  void check_well_posed(bool needs_loads = true) const;

  /// Tables of the mesh, boundary ids, supports, loads and regions, as text.
  std::string describe() const;

  const ElementMesh &mesh() const
  {
    return mesh_.elements;
  }
  /// The mesh with the places of its elements in the coarse mesh.
  const DeckMesh &deck_mesh() const
  {
    return mesh_;
  }
  /// The coarser meshes of the mesh; empty unless setup() was asked for them.
  const MeshHierarchy &hierarchy() const
  {
    return hierarchy_;
  }
  /// For each node, bit d is set if a plane of symmetry with normal d passes through it;
  /// `[n_nodes]`.
  std::vector<std::uint8_t> mirrors() const;
  /// The planes of symmetry behind which the body continues: the mesh lies on one side of them.
  std::vector<SymmetryPlane> symmetry_planes() const;
  /// The NOTE on walls with too few layers for stresses at centres of elements, or nothing.
  std::string note_on_layers() const;
  /// Whether the elements lock: Poisson's ratio is near 0.5, and the integration is full.
  bool locks() const;
  const Material &material() const
  {
    return material_;
  }
  /// The elements of one material.
  struct MaterialShare
  {
    std::string name; ///< empty: `Material`, for all elements without another material
    double youngs_modulus = 0., poisson_ratio = 0., mass_ratio = 1.;
    std::uint64_t n_elements = 0;
    double volume            = 0.;
    bool is_orthotropic      = false; ///< whether it has no single modulus
  };
  /// Shares of all materials over all ranks, `Material` first; empty unless the deck has other
  /// materials.
  const std::vector<MaterialShare> &material_shares() const
  {
    return material_shares_;
  }
  /// Whether the deck has other materials than 'Material'; the same on all ranks.
  bool has_materials() const
  {
    return !materials_.empty();
  }
  /// Whether regions of the deck are rigid.
  bool has_couplings() const
  {
    return !couplings_.empty();
  }
  /// The strengths of the materials of the deck, `Material` first, force per area; 0: not known.
  const std::vector<double> &strengths() const
  {
    return strengths_;
  }
  /// The number of each element's material among strengths(), `[n_elements]`. Empty unless the deck
  /// has other materials.
  const std::vector<std::uint32_t> &material_numbers() const
  {
    return material_numbers_;
  }
  /// The solids of the elements; empty unless the deck has other materials.
  const Solids &solids() const
  {
    return solids_;
  }
  const std::vector<LoadCase> &load_cases() const
  {
    return load_cases_;
  }
  /// A support, a plane of symmetry or a coupling, which holds the body.
  struct Holder
  {
    std::string name;             ///< "support 'wall'"
    std::vector<LocalIndex> dofs; ///< The owned DoFs on which its forces act, ascending
    /// The part of the force on an owned node that is its own, by a matrix.
    struct Share
    {
      LocalIndex node;
      std::array<std::array<double, 3>, 3> matrix;
    };
    std::vector<Share> shares = {}; ///< Nodes with oblique supports, whose DoFs are in no list
  };
  /// Returns the holders, which are the same in the same order on all ranks.
  const std::vector<Holder> &holders() const
  {
    return holders_;
  }
  /// Makes supports_of_modes(), if all modes count at planes of symmetry, and adds a note on the
  /// modes that count. To be called after setup(). Collective.
  /// @throws EntryError if a coupled or tied node is on such a plane, or if it passes through the
  ///   mesh. Something must hold the body against motions that change their sign there, too.
  void note_modes(bool counts_all);
  /// Adds a note on masses that do not count, as no response has modes.
  void note_masses_without_modes();
  /// Returns Structure::supports_of_modes.
  const std::vector<std::vector<LocalIndex>> &supports_of_modes() const
  {
    return supports_of_modes_;
  }
  /// Returns Structure::masses.
  const std::vector<double> &masses() const
  {
    return masses_;
  }
  /// Moves the load cases to a solver, which keeps them: they are as large as displacements.
  std::vector<LoadCase> take_load_cases()
  {
    return std::move(load_cases_);
  }
  const MeshSummary &summary() const
  {
    return summary_;
  }

  /// A material, support, spring or non-design region of the deck, with its selection on this rank.
  struct Selection
  {
    std::string name; ///< "support wall"
    bool has_elements = false;
    std::vector<LocalIndex> members; ///< elements or nodes
  };
  /// All selections, in the order of the deck. Collective.
  std::vector<Selection> selections() const;

private:
  void make_mesh();
  /// Makes the cells of a generated mesh, of another type than hexahedra of eight nodes.
  /// @throws EntryError for a mesh that the type cannot have
  CoarseMesh make_cells(const MeshSource &source, const ElementType &type);
  /// Finds faces that touch and are not joined. If they are to be tied, fully covered faces leave
  /// the boundary. Collective.
  /// @param joined_in_vain  entries that should join parts and had no effect
  void find_touching_faces(std::vector<std::string> joined_in_vain);
  /// Pairs of coarse cells that are tied.
  std::vector<std::array<std::uint32_t, 2>> tied_cells() const;
  /// Ties the faces that touch, if the deck asks for it. To be called after apply_supports().
  /// Collective.
  void tie_touching();
  /// Throws for faces that touch and are neither joined nor tied. Collective.
  void check_touching() const;
  /// Throws EntryError unless supports hold each body. Collective.
  void check_held() const;
  /// Says which support along oblique directions, or which coupling, has one of these nodes on any
  /// rank; empty if none does. Collective.
  /// @param nodes  of this rank, ascending
  std::string tied_at(const std::vector<LocalIndex> &nodes) const;
  void apply_supports();
  /// Prescribes displacements along normals and about axes. To be called after apply_supports() and
  /// tie_touching(). Collective.
  void apply_oblique_supports();
  /// Adds the springs. Springs at the same node add up. Collective.
  void apply_springs();
  /// Adds the masses of nodes. Collective.
  void apply_masses();
  /// Makes the regions of `Couplings` rigid. To be called after apply_oblique_supports().
  /// Collective.
  void apply_couplings();
  void assemble_loads();
  /// Note on a load on faces whose node sets have more nodes; empty for most loads. Collective.
  std::string note_on_node_sets(const Load &load) const;
  /// Forces of a load that follow the design, as in LoadContext.
  struct FollowingForces
  {
    std::vector<dealii::Tensor<1, 3>> weights;
    std::vector<double> uneven_weights, expansion;
  };
  /// Adds them to a load case, with the properties of the solids. Collective.
  /// @param total  gets the sum over this rank
  /// @param size  gets the sum of the sizes over this rank
  /// @return how they follow the design, for the log
  std::string add_following(const Load &load,
                            const FollowingForces &added,
                            LoadCase &load_case,
                            dealii::Tensor<1, 3> &total,
                            double &size) const;
  void flag_regions();
  /// Assigns the materials of their regions to the elements. Collective.
  void assign_materials();
  /// Computes material_shares(). @param material_of  materials of the elements, from 1; 0:
  /// `Material`
  void count_materials(const std::vector<std::uint32_t> &material_of);
  /// Adds notes on entries that are allowed and probably not intended. Collective.
  void note_doubts();
  /// The mesh for the search of walls.
  MeshOfWalls mesh_of_walls() const;
  std::string materials_table() const;
  /// Adds a note on a region: its entities, their share and box, and whether they are the whole
  /// mesh. Collective.
  void note_region(const std::string &text, const SelectedPart &local, const Region &region);
  /// Adds a note, unless it is empty.
  void add_note(const std::string &note);

  std::string deck_folder_;
  MPI_Comm communicator_ = MPI_COMM_NULL;

  std::vector<std::unique_ptr<MeshSource>> mesh_sources_;
  MeshParameters mesh_parameters_;
  MaterialParameters material_parameters_;
  /// Subsections of named entries, which a deck may leave empty.
  dealii::ParameterAcceptor of_materials_{"/Materials"}, of_supports_{"/Supports"},
    of_springs_{"/Springs"}, of_masses_{"/Masses"}, of_couplings_{"/Couplings"},
    of_loads_{"/Loads"}, of_regions_{"/Non-design regions"};
  std::vector<std::unique_ptr<MaterialRegion>> materials_;
  std::vector<std::unique_ptr<Support>> supports_;
  std::vector<std::unique_ptr<Spring>> springs_;
  std::vector<std::unique_ptr<PointMass>> point_masses_;
  std::vector<std::unique_ptr<Coupling>> couplings_;
  SymmetryPlanes symmetry_;
  std::vector<std::unique_ptr<Load>> loads_;
  std::set<std::string> loads_without_type_; ///< names of loads without type
  LoadCaseParameters load_case_parameters_;
  std::vector<std::unique_ptr<NonDesignRegion>> regions_;

  std::unique_ptr<MeshMaker> mesh_maker_;
  MeshSummary summary_;
  std::string mesh_note_;
  std::string mesh_doubts_;             ///< NOTEs on slits, hinges and gaps
  bool ties_ = false;                   ///< whether to tie touching faces
  std::vector<UnjoinedFaces> unjoined_; ///< touching faces of the coarse mesh
  /// Number of faces of the coarse mesh that others cover partly.
  std::size_t n_partly_covered_ = 0;
  DeckMesh mesh_;
  MeshHierarchy hierarchy_;
  std::unique_ptr<VoidNodes> void_nodes_;
  std::vector<Holder> holders_;
  /// The owned DoFs that supports hold, whether planes of symmetry do or not, ascending.
  std::vector<LocalIndex> held_by_supports_;
  std::vector<std::vector<LocalIndex>> supports_of_modes_;
  std::vector<double> masses_;
  /// Nodes with displacements along oblique directions, and the support that they have them of.
  std::map<LocalIndex, std::string> oblique_nodes_;
  Material material_;
  Solids solids_;
  std::vector<double> strengths_;
  std::vector<std::uint32_t> material_numbers_;
  std::vector<MaterialShare> material_shares_;
  std::vector<LoadCase> load_cases_;

  /// Notes on the nodes, faces or elements of each support, load and region, for describe().
  std::vector<std::string> notes_;
};

/// Returns a text such as "box [0, 4] x [0, 2] x [0, 2], material ids 3 'arm', 4".
std::string describe_body(const MeshBodies &bodies, std::size_t body, const MeshSummary &summary);
} // namespace strut
