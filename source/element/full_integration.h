// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/exceptions.h>
#include <strut/element/material.h>

#include <string>

namespace strut
{
/// For what does not know ElementKind::incompatible_modes. @throws Error if the material asks for them
/// @param subject    the beginning of the message: "Matrix generation"
/// @param otherwise  what may be taken instead, for the end of it
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

/// For what knows neither VolumetricIntegration::mean nor ElementKind::incompatible_modes. @throws Error if the material asks
/// for one
/// @param subject, otherwise  as for require_trilinear()
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

/// @throws Error for a material whose choices exclude each other
inline void require_one_element_kind(const Material &material)
{
  if (material.has_mean_dilatation() && material.has_incompatible_modes())
    throw Error(
      "The material asks for incompatible modes and for the mean of the volumetric part over each element, and an element "
      "has the one or the other: take one of them.");
}
} // namespace strut
