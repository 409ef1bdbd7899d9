// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The entries of the library: one line for each.

#include <strut/backend/backend.h>
#include <strut/runtime_plugin.h>

#include "dam.h"

namespace
{
void register_all()
{
  strut::add_load_type(dam::hydrostatic_pressure());
  strut::add_response(dam::sway());
  strut::add_cpu_strategy(dam::plain<double>());
  strut::add_cpu_strategy(dam::plain<float>());
}
} // namespace

STRUT_PLUGIN(register_all);
