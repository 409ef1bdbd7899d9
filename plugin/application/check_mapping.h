// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/plugin/dealii_classes.h>

namespace strut::plugin
{
/// Throw Error, with the degree of a MappingQ, if the mapping that an application assembles with takes an owned cell to
/// something else than the trilinear mapping of its vertices does: curved edges, moved vertices. Nothing else of deal.II's
/// knows which mapping that is. Of this rank alone; as long as a loop of FEValues over the cells, but nothing for MappingQ1.
void check_mapping(const dealii::Mapping<3, 3> &mapping,
                   const dealii::Triangulation<3, 3> &triangulation);
} // namespace strut::plugin
