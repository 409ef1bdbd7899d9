// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/report/format.h"

#include <iomanip>
#include <sstream>

#include "plugin/base/coordinate_text.h"

namespace strut
{
std::string fixed(const double number, const int digits)
{
  std::ostringstream text;
  text << std::fixed << std::setprecision(digits) << number;
  return text.str();
}

std::string scientific(const double number)
{
  std::ostringstream text;
  text << std::scientific << std::setprecision(1) << number;
  return text.str();
}

std::string number_text(const double number)
{
  return number_with_digits(number, 6);
}

std::string significant(const double number)
{
  const double size = number < 0 ? -number : number;
  return fixed(number, size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : size >= 1 ? 3 : 4);
}

std::string all_digits(const double number)
{
  return number_with_digits(number, 12);
}

std::string milliseconds(const double seconds)
{
  return significant(1e3 * seconds);
}

std::string megabytes(const double bytes)
{
  return fixed(1e-6 * bytes, 1);
}

std::string label_lines(const Label &label, const std::string &begin)
{
  std::string text;
  for (const auto &[key, value] : label)
    text += begin + key + ": " + value + '\n';
  return text;
}

std::string status_text(const std::string &reason)
{
  std::string text;
  std::istringstream words(reason);
  for (std::string word; words >> word;)
    text += (text.empty() ? "" : " ") + word;
  if (!text.empty() && text.back() == '.')
    text.pop_back();
  return text;
}

std::string csv_text(std::string text)
{
  for (char &c : text)
    if (c == ',' || c == '"' || c == '\n')
      c = ';';
  return text;
}
} // namespace strut
