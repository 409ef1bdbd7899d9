// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/maps/layer_sweep.h"
#include "source/mesh/bounding_box.h"
#include "source/mesh/frame.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace strut
{
namespace
{
/// Relative tolerance for nodes on the rim of a cone, which a cone of 45 degrees has.
constexpr double rounding = 1e-5;

/// Calls visit(i, j) for the nodes of the layer before that are in the cone.
template <typename Visit>
void for_each_in_cone(const double tangent, const Visit &visit)
{
  const int reach = static_cast<int>(tangent + rounding);
  for (int j = -reach; j <= reach; ++j)
    for (int i = -reach; i <= reach; ++i)
      if (std::hypot(i, j) <= tangent + rounding)
        visit(i, j);
}

LayerStencil
make_stencil(Memory &memory, const LayerSweepSettings &settings, const DesignGrid &grid)
{
  std::vector<std::uint32_t> begin{0};
  std::vector<std::int32_t> di, dj;
  std::vector<double> weights;
  const auto add = [&](const int i, const int j, const double weight) {
    di.push_back(i);
    dj.push_back(j);
    weights.push_back(weight);
  };
  const auto end_point = [&]() { begin.push_back(static_cast<std::uint32_t>(weights.size())); };

  for_each_in_cone(settings.tangent, [&](const int i, const int j) {
    add(i, j, 1.);
    end_point();
  });
  for (unsigned int k = 0; k < settings.n_samples; ++k)
    {
      const double angle = 8. * std::atan(1.) * k / settings.n_samples;
      const double x = settings.tangent * std::cos(angle), y = settings.tangent * std::sin(angle);
      for (int j = static_cast<int>(std::floor(y)); j <= std::ceil(y); ++j)
        for (int i = static_cast<int>(std::floor(x)); i <= std::ceil(x); ++i)
          if (const double weight =
                std::max(0., 1. - std::abs(x - i)) * std::max(0., 1. - std::abs(y - j));
              weight > 0.)
            add(i, j, weight);
      end_point();
    }

  std::vector<double> given(grid.n_nodes(), 0.);
  const std::size_t n_in_layer = grid.n()[0] * grid.n()[1];
  for (std::size_t g = 0; g < given.size(); ++g)
    given[g] = grid.passive_share()[g] > 0.5 ? -1. : g < n_in_layer ? settings.given_at_start : 0.;
  return {grid.n(),
          begin.size() - 1,
          Array<std::uint32_t>(memory, begin),
          Array<std::int32_t>(memory, di),
          Array<std::int32_t>(memory, dj),
          Array<double>(memory, weights),
          Array<double>(memory, given)};
}
} // namespace

int LayerSweep::n_nodes_in_cone(const double tangent)
{
  int n = 0;
  for_each_in_cone(tangent, [&n](int, int) { ++n; });
  return n;
}

std::vector<SymmetryPlane> LayerSweep::planes_of(const LayerSweepSettings &settings,
                                                 const Communicator &communicator,
                                                 const ElementMesh &mesh)
{
  if (mesh.symmetry_planes.empty())
    return {};
  const Point3 middle = middle_of(bounding_box(communicator, mesh.coordinates, mesh.n_nodes));
  std::vector<SymmetryPlane> planes;
  for (const SymmetryPlane &plane : mesh.symmetry_planes)
    {
      std::ostringstream text;
      text << "The map '" << settings.map << "' cannot take the plane of symmetry "
           << "xyz"[plane.normal] << " = " << plane.value << ": ";
      // Component of the sweep away from the plane.
      const double away =
        (middle[plane.normal] > plane.value ? 1. : -1.) * settings.direction[plane.normal];
      if (std::abs(away) > rounding)
        {
          if (settings.ends_at_planes && away < -1. + rounding)
            continue;
          text
            << "its direction has a part normal to the plane, so the mirror image behind it goes another way, and "
               "the whole cannot be made. Take a direction in the plane"
            << (settings.ends_at_planes ? " or away from it, straight" : "")
            << "; or mesh the whole without that plane. If each half is made by itself, hold it there by a support "
               "along the normal in place of the plane.";
          throw Error(text.str());
        }
      if (std::any_of(planes.begin(), planes.end(), [&](const SymmetryPlane &other) {
            return other.normal == plane.normal;
          }))
        {
          text
            << "another one faces it, and images between two mirrors have no end. Leave one of them out, and hold "
               "it by a support along the normal, where the map then ends.";
          throw Error(text.str());
        }
      if (settings.tangent > rounding) // A cone without width sees nothing beside a place.
        planes.push_back(plane);
    }
  return planes;
}

double LayerSweep::bytes_of_images(const std::function<LayerSweepSettings()> &settings,
                                   const Communicator &communicator,
                                   const ElementMesh &mesh)
{
  try
    {
      const std::size_t n_planes = planes_of(settings(), communicator, mesh).size(),
                        n_images = (std::size_t(1) << n_planes) - 1;
      return bytes_per_element * static_cast<double>(n_images * mesh.n_elements);
    }
  catch (const Error &)
    {
      return 0.;
    }
}

LayerSweep::LayerSweep(Backend &backend,
                       const Communicator &communicator,
                       const ElementMesh &mesh,
                       const LayerSweepSettings &settings)
  : backend_(backend)
  , rule_(settings.rule)
  , grid_(
      backend,
      communicator,
      mesh,
      settings.grid,
      DesignGrid::Passive::their_densities,
      [frame = Frame(settings.direction)](const Point3 &p) -> Point3 {
        return {{dot(p, frame.first), dot(p, frame.second), dot(p, frame.axis)}};
      },
      planes_of(settings, communicator, mesh),
      settings.tangent > rounding)
  , stencil_(make_stencil(backend.memory(), settings, grid_))
  , z_(backend.memory(), grid_.n_nodes())
  , swept_(backend.memory(), grid_.n_nodes())
  , sums_(backend.memory(), grid_.n_nodes())
  , by_z_(backend.memory(), grid_.n_nodes())
  , by_swept_(backend.memory(), grid_.n_nodes())
{
  if (rule_.kind == LayerRule::Kind::at_most && grid_.has_empty_layer())
    throw Error(
      "The grid of the map 'overhang' has a layer without elements, which would carry nothing: its cells are smaller than half the longest elements along the direction. Take cells as long as these are there.");
}

void LayerSweep::forward(const Array<double> &x, Array<double> &y, const MapPoint &)
{
  grid_.restrict(x, z_);
  for (std::size_t k = 0; k < grid_.n()[2]; ++k)
    backend_.design_operations().sweep_layer(rule_, stencil_, k, z_, swept_, sums_);
  grid_.interpolate(swept_, y);
}

void LayerSweep::backward(const Array<double> &, Array<double> &s, const MapPoint &)
{
  grid_.interpolate_transposed(s, by_swept_);
  for (std::size_t k = grid_.n()[2]; k-- > 0;)
    backend_.design_operations().sweep_layer_back(
      rule_, stencil_, k, z_, swept_, sums_, by_swept_, by_z_);
  grid_.restrict_transposed(by_z_, s);
}
} // namespace strut
