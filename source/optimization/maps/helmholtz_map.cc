// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/maps/helmholtz_matrices.h"
#include "source/solvers/host_threads.h"
#include "source/solvers/krylov/jacobi.h"

#include <strut/optimization/maps/design_map.h>
#include <strut/parallel/halo_exchange.h>
#include <strut/solvers/krylov/conjugate_gradient.h>

#include <cmath>

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

/// r times the lumped mass matrix of the boundary, of owned nodes; zero of ghosts: r^2 dt/dn = -r t there (Wallin et al. 2020,
/// with equal lengths inside and on the boundary). Where faces meet, at edges and corners of the body, the mass is the length of
/// the sum of their normals, which is somewhat less than that of the faces. Collective. `[n_nodes]`, length^3
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

/// The matrices of the filter over all ranks. A is a sum over these, so its rows of ghosts are added to those of the owners.
class HelmholtzOperator : public LinearOperator<double>
{
public:
  HelmholtzOperator(Backend &backend,
                    const Communicator &communicator,
                    const ElementMesh &mesh,
                    const double r,
                    const Boundary boundary)
    : backend_(backend)
    , matrices_(backend.memory(),
                mesh,
                r,
                boundary == Boundary::robin ? boundary_mass(backend, communicator, mesh, r)
                                            : std::vector<double>(),
                host_threads(backend))
    , n_local_(mesh.n_nodes)
    , n_owned_(mesh.n_owned_nodes)
    , halo_(backend, communicator, mesh.node_halo, 1)
    , both_(backend.memory(), 2 * matrices_.half)
  {}

  /// d = the diagonal of A; 0 where a node is no unknown.
  void diagonal(Array<double> &d)
  {
    d.copy_from_host(matrices_.diagonal);
    halo_.add_to_owners(d);
  }

  void apply(Array<double> &x, Array<double> &y) override
  {
    halo_.update_ghosts(x);
    multiply(matrices_.A, x, y);
    halo_.add_to_owners(y);
  }

  /// nodes = T elements, on owned nodes
  void to_nodes(const Array<double> &elements, Array<double> &nodes)
  {
    multiply(matrices_.T, elements, nodes);
    halo_.add_to_owners(nodes);
  }

  /// elements = T^T nodes
  void to_elements(Array<double> &nodes, Array<double> &elements)
  {
    halo_.update_ghosts(nodes);
    multiply(matrices_.T_t, nodes, elements);
  }

  std::size_t n_local() const override
  {
    return n_local_;
  }
  std::size_t n_owned() const override
  {
    return n_owned_;
  }

private:
  void multiply(const SparseRows<double> &matrix, const Array<double> &in, Array<double> &out)
  {
    if (matrix.rows.empty())
      return;
    const auto &vectors = backend_.vector_operations<double>();
    vectors.copy(in.size(), in, both_);
    vectors.combine(matrix, 0., both_);
    backend_.memory().copy(out.data(), both_.data() + matrices_.half, out.size() * sizeof(double));
  }

  Backend &backend_;
  const HelmholtzMatrices matrices_;
  const std::size_t n_local_, n_owned_;
  HaloExchange<double> halo_;
  Array<double> both_; ///< the two parts of HelmholtzMatrices
};

/// Its diagonal: the condition is some dozens for usual radii.
class HelmholtzPreconditioner : public Preconditioner<double>
{
public:
  HelmholtzPreconditioner(Backend &backend, HelmholtzOperator &matrix) : inverse_(backend)
  {
    inverse_.update(matrix);
  }

  void apply(const Array<double> &r, Array<double> &z) override
  {
    inverse_.apply(r, z);
  }

  const Array<float> *inverse_diagonal() const override
  {
    return &inverse_.values();
  }

private:
  InverseDiagonal<double> inverse_;
};

/// The PDE filter (Lazarov and Sigmund 2011), with A and T of HelmholtzMatrices and the volumes V:
///
///     y = V^-1 T^T A^-1 T x,   s <- T^T A^-1 T V^-1 s
///
/// t = A^-1 T x solves `t - r^2 laplace t = x` with r = R / (2 sqrt 3), and y is its mean over an element. Without flux through
/// the boundary planes of symmetry are mirrors already: nothing is to be done there.
class Helmholtz : public DesignMap
{
public:
  Helmholtz(Backend &backend,
            const Communicator &communicator,
            const ElementMesh &mesh,
            const MapSettings &settings)
    : backend_(backend)
    , matrix_(backend,
              communicator,
              mesh,
              settings.radius / std::sqrt(12.),
              settings_from<Settings>(settings.values).boundary)
    , preconditioner_(backend, matrix_)
    , solver_(backend, communicator, timing_)
    , volumes_(backend.memory(), mesh.volumes)
    , b_(backend.memory(), mesh.n_nodes)
    , t_(backend.memory(), mesh.n_nodes)
  {}

  void forward(const Array<double> &x, Array<double> &y) override
  {
    apply(x, y);
    backend_.vector_operations<double>().divide(y.size(), y, volumes_, y);
  }

  void backward(const Array<double> &, Array<double> &s) override
  {
    backend_.vector_operations<double>().divide(s.size(), s, volumes_, s);
    apply(s, s);
  }

  bool is_affine() const override
  {
    return true;
  }

private:
  /// out = T^T A^-1 T in; `out` may be `in`. Begins at 0: the bits do not depend on the designs before.
  void apply(const Array<double> &in, Array<double> &out)
  {
    matrix_.to_nodes(in, b_);
    t_.set_zero();
    SolverControl control;
    control.tolerance = 1e-12; // gradients are compared with differences
    solver_.solve(control, matrix_, preconditioner_, b_, t_);
    matrix_.to_elements(t_, out);
  }

  Backend &backend_;
  HelmholtzOperator matrix_;
  HelmholtzPreconditioner preconditioner_;
  TimingTable timing_; ///< of the solver; nobody looks at it
  ConjugateGradient<double> solver_;
  Array<double> volumes_;
  Array<double> b_, t_; ///< at the nodes
};
} // namespace

/// `helmholtz`: the solution of a differential equation.
DesignMapEntry helmholtz_map()
{
  DesignMapEntry entry;
  entry.name = "helmholtz";
  entry.summary =
    "the solution of a differential equation, as smooth as that mean and cheaper where the radius is large";
  entry.make         = &make_map<Helmholtz>;
  entry.parameters   = parameters_of<Settings>();
  entry.needs_radius = true;
  entry.bytes_per_element =
    HelmholtzMatrices::bytes_per_element + 7. * sizeof(double); // V, b, t, inverse diagonal, CG
  return entry;
}
} // namespace strut
