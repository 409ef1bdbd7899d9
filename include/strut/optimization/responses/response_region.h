// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/parameter.h>
#include <strut/mesh/element_mesh.h>

#include <string>
#include <vector>

namespace strut
{
/// The part of a mesh that a response refers to, as the texts of its parameters.
struct ResponseRegion
{
  std::string boundary_ids, material_ids, expression;

  void declare(ParameterList &list);

  /// Whether no parameter is set, so that the region is the whole mesh.
  bool is_whole() const
  {
    return boundary_ids.empty() && material_ids.empty() && expression.empty();
  }
};

/// Finds the nodes and elements of regions. The front end implements it, since it knows names and
/// formulas.
class RegionFinder
{
public:
  virtual ~RegionFinder() = default;

  /// Returns owned nodes, ascending. Throws Error if there are none on any rank. Collective.
  virtual std::vector<LocalIndex> nodes(const ResponseRegion &region) const = 0;
  /// Returns elements of this rank, ascending. Throws Error if there are none on any rank.
  /// Collective.
  virtual std::vector<LocalIndex> elements(const ResponseRegion &region) const = 0;
};

/// The nodes of a region; the whole mesh needs no finder. Throws Error if another region has no
/// finder, or if it has no node. Collective.
std::vector<LocalIndex>
nodes_of(const ResponseRegion &region, const RegionFinder *finder, const ElementMesh &mesh);
std::vector<LocalIndex>
elements_of(const ResponseRegion &region, const RegionFinder *finder, const ElementMesh &mesh);
} // namespace strut
