// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/base/exceptions.h>
#include <strut/optimization/responses/response_region.h>

#include <numeric>

namespace strut
{
namespace
{
std::vector<LocalIndex> all(const std::size_t n)
{
  std::vector<LocalIndex> numbers(n);
  std::iota(numbers.begin(), numbers.end(), LocalIndex(0));
  return numbers;
}

const RegionFinder &require(const RegionFinder *const finder)
{
  if (finder == nullptr)
    throw Error("A response looks at a region, and nobody can find regions here.");
  return *finder;
}
} // namespace

void ResponseRegion::declare(ParameterList &list)
{
  const std::string text = " Without any of the three: the whole mesh.";
  list.add("Boundary ids",
           boundary_ids,
           "Of the region that the response looks at, as in supports." + text);
  list.add("Material ids", material_ids, "Likewise." + text);
  list.add("Expression", expression, "Likewise, a condition in x, y, z." + text);
}

std::vector<LocalIndex>
nodes_of(const ResponseRegion &region, const RegionFinder *const finder, const ElementMesh &mesh)
{
  return region.is_whole() ? all(mesh.n_owned_nodes) : require(finder).nodes(region);
}

std::vector<LocalIndex>
elements_of(const ResponseRegion &region, const RegionFinder *const finder, const ElementMesh &mesh)
{
  return region.is_whole() ? all(mesh.n_elements) : require(finder).elements(region);
}
} // namespace strut
