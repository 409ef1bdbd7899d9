// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/region.h>

#include <deal.II/base/function_parser.h>
#include <deal.II/base/numbers.h>
#include <deal.II/base/utilities.h>

#include <strut/base/exceptions.h>
#include <strut/mesh_summary.h>

#include <atomic>
#include <iostream>
#include <sstream>
#include <utility>
#include <vector>

#include "plugin/base/spelling.h"
#include "plugin/deck/problem/condition.h"
#include "source/base/team.h"

namespace strut
{
namespace
{
/// Suppresses output to std::cerr: deal.II writes there before it throws.
class SilentErrors
{
public:
  SilentErrors() : before_(std::cerr.rdbuf(nowhere_.rdbuf()))
  {}
  ~SilentErrors()
  {
    std::cerr.rdbuf(before_);
    std::cerr.clear();
  }
  SilentErrors(const SilentErrors &)            = delete;
  SilentErrors &operator=(const SilentErrors &) = delete;

private:
  std::ostringstream nowhere_;
  std::streambuf *before_;
};

/// The message of muParser, without the text that deal.II adds (whose column is an error code).
std::string reason(const dealii::ExceptionBase &exception)
{
  const std::string said = "The parser said: ";
  std::ostringstream text;
  exception.print_info(text);
  std::string message = text.str(), line;
  for (std::istringstream lines(message); std::getline(lines, line);)
    if (line.find("Message:") != std::string::npos || line.find("Error") != std::string::npos)
      {
        if (const std::size_t found = line.find(said); found != std::string::npos)
          return line.substr(found + said.size());
        const std::size_t begin = line.find_first_not_of(" \t");
        return line.substr(begin == std::string::npos ? 0 : begin);
      }
  return message;
}
} // namespace

void Region::declare(dealii::ParameterAcceptor &owner, const std::vector<std::string> &path)
{
  path_ = path;
  owner.add_parameter("Boundary ids",
                      boundaries_,
                      "Boundary ids of the region, or names of surfaces and node sets of the mesh "
                      "file. Empty: not restricted to a part of the boundary. Of a "
                      "non-design region: the elements with a face there.");
  owner.add_parameter(
    "Material ids",
    materials_,
    "Material ids of the region, or names of volumes and element sets of the mesh "
    "file. Empty: not restricted to material ids.");
  owner.add_parameter(
    "Expression",
    expression_,
    "Condition in x, y, z that holds in the region, for example "
    "'x > xmax - tol and z < zmin + tol'. 'everywhere': the whole mesh; empty: no condition. "
    "Comparisons, and, or, not (&&, ||, !), abs, sqrt, sin, ... The box of the mesh: xmin, xmax, "
    "ymin, ymax, zmin, zmax. h: cube root of the volume of the smallest element. tol: a millionth "
    "of the longest side. Also pi.");
}

void Region::set(const ResponseRegion &words, const std::vector<std::string> &path)
{
  path_       = path;
  boundaries_ = dealii::Utilities::split_string_list(words.boundary_ids);
  materials_  = dealii::Utilities::split_string_list(words.material_ids);
  expression_ = words.expression;
}

void Region::prepare(const MeshSummary &summary)
{
  if (boundaries_.empty() && materials_.empty() && expression_.empty())
    throw EntryError(path_,
                     "",
                     "No region is given.\n"
                     "  Set at least one of: Boundary ids, Material ids, Expression. For the whole "
                     "mesh write 'set Expression = everywhere'.");
  find_boundaries(summary);
  find_materials(summary);

  if (expression_.empty())
    return;
  const auto &[lower, upper]                    = summary.box.get_boundary_points();
  const std::map<std::string, double> constants = {{"xmin", lower[0]},
                                                   {"xmax", upper[0]},
                                                   {"ymin", lower[1]},
                                                   {"ymax", upper[1]},
                                                   {"zmin", lower[2]},
                                                   {"zmax", upper[2]},
                                                   {"h", summary.smallest_cell},
                                                   {"tol", summary.tolerance()},
                                                   {"pi", dealii::numbers::PI}};
  std::vector<std::string> names;
  for (const auto &[name, value] : constants)
    if (name != "pi")
      names.push_back(name);
  parsers_.clear();
  bounds_.clear();
  try
    {
      const Condition condition = Condition::read(expression_, names);
      is_everywhere_            = condition.is_everywhere;
      const SilentErrors silent;
      for (int thread = 0; thread < cpu::default_n_threads(); ++thread)
        {
          auto parser = std::make_unique<dealii::FunctionParser<3>>();
          parser->initialize("x,y,z", condition.formula, constants);
          // muParser compiles at the first evaluation
          if (thread == 0)
            parser->value(summary.box.center());
          parsers_.push_back(std::move(parser));
        }
      for (const Condition::Bound &bound : condition.bounds)
        {
          dealii::FunctionParser<3> parser;
          parser.initialize("x,y,z", bound.number, constants);
          bounds_.push_back({bound.direction,
                             bound.by[0] == '<',
                             bound.by.back() == '=',
                             parser.value(summary.box.center())});
        }
    }
  catch (const Error &error)
    {
      throw EntryError(path_, "Expression", error.what());
    }
  catch (const dealii::ExceptionBase &exception)
    {
      throw EntryError(path_,
                       "Expression",
                       "The expression cannot be evaluated: " + reason(exception));
    }
}

bool Region::holds_at(const dealii::Point<3> &point) const
{
  if (parsers_.empty() || is_everywhere_)
    return true;
  for (const Bound &bound : bounds_)
    if (!bound.admits(point))
      return false;
  static std::atomic<std::size_t> n_threads{0};
  thread_local const std::size_t thread = n_threads++;
  // Two threads may share a parser.
  return parsers_[thread % parsers_.size()]->value(point) > 0.5;
}

void Region::throw_selects_nothing(const std::string &entity, const MeshSummary &summary) const
{
  const bool elements = entity == "element";
  std::string text    = "The region (" + describe() + ") holds no " + entity + " of the mesh.";
  if (!expression_.empty())
    text += "\n  The expression must hold at the " +
            std::string(entity == "node" ? "node" : "centre of the " + entity) +
            "; comparisons need some tolerance: 'x < xmin + tol', not 'x == xmin'.";
  if (!elements || has_boundary_ids())
    text += "\n  Boundary ids of the mesh:\n" + summary.boundary_table();
  if (elements || has_material_ids())
    text += "\n  Material ids of the mesh:\n" + summary.material_table();
  throw EntryError(path_, expression_.empty() ? "" : "Expression", text);
}

std::string Region::describe() const
{
  std::string text;
  if (!boundaries_.empty())
    text += "boundary ids " + join(boundaries_);
  if (!materials_.empty())
    text += (text.empty() ? "" : ", ") + ("material ids " + join(materials_));
  if (!expression_.empty())
    text +=
      (text.empty() ? "" : ", ") + (is_everywhere_ ? "everywhere" : "where " + shown(expression_));
  return text;
}
} // namespace strut
