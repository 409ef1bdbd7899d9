// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/strategy.h>
#include <strut/load.h>
#include <strut/optimization/responses/response.h>

namespace dam
{
strut::LoadType hydrostatic_pressure();
strut::ResponseEntry sway();
template <typename Number>
strut::Strategy<Number> plain();
} // namespace dam
