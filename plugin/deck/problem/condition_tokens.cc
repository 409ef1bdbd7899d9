// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/problem/condition_tokens.h"

#include <strut/base/exceptions.h>

#include <cctype>
#include <cmath>
#include <cstdlib>

#include "plugin/base/spelling.h"

namespace strut
{
namespace
{
constexpr std::size_t longest_expression = 10000;

bool is_digit(const char c)
{
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}
bool is_letter(const char c)
{
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Length of the number that begins at a position: digits, a point, an exponent.
std::size_t number_length(const std::string &text, const std::size_t begin)
{
  std::size_t end = begin;
  while (end < text.size() && (is_digit(text[end]) || text[end] == '.'))
    ++end;
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E'))
    {
      std::size_t exponent = end + 1;
      if (exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-'))
        ++exponent;
      if (exponent < text.size() && is_digit(text[exponent]))
        for (end = exponent; end < text.size() && is_digit(text[end]);)
          ++end;
    }
  return end - begin;
}

void check_number(const std::string &word)
{
  char *end          = nullptr;
  const double value = std::strtod(word.c_str(), &end);
  if (*end != '\0' || !std::isfinite(value))
    throw Error("'" + shown(word, 40) + "' is not a number that strut can hold.");
}

std::string spelled_one_way(const std::string &word)
{
  for (const char *known : {"not", "true", "false", "everywhere"})
    if (same_letters(word, known))
      return known;
  if (word == "&" || same_letters(word, "and"))
    return "&&";
  if (word == "|" || same_letters(word, "or"))
    return "||";
  return word;
}
} // namespace

std::vector<ConditionToken> condition_tokens(const std::string &text)
{
  if (text.size() > longest_expression)
    throw Error("The expression has " + std::to_string(text.size()) + " characters; at most " +
                std::to_string(longest_expression) + " are allowed.");
  std::vector<ConditionToken> tokens;
  for (std::size_t i = 0; i < text.size();)
    {
      if (std::isspace(static_cast<unsigned char>(text[i])) != 0)
        {
          ++i;
          continue;
        }
      ConditionToken::Kind kind = ConditionToken::Kind::sign;
      std::size_t length        = 1;
      if (is_digit(text[i]) || text[i] == '.')
        {
          kind   = ConditionToken::Kind::number;
          length = number_length(text, i);
          check_number(text.substr(i, length));
        }
      else if (is_letter(text[i]))
        {
          kind = ConditionToken::Kind::name;
          while (i + length < text.size() &&
                 (is_letter(text[i + length]) || is_digit(text[i + length])))
            ++length;
        }
      else
        {
          const std::string two = text.substr(i, 2);
          if (two == "<=" || two == ">=" || two == "==" || two == "!=" || two == "&&" ||
              two == "||")
            length = 2;
          else if (std::string("<>=!&|+-*/^()?:,").find(text[i]) == std::string::npos)
            throw Error("The expression cannot be read at '" + shown(text.substr(i), 20) +
                        "', character " + std::to_string(i + 1) + ".");
        }
      const std::string word = spelled_one_way(text.substr(i, length));
      if (word == "&&" || word == "||" || word == "not")
        kind = ConditionToken::Kind::sign;
      tokens.push_back({kind, word, i + 1});
      i += length;
    }
  tokens.push_back({ConditionToken::Kind::end, {}, text.size() + 1});
  return tokens;
}
} // namespace strut
