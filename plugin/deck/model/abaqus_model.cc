// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/model/abaqus_model.h"

#include <deal.II/base/utilities.h>

#include <boost/algorithm/string/predicate.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "plugin/base/spelling.h"
#include "plugin/deck/mesh/line_reader.h"
#include "plugin/deck/model/model_deck.h"

namespace strut
{
namespace
{
using Card = AbaqusDeck::Card;

/// The keywords of a list such as "NODE FILE, EL FILE".
std::set<std::string> keywords(const std::string &list)
{
  const std::vector<std::string> names = dealii::Utilities::split_string_list(list);
  return {names.begin(), names.end()};
}

/// Keywords that ask for output.
const std::set<std::string> requests = keywords(
  "NODE FILE, EL FILE, NODE PRINT, EL PRINT, CONTACT FILE, CONTACT PRINT, SECTION PRINT, "
  "SECTION FILE, OUTPUT, NODE OUTPUT, ELEMENT OUTPUT, CONTACT OUTPUT, ENERGY OUTPUT, ENERGY FILE, "
  "ENERGY PRINT, PRINT, PREPRINT, FILE FORMAT, FILE OUTPUT, MONITOR, RESTART, NODE RESPONSE, "
  "ELEMENT RESPONSE, INCREMENTATION OUTPUT");

/// Kinds of steps.
const std::set<std::string> procedures = keywords(
  "STATIC, FREQUENCY, COMPLEX FREQUENCY, BUCKLE, DYNAMIC, MODAL DYNAMIC, STEADY STATE DYNAMICS, "
  "HEAT TRANSFER, COUPLED TEMPERATURE-DISPLACEMENT, UNCOUPLED TEMPERATURE-DISPLACEMENT, VISCO, "
  "GREEN, SENSITIVITY, NO ANALYSIS");

/// Keywords without which a body is held, loaded or joined otherwise, with the reason.
const std::map<std::string, std::string> missed_keywords = {
  {"SPRING", "strut has no springs between nodes; 'Springs' of a deck hold regions"},
  {"MASS", "'Masses' of a deck hold regions, and count in modes of vibration"},
  {"DASHPOT", "dashpots have no counterpart"},
  {"GAP", "gaps are not linear"},
  {"EQUATION", "equations between nodes have no counterpart"},
  {"MPC", "constraints of several points have no counterpart"},
  {"KINEMATIC COUPLING", "write it as *COUPLING with *KINEMATIC"},
  {"DISTRIBUTING COUPLING", "write it as *COUPLING with *DISTRIBUTING"},
  {"CONTACT PAIR", "contact is not linear"},
  {"CONTACT", "contact is not linear"},
  {"PRE-TENSION SECTION", "pretension has no counterpart"},
  {"EMBEDDED ELEMENT", "embedded elements have no counterpart"},
  {"CYCLIC SYMMETRY MODEL", "cyclic symmetry has no counterpart"},
  {"MODEL CHANGE", "all elements are there in all steps"},
  {"FOUNDATION", "write it as 'Springs' of the deck"},
  {"INERTIA RELIEF", "loads are held by supports alone"},
  {"BASE MOTION", "motions of a base have no counterpart"},
  {"SUBMODEL", "displacements of another model have no counterpart"},
  {"LOAD CASE", "write each load case as a step"},
  {"SYSTEM", "nodes are taken in global coordinates"},
  {"IMPERFECTION", "nodes are taken as they are"},
  {"SHELL SECTION", "strut has solids alone"},
  {"MEMBRANE SECTION", "strut has solids alone"},
  {"BEAM SECTION", "strut has solids alone"},
  {"BEAM GENERAL SECTION", "strut has solids alone"}};

/// Degrees of freedom that a word of *BOUNDARY holds.
const std::map<std::string, std::vector<unsigned int>> words_of_boundary = {{"ENCASTRE",
                                                                             {1, 2, 3, 4, 5, 6}},
                                                                            {"PINNED", {1, 2, 3}},
                                                                            {"XSYMM", {1, 5, 6}},
                                                                            {"YSYMM", {2, 4, 6}},
                                                                            {"ZSYMM", {3, 4, 5}},
                                                                            {"XASYMM", {2, 3, 4}},
                                                                            {"YASYMM", {1, 3, 5}},
                                                                            {"ZASYMM", {1, 2, 6}}};

/// Reads the cards one after the other into a ModelState.
class CardReader
{
public:
  explicit CardReader(const AbaqusDeck &deck) : state_(deck), deck_(deck)
  {}

  DeckDraft read()
  {
    for (const Card &card : deck_.cards)
      try
        {
          read(card);
        }
      catch (const MeshFileError &error)
        {
          missed(card, text_of(error));
        }
    for (const AbaqusDeck::Part &part : deck_.parts)
      if (!has_instance(part.name))
        state_.draft.left.push_back({part.line, "*PART " + part.name + ": it has no *INSTANCE"});
    if (!requested_.empty())
      state_.draft.left.push_back({0, "requests of output: " + requested_});
    return deck_of(std::move(state_));
  }

private:
  void read(const Card &card)
  {
    const std::string &name = card.keyword.name;
    if (name == "HEADING")
      return;
    if (requests.count(name) > 0)
      {
        if (requested_.find("*" + name + " ") == std::string::npos)
          add_to_list(requested_, "*" + name + " (line " + std::to_string(card.keyword.line) + ")");
        return;
      }
    const auto found = readers().find(name);
    if (found != readers().end())
      (this->*found->second)(card);
    else if (const auto lost = missed_keywords.find(name); lost != missed_keywords.end())
      missed(card, lost->second);
    else if (name == "NODE" || name == "ELEMENT" || name == "NSET" || name == "ELSET" ||
             name == "SURFACE")
      left(card, "meshes and sets end at the first *STEP; write it before");
    else if (boost::algorithm::ends_with(name, " SECTION"))
      missed(card, "strut takes *SOLID SECTION");
    else if (procedures.count(name) > 0)
      state_.set_procedure(name);
    else if (is_property(name))
      left(card, "no part of a linear static analysis");
    else if (card.lines.empty())
      left(card, "unknown to strut");
    else
      missed(card, "unknown to strut");
  }

  using Reader = void (CardReader::*)(const Card &);
  static const std::map<std::string, Reader> &readers()
  {
    static const std::map<std::string, Reader> list = {
      {"MATERIAL", &CardReader::read_material},
      {"ELASTIC", &CardReader::read_elastic},
      {"DENSITY", &CardReader::read_density},
      {"EXPANSION", &CardReader::read_expansion},
      {"INITIAL CONDITIONS", &CardReader::read_initial},
      {"TEMPERATURE", &CardReader::read_temperatures},
      {"SOLID SECTION", &CardReader::read_section},
      {"ORIENTATION", &CardReader::read_orientation},
      {"TRANSFORM", &CardReader::read_transform},
      {"COUPLING", &CardReader::read_coupling},
      {"KINEMATIC", &CardReader::read_kind_of_coupling},
      {"DISTRIBUTING", &CardReader::read_kind_of_coupling},
      {"RIGID BODY", &CardReader::read_rigid_body},
      {"TIE", &CardReader::read_tie},
      {"STEP", &CardReader::read_step},
      {"END STEP", &CardReader::end_step},
      {"BOUNDARY", &CardReader::read_boundary},
      {"CLOAD", &CardReader::read_forces},
      {"DLOAD", &CardReader::read_distributed},
      {"DSLOAD", &CardReader::read_distributed}};
    return list;
  }

  /// Whether a keyword is known as a property or a control without effect on the deck.
  static bool is_property(const std::string &name)
  {
    static const std::set<std::string> known = keywords(
      "PLASTIC, CONDUCTIVITY, SPECIFIC HEAT, AMPLITUDE, SURFACE INTERACTION, SURFACE BEHAVIOR, "
      "FRICTION, CONTROLS, DAMPING, CREEP, CYCLIC HARDENING, SECTION CONTROLS, TIME POINTS, "
      "CYCLIC, DEPVAR, VISCOELASTIC, RATE DEPENDENT, CAP HARDENING, ANNEAL TEMPERATURE, "
      "DAMAGE INITIATION, DAMAGE EVOLUTION, LATENT HEAT, ELECTRICAL CONDUCTIVITY, "
      "MAGNETIC PERMEABILITY, SPECIFIC GAS CONSTANT, GAP CONDUCTANCE, GAP HEAT GENERATION, "
      "CONTACT DAMPING, CONTACT INCLUSIONS, CONTACT EXCLUSIONS, CONTACT INITIALIZATION ASSIGNMENT, "
      "CONTACT PROPERTY ASSIGNMENT, CONTACT CONTROLS ASSIGNMENT, FILM, CFLUX, DFLUX, DSFLUX, "
      "SFILM, RADIATE, SRADIATE, FILM PROPERTY, MODAL DAMPING, SELECT EIGENMODES, SOLVER CONTROLS, "
      "CONTACT CONTROLS, FILTER, INTEGRATED OUTPUT SECTION, DESIGN VARIABLES, OBJECTIVE, MEASURE, "
      "PHYSICAL CONSTANTS");
    return known.count(name) > 0;
  }

  /// Whether a part is in the model: placed by an instance, or there are none.
  bool has_instance(const std::string &part) const
  {
    const auto is_of_part = [&](const AbaqusDeck::Instance &instance) {
      return same_letters(instance.part, part);
    };
    return deck_.instances.empty() ||
           std::any_of(deck_.instances.begin(), deck_.instances.end(), is_of_part);
  }

  // Lists of cards.

  static std::string text_of(const MeshFileError &error)
  {
    const std::string text = error.what();
    return text.rfind("line ", 0) == 0 ? text.substr(text.find(": ") + 2) : text;
  }
  void left(const Card &card, const std::string &why)
  {
    state_.draft.left.push_back({card.keyword.line, "*" + card.keyword.name + ": " + why});
  }
  void missed(const Card &card, const std::string &why)
  {
    state_.draft.missed.push_back({card.keyword.line, "*" + card.keyword.name + ": " + why});
  }

  /// Returns the fields of a line of data, at least n.
  static std::vector<std::string> fields(const AbaqusDeck::Item &line, const std::size_t n)
  {
    std::vector<std::string_view> views;
    split_fields(line.text, views);
    std::vector<std::string> result(views.begin(), views.end());
    for (std::string &field : result)
      if (field.size() >= 2 && field.front() == '"' && field.back() == '"')
        field = field.substr(1, field.size() - 2);
    result.resize(std::max(n, result.size()));
    return result;
  }

  /// Returns the number in a field; 0 if it is empty.
  static double number(const AbaqusDeck::Item &line, const std::string &field)
  {
    double value = 0.;
    if (!field.empty() && !parse_number(field, value))
      LineReader::fail_at(line.line, quote(field) + " is no number");
    return value;
  }

  /// Returns all numbers of the first line of data.
  static std::vector<double> numbers(const Card &card)
  {
    std::vector<double> result;
    if (card.lines.empty())
      LineReader::fail_at(card.keyword.line, "there is no line of data");
    for (const std::string &field : fields(card.lines[0], 0))
      result.push_back(number(card.lines[0], field));
    return result;
  }

  /// Throws MeshFileError for a parameter that changes what the card means in an unknown way.
  void require_parameters(const Card &card, const std::set<std::string> &known)
  {
    for (const auto &[name, value] : card.keyword.parameters)
      if (name == "AMPLITUDE")
        left(card, "the amplitude " + value + "; its values are taken in full");
      else if (known.count(name) == 0)
        LineReader::fail_at(card.keyword.line, "the parameter " + name + " has no counterpart");
  }

  // Materials

  void read_material(const Card &card)
  {
    state_.materials.push_back({card.keyword.get("NAME"), card.keyword.line});
  }

  ModelState::Solid &material(const Card &card)
  {
    if (state_.materials.empty())
      LineReader::fail_at(card.keyword.line, "it belongs to no *MATERIAL");
    if (card.lines.size() > 1 && upper_case(card.keyword.get("TYPE")) != "ENGINEERING CONSTANTS")
      left(card, "all but the first line of data, as properties do not depend on temperature");
    return state_.materials.back();
  }

  void read_elastic(const Card &card)
  {
    const std::string type = upper_case(card.keyword.get("TYPE"));
    ModelState::Solid &solid(material(card));
    std::vector<double> values;
    if (type.empty() || type == "ISO" || type == "ISOTROPIC")
      {
        values = numbers(card);
        values.resize(2);
      }
    else if (type == "ENGINEERING CONSTANTS")
      {
        for (const AbaqusDeck::Item &line : card.lines)
          for (const std::string &field : fields(line, 0))
            values.push_back(number(line, field));
        if (values.size() < 9)
          LineReader::fail_at(card.keyword.line, "engineering constants are nine numbers");
        if (values.size() > 10)
          left(card, "all but the first nine numbers, as properties do not depend on temperature");
        values.resize(9);
      }
    else
      LineReader::fail_at(card.keyword.line, "the type " + type + " has no counterpart");
    solid.elastic = values;
  }

  void read_density(const Card &card)
  {
    material(card).density = numbers(card).at(0);
  }

  void read_expansion(const Card &card)
  {
    const std::string type = upper_case(card.keyword.get("TYPE"));
    if (!type.empty() && type != "ISO" && type != "ISOTROPIC")
      LineReader::fail_at(card.keyword.line, "the type " + type + " has no counterpart");
    material(card).expansion = numbers(card).at(0);
  }

  void read_section(const Card &card)
  {
    require_parameters(card, {"ELSET", "MATERIAL", "ORIENTATION", "CONTROLS"});
    if (!card.part.empty() && !has_instance(card.part))
      return; // listed as such
    ModelPlace place{{}, card.keyword.line};
    const std::string set = card.keyword.get("ELSET");
    if (!card.instance.empty())
      place.words.push_back(card.instance + "." + set);
    for (const AbaqusDeck::Instance &instance : deck_.instances)
      if (!card.part.empty() && same_letters(instance.part, card.part))
        place.words.push_back(instance.name + "." + set);
    if (place.words.empty())
      place.words.push_back(card.part.empty() ? set : card.part + "." + set);
    const std::string scope = card.instance.empty() ? card.part : card.instance;
    ModelState::Section section{place,
                                card.keyword.get("MATERIAL"),
                                card.keyword.get("ORIENTATION"),
                                scope};
    if (section.orientation.empty() || scope.empty())
      {
        state_.sections.push_back(section);
        return;
      }
    // Each instance turns the axes.
    for (const std::string &word : place.words)
      {
        section.place.words = {word};
        section.turn        = turn_of(word.substr(0, word.find('.')));
        state_.sections.push_back(section);
      }
  }

  /// Returns the axis and the angle of an instance, with the axis from the origin; empty if it is
  /// not turned.
  std::vector<double> turn_of(const std::string &name) const
  {
    for (const AbaqusDeck::Instance &instance : deck_.instances)
      if (same_letters(instance.name, name) && instance.placement.size() > 1)
        {
          const std::vector<double> &t = instance.placement[1];
          return {0., 0., 0., t[3] - t[0], t[4] - t[1], t[5] - t[2], t[6]};
        }
    return {};
  }

  void read_orientation(const Card &card)
  {
    const std::string system = upper_case(card.keyword.get("SYSTEM"));
    std::vector<double> axes = numbers(card);
    const bool is_plain      = (system.empty() || system == "RECTANGULAR") && axes.size() >= 6 &&
                          !card.keyword.has("DEFINITION") && !is_turned_further(card) &&
                          std::all_of(axes.begin() + 6, axes.end(), [](double x) {
                            return x == 0.; // the origin
                          });
    axes.resize(is_plain ? 6 : 0);
    const std::string &scope = card.instance.empty() ? card.part : card.instance;
    state_.orientations[{upper_case(scope), upper_case(card.keyword.get("NAME"))}] = axes;
  }

  /// Whether the axes of an orientation are turned about one of them, as a second line says.
  static bool is_turned_further(const Card &card)
  {
    if (card.lines.size() < 2)
      return false;
    const auto data = fields(card.lines[1], 2);
    return card.lines.size() > 2 || number(card.lines[1], data[1]) != 0.;
  }

  // Constraints

  void read_transform(const Card &card)
  {
    state_.turn({{card.keyword.get("NSET")}, card.keyword.line});
    left(card, "the directions of nodes; supports and loads along them are listed on their own");
  }

  void read_coupling(const Card &card)
  {
    require_parameters(card, {"REFNODE", "SURFACE", "CONSTRAINTNAME"});
    state_.add_coupling(card.keyword.line, {card.keyword.get("REFNODE")});
    state_.couplings.back().surface = card.keyword.get("SURFACE");
  }

  void read_kind_of_coupling(const Card &card)
  {
    if (state_.couplings.empty() || !state_.couplings.back().kind.empty())
      LineReader::fail_at(card.keyword.line, "it belongs to no *COUPLING");
    ModelState::Joint &joint = state_.couplings.back();
    joint.kind               = card.keyword.name;
    if (joint.kind == "DISTRIBUTING")
      {
        if (!card.lines.empty())
          left(card, "the directions in its lines; forces in all directions are taken");
        return;
      }
    std::set<double> held; // all where no line names any
    for (const AbaqusDeck::Item &line : card.lines)
      {
        const auto data    = fields(line, 2);
        const double first = number(line, data[0]);
        for (double dof = first; dof <= std::max(first, number(line, data[1])); ++dof)
          held.insert(dof);
      }
    if (!held.empty() && !(held.count(1) && held.count(2) && held.count(3)))
      {
        state_.drop_coupling();
        LineReader::fail_at(card.keyword.line,
                            "a region that follows in some directions only has no counterpart");
      }
  }

  void read_rigid_body(const Card &card)
  {
    require_parameters(card, {"NSET", "ELSET", "PINNSET", "TIENSET", "REFNODE", "ROTNODE"});
    state_.add_coupling(card.keyword.line, {card.keyword.get("REFNODE")});
    ModelState::Joint &joint = state_.couplings.back();
    joint.kind               = card.keyword.name;
    for (const char *const parameter : {"NSET", "PINNSET", "TIENSET"})
      if (card.keyword.has(parameter))
        joint.nodes.push_back(card.keyword.get(parameter));
    joint.elements = card.keyword.get("ELSET");
    if (card.keyword.has("ROTNODE"))
      joint.turning = state_.point_of(card.keyword.get("ROTNODE"), card.keyword.line);
  }

  void read_tie(const Card &card)
  {
    if (card.keyword.has("CYCLICSYMMETRY"))
      LineReader::fail_at(card.keyword.line, "cyclic symmetry has no counterpart");
    state_.tie_line = card.keyword.line;
    for (const auto &[name, value] : card.keyword.parameters)
      if (name != "NAME")
        left(card,
             name + (value.empty() ? "" : "=" + value) + "; 'Tie touching faces' has no options");
  }

  // Steps

  void read_step(const Card &card)
  {
    for (const auto &[name, value] : card.keyword.parameters)
      if (name == "NLGEOM" && upper_case(value) != "NO")
        left(card, "NLGEOM, as displacements are small");
      else if (name == "AMPLITUDE")
        left(card, "AMPLITUDE=" + value + "; values are taken in full");
    state_.begin_step(card.keyword.get("NAME"),
                      card.keyword.line,
                      card.keyword.has("PERTURBATION"));
  }

  void end_step(const Card &)
  {
    state_.end_step();
  }

  /// Forgets values of earlier steps that a card replaces.
  void begin_loads(const Card &card, const std::set<std::string> &known)
  {
    require_parameters(card, known);
    if (upper_case(card.keyword.get("OP")) == "NEW")
      state_.forget_earlier(card.keyword.name);
  }

  void read_boundary(const Card &card)
  {
    if (const std::string type = upper_case(card.keyword.get("TYPE"));
        !type.empty() && type != "DISPLACEMENT")
      LineReader::fail_at(card.keyword.line, "TYPE=" + type + " has no counterpart");
    begin_loads(card, {"OP", "TYPE"});
    for (const AbaqusDeck::Item &line : card.lines)
      {
        const auto data = fields(line, 4);
        std::vector<unsigned int> dofs;
        const auto word = words_of_boundary.find(upper_case(data[1]));
        if (word != words_of_boundary.end())
          dofs = word->second;
        else
          {
            const double first = number(line, data[1]), last = number(line, data[2]);
            for (double dof = first; dof <= std::max(first, last); ++dof)
              if (dof >= 1. && dof <= 6.)
                dofs.push_back(static_cast<unsigned int>(dof));
          }
        if (dofs.empty())
          state_.draft.left.push_back({line.line,
                                       "*BOUNDARY: degree of freedom " + quote(data[1]) +
                                         ", neither displacement nor rotation"});
        for (const unsigned int dof : dofs)
          state_.prescribe({data[0], dof, number(line, data[3]), card.keyword.line});
      }
  }

  void read_forces(const Card &card)
  {
    begin_loads(card, {"OP"});
    for (const AbaqusDeck::Item &line : card.lines)
      {
        const auto data  = fields(line, 3);
        const double dof = number(line, data[1]);
        if (dof < 1. || dof > 6.)
          LineReader::fail_at(line.line, quote(data[1]) + " is no direction from 1 to 6");
        state_.load(
          {data[0], static_cast<unsigned int>(dof), number(line, data[2]), card.keyword.line});
      }
  }

  void read_initial(const Card &card)
  {
    const std::string type = upper_case(card.keyword.get("TYPE"));
    if (type != "TEMPERATURE")
      {
        (type == "STRESS" ? state_.draft.missed : state_.draft.left)
          .push_back({card.keyword.line, "*INITIAL CONDITIONS: TYPE=" + type});
        return;
      }
    if (card.keyword.has("FILE"))
      {
        state_.lacks_initial_temperatures = true;
        LineReader::fail_at(card.keyword.line, "temperatures of another file have no counterpart");
      }
    for (const auto &value : temperatures(card))
      state_.initial_temperatures.push_back(value);
  }

  void read_temperatures(const Card &card)
  {
    begin_loads(card, {"OP"});
    for (const auto &value : temperatures(card))
      state_.heat(value);
  }

  static std::vector<ModelState::Nodal> temperatures(const Card &card)
  {
    std::vector<ModelState::Nodal> result;
    for (const AbaqusDeck::Item &line : card.lines)
      {
        const auto data = fields(line, 2);
        result.push_back({data[0], 0, number(line, data[1]), card.keyword.line});
      }
    return result;
  }

  void read_distributed(const Card &card)
  {
    // The first two are of no effect where displacements are small.
    begin_loads(card, {"FOLLOWER", "CONSTANTRESULTANT", "OP"});
    for (const AbaqusDeck::Item &line : card.lines)
      {
        const auto data = fields(line, 3);
        ModelState::Distributed load{card.keyword.name, data[0], upper_case(data[1]), {}, 0};
        load.line = card.keyword.line;
        for (std::size_t i = 2; i < data.size(); ++i)
          load.values.push_back(number(line, data[i]));
        load.values.resize(std::max<std::size_t>(7, load.values.size()));
        state_.load(load);
      }
  }

  ModelState state_;
  const AbaqusDeck &deck_;
  std::string requested_; ///< output, for one remark
};
} // namespace

DeckDraft draft_of_model(const AbaqusDeck &deck)
{
  return CardReader(deck).read();
}
} // namespace strut
