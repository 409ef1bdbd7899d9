// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Uses an undefined symbol.

#include <strut/runtime_plugin.h>

namespace mine
{
void forgotten(double);
}

namespace
{
void register_nothing()
{
  mine::forgotten(1.);
}
} // namespace

STRUT_PLUGIN(register_nothing);
