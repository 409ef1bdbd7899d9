// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/backend/design_volumes.h"
#include "source/optimization/maps/helmholtz_filter.h"
#include "source/optimization/maps/helmholtz_matrices.h"
#include <strut/parallel/halo_exchange.h>

#include <strut/optimization/maps/design_map.h>

#include <cmath>
#include <utility>

namespace strut
{
namespace
{
enum class Boundary
{
  neumann,
  robin
};

struct Settings
{
  Boundary boundary = Boundary::neumann;

  void declare(ParameterList &list)
  {
    list.add<Boundary>(
      "Boundary",
      boundary,
      {{"neumann", Boundary::neumann}, {"robin", Boundary::robin}},
      "neumann: no flux through the boundary. The volume stays, and material along the boundary is filtered as if the body went on "
      "as its mirror image. robin: the flux of a body with void around it, but at planes of symmetry. So material does not "
      "stick to the boundary, and loses part of its density there.");
  }
};

/// Returns r times the lumped mass matrix of the boundary, for owned nodes, zero for ghosts;
/// `[n_nodes]`, length^3.
///
/// It stands for the condition r^2 dt/dn = -r t (Wallin et al. 2020, with equal lengths inside and
/// on the boundary). At edges and corners of the body the mass is the length of the sum of the
/// normals of the faces, somewhat less than that of the faces. Collective.
std::vector<double> boundary_mass(Backend &backend,
                                  const Communicator &communicator,
                                  const ElementMesh &mesh,
                                  const double r)
{
  Array<double> all(backend.memory(), boundary_normals(mesh));
  HaloExchange<double>(backend, communicator, mesh.node_halo, 3).add_to_owners(all);
  std::vector<double> normals = all.to_host(), mass(mesh.n_nodes, 0.);
  for (std::size_t i = 0; i < mesh.n_owned_nodes; ++i)
    {
      const auto length = [n = &normals[3 * i]] { return std::hypot(n[0], n[1], n[2]); };
      const double edge = std::sqrt(length());
      for (const SymmetryPlane &plane : mesh.symmetry_planes)
        if (std::abs(mesh.coordinates[plane.normal * mesh.n_nodes + i] - plane.value) < 1e-6 * edge)
          normals[3 * i + plane.normal] = 0.;
      mass[i] = r * length();
    }
  return mass;
}

std::unique_ptr<HelmholtzFilter> make_filter(Backend &backend,
                                             const Communicator &communicator,
                                             const ElementMesh &mesh,
                                             const double r,
                                             const Boundary boundary)
{
  const std::vector<double> m = boundary == Boundary::robin
                                  ? boundary_mass(backend, communicator, mesh, r)
                                  : std::vector<double>();
  auto filter                 = make_lattice_filter(backend, communicator, mesh, r, m);
  return filter != nullptr ? std::move(filter)
                           : make_stored_filter(backend, communicator, mesh, r, m);
}

/// Bytes of the filter that the map chooses, and of the volumes. Collective.
double bytes_of_map(const Communicator &communicator,
                    const ElementMesh &mesh,
                    const bool /*on_device*/,
                    const MapSettings &given)
{
  const bool has_boundary = settings_from<Settings>(given.values).boundary == Boundary::robin;
  const auto on_lattice   = bytes_of_lattice_filter(communicator, mesh, has_boundary);
  return DesignVolumes::memory_estimate(mesh.volumes) +
         (on_lattice ? *on_lattice : bytes_of_stored_filter(mesh));
}

/// The PDE filter (Lazarov and Sigmund 2011), with A and T of HelmholtzMatrices and the volumes V:
///
///     y = V^-1 T^T A^-1 T x,   s <- T^T A^-1 T V^-1 s
///
/// t = A^-1 T x solves `t - r^2 laplace t = x` with r = R / (2 sqrt 3), and y is its mean over an
/// element. Planes of symmetry need no treatment, because the boundary has no flux there.
class Helmholtz : public DesignMap
{
public:
  Helmholtz(Backend &backend,
            const Communicator &communicator,
            const ElementMesh &mesh,
            const MapSettings &settings)
    : backend_(backend)
    , filter_(make_filter(backend,
                          communicator,
                          mesh,
                          settings.radius / std::sqrt(12.),
                          settings_from<Settings>(settings.values).boundary))
    , volumes_(backend.memory(), mesh.volumes)
  {}

  void forward(const Array<double> &x, Array<double> &y, const MapPoint &) override
  {
    filter_->apply(x, y);
    volumes_.divide(backend_, y);
  }

  void backward(const Array<double> &, Array<double> &s, const MapPoint &) override
  {
    volumes_.divide(backend_, s);
    filter_->apply(s, s);
  }

  bool is_affine() const override
  {
    return true;
  }

private:
  Backend &backend_;
  const std::unique_ptr<HelmholtzFilter> filter_;
  DesignVolumes volumes_;
};
} // namespace

/// The map `helmholtz`, which solves a differential equation.
DesignMapEntry helmholtz_map()
{
  DesignMapEntry entry;
  entry.name = "helmholtz";
  entry.summary =
    "the solution of a differential equation, as smooth as that mean and cheaper where the radius is large";
  entry.make          = &make_map<Helmholtz>;
  entry.parameters    = parameters_of<Settings>();
  entry.needs_radius  = true;
  entry.bytes_on_mesh = &bytes_of_map;
  return entry;
}
} // namespace strut
