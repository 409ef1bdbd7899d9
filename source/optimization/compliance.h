// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/optimization/objective.h>

namespace strut
{
ObjectiveEntry compliance();
} // namespace strut
