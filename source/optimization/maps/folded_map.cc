// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/maps/folded_map.h"

namespace strut
{
FoldedMap::FoldedMap(const std::string &name,
                     Backend &backend,
                     const Communicator &communicator,
                     const ElementMesh &mesh,
                     const DesignGrid::Settings &settings,
                     const Fold &fold)
  : name_(name)
  , grid_(backend, communicator, mesh, settings, DesignGrid::Passive::nothing, fold)
  , z_(backend.memory(), grid_.n_nodes())
{}

std::string FoldedMap::remark() const
{
  if (grid_.n_one_sided() == 0)
    return {};
  return "the map '" + name_ + "' leaves solid and void elements as they are, and " +
         std::to_string(grid_.n_one_sided()) +
         " elements to design correspond to one: there the design is not what the map makes it elsewhere. Let the region "
         "have all corresponding elements, or none of them";
}

void FoldedMap::forward(const Array<double> &x, Array<double> &y, const MapPoint &)
{
  grid_.restrict(x, z_);
  grid_.interpolate(z_, y);
}

void FoldedMap::backward(const Array<double> &, Array<double> &s, const MapPoint &)
{
  grid_.interpolate_transposed(s, z_);
  grid_.restrict_transposed(z_, s);
}
} // namespace strut
