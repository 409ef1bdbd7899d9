// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The eroded field, the blueprint and the dilated field of one design.
#include "../fixtures/backends.h"
#include "../fixtures/design_problem.h"
#include "../fixtures/errors.h"
#include "../fixtures/function_of_design.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace strut::test
{
namespace
{
/// An update that keeps the design, and records the point that it gets.
class PointRecorder : public DesignUpdate
{
public:
  struct Function
  {
    double value = 0, share = 0;
    std::vector<double> derivative;
  };

  Step step(const DesignPoint &point, Array<double> &next) override
  {
    seen() = {
      {point.objective.value, point.objective.share, point.objective.derivative->to_host()}};
    for (const DesignPoint::Function &f : point.constraints)
      seen().push_back({f.value, f.share, f.derivative->to_host()});
    next.copy_from(point.x);
    return {};
  }
  const std::vector<HistoryColumn> &columns() const override
  {
    static const std::vector<HistoryColumn> none;
    return none;
  }
  void set_move_limit(double) override
  {}

  /// Functions of the last step: the objective, then the constraints.
  static std::vector<Function> &seen()
  {
    static std::vector<Function> functions;
    return functions;
  }

  /// The name of the update.
  static std::string name()
  {
    static const std::string of_entry = []() {
      DesignUpdateEntry entry;
      entry.name = "recorder of points";
      entry.make = [](const UpdateContext &) -> std::unique_ptr<DesignUpdate> {
        return std::make_unique<PointRecorder>();
      };
      add_design_update(entry);
      return entry.name;
    }();
    return of_entry;
  }
};

class RobustFieldsTest : public PlaceTest
{
protected:
  using Kind = RobustFields::Kind;

  RobustFieldsTest() : cantilever_(std::array<std::size_t, 3>{{12, 6, 4}})
  {
    auto &options                  = cantilever_.options;
    options.maps                   = {"density", "projection"};
    options.projection             = {{"Sharpness", 2.},
                                      {"Maximum sharpness", 8.},
                                      {"Iterations per sharpness", 10.}};
    options.strategy               = "nbn";
    options.problem.fields         = {Kind::worst_case, 0.15, 4};
    options.simp.volume_fraction   = 0.5;
    options.simp.update            = "mma";
    options.simp.interpolation     = {3., 1e-6};
    std::vector<DesignFlag> &flags = cantilever_.box.mesh.flags;
    for (std::size_t e = 0; e < flags.size(); ++e)
      {
        const auto &at = cantilever_.box.element_at[e];
        flags[e]       = at[0] == 11 && at[2] == 0              ? DesignFlag::solid
                         : at[0] > 5 && at[0] < 8 && at[2] == 2 ? DesignFlag::empty
                                                                : DesignFlag::design;
      }
  }

  std::unique_ptr<DesignProblem> make()
  {
    return cantilever_.make(backend());
  }

  /// A design that includes solid and void elements.
  std::vector<double> design() const
  {
    auto x = random_vector(cantilever_.box.mesh.n_elements, 3, 0.3, 0.8);
    for (std::size_t e = 0; e < x.size(); ++e)
      if (cantilever_.box.mesh.flags[e] != DesignFlag::design)
        x[e] = cantilever_.box.mesh.flags[e] == DesignFlag::solid ? 1. : 1e-2;
    return x;
  }

  SmallCantilever cantilever_;
};

/// The value of the last design in a column of the history.
double last_value(const Simp &simp, const std::string &column)
{
  for (std::size_t i = 0; i < simp.columns().size(); ++i)
    if (simp.columns()[i].name == column)
      return simp.history().back().values[i];
  ADD_FAILURE() << column;
  return 0.;
}

// Values of the fields are those of separate chains, and derivatives equal differences. The
// objective is the worst.
TEST_P(RobustFieldsTest, GradientsEqualDifferences)
{
  const ElementMesh &mesh = cantilever_.box.mesh;
  auto &options           = cantilever_.options;
  options.simp.update     = PointRecorder::name();
  options.tolerance       = 1e-13;
  for (const Kind kind : {Kind::worst_case, Kind::eroded_and_dilated})
    {
      SCOPED_TRACE(::testing::Message() << "fields " << static_cast<int>(kind));
      options.problem.fields.kind         = kind;
      const std::vector<double> of_fields = {0.15, -0.15, 0.}; // eroded, dilated, blueprint
      const std::vector<double> shifts(of_fields.begin(),
                                       of_fields.end() - (kind == Kind::worst_case ? 0 : 1));
      const std::size_t n     = shifts.size();
      const auto problem      = make();
      const DesignState first = problem->simp().state();
      const auto record_of    = [&](const std::vector<double> &x) {
        DesignState state       = first;
        state.element_fields[0] = x;
        problem->simp().restore(state, {});
        return problem->simp().iterate();
      };
      const std::vector<double> x = design();
      const IterationRecord here  = record_of(x);
      const auto functions        = PointRecorder::seen();
      ASSERT_EQ(functions.size(), n + 2); // z, the fields, the volume
      const auto volumes = problem->simp().fields();
      ASSERT_EQ(volumes.size(), 3u);
      EXPECT_EQ(volumes[1].objective.has_value(), kind == Kind::worst_case);

      double worst = 0.;
      for (std::size_t f = 0; f < n; ++f)
        {
          DesignChain chain =
            make_design_chain(options.maps,
                              backend(),
                              Communicator(),
                              mesh,
                              {options.radius, 1e-2},
                              {{"projection",
                                {{"Sharpness", 2.}, {"Threshold", 0.5 + shifts[f]}}}});
          const auto compliance = make_response("compliance", {backend(), Communicator(), mesh});
          FunctionOfDesign function(
            backend(), mesh, cantilever_.loads, options.simp.interpolation, *compliance, &chain);
          std::vector<double> gradient;
          const double value = function.value(x, &gradient);
          worst              = std::max(worst, value);
          EXPECT_NEAR(here.values[1 + f], value, 1e-9 * value);
          EXPECT_NEAR(functions[1 + f].value, value, 1e-9 * value);
          EXPECT_EQ(functions[1 + f].share, 1.);
          EXPECT_LE(relative_difference(functions[1 + f].derivative, gradient), 1e-8);
        }
      EXPECT_NEAR(here.objective, worst, 1e-9 * worst);
      EXPECT_EQ(here.objective, std::max(here.values[1], here.values[2]));
      EXPECT_GT(here.values[1], here.values[2]); // the eroded one is the least stiff
      if (kind == Kind::worst_case)
        {
          EXPECT_GT(here.values[1], here.values[3]);
          EXPECT_GT(here.values[3], here.values[2]);
        }

      double whole = 0.;
      for (const double v : mesh.volumes)
        whole += v;
      const std::size_t of_dilated_volume =
        n + 2; // behind the change, the objectives, the eroded volume
      for (std::size_t e = 0; e < x.size(); e += 29)
        {
          // differences of fourth order
          const double h = mesh.flags[e] == DesignFlag::design ? 1e-3 : 0.;
          std::vector<double> slopes(here.values.size(), 0.);
          for (const auto &[steps, weight] : {std::make_pair(1., 8.), std::make_pair(2., -1.)})
            for (const double sign : {1., -1.})
              if (h > 0.)
                {
                  std::vector<double> moved = x;
                  moved[e] += sign * steps * h;
                  const IterationRecord there = record_of(moved);
                  for (std::size_t i = 0; i < slopes.size(); ++i)
                    slopes[i] += sign * weight * there.values[i] / (12. * h);
                }
          for (std::size_t f = 0; f < n; ++f)
            EXPECT_NEAR(functions[1 + f].derivative[e],
                        slopes[1 + f],
                        1e-6 * max_norm(functions[1 + f].derivative))
              << "element " << e << ", field " << f;
          EXPECT_NEAR(functions[1 + n].derivative[e],
                      whole * slopes[of_dilated_volume],
                      1e-6 * max_norm(functions[1 + n].derivative))
            << "element " << e;
        }
    }
}

// The worst of the two ends may be either. For a lower limit on a volume it is the eroded field,
// which has the least; for an upper limit it is the dilated one.
TEST_P(RobustFieldsTest, TheWorstOfTwoEnds)
{
  auto &options = cantilever_.options;
  const ResponseContext context{backend(), Communicator(), cantilever_.box.mesh};
  options.problem.objective   = minimise("compliance", context).objective;
  options.problem.fields.kind = Kind::eroded_and_dilated;
  const auto volume           = [&](const std::string &name, const double limit, const bool least) {
    return DesignConstraint{
      {name, make_response("volume", context), false, DesignFunction::Over::sum, {}}, limit, least};
  };
  options.problem.constraints = {volume("least", 0.3, true), volume("most", 0.7, false)};
  const auto problem          = make();
  problem->run(3);
  const Simp &simp  = problem->simp();
  const auto column = [&](const std::string &name) { return last_value(simp, name); };
  EXPECT_NEAR(column("least"), column("volume_fraction_eroded"), 1e-12);
  EXPECT_NEAR(column("most"), column("volume_fraction_dilated"), 1e-12);
  EXPECT_EQ(simp.history().back().objective, column("objective_eroded"));
  for (const HistoryColumn &of_simp : simp.columns())
    EXPECT_NE(of_simp.name, "objective_blueprint");

  // a maximised response is worst where it is least, in the same field
  options.problem.constraints.clear();
  options.problem.objective     = minimise("volume", context).objective;
  options.problem.limits_volume = true;
  for (const bool maximises : {false, true})
    {
      options.problem.maximises = maximises;
      const auto of_volume      = make();
      of_volume->run(1);
      const IterationRecord &last = of_volume->simp().history().back();
      EXPECT_NEAR(last.objective,
                  of_volume->simp().fields()[maximises ? 0 : 2].volume_fraction,
                  1e-12);
    }
}

// The blueprint of the first design has the volume. Later ones keep it by the limit on the dilated
// field, which is adapted. The records are those of the fields.
TEST_P(RobustFieldsTest, BlueprintHasTheVolume)
{
  for (const Kind kind : {Kind::worst_case, Kind::eroded_and_dilated, Kind::eroded})
    for (const bool by_criteria : {false, true})
      {
        if (by_criteria && kind != Kind::eroded)
          continue;
        cantilever_.options.problem.fields = {kind, 0.15, 4};
        cantilever_.options.simp.update    = by_criteria ? "optimality criteria" : "mma";
        const auto problem                 = make();
        EXPECT_NEAR(problem->simp().iterate().volume_fraction, 0.5, 1e-8);
        problem->run(40);
        const auto fields = problem->simp().fields();
        ASSERT_EQ(fields.size(), 3u);
        EXPECT_NEAR(fields[1].volume_fraction, 0.5, 5e-3);
        EXPECT_LT(fields[0].volume_fraction, fields[1].volume_fraction);
        EXPECT_GT(fields[2].volume_fraction, fields[1].volume_fraction);
        for (std::size_t i = 0; i < 3; ++i)
          {
            const auto densities = problem->simp().field_densities(i);
            double sum = 0., whole = 0.;
            for (std::size_t e = 0; e < densities.size(); ++e)
              {
                sum += densities[e] * cantilever_.box.mesh.volumes[e];
                whole += cantilever_.box.mesh.volumes[e];
              }
            EXPECT_NEAR(fields[i].volume_fraction, sum / whole, 1e-12);
          }
      }
}

// Run to convergence with the default projection and a criterion that is soon met, the blueprint
// has the volume, and no fault is reported. A run that ends earlier reports that it misses the
// volume, also if it has too little.
TEST_P(RobustFieldsTest, ConvergesWithTheVolume)
{
  cantilever_                  = SmallCantilever(std::array<std::size_t, 3>{{12, 6, 2}});
  auto &options                = cantilever_.options;
  options.maps                 = {"density", "projection"};
  options.strategy             = "nbn";
  options.simp.volume_fraction = 0.5;
  using Criterion              = StoppingRule::Criterion;
  for (const auto &[kind, update] : {std::make_pair(Kind::worst_case, "mma"),
                                     std::make_pair(Kind::eroded_and_dilated, "mma"),
                                     std::make_pair(Kind::eroded, "mma"),
                                     std::make_pair(Kind::eroded, "optimality criteria")})
    for (const Criterion criterion :
         {Criterion::relative_compliance_change, Criterion::density_change})
      for (const bool is_sharp : {false, true})
        {
          const bool by_criteria = update == std::string("optimality criteria");
          if (by_criteria && criterion == Criterion::density_change)
            continue; // they end between two designs
          SCOPED_TRACE(::testing::Message() << update << ", field " << static_cast<int>(kind)
                                            << (is_sharp ? ", sharp" : ""));
          options.problem.fields = {kind, 0.2, 20};
          options.simp.update    = update;
          options.projection     = {};
          if (is_sharp) // with its final sharpness from the beginning
            options.projection = {{"Sharpness", 8.}, {"Maximum sharpness", 8.}};
          options.simp.stopping.criterion = criterion;
          options.simp.stopping.tolerance = criterion == Criterion::density_change ? 0.1 : 1e-2;
          options.simp.stopping.max_iterations = 400;
          const auto problem                   = make();
          Simp &simp                           = problem->simp();
          while (!simp.finished())
            {
              simp.iterate();
              const double missed = std::abs(simp.history().back().volume_fraction / 0.5 - 1.);
              if (missed > 0.011 && !simp.verdict().text.empty())
                {
                  EXPECT_TRUE(simp.verdict().falls_short);
                }
              if (missed > 1e-3 && by_criteria)
                {
                  EXPECT_NE(simp.verdict().text.find("misses the volume"), std::string::npos);
                }
            }
          EXPECT_TRUE(simp.converged());
          EXPECT_NEAR(simp.history().back().volume_fraction, 0.5, 5e-4);
          EXPECT_EQ(simp.verdict().text, "");
        }
}

// With two load cases, the columns are weighted sums for the worst field. A constraint with a lower
// limit is that of the least field.
TEST_P(RobustFieldsTest, LoadCasesAndAConstraintAtLeast)
{
  auto &options = cantilever_.options;
  LoadCase more = cantilever_.loads[0];
  more.name     = "more";
  more.weight   = 0.5;
  std::vector<double> forces(cantilever_.box.mesh.n_dofs(), 0.);
  cantilever_.loads[0].forces.for_each([&](const std::size_t dof, const double force) {
    forces[dof - dof % 3] = 2. * force; // along the beam
  });
  more.forces = forces;
  cantilever_.loads.push_back(more);
  const ResponseContext context{backend(), Communicator(), cantilever_.box.mesh};
  options.problem.objective   = minimise("compliance", context).objective;
  options.problem.constraints = {
    {{"material", make_response("volume", context), false, DesignFunction::Over::sum, {}},
     0.3,
     true}};
  const auto problem = make();
  problem->run(3);
  Simp &simp       = problem->simp();
  const auto check = [&]() {
    const IterationRecord &last = simp.history().back();
    const auto fields           = simp.fields();
    ASSERT_EQ(last.values.size(), simp.columns().size());
    ASSERT_EQ(last.case_objectives.size(), 2u);
    EXPECT_NEAR(last.case_objectives[0] + 0.5 * last.case_objectives[1],
                last.objective,
                1e-12 * last.objective);
    const auto column = [&](const std::string &name) { return last_value(simp, name); };
    double worst      = 0.;
    for (const DesignFieldRecord &field : fields)
      {
        EXPECT_EQ(column("objective_" + field.name), *field.objective);
        worst = std::max(worst, *field.objective);
      }
    EXPECT_EQ(worst, last.objective);
    EXPECT_EQ(worst, column("objective_eroded"));
    EXPECT_NEAR(column("material"), column("volume_fraction_eroded"), 1e-12);
  };
  check();
  // solved again, to the tolerance: all of these follow
  simp.complete_last();
  check();
}

// With the eroded field alone, and with the two ends, the design is that of the worst case, whose
// compliance is that of the eroded field. Results have the displacements of the blueprint even if
// it is not analysed.
TEST_P(RobustFieldsTest, FieldsWithoutTheBlueprint)
{
  const auto worst = make()->run(20);
  for (const Kind kind : {Kind::eroded_and_dilated, Kind::eroded})
    {
      SCOPED_TRACE(::testing::Message() << "fields " << static_cast<int>(kind));
      cantilever_.options.problem.fields = {kind, 0.15, 4};
      const auto problem                 = make();
      EXPECT_LE(relative_difference(problem->run(20), worst), 0.02);
      EXPECT_NE(problem->simp().displacements_of_stiffness(), 0u);

      // the displacements do the work of the blueprint's compliance
      problem->simp().prepare_results(true);
      EXPECT_EQ(problem->simp().displacements_of_stiffness(), 0u);
      const double work = problem->state().work_of_loads(0);
      EXPECT_LT(work, problem->simp().history().back().objective);
      StateSettings settings;
      settings.strategy          = "nbn";
      settings.control.tolerance = 1e-10;
      const auto state =
        make_state_solver(execution(), {cantilever_.box.mesh}, cantilever_.loads, settings);
      const Array<double> densities(backend().memory(), problem->simp().analysed_densities());
      Array<double> stiffness(backend().memory(), densities.size());
      backend().design_operations().interpolate(cantilever_.options.simp.interpolation,
                                                densities,
                                                stiffness);
      EXPECT_LE(relative_difference(problem->simp().analysed_stiffness(), stiffness.to_host()),
                1e-14);
      state->set_stiffness(stiffness);
      state->solve(0);
      EXPECT_NEAR(work, state->work_of_loads(0), 1e-7 * work);
    }
}

// Restored from its state, the optimization continues as if never interrupted. The state includes
// the limit on the volume and the displacements of all fields.
TEST_P(RobustFieldsTest, RestoresBitwise)
{
  if (GetParam() == Place::cuda)
    GTEST_SKIP() << "sums of the maps depend on the order there";
  for (const Kind kind : {Kind::worst_case, Kind::eroded_and_dilated, Kind::eroded})
    {
      cantilever_.options.problem.fields = {kind, 0.15, 4};
      expect_to_restart_bitwise([&]() { return make(); }, 6, 10);
    }
}

// Incompatible choices are refused.
TEST_P(RobustFieldsTest, RefusesWhatDoesNotCompose)
{
  const auto expect_refusal = [&](const std::string &text) {
    SCOPED_TRACE(text);
    expect_reason([&]() { make(); }, text);
  };
  const SmallCantilever before = cantilever_;
  cantilever_.options.maps     = {"density"};
  expect_refusal("the last map");
  cantilever_                                 = before;
  cantilever_.options.problem.fields.distance = 0.5;
  expect_refusal("threshold");
  cantilever_                             = before;
  cantilever_.options.problem.fields.kind = Kind::eroded;
  cantilever_.options.problem.objective =
    minimise("displacement norm", {backend(), Communicator(), cantilever_.box.mesh}).objective;
  expect_refusal("eroded field");
  const OptimizationProblem robust{{}, {}, true, false, {Kind::worst_case, 0.25, 20}};
  OptimizationProblem of_ends = robust;
  of_ends.fields.kind         = Kind::eroded_and_dilated;
  for (const OptimizationProblem &of_fields : {robust, of_ends})
    {
      for (const std::string update : {"optimality criteria", "gcmma"})
        EXPECT_NE(find_design_update(update).obstacle(of_fields, 1), "") << update;
      EXPECT_EQ(find_design_update("mma").obstacle(of_fields, 1), "");
    }
}

INSTANTIATE_TEST_SUITE_P(Core, RobustFieldsTest, at_three_threads_and_cuda(), place_name);
} // namespace
} // namespace strut::test
