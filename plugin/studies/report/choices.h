// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>

#include <string>
#include <vector>

namespace strut
{
template <typename T>
bool contains(const std::vector<T> &list, const T &entry)
{
  for (const T &candidate : list)
    if (candidate == entry)
      return true;
  return false;
}

/// Throws Error, with the known names, if a chosen name is unknown.
void require_known(const std::string &option,
                   const std::vector<std::string> &chosen,
                   const std::vector<std::string> &known);

/// Converts a text that contains only a number from `smallest` to `largest`. @throws Error that
/// names the option
unsigned int to_number(const std::string &text,
                       const std::string &kind,
                       unsigned int smallest,
                       unsigned int largest,
                       const std::string &otherwise);

/// Converts a number of threads; 0 for "all".
unsigned int to_threads(const std::string &text);

/// Calls f(0.) or f(0.f), depending on the precision, so that the argument's type selects the
/// number type.
template <typename Function>
auto with_number(const Precision precision, const Function &f)
{
  return precision == Precision::fp64 ? f(0.) : f(0.f);
}
} // namespace strut
