// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Elements of every type, on the strategies that take them.
#include "../fixtures/arm.h"
#include "../fixtures/design_problem.h"
#include "../fixtures/solve.h"
#include "applied.h"
#include "source/optimization/maps/sensitivity_filter.h"
#include "source/solvers/krylov/jacobi.h"
#include "source/solvers/state/self_weight.h"

#include <strut/base/exceptions.h>
#include <strut/element/elasticity_matrix.h>
#include <strut/element/solids.h>

#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace strut::test
{
namespace
{
/// Values of the arm, E = 1 and nu = 0.3, by another program: ten digits.
struct ArmValues
{
  const char *type;
  std::size_t n_nodes;
  double compliance;
  std::array<double, 3> u_of_corner; ///< displacement of the node at (3, 0, 2)
  double largest;                    ///< displacement of a node
  double energy;                     ///< strain energy of an element in cell (1, 0, 3)
  double simp;                       ///< compliance of the design
  double gradient;                   ///< derivative of that, for the same element
  double by_count, by_volume;        ///< derivative, filtered with the radius 0.75
};

const ArmValues arm_values[] = {{"tet4",
                                 140,
                                 9.068271631,
                                 {{3.294477655, 0.1122973645, -9.122068496}},
                                 9.920523714,
                                 0.009456781716,
                                 113.0571986,
                                 -4.053710821,
                                 -4.769476601,
                                 -4.654834288},
                                {"tet10",
                                 819,
                                 11.46529682,
                                 {{4.06066126, -0.840424169, -11.57775166}},
                                 12.63090895,
                                 0.02055394621,
                                 153.3950857,
                                 -8.533749177,
                                 -7.357085992,
                                 -7.180246178},
                                {"hex8",
                                 140,
                                 10.74262427,
                                 {{3.781024851, -0.7563708143, -10.80351145}},
                                 11.72300002,
                                 0.1269665511,
                                 139.8881309,
                                 -54.50942535,
                                 -42.10455751,
                                 -41.88579097},
                                {"hex20-14",
                                 477,
                                 11.49148771,
                                 {{4.06476578, -0.8309833012, -11.59155552}},
                                 12.70800747,
                                 0.1369517976,
                                 154.1818954,
                                 -58.77401167,
                                 -46.40704818,
                                 -46.16592678},
                                {"hex20",
                                 477,
                                 11.49239913,
                                 {{4.065073775, -0.8314689858, -11.59352521}},
                                 12.70868006,
                                 0.1369414401,
                                 154.2177479,
                                 -58.78994514,
                                 -46.42119565,
                                 -46.18000075},
                                {"hex27",
                                 819,
                                 11.57146846,
                                 {{4.103146325, -0.8115125451, -11.67216679}},
                                 12.78590111,
                                 0.1318055408,
                                 156.1100151,
                                 -57.69898785,
                                 -46.60388474,
                                 -46.36174062}};

/// Compliances of the first designs of the arm by optimality criteria, with both weights of the
/// filter: volume fraction 0.4, radius 0.75, least density 0.001.
struct ArmDesigns
{
  const char *type;
  std::array<double, 6> by_count, by_volume;
};

const ArmDesigns arm_designs[] = {
  {"tet4",
   {{141.6917442, 113.6778346, 91.17418729, 79.27854941, 72.73553373, 68.10321044}},
   {{141.6917442, 114.1880362, 91.32301727, 79.45500961, 72.88741576, 68.15729082}}},
  {"tet10",
   {{179.1452628, 142.9759467, 124.5326027, 115.9101464, 112.0716565, 107.921383}},
   {{179.1452628, 143.4074568, 124.3540394, 115.8084077, 111.8650972, 107.7858215}}},
  {"hex8",
   {{167.8535042, 135.1032826, 117.5014187, 110.4732618, 106.5806649, 103.2955572}},
   {{167.8535042, 135.2255242, 117.520859, 110.538887, 106.7549634, 103.4660684}}},
  {"hex20-14",
   {{179.5544955, 146.1402199, 129.6836111, 123.8074541, 120.8136529, 117.8987359}},
   {{179.5544955, 146.2577681, 129.6851244, 123.8391821, 120.9067837, 117.9608642}}},
  {"hex20",
   {{179.5687365, 146.1504591, 129.6931802, 123.8176906, 120.8227751, 117.9072734}},
   {{179.5687365, 146.2679047, 129.695364, 123.8504268, 120.9167919, 117.9694482}}},
  {"hex27",
   {{180.8041947, 147.1923893, 130.6809893, 124.8911173, 121.9744764, 119.1032612}},
   {{180.8041947, 147.3107916, 130.678092, 124.921902, 122.0614031, 119.1676724}}}};

ElementType type_named(const std::string &name)
{
  for (const ElementType &type : element_types())
    if (name == type.name)
      return type;
  throw Error("no such type");
}

class ElementTypesTest : public ElementOperatorTest
{
protected:
  bool takes_types() const
  {
    return find_named(backend().strategies<double>(), GetParam().strategy, "strategy").takes_types;
  }

  /// Solves for the force of the arm with stiffness factors, to 1e-12. Hexahedra of 20 nodes are
  /// solved to 1e-11, since rounding may keep 1e-12 out of reach.
  std::vector<double> solve(const Arm &arm, const std::vector<double> &factors)
  {
    return solve(arm, factors, arm.force());
  }

  std::vector<double>
  solve(const Arm &arm, const std::vector<double> &factors, std::vector<double> load)
  {
    ElasticityOperator<double> K(
      backend(), Communicator(), arm.mesh, Material{1., 0.3}, GetParam().strategy);
    JacobiPreconditioner<double> M(backend());
    for (const LocalIndex dof : arm.mesh.constrained_dofs)
      load[dof] = 0.;
    const Solution solution =
      solve_from_zero(backend(),
                      K,
                      M,
                      factors,
                      load,
                      to_tolerance(arm.mesh.type.n_nodes == 20 ? 1e-11 : 1e-12, 5000));
    EXPECT_TRUE(solution.report.converged);
    Array<double> u(memory(), solution.u), energies(memory(), arm.mesh.n_elements);
    K.energies(u, energies);
    energies_ = energies.to_host();
    return solution.u;
  }

  std::vector<double> energies_; ///< u . K0 u of each element after solve()
};

double compliance(const Arm &arm, const std::vector<double> &u)
{
  return dot(arm.force(), u);
}

/// An element of cell (1, 0, 3).
std::size_t element_of_cell(const Arm &arm)
{
  const std::size_t cell = 1 + 6 * 3 * 3;
  return arm.mesh.type.n_vertices == 4 ? 6 * cell + 2 : cell;
}

/// The densities 0.5 + 0.3 sin(3 x) cos(2 y + z).
std::vector<double> waves(const ElementMesh &mesh)
{
  std::vector<double> design(mesh.n_elements);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    {
      const std::array<double, 3> x = mesh.centre(e);
      design[e]                     = 0.5 + 0.3 * std::sin(3. * x[0]) * std::cos(2. * x[1] + x[2]);
    }
  return design;
}

std::vector<double> cubes_of(std::vector<double> values)
{
  for (double &value : values)
    value = value * value * value;
  return values;
}

/// Expects the digits of another program.
void expect_digits(const double found, const double expected)
{
  EXPECT_NEAR(found, expected, 1e-8 * std::abs(expected));
}

TEST_P(ElementTypesTest, ArmHasTheValuesOfAnotherProgram)
{
  if (!takes_types() || GetParam().precision != Precision::fp64)
    GTEST_SKIP()
      << "the strategy takes hex8 alone, or the test asks for more digits than float has";
  for (const ArmValues &expected : arm_values)
    {
      SCOPED_TRACE(expected.type);
      const Arm arm(type_named(expected.type));
      const ElementMesh &mesh = arm.mesh;
      ASSERT_EQ(mesh.n_nodes, expected.n_nodes);
      EXPECT_NEAR(std::accumulate(mesh.volumes.begin(), mesh.volumes.end(), 0.), 9.163368233, 1e-9);

      // (1) The solid.
      const std::vector<double> u = solve(arm, std::vector<double>(mesh.n_elements, 1.));
      expect_digits(compliance(arm, u), expected.compliance);
      const LocalIndex corner = arm.node({{12, 0, 8}});
      double largest          = 0.;
      for (std::size_t d = 0; d < 3; ++d)
        expect_digits(u[3 * corner + d], expected.u_of_corner[d]);
      for (std::size_t node = 0; node < mesh.n_nodes; ++node)
        largest = std::max(largest, std::hypot(u[3 * node], u[3 * node + 1], u[3 * node + 2]));
      expect_digits(largest, expected.largest);
      const std::size_t e = element_of_cell(arm);
      expect_digits(0.5 * energies_[e], expected.energy);

      // (2) A design, its gradient, and that filtered.
      const std::vector<double> design = waves(mesh);
      expect_digits(compliance(arm, solve(arm, cubes_of(design))), expected.simp);
      std::vector<double> gradient(mesh.n_elements);
      for (std::size_t k = 0; k < mesh.n_elements; ++k)
        gradient[k] = -3. * std::pow(design[k], 2) * energies_[k];
      expect_digits(gradient[e], expected.gradient);
      const Array<double> on_backend(memory(), design);
      for (const auto &[weights, value] :
           {std::make_pair(FilterWeights::count, expected.by_count),
            std::make_pair(FilterWeights::volume, expected.by_volume)})
        {
          Array<double> filtered(memory(), gradient);
          SensitivityFilter(backend(), Communicator(), mesh, 0.75, weights)
            .apply(on_backend, filtered);
          expect_digits(filtered.to_host()[e], value);
        }
    }
}

// The other program holds the volume to rounding.
TEST_P(ElementTypesTest, OptimalityCriteriaGiveTheDesignsOfAnotherProgram)
{
  if (GetParam().strategy != "ebe" || GetParam().precision != Precision::fp64)
    GTEST_SKIP() << "one operator suffices";
  for (const ArmDesigns &expected : arm_designs)
    for (const FilterWeights weights : {FilterWeights::count, FilterWeights::volume})
      {
        SCOPED_TRACE(expected.type);
        const Arm arm(type_named(expected.type));
        DesignProblem::Options options;
        options.strategy                       = GetParam().strategy;
        options.radius                         = 0.75;
        options.simp.volume_fraction           = 0.4;
        options.simp.criteria.minimum_density  = 1e-3;
        options.simp.criteria.volume_tolerance = 1e-11;
        options.simp.filter_weights            = weights;
        options.simp.stopping.criterion        = StoppingRule::Criterion::none;
        DesignProblem problem(backend(), arm.mesh, {{"force", 1., arm.force()}}, options);
        const std::vector<double> found = problem.run(6);
        const auto &compliances =
          weights == FilterWeights::count ? expected.by_count : expected.by_volume;
        for (std::size_t k = 0; k < 6; ++k)
          EXPECT_NEAR(found[k], compliances[k], 1e-6 * compliances[k]) << "design " << k;
      }
}

// The weight of a design depends on the densities, so that the gradient has two parts.
TEST_P(ElementTypesTest, PressureAndWeightHaveTheValuesOfAnotherProgram)
{
  if (GetParam().strategy != "ebe" || GetParam().precision != Precision::fp64)
    GTEST_SKIP() << "one operator suffices";
  struct Loads
  {
    const char *type;
    double area, pressure;      ///< area of the top, compliance of the pressure 1 on it
    double at_node, weight;     ///< force at a node, and compliance, of the solid's weight
    double of_design, gradient; ///< compliance of the weight of a design, and its derivative
  };
  for (const Loads &expected :
       {Loads{
          "tet4", 4.562906007, 40.58558822, -0.06021673299, 153.0563935, 428.2143053, -11.77331294},
        Loads{
          "tet10", 4.562906007, 50.81375053, 0.0120433466, 187.2987739, 562.0334864, -22.79899698},
        Loads{
          "hex8", 4.561009391, 47.55447547, -0.05964475616, 176.1012902, 513.7507436, -139.6092569},
        Loads{"hex20-14",
              4.561009843,
              50.94304761,
              0.06028321435,
              187.4998531,
              560.2712122,
              -155.8026356},
        Loads{
          "hex20", 4.561009843, 50.94744164, 0.06028321435, 187.5172784, 560.4165849, -155.8244812},
        Loads{"hex27",
              4.561009843,
              51.59364754,
              -0.002136275438,
              189.4442747,
              568.3088586,
              -147.1686678}})
    {
      SCOPED_TRACE(expected.type);
      const Arm arm(type_named(expected.type));
      const std::size_t n = arm.mesh.n_elements;
      const std::vector<double> solid(n, 1.), design = waves(arm.mesh);

      // (1) The pressure.
      const auto [pressure, area] = arm.pressure();
      std::array<double, 3> sum{};
      for (std::size_t i = 0; i < pressure.size(); ++i)
        sum[i % 3] += pressure[i];
      expect_digits(area, expected.area);
      expect_digits(sum[0], 0.01091192009);
      EXPECT_NEAR(sum[1], 0., 1e-14);
      expect_digits(sum[2], -4.489352886);
      expect_digits(dot(pressure, solve(arm, solid, pressure)), expected.pressure);

      // (2) The weight of the solid, and of the design.
      const SelfWeight weight(arm.mesh);
      std::vector<double> weights(3 * n, 0.);
      std::fill(weights.begin() + static_cast<std::ptrdiff_t>(2 * n), weights.end(), -1.);
      std::vector<double> load = weight.forces(weights, solid);
      expect_digits(load[3 * arm.node({{2, 2, 8}}) + 2], expected.at_node);
      expect_digits(dot(load, solve(arm, solid, load)), expected.weight);
      load                        = weight.forces(weights, design);
      const std::vector<double> u = solve(arm, cubes_of(design), load);
      expect_digits(dot(load, u), expected.of_design);
      const std::size_t e = element_of_cell(arm);
      expect_digits(2. * weight.work(weights, u)[e] - 3. * std::pow(design[e], 2) * energies_[e],
                    expected.gradient);
    }
}

TEST_P(ElementTypesTest, CurvedArmHasTheValuesOfAnotherProgram)
{
  if (!takes_types() || GetParam().precision != Precision::fp64)
    GTEST_SKIP()
      << "the strategy takes hex8 alone, or the test asks for more digits than float has";
  struct Curved
  {
    const char *type;
    double volume, compliance;
  };
  for (const Curved &expected : {Curved{"tet10-curved", 9.184678424, 11.46917223},
                                 Curved{"tet10", 9.184678646, 11.47324329},
                                 Curved{"hex20-14", 9.184387051, 11.52153769},
                                 Curved{"hex20", 9.184387051, 11.52204034},
                                 Curved{"hex27", 9.184773953, 11.60221521}})
    {
      SCOPED_TRACE(expected.type);
      const Arm arm(type_named(expected.type), true);
      const std::vector<double> u = solve(arm, std::vector<double>(arm.mesh.n_elements, 1.));
      expect_digits(compliance(arm, u), expected.compliance);
      expect_digits(std::accumulate(arm.mesh.volumes.begin(), arm.mesh.volumes.end(), 0.),
                    expected.volume);
    }
}

// Rows of K sum to zero, products are symmetric, the diagonal is that of products with unit
// vectors: in float, too.
TEST_P(ElementTypesTest, RigidMotionsHaveNoForces)
{
  if (!takes_types())
    GTEST_SKIP() << "the strategy takes hex8 alone";
  with_number([&](const auto tag) {
    using Number = decltype(number_of(tag));
    for (const ElementType &type : element_types())
      {
        SCOPED_TRACE(type.name);
        const Arm arm(type, true);
        const ElementMesh &mesh = arm.mesh;
        auto K                  = this->template make<Number>(mesh, {}, random_factors(mesh, 7));
        const double size       = max_norm(K.diagonal());
        for (unsigned int c = 0; c < 3; ++c)
          {
            std::vector<Number> u(mesh.n_dofs()), r(mesh.n_dofs());
            for (std::size_t node = 0; node < mesh.n_nodes; ++node)
              {
                const double y            = mesh.coordinates[(c + 1) % 3 * mesh.n_nodes + node];
                const double z            = mesh.coordinates[(c + 2) % 3 * mesh.n_nodes + node];
                u[3 * node + c]           = Number(1);
                r[3 * node + (c + 1) % 3] = static_cast<Number>(-z);
                r[3 * node + (c + 2) % 3] = static_cast<Number>(y);
              }
            EXPECT_LE(max_norm(K.apply(u)), rounding<Number>() * size);
            EXPECT_LE(max_norm(K.apply(r)), 10 * rounding<Number>() * size);
          }
        const auto x  = random_vector<Number>(mesh.n_dofs(), 1),
                   y  = random_vector<Number>(mesh.n_dofs(), 2);
        const auto Kx = K.apply(x), Ky = K.apply(y), d = K.diagonal();
        double xKy = 0., yKx = 0.;
        for (std::size_t i = 0; i < x.size(); ++i)
          {
            xKy += static_cast<double>(x[i]) * static_cast<double>(Ky[i]);
            yKx += static_cast<double>(y[i]) * static_cast<double>(Kx[i]);
          }
        EXPECT_NEAR(xKy, yKx, rounding<Number>() * size * std::sqrt(x.size()) * 30);
        for (const std::size_t i : {std::size_t(4), mesh.n_dofs() / 2, mesh.n_dofs() - 1})
          {
            std::vector<Number> unit(mesh.n_dofs(), Number(0));
            unit[i] = Number(1);
            EXPECT_NEAR(K.apply(unit)[i], d[i], rounding<Number>() * size);
          }
      }
  });
}

// Forces of a linear displacement vanish at inner nodes, straight or curved.
TEST_P(ElementTypesTest, PassesThePatchTest)
{
  if (!takes_types())
    GTEST_SKIP() << "the strategy takes hex8 alone";
  const double H[3][3] = {{0.3, -0.2, 0.5}, {0.1, 0.4, -0.3}, {-0.6, 0.2, 0.1}};
  with_number([&](const auto tag) {
    using Number = decltype(number_of(tag));
    for (const ElementType &type : element_types())
      for (const bool is_curved : {false, true})
        {
          if ((type == type_of<Hex20Irons>() || type == type_of<Tet10>()) && is_curved)
            continue; // Their points are for straight lines.
          SCOPED_TRACE(std::string(type.name) + (is_curved ? ", curved" : ""));
          const Arm arm(type, is_curved);
          const ElementMesh &mesh = arm.mesh;
          auto K                  = this->template make<Number>(mesh);
          std::vector<Number> u(mesh.n_dofs(), Number(0));
          for (std::size_t node = 0; node < mesh.n_nodes; ++node)
            for (std::size_t i = 0; i < 3; ++i)
              for (std::size_t j = 0; j < 3; ++j)
                u[3 * node + i] +=
                  static_cast<Number>(H[i][j] * mesh.coordinates[j * mesh.n_nodes + node]);
          const auto f      = K.apply(u);
          const double size = max_norm(K.diagonal()) * max_norm(u);
          EXPECT_GT(max_norm(f), 0.001 * size);
          for (std::size_t node = 0; node < mesh.n_nodes; ++node)
            {
              bool is_inner = true;
              for (std::size_t d = 0; d < 3; ++d)
                is_inner = is_inner && arm.lattice[node][d] != 0 &&
                           arm.lattice[node][d] != 2 * arm.n_cells[d];
              for (std::size_t i = 0; is_inner && i < 3; ++i)
                EXPECT_NEAR(f[3 * node + i], 0., rounding<Number>() * size);
            }
        }
  });
}

TEST_P(ElementTypesTest, OthersRefuseThemByName)
{
  if (takes_types())
    GTEST_SKIP() << "the strategy takes elements of any type";
  const Arm arm(type_of<Tet4>());
  const std::string message = message_of([&]() {
    ElasticityOperator<double>(
      backend(), Communicator(), arm.mesh, Material(), GetParam().strategy);
  });
  EXPECT_NE(message.find("'" + GetParam().strategy + "' takes elements of type hex8"),
            std::string::npos)
    << message;
  EXPECT_NE(message.find("tet4"), std::string::npos) << message;
  EXPECT_NE(message.find("ebe, nbn"), std::string::npos) << message;
}

INSTANTIATE_TEST_SUITE_P(Core, ElementTypesTest, of_all_strategies(), strategy_case_name);
} // namespace
} // namespace strut::test
