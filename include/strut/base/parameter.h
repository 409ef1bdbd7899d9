// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace strut
{
/// A value that a deck or a program sets for a parameter: a number, a word, yes or no, or numbers
/// separated by commas.
class ParameterValue
{
public:
  ParameterValue() = default; ///< needed by operator[] of maps
  ParameterValue(double number);
  ParameterValue(int number) : text_(std::to_string(number))
  {}
  ParameterValue(unsigned int number) : text_(std::to_string(number))
  {}
  ParameterValue(bool) = delete; ///< forbidden: a parameter with two values names them
  ParameterValue(std::string word) : text_(std::move(word))
  {}
  ParameterValue(const char *word) : text_(word)
  {}

  /// The text as in a deck. A number keeps all of its digits.
  const std::string &text() const
  {
    return text_;
  }

private:
  std::string text_;
};

/// Values that were set, by the names of the parameters. All other parameters have their defaults.
using ParameterValues = std::map<std::string, ParameterValue>;

/// A parameter of a filter, a preconditioner, a design method or an objective.
struct Parameter
{
  enum class Kind
  {
    number,
    integer,
    choice, ///< one of several words
    word,   ///< any text
    numbers ///< numbers separated by commas
  };

  std::string name;
  std::string documentation;
  Kind kind = Kind::number;
  std::string default_value;
  double least                     = 0; ///< the least and the largest allowed number
  double most                      = 0;
  std::vector<std::string> choices = {};
};

/// The parameters of a component. Each is bound to a member of its settings, which holds the
/// default:
///
///     struct Settings
///     {
///       double rate = 0.02;
///       Kill kill   = Kill::soft;
///
///       void declare(ParameterList &list)
///       {
///         list.add("Evolution rate", rate, {1e-4, 0.5}, "Largest change of volume.");
///         list.add("Void", kill, {{"soft", Kill::soft}, {"excluded", Kill::hard}}, "...");
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
  /// @param bounds  allowed range of each of the numbers
  void add(const std::string &name,
           std::vector<double> &setting,
           Bounds bounds,
           const std::string &text);

  /// @param choices  the words and their values; the default is among them
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

  /// Sets the values. Throws Error for a value that is not allowed; unknown names are ignored.
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

/// Makes settings with these values, and defaults for the others. Throws Error for a value that is
/// not allowed.
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
