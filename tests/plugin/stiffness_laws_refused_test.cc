// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// What the laws of the stiffness refuse, with the whole messages.
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "tests/plugin/cube.h"
#include "tests/plugin/stiffness_laws.h"

namespace strut::test
{
namespace
{
TEST(StiffnessLame, RefusesWhatIsNoSolid)
{
  Cube cube;
  const auto complaint = [&](const double lambda, const double mu) {
    return cube.complaint([&](auto &K) {
      K.set_lame([&](const auto &cell) {
        return cell->active_cell_index() == 3 ? std::make_pair(lambda, mu) : std::make_pair(1., 1.);
      });
    });
  };
  const auto text = [](const std::string &found) {
    return "Of the cells, 1 have Lame parameters that a StiffnessOperator does not take, such as " +
           found +
           " of the cell with active_cell_index() 3.\n  Give finite ones with mu not negative and "
           "3 lambda + 2 mu positive: empty cells get small ones.";
  };
  EXPECT_EQ(complaint(-1., 2.), "");
  EXPECT_EQ(complaint(-1., 1.5), text("lambda = -1, mu = 1.5"));
  EXPECT_EQ(complaint(1., -0.1), text("lambda = 1, mu = -0.1"));
  EXPECT_EQ(complaint(0., 0.), text("lambda = 0, mu = 0"));
  EXPECT_EQ(complaint(1., std::numeric_limits<double>::infinity()), text("lambda = 1, mu = inf"));
  EXPECT_EQ(complaint(0., 1.), "");
  EXPECT_EQ(complaint(1., 0.), "");
  EXPECT_EQ(cube.complaint(
              [](auto &K) { K.set_lame(dealii::Vector<double>(3), dealii::Vector<double>(8)); }),
            "There are 3 lambda and 8 mu, and 8 active cells.\n  Give one each for each, by "
            "cell->active_cell_index().");
}

// Fluids: products take them, solvers do not, unless a mass holds them.
TEST(StiffnessLame, RefusesToSolveWithoutShear)
{
  HeldCube cube;
  const auto fluid     = [](const auto &) { return std::make_pair(1., 0.); };
  const auto one_fluid = [](const auto &cell) {
    return std::make_pair(1., cell->active_cell_index() == 3 ? 0. : 1.);
  };
  const auto text = [](const std::string &n) {
    return "Of the cells, " + n +
           " have mu = 0: they resist no shear, and K need not be positive definite.\n  For "
           "preconditioner() and solve() give them a small mu, 1e-6 of their lambda say, or set a "
           "positive shift.";
  };
  EXPECT_EQ(cube.complaint([&](auto &K) {
    K.set_lame(fluid);
    solve_plainly(K);
  }),
            text("8"));
  EXPECT_EQ(cube.complaint([&](auto &K) {
    solve_plainly(K);
    EXPECT_EQ(message_of<Error>([&]() { K.set_lame(one_fluid); }), text("1"));
    solve_plainly(K); // as before the change
    K.set_shift(1.);
    K.set_lame(one_fluid);
    solve_plainly(K);
    EXPECT_EQ(message_of<Error>([&]() { K.set_shift(0.); }), text("1"));
    K.set_factors([](const auto &) { return 1.; });
    K.set_shift(0.);
    solve_plainly(K);
  }),
            "");
}

void set_lame(StiffnessOperator<double> &K)
{
  K.set_lame([](const auto &) { return std::make_pair(1., 1.); });
}

void set_tangents(StiffnessOperator<double> &K)
{
  K.set_tangents([](const auto &) { return elastic(1.); });
}

// Nothing is switched off without a word, and what was in force stays.
TEST(StiffnessLaws, AreRefusedWithRigidPiecesOfSolid)
{
  HeldCube cube;
  cube.options.preconditioner        = "multigrid";
  cube.options.preconditioner_values = {{"Rigid pieces", "yes"}};
  const auto text                    = [](const std::string &found) {
    return "StiffnessOptions::preconditioner_values, 'Rigid pieces': Rigid pieces of solid know stiffness factors "
                              "alone, and the operator has " +
           found + ": do without the one or the other.";
  };
  const auto message_after = [](auto &K, const auto &set) {
    return message_of<Error>([&]() { set(K); });
  };
  EXPECT_EQ(cube.complaint([&](auto &K) {
    set_lame(K);
    solve_plainly(K);
  }),
            text("Lame's parameters"));
  EXPECT_EQ(cube.complaint([&](auto &K) {
    solve_plainly(K);
    EXPECT_EQ(message_after(K, set_lame), text("Lame's parameters"));
    EXPECT_EQ(message_after(K, set_tangents), text("tangents"));
    EXPECT_EQ(message_after(K, [](auto &L) { L.set_shift(1.); }), text("springs or a shift"));
    solve_plainly(K);
  }),
            "");
}

TEST(StiffnessLaws, AreRefusedWhereTheyDoNotFit)
{
  Cube of_mean, of_modes, ebe;
  of_mean.material.formulation  = Formulation::mean_dilatation;
  of_modes.material.formulation = Formulation::incompatible_modes;
  ebe.options.strategy          = "ebe";
  EXPECT_EQ(
    of_modes.complaint(set_lame),
    "An operator with Lame's parameters knows the trilinear element alone, and the material asks for "
    "incompatible modes.\n  Take trilinear elements, or stiffness factors in their place.");
  EXPECT_EQ(
    of_modes.complaint(set_tangents),
    "An operator with tangents knows the trilinear element alone, and the material asks for incompatible "
    "modes.\n  Take trilinear elements, or Lame's parameters.");
  EXPECT_EQ(
    of_mean.complaint(set_tangents),
    "An operator with tangents integrates the volumetric part of the stiffness as the rest, and the material "
    "asks for its mean over each element.\n  Take full volumetric integration, or Lame's parameters.");
  EXPECT_EQ(ebe.complaint(set_tangents),
            "The operator 'ebe' takes no tangents.\n  Take one that does: on_the_fly.");
}

/// The message about tangents of some cells, of which one is named.
std::string no_tangents(const std::string &n_cells, const std::string &which)
{
  return "Of the cells, " + n_cells +
         " have tangents that a StiffnessOperator does not take, such as that of " + which +
         ".\n  Give finite ones with C_ijkl = C_klij: a return mapping with an associated flow rule has them; take "
         "deal.II's matrices for others.";
}

const std::string the_sixth_point =
  "Gauss point 5 of the cell with active_cell_index() 3, which is not ";

TEST(StiffnessTangents, RefusesWhatIsNoTangent)
{
  Cube cube;
  const auto complaint = [&](const Tangent &bad) {
    return cube.complaint([&](auto &K) {
      K.set_tangents([&](const auto &cell, const unsigned int q) {
        return cell->active_cell_index() == 3 && q == 5 ? bad : elastic(1.);
      });
    });
  };
  EXPECT_EQ(complaint(Tangent()), "");
  Tangent C     = elastic(1.);
  C[0][0][1][2] = 1e-3;
  EXPECT_EQ(complaint(C), no_tangents("1", the_sixth_point + "symmetric"));
  C[1][2][0][0] = 1e-3;
  EXPECT_EQ(complaint(C), "");
  C[1][2][1][2] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(complaint(C), no_tangents("1", the_sixth_point + "finite"));

  EXPECT_EQ(
    cube.complaint([](auto &K) { K.set_tangents(std::vector<double>(7)); }),
    "There are 7 numbers of tangents, and 8 owned active cells.\n  Give 8 * 21 = 168 of each, or 21 of each.");
  std::vector<double> numbers(8 * 21, 1.);
  numbers[2 * 21 + 4] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(cube.complaint([&](auto &K) { K.set_tangents(numbers); }),
            no_tangents("1", "the cell with active_cell_index() 2, which is not finite"));
}

TEST(DeviceTangents, AreRefusedAsThoseOfTheHost)
{
  Cube cube;
  std::vector<double> numbers(8 * 8 * 21, 1.);
  const auto complaint = [&](const double *const pointer, const unsigned int n_points) {
    return cube.complaint([&](auto &K) { K.set_device_tangents(pointer, n_points); });
  };
  EXPECT_EQ(complaint(numbers.data(), 8), "");
  EXPECT_EQ(
    complaint(numbers.data(), 2),
    "set_device_tangents() was asked to take tangents of 2 points of each cell.\n  It takes those of 8, the Gauss "
    "points, or one for all, 1.");
  EXPECT_EQ(
    complaint(nullptr, 1),
    "set_device_tangents() was given a null pointer, and there are 8 owned active cells.\n  Give 8 * 21 = 168 "
    "numbers of each, or 21 of each, in the memory of the backend.");
  numbers[(21 * 5 + 20) * 8 + 3] = std::numeric_limits<double>::infinity();
  numbers[(21 * 7 + 1) * 8 + 3]  = std::numeric_limits<double>::quiet_NaN();
  numbers[(21 * 2 + 1) * 8 + 6]  = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(complaint(numbers.data(), 8), no_tangents("2", the_sixth_point + "finite"));
}

TEST(StiffnessMass, RefusesWhatIsNoDensity)
{
  Cube cube;
  EXPECT_EQ(
    cube.complaint([](auto &K) {
      K.set_density([](const auto &cell) { return cell->active_cell_index() == 3 ? 0. : 1.; });
    }),
    "Of the densities, 1 are not positive and finite, such as 0 of the cell with active_cell_index() 3.\n  Give "
    "mass per volume; empty cells a small one.");
  EXPECT_EQ(
    cube.complaint([](auto &K) { K.set_density(dealii::Vector<double>(3)); }),
    "There are 3 densities, and 8 active cells.\n  Give one for each, by cell->active_cell_index().");
}
} // namespace
} // namespace strut::test
