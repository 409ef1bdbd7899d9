// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Registers a filter under a name that is taken.

#include <strut/optimization/filter.h>
#include <strut/plugin/runtime_plugin.h>

namespace
{
void register_filter()
{
  strut::FilterEntry filter = strut::filters().front();
  strut::add_filter(filter);
}
} // namespace

STRUT_PLUGIN(register_filter);
