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

/// Flags of the elements, those that stay solid among them; and the volume of these, over all
/// ranks.
struct KeptElements
{
  std::vector<DesignFlag> flags;
  double volume = 0.;
};

/// The elements at loads and supports become solid, as asked. Collective. @throws Error if they
/// alone exceed the volume
KeptElements keep_elements(const DesignCheck &design, SolidElements wanted);
/// The same for a method about to begin.
KeptElements keep_elements(const DesignContext &context, SolidElements wanted);

/// The parameter of evolutions.
void declare_solid_elements(ParameterList &list, SolidElements &setting);
} // namespace strut
