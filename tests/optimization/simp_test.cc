// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/backends.h"
#include "../fixtures/design_problem.h"
#include "../fixtures/errors.h"

namespace strut::test
{
namespace
{
using SimpTest = PlaceTest;

// The compliance falls, from the uniform design to one that is much stiffer.
TEST_P(SimpTest, ComplianceFalls)
{
  const auto history = SmallCantilever().make(backend())->run(15);
  for (std::size_t i = 2; i < history.size(); ++i)
    EXPECT_LT(history[i], history[i - 1]) << "iteration " << i + 1;
  EXPECT_LT(history.back(), 0.4 * history.front());
}

// The first compliance is that of uniform stiffness V_f^p: C = C_solid / V_f^p.
TEST_P(SimpTest, BeginsWithTheUniformDesign)
{
  SmallCantilever cantilever;
  const double uniform                    = cantilever.make(backend())->run(1)[0];
  cantilever.options.simp.volume_fraction = 1.;
  const double solid                      = cantilever.make(backend())->run(1)[0];
  EXPECT_NEAR(uniform, solid / std::pow(0.4, 3), 1e-8 * uniform);
}

// In each iteration sum_e v_e rho_e = V_f sum_e v_e to 1e-6, rho_min <= rho <= 1, and |rho -
// rho_old| <= m, on elements of different volumes.
TEST_P(SimpTest, KeepsVolumeAndBounds)
{
  SmallCantilever cantilever;
  BoxOptions shape    = cantilever.box.options;
  shape.distortion    = 0.2;
  cantilever.box      = held_box(shape);
  const auto &volumes = cantilever.box.mesh.volumes;
  double whole        = 0;
  for (const double v : volumes)
    whole += v;

  auto problem = cantilever.make(backend());
  std::vector<double> last;
  for (int i = 0; i < 12; ++i)
    {
      const auto record = problem->simp().iterate();
      const auto rho    = problem->simp().analysed_densities();
      EXPECT_NEAR(dot(rho, volumes), 0.4 * whole, 1e-6 * 0.4 * whole);
      EXPECT_NEAR(record.volume_fraction, dot(rho, volumes) / whole, 1e-12);
      double change = 0;
      for (std::size_t e = 0; e < rho.size(); ++e)
        {
          EXPECT_GE(rho[e], 1e-2);
          EXPECT_LE(rho[e], 1.);
          if (!last.empty())
            {
              EXPECT_LE(std::abs(rho[e] - last[e]), 0.2 + 1e-14);
            }
          change =
            std::max(change, std::abs(problem->simp().state().element_fields[0][e] - rho[e]));
        }
      EXPECT_EQ(record.values[Simp::density_change], change);
      EXPECT_EQ(record.iteration, static_cast<unsigned int>(i + 1));
      EXPECT_GT(record.values[Simp::first_of_update], 0.);
      last = rho;
    }
}

// The solver makes few iterations per design, from the last displacements. Design and displacements
// converge together, and the last design is solved to the tolerance (Schmidt and Schulz 2009).
TEST_P(SimpTest, GoesOnFromUnconvergedDisplacements)
{
  const SmallCantilever whole;
  auto exact = whole.make(backend());
  exact->run(40);
  const double expected = exact->simp().history().back().objective;

  SmallCantilever few;
  few.options.max_solver_iterations = 20; // of some 80 that 1e-10 would take
  auto problem                      = few.make(backend());
  problem->run(40);
  const IterationRecord before = problem->simp().history().back();
  EXPECT_EQ(before.solver_iterations, 20u);
  EXPECT_GT(before.residual, few.options.tolerance);
  problem->simp().complete_last();
  const IterationRecord after = problem->simp().history().back();
  EXPECT_LE(after.residual, few.options.tolerance);
  EXPECT_NEAR(after.objective, expected, 0.02 * expected);
  EXPECT_NEAR(after.case_objectives.at(0), after.objective, 1e-12 * after.objective);

  // the compliance of that design, by a solver that begins anew
  StateSolver &state = exact->state();
  state.set_stiffness(Array<double>(memory(), problem->simp().analysed_stiffness()));
  state.solve(0);
  EXPECT_NEAR(after.objective, state.work_of_loads(0), 1e-8 * after.objective);
}

/// Solid where x < 2 (a sixth of the box), void in the rest of the layer y < 1.
void add_non_design_regions(SmallCantilever &cantilever)
{
  ElementMesh &mesh = cantilever.box.mesh;
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    mesh.flags[e] = mesh.centre(e)[0] < 2.   ? DesignFlag::solid
                    : mesh.centre(e)[1] < 1. ? DesignFlag::empty
                                             : DesignFlag::design;
}

// Solid stays 1 and void rho_min; the volume constraint counts them or does not, as asked.
TEST_P(SimpTest, RespectsNonDesignRegions)
{
  for (const bool count : {true, false})
    {
      SmallCantilever cantilever;
      add_non_design_regions(cantilever);
      cantilever.options.simp.count_non_design = count;
      const auto &mesh                         = cantilever.box.mesh;
      auto problem                             = cantilever.make(backend());
      for (int i = 0; i < 8; ++i)
        {
          const auto record = problem->simp().iterate();
          const auto rho    = problem->simp().analysed_densities();
          double counted = 0, volume = 0;
          for (std::size_t e = 0; e < mesh.n_elements; ++e)
            {
              if (mesh.flags[e] == DesignFlag::solid)
                {
                  ASSERT_EQ(rho[e], 1.);
                }
              if (mesh.flags[e] == DesignFlag::empty)
                {
                  ASSERT_EQ(rho[e], 1e-2);
                }
              if (count || mesh.flags[e] == DesignFlag::design)
                {
                  counted += mesh.volumes[e];
                  volume += rho[e] * mesh.volumes[e];
                }
            }
          EXPECT_NEAR(volume, 0.4 * counted, 1e-6 * 0.4 * counted) << "count: " << count;
          EXPECT_NEAR(record.volume_fraction, 0.4, 1e-6) << "count: " << count;
        }
    }
}

// A volume that the solid regions alone exceed, or a mesh without design elements, is an error.
TEST_P(SimpTest, RefusesWhatCannotBe)
{
  SmallCantilever cantilever;
  add_non_design_regions(cantilever);
  cantilever.options.simp.volume_fraction = 0.1;
  expect_error([&]() { cantilever.make(backend()); }, {"0.1", "volume"}); // solid regions are 1/6
  cantilever.options.simp.count_non_design = false;                       // now it can be
  EXPECT_NO_THROW(cantilever.make(backend())->run(1));
  cantilever.box.mesh.flags.assign(cantilever.box.mesh.n_elements, DesignFlag::solid);
  EXPECT_THROW(cantilever.make(backend()), Error);
}

// Energies below the least double leave no sensitivities. Such a run once ended with an empty
// design.
TEST_P(SimpTest, RefusesNumbersBeyondDoublePrecision)
{
  SmallCantilever cantilever;
  const double ordinary = cantilever.make(backend())->run(1)[0];
  for (const double factor : {1e-60, 1e60})
    {
      SCOPED_TRACE(factor);
      std::vector<double> forces = edge_load(cantilever.box);
      const auto raise_forces    = [&]() {
        for (double &force : forces)
          force *= factor;
        cantilever.loads = {{"down", 1., forces}};
      };
      raise_forces();
      EXPECT_NEAR(cantilever.make(backend())->run(1)[0] / (factor * factor),
                  ordinary,
                  1e-6 * ordinary);
      raise_forces();
      expect_reason([&]() { cantilever.make(backend())->run(1); },
                    "Double precision takes sizes from 1e-150 to 1e+150");
    }
}

// Structure and load are symmetric about the middle plane in y, and so is the design.
TEST_P(SimpTest, DesignIsSymmetric)
{
  const SmallCantilever cantilever;
  auto problem = cantilever.make(backend());
  problem->run(10);
  const auto rho = problem->simp().analysed_densities();
  double spread  = 0;
  for (std::size_t e = 0; e < rho.size(); ++e)
    {
      const auto at = cantilever.box.element_at[e]; // lexicographic
      EXPECT_NEAR(rho[e], rho[at[0] + 12 * ((3 - at[1]) + 4 * at[2])], 1e-6);
      spread = std::max(spread, std::abs(rho[e] - 0.4));
    }
  EXPECT_GT(spread, 0.3); // the result is a design
}

// Numbering does not matter: nodes, elements and orientations shuffled, the same compliances.
TEST_P(SimpTest, DoesNotDependOnTheNumbering)
{
  const SmallCantilever ordered;
  SmallCantilever shuffled;
  BoxOptions shape         = shuffled.box.options.shuffled();
  shape.rotate_elements    = true;
  shuffled.box             = held_box(shape);
  shuffled.loads[0].forces = edge_load(shuffled.box);
  EXPECT_LE(relative_difference(shuffled.make(backend())->run(8), ordered.make(backend())->run(8)),
            1e-8);
}

// The history is the same on every backend and in either precision.
TEST_P(SimpTest, HistoryEqualsThatOfOneThread)
{
  SmallCantilever cantilever;
  const auto plain = make_cpu_backend(1);
  DesignProblem reference(*plain, cantilever.box.mesh, cantilever.loads, cantilever.options);
  const auto expected = reference.run(10);
  EXPECT_LE(relative_difference(cantilever.make(backend())->run(10), expected),
            GetParam() == Place::cuda ? 1e-6 : 1e-10);
  cantilever.options.precision = Precision::fp32;
  cantilever.options.tolerance = 1e-5;
  EXPECT_LE(relative_difference(cantilever.make(backend())->run(10), expected), 1e-3);
}

// Two runs are the same bits if the strategy is deterministic.
TEST_P(SimpTest, IsDeterministic)
{
  SmallCantilever cantilever;
  cantilever.options.strategy = "nbn";
  auto first = cantilever.make(backend()), second = cantilever.make(backend());
  EXPECT_TRUE(same_bits(first->run(6), second->run(6)));
  EXPECT_TRUE(
    same_bits(first->simp().state().element_fields[0], second->simp().state().element_fields[0]));
}

// Restored from its state after three iterations, the optimization continues as if never
// interrupted.
TEST_P(SimpTest, RestoresBitwise)
{
  SmallCantilever cantilever;
  cantilever.options.strategy = "nbn";
  const auto resumed =
    expect_to_restart_bitwise([&]() { return cantilever.make(backend()); }, 3, 6).resumed;
  EXPECT_EQ(resumed->simp().history().size(), 6u);
  EXPECT_EQ(resumed->simp().history().back().iteration, 6u);
}

/// The compliance, with a solve that fails once.
class FailsOnce : public Response
{
public:
  FailsOnce(std::shared_ptr<Response> compliance, const int design)
    : compliance_(std::move(compliance)), until_(design)
  {}

  Value
  evaluate(const AnalysedDesign &design, const std::size_t l, Derivative *const derivative) override
  {
    const Value value = compliance_->evaluate(design, l, derivative);
    if (derivative != nullptr && until_-- == 0)
      throw SolverFailure("it fails once");
    return value;
  }

private:
  std::shared_ptr<Response> compliance_;
  int until_;
};

// A failure leaves the design that cannot be analysed, with its stiffness, and the optimization can
// continue.
TEST_P(SimpTest, KeepsTheDesignThatFails)
{
  for (const char *const filter : {"sensitivity", "density"})
    {
      SmallCantilever cantilever;
      cantilever.options.strategy = "nbn";
      cantilever.options.maps     = maps_of(filter);
      const auto whole            = cantilever.make(backend());
      const auto expected         = whole->run(5);
      cantilever.options.problem =
        minimise("compliance", {backend(), Communicator(), cantilever.box.mesh});
      std::shared_ptr<Response> &of_objective = cantilever.options.problem.objective.response;
      of_objective                            = std::make_shared<FailsOnce>(of_objective, 3);
      const auto problem                      = cantilever.make(backend());
      auto history                            = problem->run(3);
      const auto next                         = problem->simp().state().element_fields[0];
      EXPECT_THROW(problem->simp().iterate(), SolverFailure);
      EXPECT_TRUE(same_bits(problem->simp().state().element_fields[0], next));
      const auto densities = problem->simp().analysed_densities();
      if (cantilever.options.maps.empty())
        {
          EXPECT_TRUE(same_bits(densities, next));
        }
      std::vector<double> stiffness;
      for (const double rho : densities)
        stiffness.push_back(std::pow(rho, 3.));
      EXPECT_LE(relative_difference(problem->simp().analysed_stiffness(), stiffness), 1e-14);
      for (const double objective : problem->run(2))
        history.push_back(objective);
      EXPECT_LE(relative_difference(history, expected), 1e-8);
      EXPECT_LE(relative_difference(problem->simp().analysed_densities(),
                                    whole->simp().analysed_densities()),
                1e-6);
    }
}

// Each rule ends the optimization at the first iteration whose record meets it, or after as many
// iterations as it requires.
TEST_P(SimpTest, StopsByItsRule)
{
  using Criterion = StoppingRule::Criterion;
  for (const unsigned int n_designs : {1u, 3u})
    for (const Criterion criterion : {Criterion::none,
                                      Criterion::density_change,
                                      Criterion::compliance_change,
                                      Criterion::relative_compliance_change})
      {
        SmallCantilever cantilever(std::array<std::size_t, 3>{{6, 2, 2}});
        cantilever.options.simp.stopping = {criterion, 0.05, 40, n_designs};
        unsigned int in_a_row            = 0;
        auto problem                     = cantilever.make(backend());
        auto &simp                       = problem->simp();
        EXPECT_FALSE(simp.finished());
        while (!simp.finished())
          {
            simp.iterate();
            const auto &history = simp.history();
            const double C      = history.back().objective;
            const double last = history.size() > 1 ? history[history.size() - 2].objective : 1e300;
            const bool meets =
              criterion == Criterion::density_change
                ? history.back().values[Simp::density_change] < 0.05
              : criterion == Criterion::compliance_change          ? std::abs(C - last) < 0.05
              : criterion == Criterion::relative_compliance_change ? std::abs(C - last) < 0.05 * C
                                                                   : false;
            in_a_row       = meets ? in_a_row + 1 : 0;
            const bool met = in_a_row >= n_designs;
            EXPECT_EQ(simp.converged(), met) << "iteration " << history.size();
            EXPECT_EQ(simp.finished(), met || history.size() == 40);
            ASSERT_LE(history.size(), 40u);
          }
      }
}

INSTANTIATE_TEST_SUITE_P(Core, SimpTest, at_all_places(), place_name);
} // namespace
} // namespace strut::test
