// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/element/material.h>

namespace strut
{
/// Material::volumetric() with an integration: the stiffness that lambda multiplies. What mu multiplies,
/// Material::deviatoric(), is the same with both.
constexpr Material volumetric_part(const VolumetricIntegration integration)
{
  Material result               = Material::volumetric();
  result.volumetric_integration = integration;
  return result;
}
} // namespace strut
