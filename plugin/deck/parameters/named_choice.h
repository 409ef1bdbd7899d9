// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/parameter_acceptor.h>
#include <deal.II/base/patterns.h>

#include <strut/base/parameter.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "plugin/base/spelling.h"

namespace strut
{
/// Declares an entry whose value is one of a list of names. Each name stands for a value of an
/// enum.
template <typename Enum>
void add_choice(dealii::ParameterAcceptor &section,
                const std::string &entry,
                Enum &value,
                const std::vector<std::pair<std::string, Enum>> &values,
                const std::string &documentation)
{
  dealii::ParameterHandler &prm = dealii::ParameterAcceptor::prm;
  std::vector<std::string> names;
  std::string default_name;
  for (const auto &[name, of_name] : values)
    {
      names.push_back(name);
      if (of_name == value)
        default_name = name;
    }
  section.enter_my_subsection(prm);
  prm.declare_entry(entry,
                    default_name,
                    dealii::Patterns::Selection(join(names, "|")),
                    documentation);
  prm.add_action(entry, [&value, values](const std::string &text) {
    for (const auto &[name, of_name] : values)
      if (name == text)
        value = of_name;
  });
  section.leave_my_subsection(prm);
}

/// The values that a deck sets for the parameters of a list's entries, by the names of the entries.
/// The deck writes into it, so it must keep its address.
using ValuesOfNames = std::map<std::string, ParameterValues>;

/// The subsection of a deck with the parameters of an entry: "Projection" for "projection".
inline std::string subsection_of(std::string name)
{
  name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  return name;
}

/// The pattern of the values that a parameter may have.
inline std::unique_ptr<dealii::Patterns::PatternBase> pattern_of(const Parameter &parameter)
{
  namespace Patterns = dealii::Patterns;
  switch (parameter.kind)
    {
      case Parameter::Kind::number:
        return Patterns::Double(parameter.least, parameter.most).clone();
      case Parameter::Kind::integer:
        return Patterns::Integer(static_cast<int>(parameter.least),
                                 static_cast<int>(parameter.most))
          .clone();
      case Parameter::Kind::choice:
        return Patterns::Selection(join(parameter.choices, "|")).clone();
      case Parameter::Kind::numbers:
        return Patterns::List(Patterns::Double(parameter.least, parameter.most)).clone();
      case Parameter::Kind::word:
        break;
    }
  return Patterns::Anything().clone();
}

/// Declares a parameter in the subsection of the deck that was entered last.
/// @param values  gets the value when it is set
inline void declare(const Parameter &parameter, ParameterValues &values)
{
  dealii::ParameterHandler &prm = dealii::ParameterAcceptor::prm;
  prm.declare_entry(parameter.name,
                    parameter.default_value,
                    *pattern_of(parameter),
                    parameter.documentation);
  // deal.II calls the action with the default at once
  const auto may_be_set = std::make_shared<bool>(false);
  prm.add_action(parameter.name,
                 [&values, name = parameter.name, may_be_set](const std::string &text) {
                   if (*may_be_set)
                     values.insert_or_assign(name, text);
                 });
  *may_be_set = true;
}

/// Declares the parameters of all entries of a list, each in a subsection of its name. Those of the
/// entry `beside` are in `section` itself.
template <typename Entry>
void add_parameters_of(dealii::ParameterAcceptor &section,
                       const std::vector<Entry> &list,
                       ValuesOfNames &values,
                       const std::string &beside = std::string())
{
  dealii::ParameterHandler &prm = dealii::ParameterAcceptor::prm;
  section.enter_my_subsection(prm);
  for (const Entry &entry : list)
    if (!entry.parameters.empty())
      {
        if (entry.name != beside)
          prm.enter_subsection(subsection_of(entry.name));
        for (const Parameter &parameter : entry.parameters)
          declare(parameter, values[entry.name]);
        if (entry.name != beside)
          prm.leave_subsection();
      }
  section.leave_my_subsection(prm);
}

/// The values that the deck gives to the parameters of an entry.
inline ParameterValues values_of(const ValuesOfNames &values, const std::string &name)
{
  const auto found = values.find(name);
  return found == values.end() ? ParameterValues() : found->second;
}
} // namespace strut
