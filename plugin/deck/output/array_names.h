// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cctype>
#include <set>
#include <string>

namespace strut::plugin
{
/// The number in a result that says that it has the outer elements of its design alone.
constexpr const char *surface_alone = "surface_alone";

/// The number in a result that says that its densities are rounded, and to which part of 1.
constexpr const char *density_steps = "density_steps";
constexpr double n_density_steps    = 4096.;

/// Names of arrays in VTK: characters other than letters, digits and '_' turn into '_', and no two are alike.
class ArrayNames
{
public:
  std::string operator()(std::string text)
  {
    for (char &c : text)
      if (std::isalnum(static_cast<unsigned char>(c)) == 0)
        c = '_';
    std::string name = text;
    for (unsigned int n = 2; !taken_.insert(name).second; ++n)
      name = text + '_' + std::to_string(n);
    return name;
  }

private:
  std::set<std::string> taken_;
};
} // namespace strut::plugin
