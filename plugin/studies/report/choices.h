// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>

#include <string>
#include <vector>

namespace strut::plugin
{
template <typename T>
bool contains(const std::vector<T> &list, const T &entry)
{
  for (const T &candidate : list)
    if (candidate == entry)
      return true;
  return false;
}

/// Throw Error, with those that there are, if something chosen does not exist.
void require_known(const std::string &option,
                   const std::vector<std::string> &chosen,
                   const std::vector<std::string> &known);

/// A number from `smallest` to `largest`, or nothing but that. @throws Error that names the option
unsigned int to_number(const std::string &text,
                       const std::string &kind,
                       unsigned int smallest,
                       unsigned int largest,
                       const std::string &otherwise);

/// Number of threads, 0 for "all".
unsigned int to_threads(const std::string &text);

/// f(0.) or f(0.f), which name the number type by that of their argument.
template <typename Function>
auto with_number(const Precision precision, const Function &f)
{
  return precision == Precision::fp64 ? f(0.) : f(0.f);
}
} // namespace strut::plugin
