// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cctype>
#include <set>
#include <string>

namespace strut
{
/// Name of the number by which a result says that it contains only the outer elements of its
/// design.
constexpr const char *surface_alone = "surface_alone";

/// Name of the number by which a result says that its densities are rounded, and to which fraction
/// of 1.
constexpr const char *density_steps = "density_steps";
constexpr double n_density_steps    = 4096.;

/// Makes names for arrays in VTK. Characters other than letters, digits and '_' become '_', and
/// names are unique.
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
} // namespace strut
