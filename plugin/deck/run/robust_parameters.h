// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <vector>

#include "source/optimization/problem/robust_fields.h"

namespace strut
{
/// A subsection of `Optimization` that is not in a list of interchangeable parts.
struct SectionOfOptimization
{
  std::string name;
  std::vector<Parameter> parameters;
};

inline constexpr char robust_section[] = "robust";

/// The subsection `Optimization / Robust` of the deck, with the parameters of RobustFields.
inline std::vector<SectionOfOptimization> robust_sections()
{
  return {{robust_section, parameters_of<RobustFields>()}};
}
} // namespace strut
