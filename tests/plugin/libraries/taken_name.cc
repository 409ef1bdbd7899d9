// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Registers a map under a name that is taken.

#include <strut/optimization/maps/design_map.h>
#include <strut/runtime_plugin.h>

namespace
{
void register_map()
{
  strut::add_design_map(strut::design_maps().front());
}
} // namespace

STRUT_PLUGIN(register_map);
