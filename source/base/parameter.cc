// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/base/registry.h"
#include "source/base/text.h"

#include <strut/base/exceptions.h>
#include <strut/base/parameter.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

namespace strut
{
namespace
{
/// The shortest text that keeps all digits.
std::string text_of(const double number)
{
  char text[32];
  return {text, std::to_chars(text, text + sizeof(text), number).ptr};
}

std::string trimmed(const std::string &text)
{
  const std::size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
  return first == std::string::npos ? "" : text.substr(first, last + 1 - first);
}

/// @return whether the whole text is a number
bool parse(const std::string &text, double &number)
{
  const std::string word  = trimmed(text);
  const char *const begin = word.c_str() + (!word.empty() && word.front() == '+' ? 1 : 0);
  const char *const end   = word.c_str() + word.size();
  const auto result       = std::from_chars(begin, end, number);
  return result.ec == std::errc() && result.ptr == end;
}

std::vector<double> numbers_of(const std::string &text)
{
  std::vector<double> numbers;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');)
    parse(word, numbers.emplace_back());
  return numbers;
}

std::string text_of(const std::vector<double> &numbers)
{
  std::string text;
  for (const double number : numbers)
    text += (text.empty() ? "" : ", ") + text_of(number);
  return text;
}

bool is_within(const Parameter &parameter, const double number)
{
  return number >= parameter.least && number <= parameter.most;
}

bool is_allowed(const Parameter &parameter, const std::string &text)
{
  double number = 0.;
  switch (parameter.kind)
    {
      case Parameter::Kind::number:
        return parse(text, number) && is_within(parameter, number);
      case Parameter::Kind::integer:
        return parse(text, number) && number == std::floor(number) && is_within(parameter, number);
      case Parameter::Kind::choice:
        return std::find(parameter.choices.begin(), parameter.choices.end(), text) !=
               parameter.choices.end();
        case Parameter::Kind::numbers: {
          std::istringstream words(text);
          for (std::string word; std::getline(words, word, ',');)
            if (!parse(word, number) || !is_within(parameter, number))
              return false;
          return true;
        }
      case Parameter::Kind::word:
        break;
    }
  return true;
}

/// The allowed values in words: "a number from 0 to 1", "soft or excluded".
std::string allowed(const Parameter &parameter)
{
  std::string words;
  for (const std::string &choice : parameter.choices)
    add_to_list(words, choice);
  const std::string range = " from " + text_of(parameter.least) + " to " + text_of(parameter.most);
  switch (parameter.kind)
    {
      case Parameter::Kind::number:
        return "a number" + range;
      case Parameter::Kind::integer:
        return "a whole number" + range;
      case Parameter::Kind::numbers:
        return "numbers" + range + ", with commas between them";
      case Parameter::Kind::choice:
        return "one of: " + words;
      case Parameter::Kind::word:
        break;
    }
  return "any text";
}

void check_value(const Parameter &parameter, const ParameterValue &value, const std::string &whose)
{
  if (!is_allowed(parameter, value.text()))
    throw Error(whose + (whose.empty() ? "'" : ": '") + parameter.name + "' is '" + value.text() +
                "'. It may be " + allowed(parameter) + ".");
}
} // namespace

ParameterValue::ParameterValue(const double number) : text_(text_of(number))
{}

void ParameterList::add(Parameter parameter, Set set)
{
  parameters_.push_back(std::move(parameter));
  set_.push_back(std::move(set));
}

void ParameterList::add(const std::string &name,
                        double &setting,
                        const Bounds bounds,
                        const std::string &text)
{
  add({name, text, Parameter::Kind::number, text_of(setting), bounds.least, bounds.most},
      [&setting](const std::string &value) { parse(value, setting); });
}

void ParameterList::add(const std::string &name,
                        unsigned int &setting,
                        const Bounds bounds,
                        const std::string &text)
{
  add({name, text, Parameter::Kind::integer, std::to_string(setting), bounds.least, bounds.most},
      [&setting](const std::string &value) {
        double number = 0.;
        parse(value, number);
        setting = static_cast<unsigned int>(number);
      });
}

void ParameterList::add(const std::string &name, std::string &setting, const std::string &text)
{
  add({name, text, Parameter::Kind::word, setting},
      [&setting](const std::string &value) { setting = value; });
}

void ParameterList::add(const std::string &name,
                        std::vector<double> &setting,
                        const Bounds bounds,
                        const std::string &text)
{
  add({name, text, Parameter::Kind::numbers, text_of(setting), bounds.least, bounds.most},
      [&setting](const std::string &value) { setting = numbers_of(value); });
}

void ParameterList::set(const ParameterValues &values)
{
  for (std::size_t i = 0; i < parameters_.size(); ++i)
    if (const auto value = values.find(parameters_[i].name); value != values.end())
      {
        check_value(parameters_[i], value->second, "");
        set_[i](value->second.text());
      }
}

void check_values(const ParameterValues &values,
                  const std::vector<Parameter> &parameters,
                  const std::string &whose)
{
  for (const auto &[name, value] : values)
    {
      const auto parameter =
        std::find_if(parameters.begin(), parameters.end(), [&, &wanted = name](const Parameter &p) {
          return p.name == wanted;
        });
      if (parameter == parameters.end())
        throw Error(whose + ": there is no parameter '" + name + "'" +
                    (parameters.empty() ? "." : ". There are: " + names_in(parameters) + "."));
      check_value(*parameter, value, whose);
    }
}
} // namespace strut
