// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/multigrid/smoother_bound.h"
#include "source/base/parallel_loop.h"
#include "source/element/components.h"
#include "source/element/element_rows.h"
#include "source/element/lanczos.h"
#include "source/mesh/bounding_box.h"
#include "source/mesh/identical_elements.h"
#include "source/solvers/host_threads.h"
#include "source/solvers/multigrid/polynomial_smoother.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace strut
{
namespace
{
constexpr double same_shape = 1e-12;

/// Whether two elements are copies up to their size, on which the eigenvalue does not depend. This
/// saves work on meshes of equal elements.
bool equal_shapes(const double (&a)[3][8], const double (&b)[3][8])
{
  double size_of_a = 0., size_of_b = 0., difference = 0.;
  for (int d = 0; d < 3; ++d)
    for (int v = 0; v < 8; ++v)
      {
        size_of_a = std::max(size_of_a, std::abs(a[d][v]));
        size_of_b = std::max(size_of_b, std::abs(b[d][v]));
      }
  for (int d = 0; d < 3; ++d)
    for (int v = 0; v < 8; ++v)
      difference = std::max(difference, std::abs(size_of_b * a[d][v] - size_of_a * b[d][v]));
  return difference <= same_shape * size_of_a * size_of_b;
}

/// Returns the largest eigenvalue of (nodal blocks of K0)^-1 K0.
double largest_eigenvalue(const unsigned int n_components,
                          const Material &material,
                          const double (&X)[3][8])
{
  return with_components(n_components, [&](const auto number) {
    constexpr int n = number;
    double K[8 * n][8 * n];
    for (int v = 0; v < 8; ++v)
      {
        double rows[n][8 * n];
        hexahedron::element_rows(X, material, v, rows);
        for (int i = 0; i < n; ++i)
          std::copy(rows[i], rows[i] + 8 * n, K[n * v + i]);
      }
    return lanczos::largest_eigenvalue(K);
  });
}
} // namespace

double smoother_bound(const ElementMesh &mesh, const Material &material, const int n_threads)
{
  const std::size_t run = 1024; // Elements of one thread at a time.
  std::vector<double> of_runs(mesh.n_elements / run + 1, 0.);
  cpu::parallel_blocks(
    n_threads, mesh.n_elements, run, [&](const std::size_t first, const std::size_t end) {
      double previous[3][8] = {}, X[3][8];
      double &largest       = of_runs[first / run];
      for (std::size_t e = first; e < end; ++e)
        {
          shape_of(mesh, e, X);
          if (e > first && equal_shapes(previous, X))
            continue;
          largest = std::max(largest, largest_eigenvalue(mesh.n_components, material, X));
          std::copy(&X[0][0], &X[0][0] + 24, &previous[0][0]);
        }
    });
  return lanczos::margin * *std::max_element(of_runs.begin(), of_runs.end());
}

double smoother_bound(Backend &backend, const ElementMesh &mesh, const Material &material)
{
  // Moved and scaled copies of one element share its bound. Sending their nodes to a device would
  // take a while.
  if (are_similar_elements(mesh))
    {
      double X[3][8];
      shape_of(mesh, 0, X);
      return lanczos::margin * largest_eigenvalue(mesh.n_components, material, X);
    }
  const auto largest =
    mesh.n_components != 3 // Devices know the element of displacements.
      ? std::nullopt
      : backend.level_operations().largest_element_eigenvalue(backend.memory(), mesh, material);
  return largest.has_value() ? lanczos::margin * *largest
                             : smoother_bound(mesh, material, host_threads(backend));
}

std::optional<ExtremeSolids> extreme_solids(const Communicator &communicator,
                                            const Structure &structure)
{
  if (law_of_solids(communicator, structure).known() != Law::lame)
    return std::nullopt;
  const auto most = [&](const double sign) {
    double largest = -1.; // Value for a rank without elements.
    for (std::size_t e = 0; e < structure.solids.n_elements(); ++e)
      largest =
        std::max(largest,
                 sign * structure.solids.isotropic_solid(structure.material, e).poisson_ratio);
    return sign * communicator.max(largest);
  };
  return ExtremeSolids{{{1., most(-1.)}, {1., most(1.)}}};
}

std::pair<ExtremeSolids, int> solids_with_mean(const double largest_ratio)
{
  constexpr int most = 20;
  const int exponent =
    static_cast<int>(std::ceil(std::log2(std::clamp(largest_ratio, 2., std::exp2(most)))));
  const Material volumetric =
    Material::from_lame(std::exp2(exponent), 1., Formulation::mean_dilatation);
  return {{{volumetric, Material::deviatoric()}}, exponent};
}

double largest_lame_ratio(const Communicator &communicator,
                          const std::vector<double> &lambda,
                          const std::vector<double> &mu)
{
  double largest = 0.;
  for (std::size_t e = 0; e < lambda.size(); ++e)
    if (lambda[e] > 0.)
      largest = std::max(largest, lambda[e] / mu[e]);
  return communicator.max(largest);
}

double smoother_bound(Backend &backend, const ElementMesh &mesh, const ExtremeSolids &solids)
{
  return std::max(smoother_bound(backend, mesh, solids[0]),
                  smoother_bound(backend, mesh, solids[1]));
}

template <typename Number>
Array<Number>
numbers_of_places(Backend &backend, const Communicator &communicator, const ElementMesh &mesh)
{
  const Box box           = bounding_box(communicator, mesh.coordinates, mesh.n_nodes);
  const double size       = longest_edge(box);
  const double n_elements = communicator.sum(static_cast<double>(mesh.n_elements));
  const double width      = size / std::cbrt(n_elements); // Approximate width of an element.
  std::vector<Number> numbers(mesh.n_dofs());
  cpu::parallel_for(host_threads(backend), mesh.n_nodes, [&](const std::size_t node) {
    double phase = 0.;
    for (std::size_t d = 0; d < 3; ++d)
      {
        const double x    = (mesh.coordinates[d * mesh.n_nodes + node] - box[d]) / width;
        const double rate = 1. + 0.37 * static_cast<double>(d);
        // The phase is quadratic, so the frequency differs everywhere.
        phase += rate * x * (2.1 + x);
      }
    for (std::size_t c = 0; c < mesh.n_components; ++c)
      numbers[mesh.n_components * node + c] =
        static_cast<Number>(std::sin(phase * (1. + 0.61 * static_cast<double>(c))));
  });
  // Products are zero on constrained DoFs, and so are combinations with them.
  for (const std::vector<LocalIndex> *const dofs : {&mesh.constrained_dofs, &mesh.dependent.dofs})
    for (const LocalIndex dof : *dofs)
      numbers[dof] = Number(0);
  return Array<Number>(backend.memory(), numbers);
}

double margin_of_eigenvalue(const unsigned int n_smoothing_steps)
{
  constexpr double least = 1.18;
  return least * std::max(1.,
                          PolynomialSmoother::tolerated_excess(3) /
                            PolynomialSmoother::tolerated_excess(n_smoothing_steps));
}

template <typename Number>
double largest_level_eigenvalue(
  Backend &backend,
  const Communicator &communicator,
  const ElementMesh &mesh,
  const std::size_t n_steps,
  const double margin,
  const std::function<void(Array<Number> &r, Array<Number> &z)> &precondition,
  const std::function<void(Array<Number> &p, Array<Number> &q)> &multiply,
  const Array<Number> &begin,
  Array<Number> &r,
  Array<Number> &z,
  Array<Number> &p,
  Array<Number> &q)
{
  constexpr double unit = 0.05;
  const auto &vectors   = backend.vector_operations<Number>();
  const std::size_t n   = mesh.n_dofs();
  const auto dot        = [&](const Array<Number> &a, const Array<Number> &b) {
    return communicator.sum(static_cast<double>(vectors.dot(mesh.n_owned_dofs(), a, b)));
  };
  // Eigenvectors in solids have nearly all of the energy of K p, those in void that of p itself. So
  // both are in the start vector, with the same energy. Steps would not make up for 1e-9.
  vectors.copy(n, begin, p);
  multiply(p, r);
  precondition(p, z);
  const double in_void = dot(p, z);
  vectors.copy(n, z, p);
  precondition(r, z);
  const double in_solids = dot(r, z);
  if (in_void > 0. && in_solids > 0.)
    {
      const auto part = static_cast<Number>(std::sqrt(in_solids / in_void));
      vectors.axpy(n, part, begin, r);
      vectors.axpy(n, part, p, z); // B is linear.
    }
  vectors.copy(n, z, p);
  lanczos::Tridiagonal T = {};
  double of_r = dot(r, z), of_last = 0.; // `of_last` is beta / alpha of the last step.
  std::size_t k = 0;
  for (; k < n_steps && of_r > 0.; ++k)
    {
      multiply(p, q);
      const double energy = dot(p, q);
      if (!(energy > 0.)) // The matrix is not definite, which the solver will report.
        break;
      const double alpha = of_r / energy;
      T.diagonal[k]      = 1. / alpha + of_last;
      if (k + 1 == n_steps)
        break;
      vectors.axpy(n, static_cast<Number>(-alpha), q, r);
      precondition(r, z);
      const double of_next = dot(r, z);
      const double beta    = std::max(0., of_next / of_r);
      T.coupling[k + 1]    = beta / (alpha * alpha);
      of_last              = beta / alpha;
      of_r                 = of_next;
      vectors.xpby(n, z, static_cast<Number>(beta), p);
    }
  const double largest = T.largest_eigenvalue();
  return unit * std::ceil(margin * largest / unit);
}

template decltype(numbers_of_places<double>) numbers_of_places<double>;
template decltype(numbers_of_places<float>) numbers_of_places<float>;
template decltype(largest_level_eigenvalue<double>) largest_level_eigenvalue<double>;
template decltype(largest_level_eigenvalue<float>) largest_level_eigenvalue<float>;
} // namespace strut
