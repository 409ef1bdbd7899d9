// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/optimization/design_methods.h"

#include <vector>

namespace strut
{
/// Elements that no change of an evolution takes.
enum class SolidElements
{
  nothing,
  at_loads,
  at_loads_and_supports
};

/// Flags of the elements, which mark those that stay solid, and the volume of these over all ranks.
struct KeptElements
{
  std::vector<DesignFlag> flags;
  double volume = 0.;
};

/// Mark the elements at loads and supports as solid, as the deck asks. Collective.
/// @throws Error if they alone exceed the volume
KeptElements keep_elements(const DesignCheck &design, SolidElements wanted);
/// Mark the elements for a method that is about to begin.
KeptElements keep_elements(const DesignContext &context, SolidElements wanted);

/// Declare the parameter of evolutions for these elements.
void declare_solid_elements(ParameterList &list, SolidElements &setting);
} // namespace strut
