// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/optimization/maps/design_map.h>
#include <strut/optimization/maps/neighbourhood_mean.h>

namespace strut
{
namespace
{
/// The density filter (Bruns and Tortorelli 2001; Bourdin 2001), with M of NeighbourhoodMean:
///
///     y = M x,   s <- M^T s
class Density : public DesignMap
{
public:
  Density(Backend &backend,
          const Communicator &communicator,
          const ElementMesh &mesh,
          const MapSettings &settings)
    : mean_(backend, communicator, mesh, settings.radius, settings.weights)
  {}

  void forward(const Array<double> &x, Array<double> &y, const MapPoint &) override
  {
    mean_.apply(x, y);
  }

  void backward(const Array<double> &, Array<double> &s, const MapPoint &) override
  {
    mean_.apply_transposed(s, s);
  }

  bool is_affine() const override
  {
    return true;
  }

private:
  NeighbourhoodMean mean_;
};
} // namespace

/// The map `density`, which takes means over the neighbours.
DesignMapEntry density_map()
{
  DesignMapEntry entry;
  entry.name          = "density";
  entry.summary       = "the mean over the neighbours within the filter radius, with cone weights";
  entry.make          = &make_map<Density>;
  entry.needs_radius  = true;
  entry.takes_weights = true;
  entry.bytes_on_mesh = [](const Communicator &communicator,
                           const ElementMesh &mesh,
                           const bool on_device,
                           const MapSettings &settings) {
    return NeighbourhoodMean::memory_estimate(communicator, mesh, settings.weights, on_device);
  };
  return entry;
}
} // namespace strut
