// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/dealii_classes.h>

namespace strut
{
/// Throws Error if the mapping maps an owned cell differently from the trilinear mapping of its
/// vertices (curved edges, moved vertices). The message names the degree of a MappingQ. No other
/// object of deal.II knows the application's mapping. Checks this rank only. It takes as long as a
/// loop of FEValues over the cells, but nothing for MappingQ1.
void check_mapping(const dealii::Mapping<3, 3> &mapping,
                   const dealii::Triangulation<3, 3> &triangulation);
} // namespace strut
