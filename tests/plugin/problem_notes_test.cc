// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Notes on decks that are legal, but hardly intended. Examples are walls that bend too stiffly,
// planes of symmetry inside the body, void between load and support, and loads without a type.
#include "tests/plugin/problem_fixture.h"

#include "plugin/deck/problem/distance_to_faces.h"
#include "plugin/deck/problem/wall_bending.h"

using namespace strut;

namespace
{
/// A plate of 40 x 4 x 1 in cylindrical bending.
std::string plate(const std::string &elements, const std::string &material)
{
  return section("Mesh / Box", "set Size = 40, 4, 1\nset Elements = " + elements) +
         section("Material", material) + section("Symmetry", "set Planes = y = ymin, y = ymax") +
         section("Supports / wall", "set Boundary ids = 0\nset Components = x, z") +
         load("set Boundary ids = 1", "total force", "0, 0, 1");
}

const std::string tip       = load("set Boundary ids = 1", "total force", "0, 0, 1");
const std::string thickness = "NOTE: walls bend up to ";
} // namespace

TEST_F(ProblemTest, WallsBendTooStifflyByTheFactorThatTheNoteSays)
{
  for (const double nu : {0., 0.3, 0.45})
    for (const bool mean : {false, true})
      for (const unsigned int n_layers : {1u, 2u})
        {
          const std::string layers = std::to_string(n_layers);
          Material material{1., nu};
          material.formulation =
            mean ? Formulation::mean_dilatation : Formulation::full_integration;
          Problem &problem =
            setup(plate("20, 2, " + layers,
                        "set Young's modulus = 1\nset Poisson's ratio = " + std::to_string(nu) +
                          "\nset Volumetric integration = " + (mean ? "mean" : "full")));
          EXPECT_CONTAINS(problem.describe(), thickness);
          // bending of a plate held at its sides, and its shear
          const double theory = 64000. * (1. - nu * nu) + 1.2 * 40. * 2. * (1. + nu) / 4.;
          const double factor = wall_bending_factor(material, 2., 1., n_layers);
          EXPECT_NEAR(theory / compliance(problem), factor, 0.02 * factor)
            << nu << ' ' << mean << ' ' << layers;
        }
}

// One layer of elements twice as long as thick.
TEST_F(ProblemTest, WallsOfElementsWithIncompatibleModesBendAsTheyShould)
{
  for (const double nu : {0., 0.3, 0.45})
    {
      Problem &problem =
        setup(plate("20, 2, 1",
                    "set Young's modulus = 1\nset Poisson's ratio = " + std::to_string(nu) +
                      "\nset Element = incompatible modes"));
      EXPECT_LACKS(problem.describe(), thickness);
      const double theory = 64000. * (1. - nu * nu) + 1.2 * 40. * 2. * (1. + nu) / 4.;
      EXPECT_NEAR(compliance(problem), theory, 0.01 * theory) << nu;
    }
}

TEST_F(ProblemTest, WallsAreFoundOnRefinedMeshesAndBetweenPlanesOfSymmetry)
{
  const auto log_of =
    [&](const std::string &size, const std::string &elements, const std::string &planes) {
      return setup(section("Mesh / Box", "set Size = " + size + "\nset Elements = " + elements) +
                   section("Symmetry", "set Planes = " + planes) + wall + tip)
        .describe();
    };
  // 0.35 (2 / 1)^2 + 0.225
  EXPECT_CONTAINS(log_of("24, 12, 1", "12, 6, 1", ""), thickness + "2.62 times");
  // two layers of a mesh that was refined once
  EXPECT_CONTAINS(log_of("24, 12, 1", "12, 6, 2", ""), thickness + "2.46 times");
  // half of a wall that is twice as thick, and a slice of something thick
  EXPECT_CONTAINS(log_of("24, 12, 1", "12, 6, 1", "z = zmin"), thickness + "1.41 times");
  EXPECT_LACKS(log_of("24, 12, 1", "12, 6, 1", "z = zmin, z = zmax"), thickness);
  // elements as long as two fifths of the wall, and a block
  EXPECT_LACKS(log_of("24, 12, 1", "60, 30, 2", ""), thickness);
  EXPECT_LACKS(log_of("24, 12, 12", "12, 6, 6", ""), thickness);
}

TEST_F(ProblemTest, PlanesOfSymmetryInsideTheBodyAreNoted)
{
  const auto log_of = [&](const std::string &planes) {
    return setup(beam + wall + tip + section("Symmetry", "set Planes = " + planes)).describe();
  };
  EXPECT_CONTAINS(log_of("x = 2"),
                  "NOTE: the symmetry plane x = 2 passes through the mesh, which goes from 0 to 4");
  EXPECT_LACKS(log_of("x = xmin, y = ymax"), "passes through");
}

// Filters see the image behind a plane where the mesh ends; elsewhere the mesh itself is there.
TEST_F(ProblemTest, FiltersSeeImagesWhereTheMeshEndsAlone)
{
  const auto planes_of = [&](const std::string &entries) {
    return setup(beam + wall + tip + section("Symmetry", entries)).mesh().symmetry_planes;
  };
  const auto planes = planes_of("set Planes = y = ymax, x = 2");
  ASSERT_EQ(planes.size(), 1u); // the mesh continues behind x = 2
  EXPECT_EQ(planes[0].normal, 1u);
  EXPECT_NEAR(planes[0].value, 3., 1e-12);
  EXPECT_TRUE(planes_of("set Planes = y = ymax\nset Mirror filters = false").empty());
}

TEST_F(ProblemTest, LoadsAlongTheNormalOfAPlaneOfSymmetryAreNoted)
{
  const auto log_of = [&](const std::string &entries, const std::string &planes) {
    return setup(beam + wall + entries + section("Symmetry", "set Planes = " + planes)).describe();
  };
  const std::string of_tip = "NOTE: load 'tip' acts along ";
  for (const std::string type :
       {"force per node", "total force", "traction", "body force", "self weight"})
    {
      const bool has_faces = type == "total force" || type == "traction";
      const auto acts      = [&](const std::string &value) {
        return load(has_faces ? "set Boundary ids = 1" : "set Expression = x > 2", type, value);
      };
      SCOPED_TRACE(type);
      EXPECT_CONTAINS(log_of(acts("0, 0.1, -5"), "y = ymin"),
                      of_tip + "y, normal to the symmetry plane y = ymin: ");
      EXPECT_CONTAINS(log_of(acts("0, 1, 2"), "y = ymin, z = zmax"),
                      of_tip + "y and z, normal to the symmetry planes y = ymin, z = zmax: ");
      EXPECT_LACKS(log_of(acts("1, 0, -1"), "y = ymin"), of_tip);
      EXPECT_LACKS(log_of(acts("0, 1, 0"), "y = 1"), of_tip); // the mesh has both sides
    }
  // the image of a pressure is a pressure; two forces that cancel meet at the plane
  EXPECT_LACKS(log_of(load("set Boundary ids = 3", "pressure", "1, 0, 0"), "y = ymin"), of_tip);
  const std::string stamp =
    section("Supports / stamp",
            "set Boundary ids = 1\nset Components = x, y\nset Displacement = 0, 0.1");
  EXPECT_CONTAINS(log_of(stamp, "z = zmin"), "symmetry plane z = zmin: ");
  EXPECT_LACKS(log_of(stamp, "z = zmin"), "moves its nodes");
  const std::string lid = section(
    "Supports / lid",
    "set Expression = x > 1 and y > ymax - tol\nset Components = y\nset Displacement = 0.1");
  EXPECT_CONTAINS(
    log_of(lid, "y = ymin"),
    "NOTE: support 'lid' moves its nodes along y, normal to the symmetry plane y = ymin: ");
}

TEST_F(ProblemTest, FibresWithoutAMirrorImageAreNoted)
{
  const auto log_of = [&](const std::string &axes, const std::string &planes) {
    return setup(
             beam + wall + tip +
             section("Materials / plies",
                     "set Expression = everywhere\nset Young's moduli = 13, 1, 1\nset Poisson's "
                     "ratios = 0.3, 0.3, 0.45\nset Shear moduli = 0.5, 0.5, 0.345\n" +
                       axes) +
             section("Symmetry", "set Planes = " + planes))
      .describe();
  };
  const std::string oblique =
    "NOTE: material 'plies' has axes that are oblique to the symmetry plane";
  const std::string at_30 = "set First axis = 0.866, 0.5, 0";
  EXPECT_CONTAINS(log_of(at_30, "y = ymin"), oblique + " y = ymin: ");
  EXPECT_CONTAINS(log_of(at_30, "x = xmax, y = ymin"), oblique + "s x = xmax, y = ymin: ");
  EXPECT_LACKS(log_of(at_30, "z = zmin"), oblique); // the axes are in it
  EXPECT_LACKS(log_of("set First axis = 0, 1, 0\nset Second axis = 1, 0, 0",
                      "x = xmax, y = ymin, z = zmin"),
               oblique);
}

TEST_F(ProblemTest, VoidBetweenLoadAndSupportIsNoted)
{
  const std::string parted = "void regions part its forces along ";
  const auto log_of        = [&](const std::string &mesh, const std::string &slit) {
    return setup(mesh + section("Non-design regions / slit",
                                "set Density = void\nset Expression = " + slit))
      .describe();
  };
  EXPECT_CONTAINS(log_of(beam + wall + tip, "x > 1 and x < 2"), parted + "z from all");
  // one way is left, then a common edge alone
  EXPECT_LACKS(log_of(beam + wall + tip, "x > 1 and x < 2 and y > 1"), parted);
  EXPECT_CONTAINS(log_of(beam + wall + tip,
                         "(x > 1 and x < 2 and y > 1) or (x > 2 and x < 3 and y < 1)"),
                  parted);
  // a plane of symmetry holds the rest, in its own direction alone
  const std::string plane = section("Symmetry", "set Planes = y = ymin");
  const std::string side  = load("set Boundary ids = 1", "total force", "0, 1, 0");
  EXPECT_CONTAINS(log_of(beam + wall + tip + plane, "x > 1 and x < 2"), parted + "z from all");
  EXPECT_LACKS(log_of(beam + wall + side + plane, "x > 1 and x < 2"), parted);
}

TEST_F(ProblemTest, ALoadWithoutTypeSaysWhatItIsInAll)
{
  const auto log_of = [&](const std::string &type) {
    return setup(beam + wall +
                 section("Loads / tip", "set Boundary ids = 1\nset Value = 0, 0, 1\n" + type))
      .describe();
  };
  EXPECT_CONTAINS(log_of(""),
                  "NOTE: load 'tip' has no 'Type', so each node gets its value: in all that is 12 "
                  "times as much");
  EXPECT_LACKS(log_of("set Type = force per node"), "has no 'Type'");
}

TEST_F(ProblemTest, NearlyIncompressibleMaterialsGetTheirRemedy)
{
  const std::string note = "'set Volumetric integration = mean'";
  const auto log_of      = [&](const std::string &material) {
    return setup(beam + wall + tip + section("Material", material)).describe();
  };
  EXPECT_CONTAINS(log_of("set Poisson's ratio = 0.49"), note);
  EXPECT_LACKS(log_of("set Poisson's ratio = 0.48"), note);
  EXPECT_LACKS(log_of("set Poisson's ratio = 0.49\nset Volumetric integration = mean"), note);
}

TEST(DistanceToTriangle, FaceEdgesAndCorners)
{
  const std::array<dealii::Point<3>, 3> triangle = {
    {dealii::Point<3>(0, 0, 0), dealii::Point<3>(2, 0, 0), dealii::Point<3>(0, 2, 0)}};
  const auto distance = [&](const double x, const double y, const double z) {
    return distance_to_triangle(dealii::Point<3>(x, y, z), triangle);
  };
  EXPECT_DOUBLE_EQ(distance(0.5, 0.5, -3), 3.);
  EXPECT_DOUBLE_EQ(distance(1, -4, 3), 5.);
  EXPECT_DOUBLE_EQ(distance(2, 2, 0), std::sqrt(2.));
  EXPECT_DOUBLE_EQ(distance(-1, -2, 2), 3.);
}
