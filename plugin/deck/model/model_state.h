// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "plugin/deck/model/deck_draft.h"
#include "plugin/deck/model/model_regions.h"

namespace strut
{
/// The statements of a model up to one of its lines, and the deck that follows from the whole.
/// Values of a step go on in later steps until these replace them, as in Abaqus and CalculiX.
class ModelState
{
public:
  struct Solid
  {
    std::string name;
    std::size_t line;
    std::vector<double> elastic = {}; ///< E, nu; or nine engineering constants
    double density              = 0.; ///< 0: unknown
    double expansion            = 0.; ///< strain per degree
  };
  struct Section
  {
    ModelPlace place;
    std::string material, orientation;
  };

  /// A region that is joined to a node of reference.
  struct Joint
  {
    std::size_t line   = 0;
    unsigned int point = 0;              ///< a point of the mesh
    std::optional<unsigned int> turning; ///< a point whose displacements are the rotations
    std::string kind;                    ///< KINEMATIC, DISTRIBUTING or RIGID BODY
    std::string surface, elements;
    std::vector<std::string> nodes;
    DraftSection region;                          ///< in the deck; found at the end
    std::array<std::optional<double>, 6> motions; ///< prescribed
  };

  /// The value of a degree of freedom, 1 to 6: a displacement, or a force on each node.
  struct Nodal
  {
    std::string where; ///< a number or a set
    unsigned int dof;
    double value;
    std::size_t line; ///< the line of the keyword
    unsigned int step = 0;
    std::size_t order = 0; ///< among all values of the model
  };
  struct Distributed
  {
    std::string keyword, where, label;
    std::vector<double> values;
    std::size_t line; ///< the line of the keyword
    unsigned int step = 0;
    std::size_t order = 0;
  };

  explicit ModelState(const AbaqusDeck &deck) : regions_(deck)
  {}

  std::vector<Solid> materials;
  std::vector<Section> sections;
  std::map<std::string, std::vector<double>> orientations; ///< two axes; empty: not plain ones
  std::vector<Joint> couplings;
  std::size_t tie_line = 0;                ///< 0: there is no *TIE
  std::vector<Nodal> initial_temperatures; ///< the degree of freedom means nothing
  DeckDraft draft;

  /// Returns the point of a node of reference.
  unsigned int point_of(const std::string &node, std::size_t line);
  void add_coupling(std::size_t line, const std::string &node);
  void drop_coupling()
  {
    couplings.pop_back();
  }
  /// Notes that the nodes of a place have directions of their own.
  void turn(const ModelPlace &place);

  void begin_step(const std::string &name, std::size_t line, bool is_perturbation);
  void set_procedure(const std::string &name)
  {
    procedure_ = name;
  }
  void end_step();

  /// Forgets what earlier steps give by a keyword.
  void forget_earlier(const std::string &keyword);
  void prescribe(Nodal value);
  void load(Nodal value);
  void load(Distributed value);
  void heat(Nodal value);

  DeckDraft draft_of();

private:
  /// The values of a place and a direction, by both. One step may give several.
  template <typename Value>
  using ByPlace = std::map<std::string, std::vector<Value>>;

  /// A step with loads.
  struct Case
  {
    std::string name;
    std::size_t line;
    std::vector<Nodal> forces;
    std::vector<Distributed> distributed;
    std::vector<Nodal> temperatures;
  };
  /// The force and the moment on a node or on each node of a set.
  struct Force
  {
    std::string where;
    std::array<double, 6> value{};
    std::vector<unsigned int> points = {};
  };
  /// A joint that a node of reference belongs to, and whether the node has its rotations.
  struct Handle
  {
    std::size_t joint;
    bool is_turning;
  };

  /// Adds a value in the place of those of earlier steps.
  template <typename Value>
  void put(ByPlace<Value> &values, const std::string &key, Value value);

  void taken(std::size_t line, const std::string &text);
  void missed(std::size_t line, const std::string &text);
  /// Runs an action, and notes the MeshFileError that it throws as what is missed.
  template <typename Action>
  void attempt(std::size_t line, const std::string &what, const Action &action);
  const Solid *solid_of(const std::string &material) const;
  bool is_turned(const std::vector<unsigned int> &points) const;

  void add_materials();
  void add_material(const Section &section, const Solid &solid, DraftSection &into);
  void find_regions();
  void add_supports();
  void add_support(const ModelPlace &place, const std::map<unsigned int, double> &value_of);
  /// Adds a plane of symmetry, if the points are all those on it. @return whether it did
  bool add_plane(const std::vector<unsigned int> &points, unsigned int normal, std::size_t line);
  void add_couplings();
  void add_loads(const Case &one);
  void add_forces(const Case &one, std::size_t line, const std::vector<Nodal> &values);
  void add_nodal(const Case &one, std::size_t line, const ModelPlace &place, const Force &force);
  void add_spread(const Case &one, std::size_t line, const std::vector<Force> &forces);
  void add_to_joint(const Handle &handle,
                    const Force &force,
                    std::map<std::size_t, std::array<double, 6>> &sums) const;
  void add_pressures(const Case &one, std::size_t line, const std::vector<Distributed> &loads);
  void add_distributed(const Case &one, const Distributed &load);
  void add_expansion(const Case &one);
  DraftSection &new_load(const Case &one,
                         const std::string &name,
                         const std::string &type,
                         const std::array<double, 3> &value);

  ModelRegions regions_;
  std::map<unsigned int, Handle> handles_; ///< the key is a point
  std::vector<bool> is_turned_;            ///< a flag for each point; empty: none is
  std::string step_name_, procedure_;
  std::size_t step_line_ = 0;
  unsigned int step_     = 0; ///< 0: before the first one
  bool is_in_step_ = false, is_perturbation_ = false;
  std::size_t n_values_ = 0;
  ByPlace<Nodal> prescribed_, forces_, forces_of_general_steps_, temperatures_;
  ByPlace<Distributed> distributed_, distributed_of_general_steps_;
  std::vector<Case> cases_;
  std::vector<Nodal> supports_; ///< supports of the first case
  double base_density_ = 0.;    ///< the density of 'Material'
};
} // namespace strut
