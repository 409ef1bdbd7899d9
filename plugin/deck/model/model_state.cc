// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/model/model_state.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>
#include <utility>

#include "plugin/base/spelling.h"
#include "plugin/deck/mesh/line_reader.h"

namespace strut
{
namespace
{
/// All values, in the order of the model.
template <typename Value>
std::vector<Value> in_order(const std::map<std::string, std::vector<Value>> &values)
{
  std::vector<Value> result;
  for (const auto &[key, list] : values)
    result.insert(result.end(), list.begin(), list.end());
  std::sort(result.begin(), result.end(), [](const Value &a, const Value &b) {
    return a.order < b.order;
  });
  return result;
}

std::string key_of(const std::string &where, const std::string &direction)
{
  return upper_case(where) + ", " + direction;
}

/// Returns what a value is of, whatever its place.
std::string direction_of(const ModelState::Nodal &value)
{
  return std::to_string(value.dof);
}
std::string direction_of(const ModelState::Distributed &value)
{
  return value.keyword + " " + value.label;
}

/// Whether a load is on a surface. Surfaces that overlap may add up or not.
bool is_on_surface(const ModelState::Nodal &)
{
  return false;
}
bool is_on_surface(const ModelState::Distributed &value)
{
  return !value.is_on_faces() && (value.keyword == "DSLOAD" || value.label == "P");
}

/// Whether a deck can have the opposite of a load, as it can unless that is a square.
bool has_opposite(const ModelState::Nodal &)
{
  return true;
}
bool has_opposite(const ModelState::Distributed &value)
{
  return value.label != "CENTRIF";
}

ModelState::Nodal opposite_of(ModelState::Nodal value)
{
  value.value *= -1.;
  return value;
}
ModelState::Distributed opposite_of(ModelState::Distributed value)
{
  value.values[0] *= -1.;
  return value;
}

/// Returns what values are, for comparison.
std::set<std::pair<std::string, double>> keys_of(const std::vector<ModelState::Nodal> &values)
{
  std::set<std::pair<std::string, double>> keys;
  for (const ModelState::Nodal &value : values)
    keys.emplace(key_of(value.where, direction_of(value)), value.value);
  return keys;
}
} // namespace

unsigned int ModelState::point_of(const std::string &node, const std::size_t line)
{
  const std::vector<unsigned int> points = regions_.points({{node}, line});
  if (points.size() != 1)
    LineReader::fail_at(line, "the reference " + quote(node) + " is not one node");
  return points[0];
}

void ModelState::add_coupling(const std::size_t line, const std::string &node)
{
  const unsigned int point = point_of(node, line);
  couplings.emplace_back();
  couplings.back().line  = line;
  couplings.back().point = point;
}

void ModelState::turn(const ModelPlace &place)
{
  is_turned_.resize(regions_.mesh().points.size(), false);
  for (const unsigned int point : regions_.points(place))
    is_turned_[point] = true;
}

std::string ModelState::free_name(const std::string &name)
{
  std::string written = name;
  for (char &c : written)
    if (std::string(",\"/#").find(c) != std::string::npos)
      c = '-';
  written            = trim(written);
  written            = written.empty() ? std::to_string(step_) : written;
  std::string result = written;
  for (unsigned int i = 2; !names_.insert(upper_case(result)).second; ++i)
    result = written + " " + std::to_string(i);
  return result;
}

void ModelState::begin_step(const std::string &name,
                            const std::size_t line,
                            const bool is_perturbation)
{
  if (is_in_step_)
    end_step(); // it has no *END STEP
  ++step_;
  step_name_       = free_name(name);
  step_line_       = line;
  procedure_       = "";
  is_in_step_      = true;
  is_perturbation_ = is_perturbation;
  if (!is_perturbation)
    return;
  // A perturbation has values of its own, and leaves those of the other steps as they are. What
  // other steps hold is held, without its displacement.
  values_of_general_steps_ = values_;
  values_.forces.clear();
  values_.distributed.clear();
  values_.temperatures.clear();
  for (auto &[key, list] : values_.prescribed)
    for (Nodal &value : list)
      value.value = value.step > 0 ? 0. : value.value;
}

void ModelState::end_step()
{
  const std::string step = "step '" + step_name_ + "'";
  const auto is_here     = [&](const auto &load) { return load.second.back().step == step_; };
  const std::vector<Nodal> holds = in_order(values_.prescribed);
  const bool moves =
    std::any_of(holds.begin(), holds.end(), [](const Nodal &value) { return value.value != 0.; });
  const auto has_any = [&](const auto &values) {
    return std::any_of(values.begin(), values.end(), is_here);
  };
  if (procedure_ != "STATIC")
    {
      const std::string why =
        step + " is " + (procedure_.empty() ? "of no kind" : "*" + procedure_) + ", not *STATIC";
      if (has_any(values_.forces) || has_any(values_.distributed) || has_any(values_.temperatures))
        missed(step_line_, why + "; its loads are not taken");
      else
        draft.left.push_back({step_line_, why});
    }
  else if (!values_.forces.empty() || !values_.distributed.empty() || !values_.temperatures.empty())
    {
      if (cases_.empty())
        supports_ = holds;
      else if (keys_of(supports_) != keys_of(holds))
        missed(step_line_,
               "supports of " + step + " differ from those of step '" + cases_[0].name +
                 "', which hold in all load cases of a deck");
      cases_.push_back({step_name_,
                        step_line_,
                        that_hold(values_.forces),
                        that_hold(values_.distributed),
                        in_order(values_.temperatures)});
    }
  else if (moves)
    drives_.push_back({step_name_, step_line_, holds});
  else
    {
      draft.left.push_back({step_line_, step + " has no loads, and is no load case"});
      if (supports_.empty())
        supports_ = holds;
    }
  is_in_step_ = false;
  if (is_perturbation_)
    values_ = std::move(values_of_general_steps_);
}

template <typename Value>
std::vector<Value> ModelState::that_hold(const ByPlace<Value> &values)
{
  std::map<std::string, std::vector<Value>> lists; // by what they are
  for (const Value &value : in_order(values))
    lists[direction_of(value)].push_back(value);
  std::vector<Value> result;
  for (const auto &[direction, list] : lists)
    {
      if (list.front().step == list.back().step)
        {
          result.insert(result.end(), list.begin(), list.end());
          continue;
        }
      std::vector<std::vector<unsigned int>> members;
      for (const Value &value : list)
        members.push_back(members_of(value));
      std::map<unsigned int, std::size_t> owner;
      for (std::size_t end = list.size(), begin = end; end > 0; end = begin)
        {
          while (begin > 0 && list[begin - 1].step == list[end - 1].step)
            --begin;
          for (std::size_t i = begin; i < end; ++i)
            append_rest(list, i, members, owner, result);
          for (std::size_t i = begin; i < end; ++i)
            for (const unsigned int member : members[i])
              owner[member] = i;
        }
    }
  std::stable_sort(result.begin(), result.end(), [](const Value &a, const Value &b) {
    return a.order < b.order;
  });
  return result;
}

template <typename Value>
void ModelState::append_rest(const std::vector<Value> &list,
                             const std::size_t i,
                             const std::vector<std::vector<unsigned int>> &members,
                             const std::map<unsigned int, std::size_t> &owner,
                             std::vector<Value> &result)
{
  const Value &value = list[i];
  std::map<std::size_t, std::size_t> n_of; // members that a later value replaces
  std::size_t n = 0;
  for (const unsigned int member : members[i])
    if (const auto found = owner.find(member); found != owner.end())
      {
        ++n_of[found->second];
        ++n;
      }
  const bool is_clear = std::all_of(n_of.begin(), n_of.end(), [&](const auto &part) {
    return part.second == members[part.first].size();
  });
  if (n == 0)
    result.push_back(value);
  else if (is_on_surface(value) || (n < members[i].size() && (!is_clear || !has_opposite(value))))
    missed(step_line_,
           "step '" + step_name_ + "': the load on " + list[n_of.begin()->first].where +
             " replaces a part of that on " + value.where + " of an earlier step");
  else if (n < members[i].size())
    {
      // The value goes on as a whole, and is taken away where a later one holds.
      result.push_back(value);
      for (const auto &[j, count] : n_of)
        {
          Value opposite = opposite_of(value);
          opposite.where = list[j].where;
          opposite.line  = list[j].line;
          opposite.order = list[j].order;
          result.push_back(opposite);
          draft.taken.push_back({list[j].line,
                                 "the load on " + list[j].where + " replaces that on " +
                                   value.where + " there, which is subtracted"});
        }
    }
}

std::vector<unsigned int> ModelState::members_of(const Nodal &value)
{
  try
    {
      return regions_.points({{value.where}, value.line});
    }
  catch (const MeshFileError &)
    {
      return {}; // the deck lacks the load, and says so
    }
}

std::vector<unsigned int> ModelState::members_of(const Distributed &value)
{
  try
    {
      if (is_on_surface(value))
        return regions_.numbers_of_faces(value.where, value.line);
      const ModelPlace place{{value.where}, value.line};
      if (value.is_on_faces())
        return regions_.numbers_of_faces(place, "S" + value.label.substr(1));
      if (!value.where.empty())
        return regions_.cells(place);
      std::vector<unsigned int> all(regions_.mesh().cells.size());
      std::iota(all.begin(), all.end(), 0U);
      return all;
    }
  catch (const MeshFileError &)
    {
      return {}; // the deck lacks the load, and says so
    }
}

void ModelState::forget_earlier(const std::string &keyword)
{
  const auto forget = [&](auto &values, const auto &is_meant) {
    for (auto at = values.begin(); at != values.end();)
      at =
        at->second.back().step < step_ && is_meant(at->second) ? values.erase(at) : std::next(at);
  };
  const auto all = [](const auto &) { return true; };
  if (keyword == "BOUNDARY")
    forget(values_.prescribed, all);
  else if (keyword == "CLOAD")
    forget(values_.forces, all);
  else if (keyword == "TEMPERATURE")
    forget(values_.temperatures, all);
  else
    forget(values_.distributed,
           [&](const std::vector<Distributed> &list) { return list.back().keyword == keyword; });
}

template <typename Value>
void ModelState::put(ByPlace<Value> &values, const std::string &key, Value value)
{
  std::vector<Value> &list = values[key];
  value.step               = step_;
  value.order              = n_values_++;
  if (!list.empty() && list.back().step < step_)
    list.clear();
  list.push_back(value);
}

void ModelState::prescribe(Nodal value)
{
  const std::string key = key_of(value.where, direction_of(value));
  values_.prescribed.erase(key);
  put(values_.prescribed, key, value);
}

void ModelState::load(Nodal value)
{
  put(values_.forces, key_of(value.where, direction_of(value)), value);
}

void ModelState::load(Distributed value)
{
  put(values_.distributed, key_of(value.where, direction_of(value)), value);
}

void ModelState::heat(Nodal value)
{
  const std::string key = upper_case(value.where);
  values_.temperatures.erase(key);
  put(values_.temperatures, key, value);
}

void ModelState::finish()
{
  if (is_in_step_)
    end_step(); // the file is cut off
  // A deck has at most one step that only moves its supports.
  for (const Drive &drive : drives_)
    if (!cases_.empty())
      missed(drive.line,
             "step '" + drive.name +
               "' has displacements and no loads, and is no load case beside others");
    else if (&drive == &drives_[0])
      supports_ = drive.supports;
    else if (keys_of(drive.supports) != keys_of(supports_))
      missed(drive.line,
             "displacements of step '" + drive.name + "' differ from those of step '" +
               drives_[0].name + "', which the deck has");
  if (cases_.empty() && supports_.empty())
    supports_ = in_order(values_.prescribed);
}

void ModelState::missed(const std::size_t line, const std::string &text)
{
  draft.missed.push_back({line, text});
}

bool ModelState::is_turned(const std::vector<unsigned int> &points) const
{
  return !is_turned_.empty() && std::any_of(points.begin(), points.end(), [&](unsigned int point) {
    return is_turned_[point];
  });
}
} // namespace strut
