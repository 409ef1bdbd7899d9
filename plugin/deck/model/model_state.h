// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "plugin/deck/model/deck_draft.h"
#include "plugin/deck/model/model_regions.h"

namespace strut
{
/// The statements of a model up to one of its lines. Values of a step go on in later steps until
/// these replace them, as in Abaqus and CalculiX.
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
    std::string scope        = {}; ///< the part or the instance that it is in; empty: none
    std::vector<double> turn = {}; ///< the axis of the instance and its angle in degrees, or empty
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
    DraftSection region;                          ///< The region in the deck is found at the end.
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
    std::size_t order = 0; ///< The number among all values of the model.
  };
  struct Distributed
  {
    std::string keyword, where, label;
    std::vector<double> values;
    std::size_t line; ///< the line of the keyword
    unsigned int step = 0;
    std::size_t order = 0;

    /// Whether it is a pressure on faces that have numbers in their elements, P1 to P6.
    bool is_on_faces() const
    {
      return label.size() == 2 && label[0] == 'P' && label[1] >= '1' && label[1] <= '6';
    }
  };

  explicit ModelState(const AbaqusDeck &deck) : regions_(deck)
  {}

  std::vector<Solid> materials;
  std::vector<Section> sections;
  /// Two axes by part or instance and name; empty: not plain ones.
  std::map<std::pair<std::string, std::string>, std::vector<double>> orientations;
  std::vector<Joint> couplings;
  std::size_t tie_line = 0;                ///< 0: there is no *TIE
  std::vector<Nodal> initial_temperatures; ///< the degree of freedom means nothing
  bool lacks_initial_temperatures = false; ///< The model takes some of another file.
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

  /// Ends the last step. To be called before cases() and supports().
  void finish();

  /// A step with loads.
  struct Case
  {
    std::string name;
    std::size_t line;
    std::vector<Nodal> forces;
    std::vector<Distributed> distributed;
    std::vector<Nodal> temperatures;
  };
  const std::vector<Case> &cases() const
  {
    return cases_;
  }
  /// Returns the supports of the first case.
  const std::vector<Nodal> &supports() const
  {
    return supports_;
  }
  ModelRegions &regions()
  {
    return regions_;
  }
  /// Returns whether some of the points have directions of their own.
  bool is_turned(const std::vector<unsigned int> &points) const;

private:
  /// The values of a place and a direction, by both. One step may give several.
  template <typename Value>
  using ByPlace = std::map<std::string, std::vector<Value>>;

  /// Adds a value in the place of those of earlier steps.
  template <typename Value>
  void put(ByPlace<Value> &values, const std::string &key, Value value);

  /// Returns a name for a load case that no other step has, and that a deck can write.
  std::string free_name(const std::string &name);

  /// Returns what holds of the values of several steps, in the order of the model: later steps
  /// replace values of earlier ones at nodes, faces and elements, by whatever name.
  template <typename Value>
  std::vector<Value> that_hold(const ByPlace<Value> &values);
  /// Appends a value but for what values of later steps replace of it.
  /// @param owner  of each member that later steps have: the value in the list
  template <typename Value>
  void append_rest(const std::vector<Value> &list,
                   std::size_t i,
                   const std::vector<std::vector<unsigned int>> &members,
                   const std::map<unsigned int, std::size_t> &owner,
                   std::vector<Value> &result);

  // Points, faces or solids that a value holds for; none for words that the mesh does not know.
  std::vector<unsigned int> members_of(const Nodal &value);
  std::vector<unsigned int> members_of(const Distributed &value);

  void missed(std::size_t line, const std::string &text);

  ModelRegions regions_;
  std::vector<bool> is_turned_; ///< a flag for each point; empty: none is
  std::string step_name_, procedure_;
  std::size_t step_line_ = 0;
  unsigned int step_     = 0; ///< 0: before the first one
  bool is_in_step_ = false, is_perturbation_ = false;
  std::set<std::string> names_; ///< names of steps in upper case
  std::size_t n_values_ = 0;
  /// Values by what they are.
  struct Values
  {
    ByPlace<Nodal> prescribed, forces, temperatures;
    ByPlace<Distributed> distributed;
  };
  Values values_, values_of_general_steps_;
  std::vector<Case> cases_;
  /// A step without loads whose prescribed displacements are not all zero.
  struct Drive
  {
    std::string name;
    std::size_t line;
    std::vector<Nodal> supports;
  };
  std::vector<Drive> drives_;
  std::vector<Nodal> supports_; ///< supports of the first case
};
} // namespace strut
