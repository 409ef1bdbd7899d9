// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/optimization/maps/neighbourhood_mean.h>

#include "source/backend/design_volumes.h"
#include "source/backend/neighbourhood.h"
#include "source/element/box_stiffness.h"
#include "source/mesh/bounding_box.h"
#include "source/mesh/element_centres.h"
#include "source/mesh/identical_elements.h"
#include "source/parallel/neighbourhood_halo.h"
#include <strut/parallel/halo_exchange.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace strut
{
namespace
{
/// Number of places of the lattice of the centres of equal boxes with edges along the axes: as many
/// boxes as fill the box around the mesh. It is 0 if the elements are no such boxes.
double places_of_equal_boxes(const ElementMesh &mesh)
{
  if (!are_equal_elements(mesh))
    return 0.;
  double X[3][8];
  shape_of(mesh, 0, X);
  if (!hexahedron::is_box(X))
    return 0.;
  const Box box = bounding_box(mesh.coordinates, mesh.n_nodes);
  double n      = 1.;
  for (std::size_t d = 0; d < 3; ++d)
    {
      const auto [first, last] = std::minmax_element(std::begin(X[d]), std::end(X[d]));
      n *= std::round((box[3 + d] - box[d]) / (*last - *first));
    }
  return n;
}

/// Whether elements weigh by volumes that differ on one rank or between ranks. Collective.
bool have_own_weights(const Communicator &communicator,
                      const ElementMesh &mesh,
                      const FilterWeights weights)
{
  if (weights == FilterWeights::count)
    return false;
  const auto common  = DesignVolumes::common(mesh.volumes);
  const double most  = communicator.max(common.value_or(0.)),
               least = communicator.min(common.value_or(std::numeric_limits<double>::infinity()));
  return communicator.any(!mesh.volumes.empty() && !common) ||
         most - least > DesignVolumes::tolerance * most;
}
} // namespace

NeighbourhoodMean::NeighbourhoodMean(Backend &backend,
                                     const Communicator &communicator,
                                     const ElementMesh &mesh,
                                     const double radius,
                                     const FilterWeights weights)
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
  if (have_own_weights(communicator, mesh, weights))
    {
      volumes_ = Array<double>(backend.memory(), mesh.volumes);
      compute_weights();
    }
}

NeighbourhoodMean::~NeighbourhoodMean() = default;

double NeighbourhoodMean::memory_estimate(const Communicator &communicator,
                                          const ElementMesh &mesh,
                                          const FilterWeights weights,
                                          const bool on_device,
                                          const bool is_lent_work)
{
  const auto n            = static_cast<double>(mesh.n_elements);
  const double of_volumes = memory_of_volumes(communicator, mesh, weights);
  // Without volumes, the transpose alone needs sums of weights.
  const double of_sums   = is_lent_work || of_volumes > 0. ? 0. : sizeof(double) * n;
  const double of_ghosts = (communicator.size() > 1 ? sizeof(double) * n : 0.);
  const double n_places  = places_of_equal_boxes(mesh);
  if (n_places == 0. || n_places > 2. * n)
    return of_volumes + of_sums + of_ghosts + memory_estimate(mesh.n_elements);
  // Storage is the point and the value of each place, and the sum of the weights of each element.
  // On a device, work has room for the values unless there are ghosts or images. It has room for a
  // table of the sums if all places have an element, which is known here for one rank only.
  const bool is_full = on_device && n_places == n && communicator.size() == 1;
  const bool borrows = is_lent_work && is_full && mesh.symmetry_planes.empty();
  return of_volumes + of_sums + of_ghosts + sizeof(std::uint32_t) * n_places +
         (borrows ? 0. : sizeof(double) * n_places) + (is_full ? 0. : sizeof(double) * n);
}

double NeighbourhoodMean::memory_of_volumes(const Communicator &communicator,
                                            const ElementMesh &mesh,
                                            const FilterWeights weights)
{
  return have_own_weights(communicator, mesh, weights)
           ? 2. * sizeof(double) * static_cast<double>(mesh.n_elements)
           : 0.;
}

Array<double> &NeighbourhoodMean::working(Array<double> &without_ghosts)
{
  return has_ghosts_ ? with_ghosts_ : without_ghosts;
}

void NeighbourhoodMean::compute_weights()
{
  const auto &vectors = backend_.vector_operations<double>();
  weights_            = Array<double>(backend_.memory(), n_elements_);
  Array<double> &ones = working(weights_);
  if (volumes_.empty())
    vectors.fill(ones.size(), 1., ones);
  else
    {
      vectors.copy(n_elements_, volumes_, ones);
      halo_->update_ghosts(ones);
    }
  sum_->sum(ones, weights_);
}

void NeighbourhoodMean::divide_sums(Array<double> &out)
{
  Array<double> &values = working(out);
  halo_->update_ghosts(values);
  sum_->sum(values, out);
  backend_.vector_operations<double>().divide(n_elements_, out, weights_, out);
}

void NeighbourhoodMean::apply(const Array<double> &in,
                              Array<double> &out,
                              Array<double> *const work)
{
  const auto &vectors = backend_.vector_operations<double>();
  if (!volumes_.empty())
    {
      vectors.multiply(n_elements_, volumes_, in, working(out));
      return divide_sums(out);
    }
  if (!has_ghosts_)
    return sum_->mean(in, out, work);
  vectors.copy(n_elements_, in, with_ghosts_);
  halo_->update_ghosts(with_ghosts_);
  sum_->mean(with_ghosts_, out);
}

void NeighbourhoodMean::apply_to_integrals(const Array<double> &in,
                                           Array<double> &out,
                                           Array<double> *const work)
{
  if (volumes_.empty())
    return apply(in, out, work);
  const auto &vectors = backend_.vector_operations<double>();
  if (Array<double> &values = working(out); &values != &in)
    vectors.copy(n_elements_, in, values);
  divide_sums(out);
  vectors.multiply(n_elements_, volumes_, out, out);
}

void NeighbourhoodMean::apply_transposed(const Array<double> &in, Array<double> &out)
{
  if (weights_.size() != n_elements_)
    compute_weights();
  const auto &vectors   = backend_.vector_operations<double>();
  Array<double> &values = working(out);
  vectors.divide(n_elements_, in, weights_, values);
  halo_->update_ghosts(values);
  sum_->sum(values, out);
  if (!volumes_.empty())
    vectors.multiply(n_elements_, volumes_, out, out);
}
} // namespace strut
