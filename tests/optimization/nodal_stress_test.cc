// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/backends.h"
#include "../fixtures/iso_stress_problem.h"

#include <cmath>
#include <numeric>

namespace strut::test
{
namespace
{
/// Nodal von Mises stress of a body under one load.
class SolvedStressTest : public PlaceTest
{
protected:
  /// @param factors  stiffness factors of the elements @param mirrors  see DesignContext
  std::vector<double> stress_of(const BoxMesh &box,
                                const std::vector<double> &forces,
                                const std::vector<double> &factors,
                                const std::vector<std::uint8_t> &mirrors)
  {
    const ElementMesh &mesh = box.mesh;
    StateSettings settings;
    settings.control.tolerance = 1e-12;
    const auto state =
      make_state_solver(execution(), {mesh, {1., 0.3}}, {{"load", 1., forces}}, settings);
    const Array<double> stiffness(memory(), factors);
    state->set_stiffness(stiffness);
    state->solve(0);
    fields_ = backend().make_nodal_fields(mesh);
    Array<double> sums(memory(), NodalFields::n_sums * mesh.n_nodes);
    stress_ = Array<double>(memory(), std::vector<double>(mesh.n_nodes, 0.));
    state->sum_stresses(0, *fields_, stiffness, sums);
    fields_->raise_to_von_mises(sums, Array<std::uint8_t>(memory(), mirrors), 1., stress_);
    return stress_.to_host();
  }

  /// Volume of the last body in which the stress is at least the level.
  double volume_above(const BoxMesh &box, const double level)
  {
    return fields_->volume_above(stress_, level, Array<DesignFlag>(memory(), box.mesh.flags));
  }

private:
  std::unique_ptr<NodalFields> fields_;
  Array<double> stress_;
};

/// A quarter of a thick cylinder with radii 1 and 2, held against motion along its axis, with
/// pressure 1 inside.
struct Ring
{
  BoxMesh box;
  std::vector<double> forces;
  std::vector<std::uint8_t> mirrors;

  explicit Ring(const std::size_t n)
  {
    BoxOptions options      = BoxOptions::regular({{n, 3 * n / 2, 1}}); // 6 n around the whole
    options.shuffle_nodes   = true;
    options.rotate_elements = true;
    box                     = make_box(options);
    ElementMesh &mesh       = box.mesh;
    mirrors.resize(mesh.n_nodes);
    for (std::size_t node = 0; node < mesh.n_nodes; ++node)
      {
        const Position &X = box.reference[node];
        const double r = 1. + X[0], angle = 0.5 * std::acos(-1.) * X[1];
        mesh.coordinates[node]                    = r * std::cos(angle);
        mesh.coordinates[mesh.n_nodes + node]     = r * std::sin(angle);
        mesh.coordinates[2 * mesh.n_nodes + node] = 0.1 * X[2];
        mirrors[node] =
          static_cast<std::uint8_t>((is_end(X[1]) ? 1 : 0) + (X[1] == 0. ? 2 : 0) + 4);
      }
    measure(mesh);
    hold(box, [](const Position &X, const int c) {
      return c == 2 || (c == 1 && X[1] == 0.) || (c == 0 && is_end(X[1]));
    });

    // pressure on the plane faces inside, a quarter of each on each of its nodes
    forces.assign(mesh.n_dofs(), 0.);
    for (std::size_t j = 0; j < options.n[1]; ++j)
      {
        const auto at = [&](const std::size_t side, const std::size_t k) {
          return std::size_t(box.node_at[(options.n[0] + 1) * (j + side + (options.n[1] + 1) * k)]);
        };
        const Position a = box.position(at(0, 0)), b = box.position(at(1, 0));
        for (const std::size_t node : {at(0, 0), at(1, 0), at(0, 1), at(1, 1)})
          {
            forces[3 * node] += 0.25 * 0.1 * (b[1] - a[1]);
            forces[3 * node + 1] += 0.25 * 0.1 * (a[0] - b[0]);
          }
      }
  }

  static bool is_end(const double y)
  {
    return y > 1. - 1e-9;
  }

  /// Lame's stress for nu = 0.3.
  static double exact(const double r)
  {
    const double B = 4. / (3. * r * r), A = 0.4 / 3.;
    return std::sqrt(3. * B * B + A * A);
  }
};

// Thick cylinder: the stress at the nodes, and the parts of the wall in which it is at least a
// level, against Lame's formulas. Errors at least halve when the elements do. These are the largest
// error inside the wall, the mean square over all nodes, and those of the volumes. At the faces
// elements are on one side only, so the order is one. With 16 elements through the wall the volumes
// have an error of 1 %.
TEST_P(SolvedStressTest, IsThatOfLamesCylinder)
{
  EXPECT_NEAR(Ring::exact(1.), 2.31325, 1e-5);
  EXPECT_NEAR(Ring::exact(2.), 0.59255, 1e-5);
  const std::vector<std::pair<double, double>> kept = {{1.156623, 0.33669}, {1., 0.44340}};
  std::vector<double> last;
  for (const std::size_t n : {8, 16, 32})
    {
      SCOPED_TRACE(n);
      const Ring ring(n);
      const ElementMesh &mesh = ring.box.mesh;
      const auto stress =
        stress_of(ring.box, ring.forces, std::vector<double>(mesh.n_elements, 1.), ring.mirrors);
      double inside = 0., square = 0., at_faces = 0.;
      for (std::size_t node = 0; node < mesh.n_nodes; ++node)
        {
          const double X     = ring.box.reference[node][0];
          const double error = std::abs(stress[node] - Ring::exact(1. + X));
          double &largest    = X == 0. || X > 1. - 1e-9 ? at_faces : inside;
          largest            = std::max(largest, error);
          square += error * error / static_cast<double>(mesh.n_nodes);
        }
      EXPECT_LE(at_faces, 1.1 / static_cast<double>(n));
      std::vector<double> errors = {inside, std::sqrt(square)};
      const double whole         = std::accumulate(mesh.volumes.begin(), mesh.volumes.end(), 0.);
      for (const auto &[level, expected] : kept)
        {
          errors.push_back(std::abs(volume_above(ring.box, level) / whole - expected));
          if (n == 16)
            {
              EXPECT_LE(errors.back(), 0.01 * expected);
            }
        }
      for (std::size_t i = 0; i < last.size(); ++i)
        EXPECT_LE(errors[i], 0.5 * last[i]) << i;
      last = errors;
    }
}

/// A cantilever of width 6 or, with a plane of symmetry, of width 3. Elements differ in shape and
/// stiffness, symmetrically about the plane.
struct Halved
{
  BoxMesh box;
  std::vector<double> forces, factors;
  std::vector<std::uint8_t> mirrors;

  explicit Halved(const bool is_half)
  {
    BoxOptions options =
      BoxOptions::regular({{10, is_half ? 3u : 6u, 4}}, {{10., is_half ? 3. : 6., 4.}});
    box               = make_box(options);
    ElementMesh &mesh = box.mesh;
    mirrors.assign(mesh.n_nodes, 0);
    for (std::size_t node = 0; node < mesh.n_nodes; ++node)
      {
        const Position &X = box.reference[node];
        const double y    = X[1] - 3.; // distance from the plane
        mesh.coordinates[node] += 0.2 * std::sin(X[0] + y * y);
        mesh.coordinates[mesh.n_nodes + node] += 0.05 * y * std::cos(2. * X[0] + X[2]);
        mesh.coordinates[2 * mesh.n_nodes + node] += 0.2 * std::cos(X[0] - y * y + X[2]);
        mirrors[node] = is_half && y == 0. ? 2 : 0;
      }
    measure(mesh);
    for (std::size_t e = 0; e < mesh.n_elements; ++e)
      {
        const auto &at          = box.element_at[e];
        const std::size_t layer = std::min(at[1], 5 - at[1]);
        factors.push_back(
          0.5 + 0.4 * std::sin(static_cast<double>(1 + 3 * at[0] + 5 * layer + 7 * at[2])));
      }
    hold(box, [&](const Position &X, const int c) {
      return X[0] == 0. || (is_half && X[1] == 3. && c == 1);
    });
    forces = edge_load(box);
    for (std::size_t node = 0; node < mesh.n_nodes; ++node)
      if (mirrors[node] != 0)
        forces[3 * node + 2] *= 0.5;
  }
};

// Half a body with a plane of symmetry has the stresses of the whole, also at the nodes of the
// plane, and half of the volume above any level.
TEST_P(SolvedStressTest, OfHalfABodyIsThatOfTheWhole)
{
  const Halved half(true), whole(false);
  const std::vector<double> levels = {0.1, 0.5, 1., 2.};
  const auto expected = stress_of(whole.box, whole.forces, whole.factors, whole.mirrors);
  std::vector<double> volumes;
  for (const double level : levels)
    volumes.push_back(volume_above(whole.box, level));
  const auto stress    = stress_of(half.box, half.forces, half.factors, half.mirrors);
  const double largest = *std::max_element(expected.begin(), expected.end());
  EXPECT_GT(volumes.back(), 0.);
  EXPECT_LT(volumes.back(), 0.9 * volumes.front());
  for (std::size_t i = 0; i < levels.size(); ++i)
    EXPECT_NEAR(2. * volume_above(half.box, levels[i]), volumes[i], 1e-8 * volumes[i]);

  for (std::size_t k = 0; k <= 4; ++k)
    for (std::size_t j = 0; j <= 3; ++j)
      for (std::size_t i = 0; i <= 10; ++i)
        EXPECT_NEAR(stress[half.box.node_at[i + 11 * (j + 4 * k)]],
                    expected[whole.box.node_at[i + 11 * (j + 7 * k)]],
                    1e-8 * largest)
          << i << ", " << j << ", " << k;
}

INSTANTIATE_TEST_SUITE_P(Core, SolvedStressTest, at_all_places(), place_name);
} // namespace
} // namespace strut::test
