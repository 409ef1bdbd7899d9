// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/dealii_classes.h>

#include "source/mesh/macro_mesh.h"

namespace strut
{
/// The coarse mesh of deal.II with its manifolds, for refinement by strut.
/// @param triangulation  unrefined hexahedra; must live as long as the result
/// @throws Error if it is refined
MacroMesh build_macro_mesh(const dealii::Triangulation<3, 3> &triangulation);
} // namespace strut
