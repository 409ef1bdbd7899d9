// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/comparison/measure.h"

#include "../fixtures/box_mesh.h"

#include <deal.II/base/vectorization.h>

#include <strut/base/exceptions.h>

#include <mpi.h>

#include <algorithm>
#include <limits>

#include "plugin/base/named_file.h"
#include "plugin/studies/comparators/comparators.h"
#include "plugin/studies/comparison/report.h"
#include "tests/plugin/in_empty_directory.h"

namespace strut::test
{
namespace
{
using namespace strut;

/// An operator with an error in the last entry of y.
class WrongAtTheEnd : public ElementOperator<double>
{
public:
  explicit WrongAtTheEnd(std::unique_ptr<ElementOperator<double>> right, const double last)
    : right_(std::move(right)), last_(last)
  {}
  void set_stiffness(const Array<double> &factors) override
  {
    right_->set_stiffness(factors);
  }
  void apply(const Array<double> &x, Array<double> &y) const override
  {
    right_->apply(x, y);
    y.data()[y.size() - 1] = last_;
  }
  void diagonal(Array<double> &d) const override
  {
    right_->diagonal(d);
  }
  void energies(const Array<double> &u, Array<double> &c) const override
  {
    right_->energies(u, c);
  }
  OperatorCost cost() const override
  {
    return right_->cost();
  }

private:
  std::unique_ptr<ElementOperator<double>> right_;
  double last_;
};

/// Whether the strategies below misbehave. They stay in the list of the backend, which other tests
/// iterate over, so they misbehave only here.
bool misbehave = false;

template <int fault> // 0: not a number, 1: too large by a thousandth, 2: fails on the last rank
std::unique_ptr<ElementOperator<double>>
make(Backend &backend, const ElementMesh &mesh, const Material &material)
{
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  auto ebe = cpu_strategies<double>().front().make(backend, mesh, material);
  if (!misbehave)
    return ebe;
  if (fault == 2 && rank == size - 1)
    throw Error("It fails here.\n  Not elsewhere.");
  return std::make_unique<WrongAtTheEnd>(std::move(ebe),
                                         fault == 0 ? std::numeric_limits<double>::quiet_NaN()
                                                    : 1e3);
}

OperatorResult measured(const std::string &name)
{
  static bool added = false;
  if (!added)
    for (const auto &[its_name, its_make] :
         {std::make_pair("test_nan", &make<0>),
          std::make_pair("test_wrong", &make<1>),
          std::make_pair("test_fails_on_the_last_rank", &make<2>)})
      {
        Strategy<double> strategy = cpu_strategies<double>().front();
        strategy.name             = its_name;
        strategy.make             = its_make;
        add_cpu_strategy(strategy);
      }
  added = true;

  static const ElementMesh mesh = make_box(BoxOptions::wild({{4, 3, 3}}, 1)).mesh;
  static const Material material;
  static const std::vector<LoadCase> no_loads;
  static const std::vector<double> stiffness(mesh.n_elements, 1.);
  static const SolverControl control;
  const Communicator communicator(MPI_COMM_WORLD);
  const MeasuredProblem problem{communicator, mesh, material, no_loads, stiffness, control};
  const auto reference = ReferenceProduct::compute(communicator, mesh, material);
  const auto backend   = make_cpu_backend(1);
  const MeasuredBackend where{*backend, {1e10, 1e10, 1e10}, 1e9};
  OperatorCase subject;
  subject.backend             = "cpu";
  subject.name                = name;
  misbehave                   = true;
  const OperatorResult result = measure_operator(problem, where, subject, reference, 0.01);
  misbehave                   = false;
  return result;
}

/// A result of an operator on the CPU, as if a product took so many seconds; 0: not measured.
OperatorResult result_of(const std::string &name, const Precision precision, const double seconds)
{
  OperatorResult result;
  result.subject.backend   = "cpu";
  result.subject.name      = name;
  result.subject.precision = precision;
  result.time.median       = seconds;
  return result;
}

TEST(OutputOfComparison, IsRightForTheReferenceItself)
{
  const OperatorResult result = measured("ebe");
  EXPECT_EQ(result.status, "ok");
  EXPECT_LE(result.error, 1e-15);
  EXPECT_TRUE(result.measured());
  EXPECT_LE(result.time.smallest, result.time.median);
  EXPECT_LE(result.time.median, result.time.largest);
}

// One entry is enough, and one that is no number above all.
TEST(OutputOfComparison, FindsWrongProducts)
{
  for (const std::string name : {"test_nan", "test_wrong"})
    {
      const OperatorResult result = measured(name);
      EXPECT_TRUE(is_failure(result.status)) << name << ": " << result.status;
      EXPECT_GT(result.error, 1e-3) << name;
    }
}

// An operator that fails on one rank ends on all of them, and the next operator is measured.
TEST(OutputOfComparison, FailsOnAllRanksTogether)
{
  const OperatorResult result = measured("test_fails_on_the_last_rank");
  EXPECT_TRUE(is_failure(result.status)) << result.status;
  EXPECT_FALSE(result.measured());
  EXPECT_EQ(measured("ebe").status, "ok");
}

// A wrong result is no baseline; speed-ups refer to the same precision.
TEST(OutputOfComparison, ComparesWithTheBaseline)
{
  ComparisonResults results;
  results.operators                = {result_of("ebe", Precision::fp64, 1.),
                                      result_of("ebe", Precision::fp64, 4.),
                                      result_of("nbn", Precision::fp64, 8.),
                                      result_of("ebe", Precision::fp32, 2.)};
  results.operators.front().status = "WRONG: by a test";
  EXPECT_EQ(find_baseline(results.operators, "ebe", Precision::fp64)->time.median, 4.);
  EXPECT_EQ(find_baseline(results.operators, "cpu:ebe", Precision::fp32)->time.median, 2.);
  EXPECT_EQ(find_baseline(results.operators, "cuda:ebe", Precision::fp64), nullptr);

  results.baseline  = "ebe";
  const Table table = operator_columns(results).table(results.operators);
  for (const auto &row : table.rows)
    ASSERT_EQ(row.size(), table.headers.size());
  const std::vector<std::string> &nbn = table.rows[2];
  EXPECT_NE(std::find(nbn.begin(), nbn.end(), "0.50"), nbn.end()); // 4 s over 8 s
}

// Chosen columns do not hide that a row is wrong, because its status is added.
TEST(OutputOfComparison, ShowsTheStatusOfWrongRows)
{
  ComparisonResults results;
  results.operators.resize(2);
  results.operators[0].time.median = 1.;
  results.operators[1].status      = "does not fit: needs 2, 1 free"; // no numbers
  const auto headers               = [&] {
    return chosen_columns(operator_columns(results), {"speedup", "operator"}, results.operators)
      .table(results.operators)
      .headers;
  };
  EXPECT_EQ(headers(), (std::vector<std::string>{"speed-up", "operator"}));
  results.operators[0].status = "WRONG: by a test";
  EXPECT_EQ(headers(), (std::vector<std::string>{"speed-up", "operator", "status"}));
}

// Every column has a name, and one name means one thing.
TEST(OutputOfComparison, NamesItsColumns)
{
  for (const auto &names : {names_of_operator_columns(), solver_columns(SolverResults()).names()})
    {
      EXPECT_GT(names.size(), 15u);
      for (const std::string &name : names)
        EXPECT_EQ(std::count(names.begin(), names.end(), name), name.empty() ? 0 : 1) << name;
    }
  // Choosing all names gives the same columns as choosing none.
  const ComparisonResults none;
  const auto all   = operator_columns(none).table({});
  const auto named = operator_columns(none).chosen(names_of_operator_columns()).table({});
  EXPECT_EQ(named.headers.size(), all.headers.size());
}

// SIMD lanes are those of the row's precision, and for deal.II those of its configuration. Code of
// other libraries and GPUs have none.
TEST(OutputOfComparison, HasTheLanesOfEachRow)
{
  ComparisonResults results;
  for (const std::string name : {"ebe", "dealii_matrix_free", "trilinos_csr", "of_a_library"})
    for (const Precision precision : {Precision::fp64, Precision::fp32})
      results.operators.push_back(result_of(name, precision, 1.));
  results.operators.push_back(results.operators.front());
  results.operators.back().subject.backend = "cuda";
  const Table table = operator_columns(results).chosen({"lanes"}).table(results.operators);
  const int own     = std::stoi(table.rows[0][0]);
  EXPECT_TRUE(own == 2 || own == 4 || own == 8) << own;
  EXPECT_EQ(table.rows[1][0], std::to_string(2 * own));
  EXPECT_EQ(table.rows[2][0], std::to_string(dealii::VectorizedArray<double>::size()));
  EXPECT_EQ(table.rows[3][0], std::to_string(dealii::VectorizedArray<float>::size()));
  for (const std::size_t row : {4, 5, 6, 7, 8})
    EXPECT_EQ(table.rows[row][0], "-");
}

using OutputOfComparisonFiles = InEmptyDirectory;

// deal.II's operator has the lanes with which deal.II was configured, regardless of strut's. Every
// file lists them.
TEST_F(OutputOfComparisonFiles, NameTheSimdLanesOfDealii)
{
  const auto n     = dealii::VectorizedArray<double>::size();
  const auto lanes = std::to_string(n);
  EXPECT_EQ(lanes_of_dealii(), n);
  const std::string line =
    "dealii_matrix_free: " + lanes + (n == 1 ? " SIMD lane (double)" : " SIMD lanes (double)");

  ComparisonResults results;
  results.deck  = "deck";
  results.label = {{"cpu with 1 thread", "a processor, 64 SIMD lanes (double)"}};
  results.operators.push_back(result_of("ebe", Precision::fp64, 0.));
  write_reports("without", results);
  results.operators.push_back(result_of("dealii_matrix_free", Precision::fp64, 0.));
  results.solves.resize(1);
  write_reports("with", results);
  for (const std::string ending : {".operators.csv", ".solves.csv", ".md", ".tex"})
    {
      SCOPED_TRACE(ending);
      EXPECT_CONTAINS(file_contents("with/deck" + ending), line);
      EXPECT_LACKS(file_contents("without/deck" + ending), "dealii_matrix_free:");
    }
  EXPECT_CONTAINS(file_contents("with/deck.md"),
                  "of dealii_matrix_free " + lanes + " in double, those of deal.II's");
}
} // namespace
} // namespace strut::test
