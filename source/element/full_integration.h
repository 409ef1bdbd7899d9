// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/exceptions.h>
#include <strut/element/material.h>

#include <string>

namespace strut
{
/// For what knows no VolumetricIntegration::mean. @throws Error if the material asks for it
/// @param who  the beginning of the message: "The operator 'assembled'"
inline void require_full_integration(const Material &material, const std::string &who)
{
  if (material.has_mean_dilatation())
    throw Error(
      who +
      " integrates the volumetric part of the stiffness as the rest, and the material asks for the "
      "mean over each element (volumetric integration = mean).\n  Ask for 'full', or take "
      "on_the_fly, ebe or nbn, which know both.");
}
} // namespace strut
