// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/exceptions.h>
#include <strut/element/material.h>

#include <string>

namespace strut
{
/// Rejects materials with ElementKind::incompatible_modes where they are not supported.
///
/// @param subject    the beginning of the message: "Matrix generation"
/// @param otherwise  the alternative, for the end of the message
/// @throws Error if the material has them
inline void require_trilinear(const Material &material,
                              const std::string &subject,
                              const std::string &otherwise)
{
  if (material.has_incompatible_modes())
    throw Error(
      subject +
      " knows the trilinear element alone, and the material asks for incompatible modes.\n  Take trilinear elements, or " +
      otherwise + ".");
}

/// Rejects materials with VolumetricIntegration::mean or ElementKind::incompatible_modes where they
/// are not supported.
///
/// @param subject,  otherwise  see require_trilinear()
/// @throws Error if the material has one of these
inline void require_full_integration(const Material &material,
                                     const std::string &subject,
                                     const std::string &otherwise)
{
  if (material.has_mean_dilatation())
    throw Error(
      subject +
      " integrates the volumetric part of the stiffness as the rest, and the material asks for "
      "its mean over each element.\n  Take full volumetric integration, or " +
      otherwise + ".");
  require_trilinear(material, subject, otherwise);
}

/// @throws Error for a material whose options exclude each other
inline void require_one_element_kind(const Material &material)
{
  if (material.has_mean_dilatation() && material.has_incompatible_modes())
    throw Error(
      "The material asks for incompatible modes and for the mean of the volumetric part over each element, and an element "
      "has the one or the other: take one of them.");
}
} // namespace strut
