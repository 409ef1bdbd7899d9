// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/maps/folded_map.h"

namespace strut
{
FoldedMap::FoldedMap(Backend &backend,
                     const Communicator &communicator,
                     const ElementMesh &mesh,
                     const DesignGrid::Settings &settings,
                     const Fold &fold)
  : grid_(backend, communicator, mesh, settings, DesignGrid::Passive::nothing, fold)
  , z_(backend.memory(), grid_.n_nodes())
{}

void FoldedMap::forward(const Array<double> &x, Array<double> &y)
{
  grid_.restrict(x, z_);
  grid_.interpolate(z_, y);
}

void FoldedMap::backward(const Array<double> &, Array<double> &s)
{
  grid_.interpolate_transposed(s, z_);
  grid_.restrict_transposed(z_, s);
}
} // namespace strut
