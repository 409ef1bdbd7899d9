// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Loads of the type 'rotation': forces by the mass that grow with the distance from an axis.
#include "source/solvers/state/self_weight.h"
#include "tests/plugin/problem_fixture.h"
#include "tests/plugin/text_checks.h"

namespace strut
{
namespace
{
class RotationProblem : public ProblemTest
{
protected:
  static std::string
  rotation(const std::string &region, const std::string &omega, const std::string &entries)
  {
    return section("Loads / spin",
                   region + "\nset Type = rotation\nset Value = " + omega + "\n" +
                     section("Rotation", entries));
  }

  /// Forces on the nodes of the solid body.
  static std::vector<double> forces_of(const Problem &problem)
  {
    const LoadCase &load_case = problem.load_cases().at(0);
    const SelfWeight weight(problem.mesh());
    const std::vector<double> ones(problem.mesh().n_elements, 1.);
    std::vector<double> forces = weight.forces(load_case.weights, ones);
    weight.add_forces(load_case.uneven_weights, ones, forces);
    return forces;
  }
};

// A box with two masses that turns about an oblique axis, for all types of elements. The force is
// m omega^2 r of the centroid, and the moment omega x (J omega) with J = int rho x x^T dx.
TEST_F(RotationProblem, HasTheForceOfItsMassAndItsMoment)
{
  const dealii::Tensor<1, 3> omega({0.3, -0.2, 0.5}), point({-1., 7., 2.});
  dealii::Tensor<1, 3> force, moment;
  for (const bool is_heavy : {false, true}) // 2.5 from x = 0 to 3, and 5 from there to 4
    {
      const dealii::Tensor<1, 3> size({is_heavy ? 1. : 3., 3., 2.});
      const dealii::Tensor<1, 3> arm =
        dealii::Tensor<1, 3>({is_heavy ? 3.5 : 1.5, 1.5, 1.}) - point;
      const double mass            = (is_heavy ? 5. : 2.5) * size[0] * size[1] * size[2];
      dealii::Tensor<1, 3> J_omega = mass * (arm * omega) * arm;
      for (unsigned int d = 0; d < 3; ++d)
        J_omega[d] += mass * size[d] * size[d] / 12. * omega[d];
      force += mass * (omega.norm_square() * arm - (omega * arm) * omega);
      moment += dealii::cross_product_3d(omega, J_omega);
    }
  for (const std::string type : {"of the source", "hex20", "hex27", "tet4", "tet10"})
    {
      SCOPED_TRACE(type);
      const Problem &problem =
        setup(section("Mesh", "set Element type = " + type) + beam + wall +
              section("Materials / heavy", "set Expression = x > 3\nset Mass ratio = 2") +
              rotation("set Expression = everywhere",
                       "0.3, -0.2, 0.5",
                       "set Point = -1, 7, 2\nset Density = 2.5"));
      const std::vector<double> forces = forces_of(problem);
      dealii::Tensor<1, 3> total, about;
      const ElementMesh &mesh = problem.mesh();
      for (std::size_t n = 0; n < mesh.n_nodes; ++n)
        {
          const dealii::Tensor<1, 3> f({forces[3 * n], forces[3 * n + 1], forces[3 * n + 2]});
          dealii::Tensor<1, 3> arm;
          for (unsigned int d = 0; d < 3; ++d)
            arm[d] = mesh.coordinates[d * mesh.n_nodes + n] - point[d];
          total += f;
          about += dealii::cross_product_3d(arm, f);
        }
      total = dealii::Utilities::MPI::sum(total, MPI_COMM_WORLD);
      about = dealii::Utilities::MPI::sum(about, MPI_COMM_WORLD);
      EXPECT_LE((total - force).norm(), 1e-11 * force.norm());
      EXPECT_LE((about - moment).norm(), 1e-11 * moment.norm());
    }
}

// A ring about its axis: free rims, and no strain along the axis, either since Poisson's ratio is 0
// or since both faces are held. u = rho w^2 (3 + v) (1 - v) / (8 E) r (a^2 + b^2
// - (1 + v) / (3 + v) r^2 + (1 + v) / (1 - v) a^2 b^2 / r^2), where plane strain has
// E / (1 - nu^2) and v = nu / (1 - nu).
TEST_F(RotationProblem, StretchesARingByTheClosedForm)
{
  constexpr double a = 1., b = 2., rho = 3., w = 0.5, youngs_modulus = 70., length = 0.5;
  for (const double nu : {0., 0.3})
    {
      const double E = youngs_modulus / (1. - nu * nu), v = nu / (1. - nu);
      const double factor = rho * w * w * (3. + v) * (1. - v) / (8. * E);
      const auto u        = [&](const double r) {
        return factor * r *
               (a * a + b * b - (1. + v) / (3. + v) * r * r +
                (1. + v) / (1. - v) * a * a * b * b / (r * r));
      };
      // the integral of rho w^2 r u over the volume, by Simpson's rule
      double work     = 0.;
      constexpr int n = 200;
      for (int i = 0; i <= n; ++i)
        {
          const double r = a + (b - a) * i / n;
          work += (i == 0 || i == n ? 1.
                   : i % 2 == 1     ? 4.
                                    : 2.) *
                  (b - a) / (3. * n) * rho * w * w * r * u(r) * 2. * dealii::numbers::PI * r *
                  length;
        }
      // Edges are straight, so that the error is one of the geometry, and falls as h^2.
      const auto error = [&](const std::string &radial, const std::string &around) {
        return compliance(setup(
                 section("Mesh", "set Type = hollow cylinder\nset Element type = hex20") +
                 section("Mesh / Hollow cylinder",
                         "set Length = 0.5\nset Elements axial = 1\nset Elements radial = " +
                           radial + "\nset Elements circumferential = " + around) +
                 section("Material",
                         "set Young's modulus = 70\nset Poisson's ratio = " + std::to_string(nu)) +
                 section("Symmetry", "set Planes = x = 0, y = 0, z = zmin") +
                 section("Supports / top", "set Expression = z > zmax - tol\nset Components = z") +
                 rotation("set Expression = everywhere", "0, 0, 0.5", "set Density = 3"))) /
                 work -
               1.;
      };
      const double coarse = error("4", "32"), fine = error("8", "64");
      EXPECT_NEAR(coarse / fine, 4., 0.1);
      EXPECT_NEAR((4. * fine - coarse) / 3., 0., 5e-5);
    }
}

TEST_F(RotationProblem, HalfAModelHasTheForcesOfTheWhole)
{
  const std::string everywhere = "set Expression = everywhere";
  const std::string end        = section("Supports / wall", "set Expression = x < xmin + tol");
  const auto half              = [&](const std::string &plane) {
    return box_deck(4, 2, 2) + end + section("Symmetry", "set Planes = " + plane);
  };
  // The plane contains the axis, or is normal to it.
  for (const std::string omega : {"2, 0, 0.", "0, 0, 2", "2, 0, 3", "0, 2, 0"})
    {
      SCOPED_TRACE(omega);
      const std::string load = rotation(everywhere, omega, "set Density = 2\nset Point = 1, 2, -1");
      const double whole     = compliance(setup(box_deck(4, 4, 2) + end + load));
      const Problem &model   = setup(half("y = ymax") + load);
      EXPECT_EQ(model.describe().find("acts along"), std::string::npos); // no NOTE on the image
      EXPECT_NEAR(2. * compliance(model) / whole, 1., 1e-9);
    }
  const auto refused = [&](const std::string &omega, const std::string &point) {
    return complaint(half("y = ymax") +
                     rotation(everywhere, omega, "set Density = 2\nset Point = " + point));
  };
  EXPECT_EQ(refused("0, 3, 0", "0, 1.5, 0"), "");
  const std::string beside = refused("0, 0, 3", "0, 1.5, 0");
  EXPECT_CONTAINS(beside, "Loads / spin / Rotation / Point");
  EXPECT_CONTAINS(beside, "The axis is at y = 1.5, beside the plane of symmetry y = 2");
  const std::string oblique = refused("0, 1, 3", "0, 2, 0");
  EXPECT_CONTAINS(oblique, "Loads / spin / Value");
  EXPECT_CONTAINS(oblique, "The axis is oblique to the plane of symmetry y = 2");
}

// An element around the axis, where the mean of the force is zero.
TEST_F(RotationProblem, PullsAnElementOnTheAxisApart)
{
  const Problem &problem = setup(
    box_deck(1, 1, 1) +
    section("Supports / low", "set Expression = z < zmin + tol\nset Components = z") +
    section("Supports / x", "set Expression = x < xmin + tol\nset Components = x") +
    section("Supports / y", "set Expression = y < ymin + tol\nset Components = y") +
    rotation("set Expression = everywhere", "0, 0, 2", "set Density = 3\nset Point = .5, .5, 0"));
  EXPECT_NO_THROW(problem.check_well_posed());
  const std::vector<double> forces = forces_of(problem);
  // rho w^2 int N_v x dx, where N_v has the mean (1 + 2 x) / 8 over y and z
  const std::size_t n_nodes = problem.mesh().n_nodes; // none on a rank without the element
  for (std::size_t n = 0; n < n_nodes; ++n)
    for (std::size_t d = 0; d < 2; ++d)
      EXPECT_NEAR(forces[3 * n + d],
                  (problem.mesh().coordinates[d * n_nodes + n] > 0.5 ? 12. : -12.) / 48.,
                  1e-14);
}

TEST_F(RotationProblem, RefusesWhatIsNoRotation)
{
  const std::string everywhere = "set Expression = everywhere";
  const auto refused = [&](const std::string &load) { return complaint(beam + wall + load); };
  EXPECT_CONTAINS(refused(rotation(everywhere, "0, 0, 0", "set Density = 1")),
                  "The angular velocity is zero");
  EXPECT_CONTAINS(refused(rotation(everywhere, "0, 0, 1", "set Point = 1, 2, 3")),
                  "no density is given");
  EXPECT_CONTAINS(refused(rotation(everywhere, "0, 0, 1", "set Density = 1\nset Point = 1, 2")),
                  "2 numbers are no vector");
  EXPECT_CONTAINS(refused(rotation("set Boundary ids = 1", "0, 0, 1", "set Density = 1")),
                  "A force per volume acts on elements");
  EXPECT_CONTAINS(refused(rotation("set Expression = x > 100", "0, 0, 1", "set Density = 1")),
                  "no element");
}
} // namespace
} // namespace strut
