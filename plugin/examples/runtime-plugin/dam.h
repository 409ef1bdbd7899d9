// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/optimization/responses/response.h>
#include <strut/plugin/load.h>

namespace dam
{
strut::plugin::LoadType hydrostatic_pressure();
strut::ResponseEntry sway();
} // namespace dam
