// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/problem/number_parser.h"

#include <strut/base/exceptions.h>

#include <iostream>
#include <sstream>

#include "plugin/deck/problem/condition.h"
#include <strut/mesh_summary.h>

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

std::map<std::string, double> constants_of(const MeshSummary &summary)
{
  const auto &[lower, upper] = summary.box.get_boundary_points();
  return {{"xmin", lower[0]},
          {"xmax", upper[0]},
          {"ymin", lower[1]},
          {"ymax", upper[1]},
          {"zmin", lower[2]},
          {"zmax", upper[2]},
          {"h", summary.smallest_cell},
          {"tol", summary.tolerance()},
          {"pi", dealii::numbers::PI}};
}

std::vector<std::string> names_of_constants(const MeshSummary &summary)
{
  std::vector<std::string> names;
  for (const auto &[name, value] : constants_of(summary))
    if (name != "pi")
      names.push_back(name);
  return names;
}

std::unique_ptr<dealii::FunctionParser<3>> make_parser(const std::string &formula,
                                                       const MeshSummary &summary)
{
  const SilentErrors silent;
  try
    {
      auto parser = std::make_unique<dealii::FunctionParser<3>>();
      parser->initialize("x,y,z", formula, constants_of(summary));
      parser->value(summary.box.center()); // muParser compiles at the first evaluation
      return parser;
    }
  catch (const dealii::ExceptionBase &exception)
    {
      throw Error("The expression cannot be evaluated: " + reason(exception));
    }
}

std::unique_ptr<dealii::FunctionParser<3>> make_number_parser(const std::string &text,
                                                              const MeshSummary &summary)
{
  // A number is read as one side of a comparison with a place.
  Condition::read('(' + text + ") > x", names_of_constants(summary));
  return make_parser(text, summary);
}
} // namespace strut
