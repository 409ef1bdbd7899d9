// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Masses, stresses and the PDE filter on elements of every type.
#include "../fixtures/arm.h"
#include "../fixtures/backends.h"
#include "../fixtures/errors.h"
#include "../fixtures/function_of_design.h"
#include "../fixtures/iso_stress_problem.h"
#include "../fixtures/mapped.h"
#include "source/backend/element_stress.h"
#include "source/backend/mass_matrix.h"
#include "source/backend/nodal_fields.h"
#include "source/element/stress.h"
#include "source/optimization/maps/design_chain.h"
#include "source/optimization/maps/helmholtz_matrices.h"
#include "source/optimization/responses/solid_stress.h"
#include "source/solvers/consistent_mass.h"
#include "source/solvers/state/self_weight.h"
#include "source/solvers/state/vibration.h"
#include "source/solvers/state/von_mises.h"

#include <strut/solvers/state/state_solver.h>

#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

namespace strut::test
{
namespace
{
/// Values of the arm, E = 1, nu = 0.3, density 1, by another program: ten digits.
struct ArmFields
{
  const char *type;
  /// Von Mises stress at the centre of an element of cell (1, 0, 3).
  double at_centre;
  /// Von Mises stress of the mean of the elements' stresses at the node of (1, 1, 4).
  double at_node;
  std::array<double, 3> frequencies; ///< the lowest ones
};

const ArmFields arm_fields[] = {
  {"tet4", 0.9915807104, 1.51174162, {{0.02758839018, 0.03189291914, 0.05756385805}}},
  {"tet10", 1.442449571, 2.344282219, {{0.02330530875, 0.02861709055, 0.04668516676}}},
  {"hex8", 1.425351639, 2.137724374, {{0.02441833177, 0.02957941171, 0.04835954159}}},
  {"hex20-14", 1.553279536, 2.187235633, {{0.02332990947, 0.02858541383, 0.04652727214}}},
  {"hex20", 1.553710779, 2.190974058, {{0.0233284344, 0.0285840046, 0.04652495714}}},
  {"hex27", 1.483729737, 1.679472368, {{0.02323663367, 0.02844950398, 0.04642562455}}}};

/// A linear displacement, and its von Mises stress.
struct LinearField
{
  static constexpr double gradient[3][3] = {{0.3, -0.2, 0.5}, {0.7, -0.4, 0.1}, {-0.6, 0.2, 0.9}};

  static std::vector<double> displacement(const ElementMesh &mesh)
  {
    std::vector<double> u(mesh.n_dofs(), 0.);
    for (std::size_t node = 0; node < mesh.n_nodes; ++node)
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
          u[3 * node + i] += gradient[i][j] * mesh.coordinates[j * mesh.n_nodes + node];
    return u;
  }

  static double stress(const Material &material)
  {
    double trace = 0., square = 0.;
    for (int i = 0; i < 3; ++i)
      trace += gradient[i][i];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        {
          const double deviator =
            material.mu() * (gradient[i][j] + gradient[j][i] - (i == j ? 2. / 3. * trace : 0.));
          square += deviator * deviator;
        }
    return std::sqrt(1.5 * square);
  }
};

class ElementFields : public TestOnBackend<std::tuple<Place, ElementType>>
{
protected:
  const ElementType &type() const
  {
    return std::get<1>(GetParam());
  }

  std::unique_ptr<StateSolver> state_of(const Arm &arm, const double tolerance)
  {
    StateSettings settings;
    settings.strategy          = "ebe";
    settings.control.tolerance = tolerance;
    return make_state_solver(execution(),
                             {arm.mesh, {1., 0.3}},
                             {{"force", 1., arm.force()}},
                             settings);
  }

  /// Von Mises stresses of the mean stresses at the nodes.
  std::vector<double>
  at_nodes(const ElementMesh &mesh, const Material &material, const std::vector<double> &u)
  {
    const auto fields = backend().make_nodal_fields(mesh);
    Array<double> sums(memory(), NodalFields::n_sums * mesh.n_nodes),
      stress(memory(), std::vector<double>(mesh.n_nodes, 0.));
    const Array<double> ones(memory(), std::vector<double>(mesh.n_elements, 1.));
    fields->sum_stresses(material, ones, Array<double>(memory(), u), sums);
    fields->raise_to_von_mises(
      sums, Array<std::uint8_t>(memory(), std::vector<std::uint8_t>(mesh.n_nodes, 0)), 1., stress);
    return stress.to_host();
  }

  std::vector<double>
  at_centres(const ElementMesh &mesh, const Material &material, const std::vector<double> &u)
  {
    Array<double> stress(memory(), poison<double>(mesh.n_elements));
    backend().make_element_stress(mesh)->von_mises(material, Array<double>(memory(), u), stress);
    return stress.to_host();
  }

  std::vector<double> times_mass(const ElementMesh &mesh,
                                 const MassKind kind,
                                 const std::vector<double> &factors,
                                 const std::vector<double> &x)
  {
    Array<double> y(memory(), poison<double>(mesh.n_dofs()));
    backend()
      .make_mass_matrix(mesh, kind)
      ->apply(Array<double>(memory(), factors), Array<double>(memory(), x), y);
    return y.to_host();
  }

  std::vector<double>
  mass_energies(const ElementMesh &mesh, const MassKind kind, const std::vector<double> &x)
  {
    Array<double> energies(memory(), poison<double>(mesh.n_elements));
    backend().make_mass_matrix(mesh, kind)->energies(Array<double>(memory(), x), energies);
    return energies.to_host();
  }

  /// Whether the volumes of the elements are those of the points of their mass.
  bool has_exact_volumes(const bool is_curved) const
  {
    return !is_curved || (type() != type_of<Tet10>() && type() != type_of<Hex20Irons>());
  }
};

TEST_P(ElementFields, ArmHasTheValuesOfAnotherProgram)
{
  const ArmFields *expected = nullptr;
  for (const ArmFields &fields : arm_fields)
    if (type().name == std::string(fields.type) ||
        (type() == type_of<Tet10Curved>() && fields.type == std::string("tet10")))
      expected = &fields; // curved tetrahedra with straight lines are the others
  ASSERT_NE(expected, nullptr);
  const Arm arm(type());
  const ElementMesh &mesh = arm.mesh;

  // (1) Stresses.
  const auto state = state_of(arm, 1e-12);
  const std::vector<double> ones(mesh.n_elements, 1.);
  state->set_stiffness(Array<double>(memory(), ones));
  state->solve(0);
  const std::vector<double> u = state->displacement(0);
  const std::size_t cell      = 1 + 6 * 3 * 3;
  const std::size_t e         = mesh.type.n_vertices == 4 ? 6 * cell + 2 : cell;
  const Material material{1., 0.3};
  EXPECT_NEAR(at_centres(mesh, material, u)[e], expected->at_centre, 2e-9);
  EXPECT_NEAR(von_mises_stress(mesh, material, 1., u, e), expected->at_centre, 2e-9);
  EXPECT_NEAR(at_nodes(mesh, material, u)[arm.node({{2, 2, 8}})], expected->at_node, 2e-9);
  const LargestValues largest = largest_values({}, mesh, material, ones, u, 2);
  double of_centres = 0., of_corners = 0.;
  for (std::size_t k = 0; k < mesh.n_elements; ++k)
    {
      of_centres = std::max(of_centres, von_mises_stress(mesh, material, 1., u, k));
      of_corners = std::max(of_corners, largest_corner_stress(mesh, material, 1., u, k));
    }
  EXPECT_EQ(largest.stress, of_centres);
  EXPECT_EQ(largest.corner_stress, of_corners);

  // (2) Frequencies.
  const auto mass = backend().make_mass_matrix(mesh, MassKind::consistent);
  const VibrationReport report =
    state->solve_vibration(*mass, Array<double>(memory(), ones), {3, 1e-7, 5000});
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(std::sqrt(report.eigenvalues[i]) / (2. * std::acos(-1.)),
                expected->frequencies[i],
                1e-8 * expected->frequencies[i]);
}

// The mass of a uniform motion is that of the volume, and its product the weight. The matrix is
// symmetric, its energies are those of its products, and its diagonal that of unit vectors.
TEST_P(ElementFields, MassIsThatOfTheVolume)
{
  for (const bool is_curved : {false, true})
    {
      SCOPED_TRACE(is_curved ? "curved" : "straight");
      const Arm arm(type(), is_curved);
      const ElementMesh &mesh           = arm.mesh;
      const std::vector<double> factors = random_vector(mesh.n_elements, 1, 0.2, 1.);
      const auto x                      = random_vector(mesh.n_dofs(), 2);
      const auto y                      = random_vector(mesh.n_dofs(), 3);
      std::vector<MassKind> kinds       = {MassKind::consistent};
      if (obstacle_to_lumped_mass(type()).empty())
        kinds.push_back(MassKind::lumped);
      std::vector<double> in_z(mesh.n_dofs(), 0.);
      for (std::size_t node = 0; node < mesh.n_nodes; ++node)
        in_z[3 * node + 2] = 1.;
      for (const MassKind kind : kinds)
        {
          const auto energies = mass_energies(mesh, kind, in_z);
          for (std::size_t e = 0; e < mesh.n_elements && has_exact_volumes(is_curved); ++e)
            EXPECT_NEAR(energies[e], mesh.volumes[e], 1e-13);
          const auto Mx = times_mass(mesh, kind, factors, x),
                     My = times_mass(mesh, kind, factors, y);
          EXPECT_NEAR(dot(Mx, y), dot(My, x), 1e-13 * norm(Mx) * norm(y));
          EXPECT_NEAR(dot(Mx, x), dot(factors, mass_energies(mesh, kind, x)), 1e-13 * dot(Mx, x));
          EXPECT_TRUE(same_bits(times_mass(mesh, kind, factors, x), Mx));
        }
      std::vector<double> weights(3 * mesh.n_elements, 0.);
      std::fill_n(weights.end() - static_cast<std::ptrdiff_t>(mesh.n_elements),
                  mesh.n_elements,
                  1.);
      EXPECT_LE(relative_difference(SelfWeight(mesh).forces(weights, factors),
                                    times_mass(mesh, MassKind::consistent, factors, in_z)),
                1e-13);
      const ConsistentMass<double> consistent(backend(), mesh, factors);
      const std::vector<double> diagonal = consistent.diagonal().to_host();
      for (const std::size_t i : {std::size_t(4), mesh.n_dofs() / 2, mesh.n_dofs() - 1})
        {
          std::vector<double> unit(mesh.n_dofs(), 0.);
          unit[i] = 1.;
          EXPECT_NEAR(times_mass(mesh, MassKind::consistent, factors, unit)[i], diagonal[i], 1e-14);
        }
    }
}

// Powers of a linear function on tetrahedra with straight lines: the integral of its 2 k-th power
// is V (2k)! 3! / (2k + 3)! times the sum of all monomials of degree 2 k of its values at vertices.
TEST_P(ElementFields, MassOfTetrahedraIsExact)
{
  if (type().n_vertices != 4)
    GTEST_SKIP() << "no tetrahedra";
  const Arm arm(type());
  const ElementMesh &mesh = arm.mesh;
  const int k             = type().n_nodes == 4 ? 1 : 2;
  std::vector<double> x(mesh.n_dofs(), 0.), values(mesh.n_nodes);
  for (std::size_t node = 0; node < mesh.n_nodes; ++node)
    {
      values[node]    = mesh.coordinates[node] - 0.7 * mesh.coordinates[mesh.n_nodes + node] + 0.2;
      x[3 * node + 1] = std::pow(values[node], k);
    }
  const auto energies = mass_energies(mesh, MassKind::consistent, x);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    {
      std::vector<double> sums(static_cast<std::size_t>(2 * k + 1), 0.); // of degrees 0, 1, ...
      sums[0] = 1.;
      for (std::size_t v = 0; v < 4; ++v)
        for (std::size_t degree = 1; degree < sums.size(); ++degree)
          sums[degree] += values[mesh.node(e, v)] * sums[degree - 1];
      const double share = k == 1 ? 1. / 10. : 1. / 35.; // (2k)! 3! / (2k + 3)!
      EXPECT_NEAR(energies[e], mesh.volumes[e] * share * sums.back(), 1e-13);
    }
}

TEST_P(ElementFields, LumpedMassIsTheSumOfRowsOrRefused)
{
  const Arm arm(type());
  const std::vector<double> ones(arm.mesh.n_elements, 1.), x(arm.mesh.n_dofs(), 1.);
  if (type().n_nodes == 10 || type().n_nodes == 20)
    expect_error([&] { times_mass(arm.mesh, MassKind::lumped, ones, x); },
                 {"negative at vertices of elements of type " + std::string(type().name),
                  "consistent mass"});
  else
    EXPECT_LE(relative_difference(times_mass(arm.mesh, MassKind::lumped, ones, x),
                                  times_mass(arm.mesh, MassKind::consistent, ones, x)),
              1e-13);
}

TEST_P(ElementFields, LinearDisplacementsHaveOneStressAndRigidOnesNone)
{
  const Material steel{2.1, 0.29};
  for (const bool is_curved : {false, true})
    {
      const Arm arm(type(), is_curved);
      const ElementMesh &mesh   = arm.mesh;
      const auto u              = LinearField::displacement(mesh);
      const double expected     = LinearField::stress(steel);
      std::vector<double> rigid = std::vector<double>(mesh.n_dofs(), 0.);
      for (std::size_t node = 0; node < mesh.n_nodes; ++node)
        {
          rigid[3 * node]     = 0.3 - mesh.coordinates[mesh.n_nodes + node];
          rigid[3 * node + 1] = mesh.coordinates[node];
        }
      for (const auto &stresses : {at_centres(mesh, steel, u), at_nodes(mesh, steel, u)})
        for (const double stress : stresses)
          EXPECT_NEAR(stress, expected, 1e-11 * expected);
      for (const auto &stresses : {at_centres(mesh, steel, rigid), at_nodes(mesh, steel, rigid)})
        EXPECT_LE(max_norm(stresses), 1e-11);
      for (const std::size_t e : {std::size_t(0), mesh.n_elements - 1})
        {
          EXPECT_NEAR(von_mises_stress(mesh, steel, 1., u, e), expected, 1e-11 * expected);
          EXPECT_NEAR(largest_corner_stress(mesh, steel, 1., u, e), expected, 1e-11 * expected);
        }
    }
}

TEST_P(ElementFields, SlopesOfStressesEqualDifferences)
{
  const Material steel{2.1, 0.29};
  const Arm arm(type(), true);
  const auto u       = random_vector(arm.mesh.n_dofs(), 1);
  const auto factors = random_vector(arm.mesh.n_elements, 2, 0.5, 2.);
  Array<double> g(memory(), poison<double>(u.size()));
  backend().make_element_stress(arm.mesh)->add_up_slopes(steel,
                                                         Array<double>(memory(), factors),
                                                         Array<double>(memory(), u),
                                                         g);
  const auto slopes    = g.to_host();
  const auto direction = random_vector(u.size(), 3);
  const auto sum       = [&](const std::vector<double> &v) {
    return dot(factors, at_centres(arm.mesh, steel, v));
  };
  EXPECT_NEAR(dot(slopes, direction),
              difference_along(sum, u, direction, 5e-5),
              1e-8 * norm(slopes) * norm(direction));
}

// Every response, of a force, and of a pressure with the weight of the body, through a projection.
// Those that integrate over elements themselves go through the PDE filter, which does so too. The
// direction has the signs of the gradient, so that no parts cancel.
TEST_P(ElementFields, GradientsEqualDifferences)
{
  const Arm arm(type(), type() != type_of<Tet10>(), {{3, 2, 2}});
  const std::size_t n = arm.mesh.n_elements;
  std::vector<double> weights(3 * n, 0.);
  std::fill(weights.begin() + static_cast<std::ptrdiff_t>(2 * n), weights.end(), -1.);
  const std::vector<LoadCase> loads = {
    {"force", 0.7, arm.force()}, {"pressure and weight", 2., arm.pressure().first, weights, true}};
  const auto x = random_vector(n, 4, 0.3, 0.9);
  for (const ResponseEntry &entry : responses())
    {
      SCOPED_TRACE(entry.name);
      ParameterValues values = values_for(entry.name);
      if (values.count("Diameter") > 0)
        values["Diameter"] = 2.2;
      if (entry.n_modes != nullptr)
        values["Tolerance"] = 1e-9;
      const auto response =
        make_response(entry.name, {backend(), Communicator(), arm.mesh, {}, nullptr, values});
      DesignChain map =
        make_design_chain({entry.bytes_of_type == nullptr ? "density" : "helmholtz", "projection"},
                          backend(),
                          Communicator(),
                          arm.mesh,
                          {1.5, 1e-3},
                          {});
      FunctionOfDesign function(
        backend(), arm.mesh, loads, {3., 1e-4}, problem_of(*response, entry.by_load_case), &map);
      std::vector<double> direction;
      function.value(x, &direction);
      const double size = max_norm(direction);
      ASSERT_GT(size, 0.);
      const auto parts = random_vector(n, 5, 0.2, 1.8);
      for (std::size_t e = 0; e < n; ++e)
        direction[e] *= parts[e] / size;
      expect_slope_along(function, x, direction);
    }
}

// The PDE filter keeps constants and the volume, and is self-adjoint in the volumes. Its normals
// vanish at nodes inside, and sum up to zero.
TEST_P(ElementFields, PdeFilterKeepsConstantsAndTheVolume)
{
  for (const bool is_curved : {false, true})
    {
      const Arm arm(type(), is_curved);
      const ElementMesh &mesh = arm.mesh;
      const auto of_neumann   = [&](const std::vector<double> &x, const char *const boundary) {
        DesignChain map = make_design_chain({"helmholtz"},
                                            backend(),
                                            Communicator(),
                                            mesh,
                                            {0.9, 1e-3},
                                            {{"helmholtz", {{"Boundary", boundary}}}});
        return mapped(backend(), map, x);
      };
      const std::vector<double> constant(mesh.n_elements, 0.7);
      EXPECT_LE(relative_difference(of_neumann(constant, "neumann"), constant), 1e-11);
      const auto a = random_vector(mesh.n_elements, 1, 0., 1.),
                 b = random_vector(mesh.n_elements, 2, -1., 1.);
      for (const char *const boundary : {"neumann", "robin"})
        {
          const auto Fa = of_neumann(a, boundary), Fb = of_neumann(b, boundary);
          const double volume = dot(mesh.volumes, a);
          if (boundary == std::string("neumann"))
            EXPECT_NEAR(dot(mesh.volumes, Fa), volume, 1e-11 * volume);
          else
            EXPECT_LT(dot(mesh.volumes, Fa), 0.95 * volume);
          EXPECT_GT(relative_difference(Fa, a), 0.1);
          double aFb = 0., bFa = 0.;
          for (std::size_t e = 0; e < mesh.n_elements; ++e)
            {
              aFb += mesh.volumes[e] * a[e] * Fb[e];
              bFa += mesh.volumes[e] * b[e] * Fa[e];
            }
          EXPECT_NEAR(aFb, bFa, 1e-11 * volume);
        }
      const auto normals = boundary_normals(mesh);
      for (std::size_t node = 0; node < mesh.n_nodes && has_exact_volumes(is_curved); ++node)
        {
          bool is_inner = true;
          for (std::size_t d = 0; d < 3; ++d)
            is_inner =
              is_inner && arm.lattice[node][d] != 0 && arm.lattice[node][d] != 2 * arm.n_cells[d];
          for (std::size_t d = 0; is_inner && d < 3; ++d)
            EXPECT_NEAR(normals[3 * node + d], 0., 1e-13);
        }
    }
}

// Elements without material are left out of the system, and so are parts that carry no load. Level
// sets are of hex8 alone.
TEST_P(ElementFields, EvolutionsLeaveVoidOut)
{
  const Arm arm(type());
  const std::vector<LoadCase> loads = {{"force", 1., arm.force()}};
  BesoProblem::Options options;
  options.method.kill           = BesoSettings::Kill::hard;
  options.method.evolution_rate = 0.1;
  options.filter_radius         = 0.75;
  options.volume_fraction       = 0.7;
  BesoProblem problem(backend(), arm.mesh, loads, options);
  const auto &history = problem.run();
  EXPECT_TRUE(problem.method().converged());
  EXPECT_EQ(problem.method().verdict().text, "");
  EXPECT_GT(history.size(), 3u);
  EXPECT_NEAR(history.back().volume_fraction, 0.7, 0.02);
  EXPECT_LT(history.back().objective, 2. * history.front().objective);
  for (const double density : problem.method().analysed_densities())
    EXPECT_TRUE(density == 0. || density == 1.) << density;
}

// Elements are cut at a level of the stress until the volume is reached; what is left carries the
// force.
TEST_P(ElementFields, AreCutAtALevelOfTheStress)
{
  const Arm arm(type());
  IsoStressProblem::Options options;
  options.volume_fraction = 0.8;
  IsoStressProblem problem(backend(), arm.mesh, {{"force", 1., arm.force()}}, options);
  const auto &history = problem.run();
  ASSERT_GT(history.size(), 3u);
  EXPECT_NEAR(history.back().volume_fraction, 0.8, 0.05);
  EXPECT_GT(history.back().objective, history.front().objective);
  EXPECT_LT(history.back().objective, 2. * history.front().objective);
}

// The memory of the plan is that in use.
TEST_P(ElementFields, MemoryIsThatOfThePlan)
{
  if (!memory().is_host())
    GTEST_SKIP() << "the host's memory is not rounded up";
  const Arm arm(type());
  const auto n = static_cast<double>(arm.mesh.n_elements), nodes = double(arm.mesh.n_nodes);
  const auto in_use = [&](const std::function<std::shared_ptr<void>()> &make) {
    const std::size_t before = memory().in_use();
    const auto object        = make();
    return static_cast<double>(memory().in_use() - before);
  };
  // Tables of shape functions are small beside the arrays of large meshes, and do not count.
  const double table = 8. * 3. * type().n_nodes * type().n_nodes;
  const double mass =
    MassMatrix::bytes_per_element(type()) * n + MassMatrix::bytes_per_node * nodes;
  EXPECT_NEAR(in_use([&]() -> std::shared_ptr<void> {
                return backend().make_mass_matrix(arm.mesh, MassKind::consistent);
              }),
              mass,
              table + 4.);
  const double stress = SolidStress::bytes_of_type(type()) * n + 28. * nodes; // without slopes
  EXPECT_NEAR(in_use(
                [&]() -> std::shared_ptr<void> { return backend().make_element_stress(arm.mesh); }),
              stress,
              table + 4.);
}

INSTANTIATE_TEST_SUITE_P(Core,
                         ElementFields,
                         ::testing::Combine(at_all_places(), ::testing::ValuesIn(element_types())),
                         [](const auto &info) {
                           std::string name = to_string(std::get<0>(info.param)) + "_" +
                                              std::get<1>(info.param).name;
                           for (char &c : name)
                             c = c == '-' ? '_' : c;
                           return name;
                         });
} // namespace
} // namespace strut::test
