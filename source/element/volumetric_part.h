// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/element/material.h>

namespace strut
{
/// Material::volumetric() with an integration: the stiffness that lambda multiplies. The part that
/// mu multiplies, Material::deviatoric(), does not depend on the integration.
constexpr Material volumetric_part(const VolumetricIntegration integration)
{
  Material result               = Material::volumetric();
  result.volumetric_integration = integration;
  return result;
}
} // namespace strut
