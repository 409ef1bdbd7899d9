// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>

namespace strut
{
/// Number types by name, where a choice is made at run time.
enum class Precision
{
  fp64, ///< double
  fp32, ///< float
  mixed ///< of solvers: displacements, operator and residual in double, preconditioner in float
};

/// As in decks: "double", "float" or "mixed".
inline std::string to_string(const Precision precision)
{
  return precision == Precision::fp64 ? "double" : precision == Precision::fp32 ? "float" : "mixed";
}
} // namespace strut
