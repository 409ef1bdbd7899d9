// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/model/model_deck.h"

#include <deal.II/base/bounding_box.h>
#include <deal.II/base/symmetric_tensor.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <sstream>
#include <utility>

#include "plugin/base/spelling.h"
#include "plugin/deck/mesh/line_reader.h"

namespace strut
{
namespace
{
constexpr const char *names_of_motions[] = {"x", "y", "z", "about x", "about y", "about z"};

std::string text_of(const double value)
{
  std::ostringstream text;
  text.precision(12);
  text << (value == 0. ? 0. : value); // no -0
  return text.str();
}

template <typename List>
std::string text_of_list(const List &list)
{
  std::string text;
  for (const double value : list)
    add_to_list(text, text_of(value));
  return text;
}

std::array<double, 3> to_array(const dealii::Tensor<1, 3> &v)
{
  return {{v[0], v[1], v[2]}};
}

/// A name of the model as that of a subsection: without what a deck reads as a comment.
std::string title(std::string name)
{
  std::replace(name.begin(), name.end(), '#', '-');
  return trim(name);
}

/// The values of a place in the order of the model.
template <typename Value>
std::vector<std::pair<std::string, std::vector<Value>>> by_place(const std::vector<Value> &values)
{
  std::vector<std::pair<std::string, std::vector<Value>>> result;
  std::map<std::string, std::size_t> number;
  for (const Value &value : values)
    {
      const auto [at, is_new] = number.emplace(upper_case(value.where), result.size());
      if (is_new)
        result.push_back({value.where, {}});
      result[at->second].second.push_back(value);
    }
  return result;
}

template <typename Value>
std::map<std::size_t, std::vector<Value>> by_line(const std::vector<Value> &values)
{
  std::map<std::size_t, std::vector<Value>> result;
  for (const Value &value : values)
    result[value.line].push_back(value);
  return result;
}

/// The mean length of edges of elements, to two digits.
double mean_edge(const FileMesh &mesh)
{
  double sum = 0.;
  for (const FileMesh::Cell &cell : mesh.cells)
    for (const std::size_t v : {1, 2, mesh.has_tetrahedra() ? 3 : 4})
      sum += mesh.points[cell[0]].distance(mesh.points[cell[v]]);
  const double mean = sum / (3. * static_cast<double>(mesh.cells.size()));
  const double unit = std::pow(10., std::floor(std::log10(mean)) - 1.);
  return std::round(mean / unit) * unit;
}

/// Makes the deck of a model, section by section, and notes what it takes and what it does not.
class DeckOfModel
{
public:
  explicit DeckOfModel(ModelState &state)
    : state_(state)
    , regions_(state.regions())
    , draft_(state.draft)
    , materials_(state.materials)
    , sections_(state.sections)
    , orientations_(state.orientations)
    , couplings_(state.couplings)
    , initial_temperatures_(state.initial_temperatures)
    , tie_line_(state.tie_line)
    , cases_(state.cases())
    , supports_(state.supports())
  {}

  DeckDraft make();

private:
  using Solid       = ModelState::Solid;
  using Section     = ModelState::Section;
  using Joint       = ModelState::Joint;
  using Nodal       = ModelState::Nodal;
  using Distributed = ModelState::Distributed;
  using Case        = ModelState::Case;

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

  void taken(std::size_t line, const std::string &text);
  void missed(std::size_t line, const std::string &text);
  /// Runs an action, and notes the MeshFileError that it throws as what is missed.
  template <typename Action>
  void attempt(std::size_t line, const std::string &subject, const Action &action);
  const Solid *solid_of(const std::string &material) const;

  void add_materials();
  /// Notes solids without a section.
  void require_sections();
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

  ModelState &state_;
  ModelRegions &regions_;
  DeckDraft &draft_;
  std::vector<Solid> &materials_;
  std::vector<Section> &sections_;
  std::map<std::pair<std::string, std::string>, std::vector<double>> &orientations_;
  std::vector<Joint> &couplings_;
  std::vector<Nodal> &initial_temperatures_;
  const std::size_t tie_line_;
  const std::vector<Case> &cases_;
  const std::vector<Nodal> &supports_;
  std::map<unsigned int, Handle> handles_; ///< the key is a point
  double base_density_ = 0.;               ///< the density of 'Material'
};

void DeckOfModel::taken(const std::size_t line, const std::string &text)
{
  draft_.taken.push_back({line, text});
}

void DeckOfModel::missed(const std::size_t line, const std::string &text)
{
  draft_.missed.push_back({line, text});
}

template <typename Action>
void DeckOfModel::attempt(const std::size_t line, const std::string &subject, const Action &action)
{
  try
    {
      action();
    }
  catch (const MeshFileError &error)
    {
      const std::string text = error.what();
      missed(line,
             subject + ": " +
               (text.rfind("line ", 0) == 0 ? text.substr(text.find(": ") + 2) : text));
    }
}

DeckDraft DeckOfModel::make()
{
  for (const char *const section : {"Mesh",
                                    "Material",
                                    "Materials",
                                    "Symmetry",
                                    "Supports",
                                    "Couplings",
                                    "Loads",
                                    "Optimization"})
    draft_.deck[section]; // in this order
  draft_.deck["Mesh"].set("Type", "file");
  if (tie_line_ > 0 && regions_.mesh().type == ElementType())
    {
      draft_.deck["Mesh"]["File"].set("Tie touching faces", "true");
      taken(tie_line_, "*TIE: all faces that touch are tied");
    }
  else if (tie_line_ > 0)
    missed(tie_line_, "*TIE: 'Tie touching faces' is for hexahedra of eight nodes");
  add_materials();
  find_regions();
  add_supports();
  for (const Case &one : cases_)
    add_loads(one);
  if (std::all_of(cases_.begin(), cases_.end(), [](const Case &one) {
        return one.temperatures.empty();
      }))
    {
      for (const Solid &solid : materials_)
        if (solid.expansion != 0.)
          draft_.left.push_back({solid.line, "*EXPANSION of " + solid.name + ": no *TEMPERATURE"});
      if (!initial_temperatures_.empty())
        draft_.left.push_back(
          {initial_temperatures_[0].line, "*INITIAL CONDITIONS: no step has a *TEMPERATURE"});
    }
  add_couplings();
  draft_.deck["Optimization"].set("Volume fraction", "0.3");
  draft_.deck["Optimization"].set("Filter radius", text_of(1.5 * mean_edge(regions_.mesh())));
  draft_.new_sets = regions_.new_sets();
  if (draft_.deck["Supports"].sections.empty() && draft_.deck["Symmetry"].entries.empty() &&
      draft_.deck["Couplings"].sections.empty())
    missed(0, "the deck has no support: add 'Supports' before you run it");
  const auto moves = [](const Nodal &value) { return value.value != 0.; };
  if (draft_.deck["Loads"].sections.empty() &&
      std::none_of(supports_.begin(), supports_.end(), moves))
    missed(0, "the deck has no load: add 'Loads' before you run it");
  return std::move(draft_);
}

const ModelState::Solid *DeckOfModel::solid_of(const std::string &material) const
{
  for (const Solid &solid : materials_)
    if (same_letters(solid.name, material))
      return &solid;
  return nullptr;
}

void DeckOfModel::add_materials()
{
  const Solid *base = nullptr;
  for (const Section &section : sections_)
    attempt(section.place.line, "*SOLID SECTION", [&] {
      const Solid *const solid = solid_of(section.material);
      if (solid == nullptr || solid->elastic.empty())
        LineReader::fail_at(section.place.line,
                            "the material " + quote(section.material) +
                              " has no *ELASTIC that "
                              "strut takes");
      const std::string word = regions_.elements(section.place, "section");
      if (base == nullptr)
        {
          base          = solid;
          base_density_ = solid->density;
          draft_.deck["Material"].set("Young's modulus", text_of(solid->elastic[0]));
          draft_.deck["Material"].set("Poisson's ratio",
                                      text_of(solid->elastic[solid->elastic.size() == 2 ? 1 : 3]));
        }
      taken(section.place.line,
            "*SOLID SECTION of " + section.material + " (line " + std::to_string(solid->line) +
              "): " + (solid->elastic.size() == 2 ? "E, nu = " : "E1, E2, E3, ... = ") +
              text_of_list(solid->elastic));
      if (solid->elastic.size() == 2 && solid->elastic == base->elastic &&
          solid->density == base->density)
        return;
      DraftSection region{title(solid->name)};
      if (word.empty())
        region.set("Expression", "everywhere");
      else
        region.set("Material ids", word);
      add_material(section, *solid, region);
      DraftSection &added = draft_.deck["Materials"].add(region.name);
      added.entries       = region.entries;
    });
  require_sections();
  for (const Solid &solid : materials_)
    if (std::none_of(sections_.begin(), sections_.end(), [&](const Section &section) {
          return same_letters(section.material, solid.name);
        }))
      draft_.left.push_back({solid.line, "*MATERIAL " + solid.name + ": no section has it"});
  if (base == nullptr)
    missed(0, "the deck has no material: set 'Material' before you run it");
}

void DeckOfModel::require_sections()
{
  if (sections_.empty())
    return; // there is no material at all
  std::vector<bool> has_section(regions_.mesh().cells.size(), false);
  for (const Section &section : sections_)
    attempt(section.place.line, "*SOLID SECTION", [&] {
      for (const unsigned int cell : regions_.cells(section.place))
        has_section[cell] = true;
    });
  const auto n = std::count(has_section.begin(), has_section.end(), false);
  if (n > 0)
    missed(0,
           std::to_string(n) + (n == 1 ? " solid has" : " solids have") +
             " no *SOLID SECTION; the deck gives them its 'Material'");
}

void DeckOfModel::add_material(const Section &section, const Solid &solid, DraftSection &into)
{
  const std::vector<double> &c = solid.elastic;
  if (c.size() == 2)
    {
      into.set("Young's modulus", text_of(c[0]));
      into.set("Poisson's ratio", text_of(c[1]));
    }
  else
    {
      const auto part = [&](const std::ptrdiff_t first) {
        return text_of_list(std::vector<double>(c.begin() + first, c.begin() + first + 3));
      };
      if (draft_.deck.entries.empty())
        draft_.deck.set("Operator", "ebe"); // it stores matrices, which such solids need
      into.set("Young's moduli", part(0));
      into.set("Poisson's ratios", part(3));
      into.set("Shear moduli", part(6));
      if (!section.orientation.empty())
        {
          const std::string name = upper_case(section.orientation);
          auto found             = orientations_.find({upper_case(section.scope), name});
          // The axes of an instance turn with it.
          std::vector<std::vector<double>> placement;
          if (found == orientations_.end())
            found = orientations_.find({"", name});
          else if (!section.turn.empty())
            placement = {{0., 0., 0.}, section.turn};
          if (found == orientations_.end() || found->second.empty())
            LineReader::fail_at(section.place.line,
                                "the orientation " + quote(section.orientation) +
                                  " is not rectangular with two points alone");
          const std::vector<double> &axes = found->second;
          const auto axis                 = [&](const std::size_t i) {
            return text_of_list(
              to_array(place_in_instance({{axes[i], axes[i + 1], axes[i + 2]}}, placement)));
          };
          into.set("First axis", axis(0));
          into.set("Second axis", axis(3));
        }
    }
  if (solid.density > 0. && base_density_ > 0.)
    into.set("Mass ratio", text_of(solid.density / base_density_));
  else if (base_density_ > 0.)
    draft_.left.push_back(
      {solid.line, "*MATERIAL " + solid.name + " has no *DENSITY; its mass is that of the first"});
}

void DeckOfModel::find_regions()
{
  for (std::size_t j = 0; j < couplings_.size(); ++j)
    attempt(couplings_[j].line, "*" + couplings_[j].kind, [&] {
      Joint &joint = couplings_[j];
      if (joint.kind.empty())
        LineReader::fail_at(joint.line, "*COUPLING has no *KINEMATIC and no *DISTRIBUTING");
      if (handles_.count(joint.point) > 0)
        LineReader::fail_at(joint.line,
                            "its node of reference is that of the region in line " +
                              std::to_string(couplings_[handles_.at(joint.point).joint].line) +
                              ", too; make them one region");
      if (!joint.surface.empty())
        joint.region.set("Boundary ids", regions_.surface(joint.surface, joint.line, "coupling"));
      else if (!joint.elements.empty())
        joint.region.set("Material ids",
                         regions_.elements({{joint.elements}, joint.line}, "rigid"));
      else
        joint.region.set("Boundary ids", regions_.nodes({joint.nodes, joint.line}, "rigid"));
      joint.region.name = title(joint.region.entries[0].second);
      if (joint.region.entries[0].second.empty())
        {
          joint.region.entries.clear();
          LineReader::fail_at(joint.line, "all of the body would be rigid");
        }
      handles_[joint.point] = {j, false};
      if (joint.turning)
        handles_[*joint.turning] = {j, true};
    });
}

void DeckOfModel::add_supports()
{
  std::map<std::pair<unsigned int, unsigned int>, double> value_at; // a point and a direction
  for (const Nodal &value : supports_)
    attempt(value.line, "*BOUNDARY " + value.where, [&] {
      for (const unsigned int point : regions_.points({{value.where}, value.line}))
        if (value_at.emplace(std::make_pair(point, value.dof), value.value).first->second !=
            value.value)
          LineReader::fail_at(value.line,
                              "on some of its nodes, other lines have other displacements");
    });
  using Values = std::map<unsigned int, double>; // by degree of freedom
  std::map<std::pair<std::size_t, Values>, ModelPlace> singles;
  for (const auto &[where, values] : by_place(supports_))
    attempt(
      values[0].line, "*BOUNDARY " + where, [&where = where, &values = values, &singles, this] {
        const ModelPlace place{{where}, values[0].line};
        const std::vector<unsigned int> points = regions_.points(place);
        Values value_of;
        for (const Nodal &value : values)
          value_of[value.dof] = value.value;
        if (points.size() != 1)
          add_support(place, value_of);
        else if (handles_.count(points[0]) == 0)
          {
            ModelPlace &all = singles[{place.line, value_of}];
            all.words.push_back(where);
            all.line = place.line;
          }
        else
          {
            const Handle handle = handles_.at(points[0]);
            Joint &joint        = couplings_[handle.joint];
            if (joint.kind == "DISTRIBUTING")
              LineReader::fail_at(place.line,
                                  "it holds the mean of a region, by *DISTRIBUTING, which has no "
                                  "counterpart");
            for (const auto &[dof, value] : value_of)
              if (const std::size_t motion = dof - 1 + (handle.is_turning ? 3 : 0); motion < 6)
                joint.motions[motion] = value;
          }
      });
  for (const auto &[key, place] : singles)
    attempt(place.line,
            "*BOUNDARY " + place.words[0],
            [&place = place, &values = key.second, this] { add_support(place, values); });
}

void DeckOfModel::add_support(const ModelPlace &place,
                              const std::map<unsigned int, double> &value_of)
{
  const std::size_t line                 = place.line;
  const std::vector<unsigned int> points = regions_.points(place);
  const auto is_held                     = [&](const unsigned int dof) {
    const auto found = value_of.find(dof);
    return found != value_of.end() && found->second == 0.;
  };
  if (std::any_of(points.begin(), points.end(), [&](const unsigned int point) {
        return handles_.count(point) > 0;
      }))
    LineReader::fail_at(line, "the set has nodes of reference among others; hold them apart");
  if (std::none_of(points.begin(), points.end(), [&](const unsigned int point) {
        return regions_.is_of_solid(point);
      }))
    LineReader::fail_at(line, "its nodes belong to no solid");
  if (state_.is_turned(points) && !(is_held(1) && is_held(2) && is_held(3)))
    LineReader::fail_at(line, "it is along directions of *TRANSFORM");
  std::string components;
  std::vector<double> displacements;
  for (const auto &[dof, value] : value_of)
    if (dof <= 3)
      {
        add_to_list(components, names_of_motions[dof - 1]);
        displacements.push_back(value);
      }
  const std::string word = regions_.nodes(place, "boundary");
  if (components.empty())
    {
      draft_.left.push_back(
        {line, "*BOUNDARY " + word + ": rotations of nodes of solids, which have none"});
      return;
    }
  // what XSYMM, YSYMM and ZSYMM hold
  for (unsigned int d = 0; d < 3; ++d)
    if (value_of.size() == 3 && is_held(d + 1) && is_held(4 + (d + 1) % 3) &&
        is_held(4 + (d + 2) % 3) && add_plane(points, d, line))
      return;
  DraftSection &support = draft_.deck["Supports"].add(title(word));
  support.set("Boundary ids", word);
  support.set("Components", components);
  if (std::any_of(displacements.begin(), displacements.end(), [](double u) { return u != 0.; }))
    support.set("Displacement", text_of_list(displacements));
  taken(line,
        "*BOUNDARY " + word + ": " + components + " = " + text_of_list(displacements) + " on " +
          std::to_string(points.size()) + (points.size() == 1 ? " node" : " nodes"));
}

bool DeckOfModel::add_plane(const std::vector<unsigned int> &points,
                            const unsigned int normal,
                            const std::size_t line)
{
  const auto &all    = regions_.mesh().points;
  const double value = all[points[0]][normal];
  const double close = 1e-6 * dealii::BoundingBox<3>(all).side_length(normal);
  const auto is_near = [&](const unsigned int point) {
    return std::abs(all[point][normal] - value) <= close;
  };
  // A section within the body is no plane of symmetry of it.
  const auto is_inside = [&](const double side) {
    for (unsigned int point = 0; point < all.size(); ++point)
      if (regions_.is_of_solid(point) && side * (all[point][normal] - value) > close)
        return true;
    return false;
  };
  if (is_inside(1.) && is_inside(-1.))
    return false;
  std::size_t n_there = 0, n_here = 0;
  for (unsigned int point = 0; point < all.size(); ++point)
    n_there += regions_.is_of_solid(point) && is_near(point) ? 1 : 0;
  for (const unsigned int point : points)
    n_here += regions_.is_of_solid(point) && is_near(point) ? 1 : 0;
  if (n_here != n_there || n_here != points.size())
    return false;
  const std::string plane = std::string(1, "xyz"[normal]) + " = " + text_of(value);
  auto &entries           = draft_.deck["Symmetry"].entries;
  if (entries.empty())
    entries.emplace_back("Planes", plane);
  else
    add_to_list(entries[0].second, plane);
  taken(line, "*BOUNDARY: the plane of symmetry " + plane);
  return true;
}

void DeckOfModel::add_couplings()
{
  for (const Joint &joint : couplings_)
    if (joint.kind != "DISTRIBUTING" && !joint.region.entries.empty())
      {
        DraftSection &coupling = draft_.deck["Couplings"].add(joint.region.name);
        coupling.entries       = joint.region.entries;
        std::string motions, values;
        for (std::size_t m = 0; m < 6; ++m)
          if (joint.motions[m])
            {
              add_to_list(motions, names_of_motions[m]);
              add_to_list(values, text_of(*joint.motions[m]));
            }
        if (!motions.empty())
          {
            coupling.set("Motions", motions);
            coupling.set("Values", values);
            coupling.set("Point", text_of_list(to_array(regions_.mesh().points[joint.point])));
          }
        taken(joint.line,
              "*" + joint.kind + " on " + joint.region.entries[0].second + ": rigid" +
                (motions.empty() ? "" : ", with " + motions + " = " + values));
      }
}

DraftSection &DeckOfModel::new_load(const Case &one,
                                    const std::string &name,
                                    const std::string &type,
                                    const std::array<double, 3> &value)
{
  DraftSection &load =
    draft_.deck["Loads"].add(title(name) + (cases_.size() > 1 ? " in " + one.name : std::string()));
  load.set("Type", type);
  load.set("Value", text_of_list(value));
  if (cases_.size() > 1)
    load.set("Load case", one.name);
  return load;
}

void DeckOfModel::add_loads(const Case &one)
{
  for (const auto &[line, values] : by_line(one.forces))
    add_forces(one, line, values);
  std::vector<Distributed> pressures;
  for (const Distributed &load : one.distributed)
    if (load.is_on_faces())
      pressures.push_back(load);
    else
      attempt(load.line, "*" + load.keyword + " " + load.where + ", " + load.label, [&] {
        add_distributed(one, load);
      });
  for (const auto &[line, loads] : by_line(pressures))
    attempt(line, "*" + loads[0].keyword, [&, &line = line, &loads = loads] {
      add_pressures(one, line, loads);
    });
  if (!one.temperatures.empty())
    attempt(one.temperatures[0].line, "*TEMPERATURE", [&] { add_expansion(one); });
}

void DeckOfModel::add_forces(const Case &one,
                             const std::size_t line,
                             const std::vector<Nodal> &values)
{
  std::vector<Force> singles;
  std::map<unsigned int, std::size_t> number;        // of a point among them
  std::map<std::size_t, std::array<double, 6>> sums; // on couplings
  const auto is_zero = [](const Force &force) {
    return force.value[0] == 0. && force.value[1] == 0. && force.value[2] == 0.;
  };
  for (const auto &[where, components] : by_place(values))
    attempt(line, "*CLOAD " + where, [&, &where = where, &components = components] {
      Force force{where};
      force.points = regions_.points({{where}, line});
      for (const Nodal &component : components)
        force.value[component.dof - 1] += component.value;
      if (force.points.size() == 1 && handles_.count(force.points[0]) > 0)
        {
          add_to_joint(handles_.at(force.points[0]), force, sums);
          return;
        }
      if (std::any_of(force.points.begin(), force.points.end(), [&](const unsigned int point) {
            return handles_.count(point) > 0;
          }))
        LineReader::fail_at(line, "the set has nodes of reference among others; load them apart");
      if (std::none_of(force.points.begin(), force.points.end(), [&](const unsigned int point) {
            return regions_.is_of_solid(point);
          }))
        LineReader::fail_at(line, "its nodes belong to no solid, and to no coupling in the deck");
      if (state_.is_turned(force.points))
        LineReader::fail_at(line, "it is along directions of *TRANSFORM");
      if (force.value[3] != 0. || force.value[4] != 0. || force.value[5] != 0.)
        missed(line, "*CLOAD " + where + ": moments on nodes of solids, which have no rotations");
      if (force.points.size() == 1)
        {
          // A node may have several names.
          const auto [at, is_new] = number.emplace(force.points[0], singles.size());
          if (is_new)
            singles.push_back(force);
          else
            for (std::size_t d = 0; d < 6; ++d)
              singles[at->second].value[d] += force.value[d];
        }
      else if (!is_zero(force))
        add_nodal(one, line, {{where}, line}, force);
    });
  for (const auto &[j, sum] : sums)
    {
      const Joint &joint = couplings_[j];
      DraftSection &load =
        new_load(one, joint.region.name, "remote force", {{sum[0], sum[1], sum[2]}});
      load.entries.insert(load.entries.begin(), joint.region.entries[0]);
      const std::array<double, 3> moment = {{sum[3], sum[4], sum[5]}};
      load["Remote force"].set("Point",
                               text_of_list(to_array(regions_.mesh().points[joint.point])));
      load["Remote force"].set("Moment", text_of_list(moment));
      taken(line,
            "*CLOAD on the reference node of *" + joint.kind + " in line " +
              std::to_string(joint.line) + ": remote force (" +
              text_of_list(std::array<double, 3>{{sum[0], sum[1], sum[2]}}) + "), moment (" +
              text_of_list(moment) + ")");
    }

  singles.erase(std::remove_if(singles.begin(), singles.end(), is_zero), singles.end());
  // Nodes with one force are a set; of many forces only the sum is kept.
  std::map<std::array<double, 6>, ModelPlace> sets;
  for (const Force &force : singles)
    {
      sets[force.value].words.push_back(force.where);
      sets[force.value].line = line;
    }
  constexpr std::size_t most_sets = 8;
  if (sets.size() > most_sets)
    add_spread(one, line, singles);
  else
    for (const auto &[value, place] : sets)
      add_nodal(one, line, place, {place.words[0], value});
}

void DeckOfModel::add_to_joint(const Handle &handle,
                               const Force &force,
                               std::map<std::size_t, std::array<double, 6>> &sums) const
{
  std::array<double, 6> &sum = sums[handle.joint];
  for (std::size_t d = 0; d < 6; ++d)
    if (const std::size_t motion = d + (handle.is_turning ? 3 : 0); motion < 6)
      sum[motion] += force.value[d];
}

void DeckOfModel::add_nodal(const Case &one,
                            const std::size_t line,
                            const ModelPlace &place,
                            const Force &force)
{
  const std::string word             = regions_.nodes(place, "cload");
  const std::array<double, 3> vector = {{force.value[0], force.value[1], force.value[2]}};
  DraftSection &load                 = new_load(one, word, "force per node", vector);
  load.entries.insert(load.entries.begin(), {"Boundary ids", word});
  const std::size_t n = regions_.points(place).size();
  taken(line,
        "*CLOAD on " + word + ": (" + text_of_list(vector) + ") on " +
          (n == 1 ? "one node" : "each of " + std::to_string(n) + " nodes"));
}

void DeckOfModel::add_spread(const Case &one,
                             const std::size_t line,
                             const std::vector<Force> &forces)
{
  std::map<unsigned int, const Force *> force_of;
  std::vector<unsigned int> points;
  for (const Force &force : forces)
    {
      force_of[force.points[0]] = &force;
      points.push_back(force.points[0]);
    }
  // Whether most of the forces is neither their sum nor their moment, as of a clamp. Both are
  // spread as the forces F / n + w x r.
  const auto opposes = [&](const dealii::Point<3> &middle,
                           const dealii::Tensor<1, 3> &sum,
                           const dealii::Tensor<1, 3> &moment,
                           const std::vector<unsigned int> &piece) {
    dealii::Tensor<2, 3> inertia;
    for (const unsigned int point : piece)
      {
        const dealii::Tensor<1, 3> arm(regions_.mesh().points[point] - middle);
        inertia += arm.norm_square() * dealii::Tensor<2, 3>(dealii::unit_symmetric_tensor<3>()) -
                   dealii::outer_product(arm, arm);
      }
    for (unsigned int d = 0; d < 3; ++d)
      inertia[d][d] += 1e-9 * dealii::trace(inertia); // nodes may be on a line
    const dealii::Tensor<1, 3> turn = dealii::invert(inertia) * moment;
    double size = 0., rest = 0.;
    for (const unsigned int point : piece)
      {
        const std::array<double, 6> &value = force_of.at(point)->value;
        const dealii::Tensor<1, 3> force({value[0], value[1], value[2]}),
          arm(regions_.mesh().points[point] - middle);
        size += force.norm();
        rest +=
          (force - sum / static_cast<double>(piece.size()) - dealii::cross_product_3d(turn, arm))
            .norm();
      }
    return sum.norm() < 0.5 * size && rest > 0.5 * size;
  };
  for (const std::vector<unsigned int> &piece : regions_.pieces(points))
    {
      dealii::Point<3> middle;
      dealii::Tensor<1, 3> sum, moment;
      double size = 0., length = 0.;
      ModelPlace place{{}, line};
      for (const unsigned int point : piece)
        middle += regions_.mesh().points[point] / static_cast<double>(piece.size());
      for (const unsigned int point : piece)
        {
          const std::array<double, 6> &value = force_of.at(point)->value;
          const dealii::Tensor<1, 3> force({value[0], value[1], value[2]}),
            arm(regions_.mesh().points[point] - middle);
          sum += force;
          moment += dealii::cross_product_3d(arm, force);
          size += force.norm();
          length = std::max(length, arm.norm());
          place.words.push_back(force_of.at(point)->where);
        }
      // what rounding leaves
      constexpr double rounding = 1e-9;
      for (unsigned int d = 0; d < 3; ++d)
        {
          sum[d]    = std::abs(sum[d]) < rounding * size ? 0. : sum[d];
          moment[d] = std::abs(moment[d]) < rounding * size * length ? 0. : moment[d];
        }
      const std::string nodes = std::to_string(piece.size()) + " nodes";
      if (sum.norm() == 0. && moment.norm() == 0.)
        {
          missed(line, "*CLOAD on " + nodes + ": different forces whose sum is zero");
          continue;
        }
      if (opposes(middle, sum, moment, piece))
        {
          missed(line,
                 "*CLOAD on " + nodes +
                   ": different forces against each other, which are no remote force");
          continue;
        }
      const std::string word = regions_.nodes(place, "cload");
      DraftSection &load     = new_load(one, word, "remote force", to_array(sum));
      load.entries.insert(load.entries.begin(), {"Boundary ids", word});
      load["Remote force"].set("Point", text_of_list(to_array(middle)));
      load["Remote force"].set("Moment", text_of_list(to_array(moment)));
      taken(line,
            "*CLOAD on " + nodes + ", different forces: one remote force with their sum (" +
              text_of_list(to_array(sum)) + ") and their moment, spread anew over " + word);
    }
}

void DeckOfModel::add_pressures(const Case &one,
                                const std::size_t line,
                                const std::vector<Distributed> &loads)
{
  // Pressures on a face add up. Those of one place are summed; places that overlap are of several
  // surfaces.
  std::map<std::pair<std::string, std::string>, std::size_t> number;
  std::vector<Distributed> sums;
  for (const Distributed &load : loads)
    {
      const auto [at, is_new] =
        number.emplace(std::make_pair(upper_case(load.where), load.label), sums.size());
      if (is_new)
        sums.push_back(load);
      else
        sums[at->second].values[0] += load.values[0];
    }
  std::map<std::pair<double, unsigned int>, std::pair<ModelPlace, std::vector<std::string>>>
    surfaces;                                                    // by pressure and layer
  std::map<double, std::map<unsigned int, unsigned int>> layers; // by pressure and face
  for (const Distributed &load : sums)
    {
      const std::string label = "S" + load.label.substr(1);
      const std::vector<unsigned int> here =
        regions_.numbers_of_faces(ModelPlace{{load.where}, line}, label);
      if (here.empty())
        {
          missed(line, "*" + load.keyword + " " + load.where + ": it has no solids");
          continue;
        }
      unsigned int layer = 0;
      for (const unsigned int face : here)
        layer = std::max(layer, layers[load.values[0]][face]);
      for (const unsigned int face : here)
        layers[load.values[0]][face] = layer + 1;
      auto &[place, faces] = surfaces[{load.values[0], layer}];
      place.line           = line;
      place.words.push_back(load.where);
      faces.push_back(label);
    }
  constexpr std::size_t most_surfaces = 50;
  if (surfaces.size() > most_surfaces)
    LineReader::fail_at(line,
                        std::to_string(surfaces.size()) +
                          " different pressures; a deck has one load for each");
  for (const auto &[key, surface] : surfaces)
    if (const double pressure = key.first; pressure != 0.)
      {
        const std::string word = regions_.faces(surface.first, surface.second, "dload");
        DraftSection &load     = new_load(one, word, "pressure", {{pressure, 0., 0.}});
        load.entries.insert(load.entries.begin(), {"Boundary ids", word});
        taken(line,
              "*" + loads[0].keyword + " on faces of " +
                (surface.second.size() == 1
                   ? surface.first.words[0]
                   : std::to_string(surface.second.size()) + " elements or sets") +
                ": pressure " + text_of(pressure) + " on " + word);
      }
}

void DeckOfModel::add_distributed(const Case &one, const Distributed &given)
{
  const std::vector<double> &v = given.values;
  dealii::Tensor<1, 3> axis({v[1], v[2], v[3]});
  std::array<double, 3> value{};
  std::string type, entry = "Boundary ids";
  // CalculiX takes surfaces for *DLOAD, too.
  const bool is_on_surface = given.keyword == "DSLOAD" || given.label == "P";
  if (is_on_surface)
    {
      type = given.label == "P" ? "pressure" : given.label == "TRVEC" ? "traction" : "";
      if (type == "traction" && axis.norm() == 0.)
        LineReader::fail_at(given.line, "a traction without a direction");
      if (type == "traction")
        value = to_array(v[0] / axis.norm() * axis);
      else
        value[0] = v[0];
    }
  else if (given.label == "GRAV" || given.label == "CENTRIF")
    {
      entry = "Material ids";
      type  = given.label == "GRAV" ? "self weight" : "rotation";
      if (base_density_ == 0.)
        LineReader::fail_at(given.line, "the first material has no *DENSITY");
      if (given.label == "GRAV")
        {
          value = to_array(v[0] * base_density_ * axis);
          if (std::abs(axis.norm() - 1.) > 1e-3)
            draft_.left.push_back({given.line,
                                   "*DLOAD GRAV: the length " + text_of(axis.norm()) +
                                     " of its direction counts, as in CalculiX"});
        }
      else
        {
          const dealii::Tensor<1, 3> along({v[4], v[5], v[6]});
          if (v[0] < 0. || along.norm() == 0.)
            LineReader::fail_at(given.line, "no square of an angular velocity about an axis");
          value = to_array(std::sqrt(v[0]) / along.norm() * along);
        }
    }
  else if (given.label == "BX" || given.label == "BY" || given.label == "BZ")
    {
      entry                                                 = "Material ids";
      type                                                  = "body force";
      value[static_cast<std::size_t>(given.label[1] - 'X')] = v[0];
    }
  if (type.empty())
    LineReader::fail_at(given.line, "loads " + quote(given.label) + " have no counterpart");
  const std::string word = is_on_surface ? regions_.surface(given.where, given.line, "dsload")
                           : given.where.empty()
                             ? std::string()
                             : regions_.elements({{given.where}, given.line}, "dload");
  DraftSection &load     = new_load(one, word.empty() ? type : word, type, value);
  load.entries.insert(load.entries.begin(),
                      word.empty()
                        ? std::make_pair(std::string("Expression"), std::string("everywhere"))
                        : std::make_pair(entry, word));
  if (type == "rotation")
    {
      const std::array<double, 3> point = {{v[1], v[2], v[3]}};
      load["Rotation"].set("Point", text_of_list(point));
      load["Rotation"].set("Density", text_of(base_density_));
    }
  taken(given.line,
        "*" + given.keyword + " " + given.label + " on " + (word.empty() ? "all solids" : word) +
          ": " + type + " (" + text_of_list(value) + ")");
}

void DeckOfModel::add_expansion(const Case &one)
{
  // NaN: not given
  const std::size_t line = one.temperatures[0].line;
  if (state_.lacks_initial_temperatures)
    LineReader::fail_at(line, "the initial temperatures are in another file");
  std::vector<double> rise(regions_.mesh().points.size(), std::nan("")), first(rise.size(), 0.);
  for (const Nodal &value : initial_temperatures_)
    for (const unsigned int point : regions_.points({{value.where}, value.line}))
      first[point] = value.value;
  for (const Nodal &value : one.temperatures)
    for (const unsigned int point : regions_.points({{value.where}, value.line}))
      rise[point] = value.value - first[point];
  bool expands = false;
  for (const Section &section : sections_)
    {
      const Solid *const solid = solid_of(section.material);
      if (solid == nullptr || solid->expansion == 0.)
        continue;
      expands                                = true;
      const std::vector<unsigned int> points = regions_.points_of_elements(section.place);
      const double here                      = rise[points.at(0)];
      if (std::any_of(points.begin(), points.end(), [&](const unsigned int point) {
            return !(rise[point] == here);
          }))
        LineReader::fail_at(line,
                            "temperatures of *MATERIAL " + solid->name +
                              " that are not uniform; write them as the expression of a load of "
                              "type 'thermal expansion'");
      if (solid->elastic.size() != 2)
        LineReader::fail_at(line, "the expansion of solids that are not isotropic");
      if (here == 0.)
        continue;
      const std::string word = regions_.elements(section.place, "section");
      DraftSection &load =
        new_load(one, word.empty() ? "heat" : "heat of " + word, "thermal expansion", {});
      load.entries.erase(load.entries.begin() + 1); // the value
      load.entries.insert(load.entries.begin(),
                          word.empty() ? std::make_pair("Expression", std::string("everywhere"))
                                       : std::make_pair("Material ids", word));
      load["Thermal expansion"].set("Coefficient", text_of(solid->expansion));
      load["Thermal expansion"].set("Temperature difference", text_of(here));
      taken(line,
            "*TEMPERATURE of " + solid->name + ": thermal expansion by " + text_of(here) +
              " degrees from the initial temperature");
    }
  if (!expands)
    draft_.left.push_back({line, "*TEMPERATURE: no material has an *EXPANSION"});
}
} // namespace

DeckDraft deck_of(ModelState &&state)
{
  state.finish();
  return DeckOfModel(state).make();
}
} // namespace strut
