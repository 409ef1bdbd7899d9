// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/multigrid/level_eigenvalue.h"
#include "source/element/lanczos.h"
#include "source/mesh/bounding_box.h"
#include "source/solvers/multigrid/polynomial_smoother.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace strut
{
template <typename Number>
Array<Number>
numbers_of_places(Backend &backend, const Communicator &communicator, const ElementMesh &mesh)
{
  const Box box           = bounding_box(communicator, mesh.coordinates, mesh.n_nodes);
  const double size       = std::max({box[3] - box[0], box[4] - box[1], box[5] - box[2]});
  const double n_elements = communicator.sum(static_cast<double>(mesh.n_elements));
  const double width      = size / std::cbrt(n_elements); // Approximate width of an element.
  std::vector<Number> numbers(3 * mesh.n_nodes);
  for (std::size_t node = 0; node < mesh.n_nodes; ++node)
    {
      double phase = 0.;
      for (std::size_t d = 0; d < 3; ++d)
        {
          const double x    = (mesh.coordinates[d * mesh.n_nodes + node] - box[d]) / width;
          const double rate = 1. + 0.37 * static_cast<double>(d);
          // The phase is quadratic, so the frequency differs everywhere.
          phase += rate * x * (2.1 + x);
        }
      for (std::size_t d = 0; d < 3; ++d)
        numbers[3 * node + d] =
          static_cast<Number>(std::sin(phase * (1. + 0.61 * static_cast<double>(d))));
    }
  return Array<Number>(backend.memory(), numbers);
}

double margin_of_eigenvalue(const unsigned int n_smoothing_steps)
{
  constexpr double least = 1.15;
  return least * std::max(1.,
                          PolynomialSmoother::tolerated_excess(3) /
                            PolynomialSmoother::tolerated_excess(n_smoothing_steps));
}

template <typename Number>
double
largest_level_eigenvalue(Backend &backend,
                         const Communicator &communicator,
                         const ElementMesh &mesh,
                         const double margin,
                         const StoredBlocks<Number> &B,
                         const std::function<void(Array<Number> &p, Array<Number> &q)> &multiply,
                         const Array<Number> &begin,
                         Array<Number> &r,
                         Array<Number> &z,
                         Array<Number> &p,
                         Array<Number> &q)
{
  constexpr std::size_t n_steps = 12; // T has room for 18.
  constexpr double unit         = 0.05;
  const auto &vectors           = backend.vector_operations<Number>();
  const auto &cycle             = backend.multigrid_operations<Number>();
  const std::size_t n           = mesh.n_dofs();
  const auto dot                = [&](const Array<Number> &a, const Array<Number> &b) {
    return communicator.sum(static_cast<double>(vectors.dot(mesh.n_owned_dofs(), a, b)));
  };
  vectors.copy(n, begin, p);
  multiply(p, r); // Zero on constrained DoFs.
  cycle.smooth_from_zero(mesh.n_nodes, B, Number(1), r, q, z);
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
      vectors.axpy(n, static_cast<Number>(-alpha), q, r);
      cycle.smooth_from_zero(mesh.n_nodes, B, Number(1), r, q, z);
      const double of_next = dot(r, z);
      const double beta    = std::max(0., of_next / of_r);
      if (k + 1 < n_steps)
        T.coupling[k + 1] = beta / (alpha * alpha);
      of_last = beta / alpha;
      of_r    = of_next;
      vectors.xpby(n, z, static_cast<Number>(beta), p);
    }
  const double largest = T.largest_eigenvalue();
  return unit * std::ceil(margin * largest / unit);
}

#define STRUT_INSTANTIATE(Number)                                                                 \
  template Array<Number> numbers_of_places(Backend &, const Communicator &, const ElementMesh &); \
  template double largest_level_eigenvalue(                                                       \
    Backend &,                                                                                    \
    const Communicator &,                                                                         \
    const ElementMesh &,                                                                          \
    double,                                                                                       \
    const StoredBlocks<Number> &,                                                                 \
    const std::function<void(Array<Number> &, Array<Number> &)> &,                                \
    const Array<Number> &,                                                                        \
    Array<Number> &,                                                                              \
    Array<Number> &,                                                                              \
    Array<Number> &,                                                                              \
    Array<Number> &);
STRUT_INSTANTIATE(double)
STRUT_INSTANTIATE(float)
#undef STRUT_INSTANTIATE
} // namespace strut
