// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "no_filter.h"

namespace strut
{
namespace
{
class NoFilter : public Filter
{
public:
  void objective_sensitivities(const Array<double> &, Array<double> &) override
  {}
};
} // namespace

FilterEntry no_filter()
{
  return {"none",
          "no filter: the result depends on the mesh and may show checkerboards",
          [](Backend &, const Communicator &, const ElementMesh &, const FilterSettings &)
            -> std::unique_ptr<Filter> { return std::make_unique<NoFilter>(); }};
}
} // namespace strut
