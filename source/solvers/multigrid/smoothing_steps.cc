// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

#include "source/solvers/multigrid/smoothing_steps.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "source/base/parallel_loop.h"
#include "source/mesh/identical_elements.h"

namespace strut
{
namespace
{
constexpr unsigned int fewest = 3, most = 10;

/// Ratio of the longest to the shortest of the three mean edges of an element.
double aspect_ratio(const ElementMesh &mesh, const std::size_t e)
{
  std::array<std::array<double, 3>, 8> corners;
  for (unsigned int v = 0; v < 8; ++v)
    for (unsigned int c = 0; c < 3; ++c)
      corners[v][c] =
        mesh.coordinates[c * mesh.n_nodes + mesh.connectivity[v * mesh.n_elements + e]];
  std::array<double, 3> lengths{};
  for (unsigned int d = 0; d < 3; ++d)
    for (unsigned int v = 0; v < 8; ++v)
      if ((v & (1u << d)) == 0)
        {
          const auto &from = corners[v], &to = corners[v | (1u << d)];
          const double dx = to[0] - from[0], dy = to[1] - from[1], dz = to[2] - from[2];
          // This takes half the time of std::hypot.
          lengths[d] += std::sqrt(dx * dx + dy * dy + dz * dz);
        }
  const auto [shortest, longest] = std::minmax_element(lengths.begin(), lengths.end());
  return *longest / *shortest;
}

/// Ratio of the longest edge to the shortest altitude of a tetrahedron, divided by sqrt(2). It is
/// 0.87 for a regular one, and 1.7 for those that a cube is cut into.
double aspect_ratio_of_tetrahedron(const ElementMesh &mesh, const std::size_t e)
{
  using Vector       = std::array<double, 3>;
  const auto between = [&](const std::size_t a, const std::size_t b) {
    Vector x;
    for (std::size_t c = 0; c < 3; ++c)
      x[c] = mesh.coordinates[c * mesh.n_nodes + mesh.node(e, b)] -
             mesh.coordinates[c * mesh.n_nodes + mesh.node(e, a)];
    return x;
  };
  const auto dot = [](const Vector &a, const Vector &b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  };
  const auto cross = [](const Vector &a, const Vector &b) {
    return Vector{
      {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}};
  };
  double longest_sqr = 0., largest_sqr = 0.; // of the edges, and of twice the faces' areas
  for (std::size_t a = 0; a < 4; ++a)
    {
      const std::size_t b = (a + 1) % 4, c = (a + 2) % 4;
      const Vector normal = cross(between(a, b), between(a, c));
      largest_sqr         = std::max(largest_sqr, dot(normal, normal));
      for (std::size_t other = 0; other < a; ++other)
        longest_sqr = std::max(longest_sqr, dot(between(a, other), between(a, other)));
    }
  const double six_volumes = dot(cross(between(0, 1), between(0, 2)), between(0, 3));
  return std::sqrt(0.5 * longest_sqr * largest_sqr) / std::abs(six_volumes);
}

/// Counts the elements of a range by the number of steps that they need.
std::array<double, most + 1>
count_steps(const ElementMesh &mesh, const std::size_t begin, const std::size_t end)
{
  std::array<double, most + 1> counts{};
  for (std::size_t e = begin; e < end; ++e)
    {
      // A ratio at a half is rounded up for any last bits.
      const double ratio =
        mesh.type.n_vertices == 8 ? aspect_ratio(mesh, e) : aspect_ratio_of_tetrahedron(mesh, e);
      const double steps = std::round(ratio + 1e-9);
      // The first comparison is also false for an element without volume.
      counts[steps < most ? std::max(fewest, static_cast<unsigned int>(steps)) : most] += 1;
    }
  return counts;
}

/// Counts all elements of this rank.
std::array<double, most + 1> count_steps(const ElementMesh &mesh)
{
  if (are_equal_elements(mesh))
    {
      auto counts = count_steps(mesh, 0, 1);
      for (double &count : counts)
        count *= static_cast<double>(mesh.n_elements);
      return counts;
    }
  std::array<double, most + 1> counts{};
  for (const auto &of_block :
       cpu::values_of_blocks(cpu::default_n_threads(),
                             mesh.n_elements,
                             [&](const std::size_t begin, const std::size_t end) {
                               return count_steps(mesh, begin, end);
                             }))
    for (std::size_t steps = 0; steps < counts.size(); ++steps)
      counts[steps] += of_block[steps];
  return counts;
}

/// `sqrt(lambda / mu)`, with which the smoothing steps grow, for the mean dilatation; otherwise 0.
double root_of_ratio(const Material &material)
{
  return material.formulation == Formulation::mean_dilatation
           ? std::sqrt(std::max(material.lambda(), 0.) / material.mu())
           : 0.;
}
} // namespace

unsigned int smoothing_steps_for(const Communicator &communicator, const ElementMesh &mesh)
{
  std::array<double, most + 1> counts = count_steps(mesh); // The counts are whole numbers.
  communicator.sum(counts.data(), counts.size());
  double all = 0.;
  for (const double count : counts)
    all += count;
  double so_far = 0.;
  for (unsigned int steps = fewest; steps < most; ++steps)
    if (so_far += counts[steps]; so_far >= 0.9 * all)
      return steps;
  return most;
}

unsigned int smoothing_steps_for(const Communicator &communicator,
                                 const ElementMesh &mesh,
                                 const Material &material)
{
  constexpr double most_with_mean = 30.;
  const unsigned int of_type      = mesh.type.n_nodes == 4 ? 4 : fewest;
  const unsigned int of_shape     = std::max(of_type, smoothing_steps_for(communicator, mesh));
  const double wanted             = std::round(2. / 3. * root_of_ratio(material));
  return std::max(of_shape, static_cast<unsigned int>(std::min(wanted, most_with_mean)));
}

Formulation coarse_formulation(const Material &material, const unsigned int smoothing_steps)
{
  return smoothing_steps >= 0.4 * root_of_ratio(material) ? material.formulation
                                                          : Formulation::full_integration;
}
} // namespace strut
