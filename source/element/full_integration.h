// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/exceptions.h>
#include <strut/element/material.h>

#include <string>

namespace strut
{
/// For what knows no VolumetricIntegration::mean. @throws Error if the material asks for it
/// @param subject    the beginning of the message: "Matrix generation"
/// @param otherwise  what may be taken instead, for the end of it
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
}
} // namespace strut
