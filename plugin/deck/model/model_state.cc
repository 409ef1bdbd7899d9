// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/model/model_state.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "plugin/base/spelling.h"
#include "plugin/deck/mesh/line_reader.h"

namespace strut
{
namespace
{
/// A name of the model as that of a subsection: without what a deck reads as a comment.
std::string title(std::string name)
{
  std::replace(name.begin(), name.end(), '#', '-');
  return trim(name);
}

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

void ModelState::begin_step(const std::string &name,
                            const std::size_t line,
                            const bool is_perturbation)
{
  ++step_;
  step_name_       = name.empty() ? std::to_string(step_) : title(name);
  step_line_       = line;
  procedure_       = "";
  is_in_step_      = true;
  is_perturbation_ = is_perturbation;
  if (!is_perturbation)
    return;
  // A perturbation has loads of its own, and leaves those of the other steps as they are.
  forces_of_general_steps_      = std::move(forces_);
  distributed_of_general_steps_ = std::move(distributed_);
  forces_.clear();
  distributed_.clear();
}

void ModelState::end_step()
{
  const std::string step = "step '" + step_name_ + "'";
  const auto is_here     = [&](const auto &load) { return load.second.back().step == step_; };
  if (procedure_ != "STATIC")
    {
      const std::string why =
        step + " is " + (procedure_.empty() ? "of no kind" : "*" + procedure_) + ", not *STATIC";
      const bool has_loads = std::any_of(forces_.begin(), forces_.end(), is_here) ||
                             std::any_of(distributed_.begin(), distributed_.end(), is_here) ||
                             std::any_of(temperatures_.begin(), temperatures_.end(), is_here);
      if (has_loads)
        missed(step_line_, why + "; its loads are not taken");
      else
        draft.left.push_back({step_line_, why});
    }
  else if (forces_.empty() && distributed_.empty() && temperatures_.empty())
    {
      draft.left.push_back({step_line_, step + " has no loads, and is no load case"});
      if (supports_.empty())
        supports_ = in_order(prescribed_);
    }
  else
    {
      const std::vector<Nodal> here = in_order(prescribed_);
      const auto key                = [](const std::vector<Nodal> &values) {
        std::set<std::pair<std::string, double>> keys;
        for (const Nodal &value : values)
          keys.emplace(key_of(value.where, std::to_string(value.dof)), value.value);
        return keys;
      };
      if (cases_.empty())
        supports_ = here;
      else if (key(supports_) != key(here))
        missed(step_line_,
               "supports of " + step + " differ from those of step '" + cases_[0].name +
                 "', which hold in all load cases of a deck");
      cases_.push_back({step_name_,
                        step_line_,
                        in_order(forces_),
                        in_order(distributed_),
                        in_order(temperatures_)});
    }
  is_in_step_ = false;
  if (!is_perturbation_)
    return;
  forces_      = std::move(forces_of_general_steps_);
  distributed_ = std::move(distributed_of_general_steps_);
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
    forget(prescribed_, all);
  else if (keyword == "CLOAD")
    forget(forces_, all);
  else if (keyword == "TEMPERATURE")
    forget(temperatures_, all);
  else
    forget(distributed_,
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
  const std::string key = key_of(value.where, std::to_string(value.dof));
  prescribed_.erase(key);
  put(prescribed_, key, value);
}

void ModelState::load(Nodal value)
{
  put(forces_, key_of(value.where, std::to_string(value.dof)), value);
}

void ModelState::load(Distributed value)
{
  put(distributed_, key_of(value.where, value.keyword + " " + value.label), value);
}

void ModelState::heat(Nodal value)
{
  const std::string key = upper_case(value.where);
  temperatures_.erase(key);
  put(temperatures_, key, value);
}

void ModelState::finish()
{
  if (is_in_step_)
    end_step(); // the file is cut off
  if (cases_.empty() && supports_.empty())
    supports_ = in_order(prescribed_);
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
