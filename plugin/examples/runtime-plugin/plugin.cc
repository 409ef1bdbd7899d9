// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The entries of the library: one line for each.

#include <strut/plugin/runtime_plugin.h>

#include "dam.h"

namespace
{
void register_all()
{
  strut::plugin::add_load_type(dam::hydrostatic_pressure());
  strut::add_response(dam::sway());
}
} // namespace

STRUT_PLUGIN(register_all);
