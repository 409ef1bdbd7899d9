// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/parameter.h>
#include <strut/mesh/element_mesh.h>

#include <string>
#include <vector>

namespace strut
{
/// The part of a mesh that a response looks at, in the words of its parameters.
struct ResponseRegion
{
  std::string boundary_ids, material_ids, expression;

  void declare(ParameterList &list);

  /// Nothing is said: the whole mesh.
  bool is_whole() const
  {
    return boundary_ids.empty() && material_ids.empty() && expression.empty();
  }
};

/// Finds the nodes and elements of regions: the front end's affair, which knows names and formulas.
class RegionFinder
{
public:
  virtual ~RegionFinder() = default;

  /// Owned nodes, ascending. Throws Error if there are none on any rank. Collective.
  virtual std::vector<LocalIndex> nodes(const ResponseRegion &region) const = 0;
  /// Elements of this rank, ascending. Throws Error if there are none on any rank. Collective.
  virtual std::vector<LocalIndex> elements(const ResponseRegion &region) const = 0;
};

/// The nodes of a region; those of the whole mesh need no finder. Throws Error without a finder for another region, or
/// if no node is there. Collective.
std::vector<LocalIndex>
nodes_of(const ResponseRegion &region, const RegionFinder *finder, const ElementMesh &mesh);
std::vector<LocalIndex>
elements_of(const ResponseRegion &region, const RegionFinder *finder, const ElementMesh &mesh);
} // namespace strut
