// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/exceptions.h>
#include <strut/element/material.h>
#include <strut/mesh/element_mesh.h>

#include <string>

namespace strut
{
/// The parts of a message that refuses a formulation.
struct FormulationText
{
  const char *verb;      ///< "integrate", of what supports full integration alone; or empty
  const char *clause;    ///< the rest of that sentence
  const char *otherwise; ///< the alternative to the formulation
};

inline const FormulationText &text_of(const Formulation formulation)
{
  static constexpr FormulationText texts[] = {
    {"", "", ""},
    {"integrate",
     " the volumetric part of the stiffness as the rest, and the material asks for its mean over each element",
     "full volumetric integration"},
    {"know",
     " the trilinear element alone, and the material asks for incompatible modes",
     "trilinear elements"}};
  return texts[static_cast<int>(formulation)];
}

/// Rejects materials with another formulation than full integration where they are not supported.
///
/// @param subject    the beginning of the message: "Matrix generation"
/// @param otherwise  the alternative, for the end of the message
/// @throws Error if the material has another one
inline void require_full_integration(const Material &material,
                                     const std::string &subject,
                                     const std::string &otherwise)
{
  if (const FormulationText &text = text_of(material.formulation); *text.verb != '\0')
    throw Error(subject + ' ' + text.verb + 's' + text.clause + ".\n  Take " + text.otherwise +
                ", or " + otherwise + ".");
}
} // namespace strut
