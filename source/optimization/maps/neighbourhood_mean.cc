// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/optimization/maps/neighbourhood_mean.h>

#include "source/mesh/element_centres.h"
#include "source/parallel/neighbourhood_halo.h"

namespace strut
{
NeighbourhoodMean::NeighbourhoodMean(Backend &backend,
                                     const Communicator &communicator,
                                     const ElementMesh &mesh,
                                     const double radius)
  : backend_(backend), n_elements_(mesh.n_elements), has_ghosts_(communicator.size() > 1)
{
  const NeighbourhoodHalo halo =
    NeighbourhoodHalo::build(communicator, element_centres(mesh), n_elements_, radius);
  halo_ = std::make_unique<HaloExchange<double>>(backend, communicator, halo.pattern, 1);
  if (const auto lattice =
        PointLattice::find(halo.points, halo.n_points, radius, mesh.symmetry_planes))
    sum_ = backend.make_lattice_sum(*lattice, n_elements_);
  else
    sum_ = backend.make_neighbourhood_sum(
      CellGrid::build(halo.points, halo.n_points, radius, mesh.symmetry_planes), n_elements_);
  if (has_ghosts_)
    with_ghosts_ = Array<double>(backend.memory(), halo.n_points);
}

Array<double> &NeighbourhoodMean::working(Array<double> &without_ghosts)
{
  return has_ghosts_ ? with_ghosts_ : without_ghosts;
}

void NeighbourhoodMean::apply(const Array<double> &in, Array<double> &out)
{
  if (!has_ghosts_)
    {
      sum_->mean(in, out);
      return;
    }
  backend_.vector_operations<double>().copy(n_elements_, in, with_ghosts_);
  halo_->update_ghosts(with_ghosts_);
  sum_->mean(with_ghosts_, out);
}

void NeighbourhoodMean::apply_transposed(const Array<double> &in, Array<double> &out)
{
  const auto &vectors = backend_.vector_operations<double>();
  if (weights_.size() != n_elements_)
    {
      weights_            = Array<double>(backend_.memory(), n_elements_);
      Array<double> &ones = working(weights_);
      vectors.fill(ones.size(), 1., ones);
      sum_->sum(ones, weights_);
    }
  Array<double> &values = working(out);
  vectors.divide(n_elements_, in, weights_, values);
  halo_->update_ghosts(values);
  sum_->sum(values, out);
}
} // namespace strut
