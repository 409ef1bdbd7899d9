// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/registry.h>

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace strut
{
/// What a deck or a program gives a parameter: a number, a word, yes or no, numbers with commas between them.
class ParameterValue
{
public:
  ParameterValue() = default; ///< for operator[] of maps
  ParameterValue(double number);
  ParameterValue(int number) : text_(std::to_string(number))
  {}
  ParameterValue(unsigned int number) : text_(std::to_string(number))
  {}
  ParameterValue(bool) = delete; ///< a parameter with two values names them
  ParameterValue(std::string word) : text_(std::move(word))
  {}
  ParameterValue(const char *word) : text_(word)
  {}

  /// As a deck has it. A number keeps all of its digits.
  const std::string &text() const
  {
    return text_;
  }

private:
  std::string text_;
};

/// Those that differ from the defaults, or were set to them, by the names of the parameters.
using ParameterValues = std::map<std::string, ParameterValue>;

/// A parameter that a filter, a preconditioner, a design method or an objective has of its own.
struct Parameter
{
  enum class Kind
  {
    number,
    integer,
    choice, ///< one of some words
    word,   ///< any text
    numbers ///< with commas between them
  };

  std::string name;
  std::string documentation;
  Kind kind = Kind::number;
  std::string default_value;
  double least                     = 0; ///< allowed, of numbers
  double most                      = 0;
  std::vector<std::string> choices = {};
};

/// The parameters of a part, each bound to the member of its settings in which the default stands:
///
///     struct Settings
///     {
///       double rate = 0.02;
///       Kill kill   = Kill::soft;
///
///       void declare(ParameterList &list)
///       {
///         list.add("Evolution rate", rate, {1e-4, 0.5}, "Largest share of the volume that a change takes.");
///         list.add("Void elements", kill, {{"soft", Kill::soft}, {"excluded", Kill::hard}}, "...");
///       }
///     };
///
/// parameters_of<Settings>() lists them, settings_from<Settings>(values) sets them.
class ParameterList
{
public:
  struct Bounds
  {
    double least, most;
  };
  template <typename Value>
  using Choices = std::vector<std::pair<std::string, Value>>;

  void add(const std::string &name, double &setting, Bounds bounds, const std::string &text);
  void add(const std::string &name, unsigned int &setting, Bounds bounds, const std::string &text);
  void add(const std::string &name, std::string &setting, const std::string &text);
  /// @param bounds  of each of the numbers
  void add(const std::string &name,
           std::vector<double> &setting,
           Bounds bounds,
           const std::string &text);

  /// @param choices  words, and what they mean; the default is among them
  template <typename Value>
  void add(const std::string &name,
           Value &setting,
           const Choices<Value> &choices,
           const std::string &text)
  {
    Parameter parameter{name, text, Parameter::Kind::choice, ""};
    for (const auto &[word, value] : choices)
      {
        parameter.choices.push_back(word);
        if (value == setting)
          parameter.default_value = word;
      }
    add(std::move(parameter), [&setting, choices](const std::string &word) {
      for (const auto &[name_of_value, value] : choices)
        if (name_of_value == word)
          setting = value;
    });
  }

  const std::vector<Parameter> &parameters() const
  {
    return parameters_;
  }

  /// Throws Error for a value that is not allowed; one of a name that is not there is ignored.
  void set(const ParameterValues &values);

private:
  using Set = std::function<void(const std::string &)>;
  void add(Parameter parameter, Set set);

  std::vector<Parameter> parameters_;
  std::vector<Set> set_;
};

template <typename Settings>
std::vector<Parameter> parameters_of()
{
  Settings settings;
  ParameterList list;
  settings.declare(list);
  return list.parameters();
}

/// The settings with these values, and the defaults of the others. Throws Error for a value that is not allowed.
template <typename Settings>
Settings settings_from(const ParameterValues &values)
{
  Settings settings;
  ParameterList list;
  settings.declare(list);
  list.set(values);
  return settings;
}

/// Throws Error if a value belongs to no parameter, or is not allowed.
/// @param whose  "The filter 'a'", as in "The filter 'a': there is no parameter 'b'."
void check_values(const ParameterValues &values,
                  const std::vector<Parameter> &parameters,
                  const std::string &whose);
} // namespace strut
