// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/history.h"

#include <cstdlib>

#include "distributed_problem.h"

namespace strut
{
namespace
{
const std::vector<HistoryColumn> columns = {{"density_change", "change"}, {"multiplier", ""}};

TEST(OutputHistory, GivesBackTheSameNumbers)
{
  std::vector<IterationRecord> history(3);
  history[0] = {1, 0.1, 1. / 3., 4000000000u, 5e-324, 12.5, {std::sqrt(2.), 1e-300}};
  history[1] = {2, -1e300, std::nextafter(0.3, 1.), 0, 1e-5 / 3., 0.1 + 0.2, {0., -0.}};
  history[2] = {3, 1, 2, 5, 6, 7, {3, 4}};

  std::istringstream stream(history_text(history, columns));
  std::string line;
  std::getline(stream, line);
  EXPECT_EQ(line,
            "iteration,compliance,volume_fraction,density_change,multiplier,solver_iterations,"
            "residual,seconds");
  for (const IterationRecord &record : history)
    {
      ASSERT_TRUE(std::getline(stream, line));
      std::vector<double> values;
      std::istringstream fields(line);
      for (std::string field; std::getline(fields, field, ',');)
        values.push_back(std::strtod(field.c_str(), nullptr));
      EXPECT_EQ(values,
                (std::vector<double>{double(record.iteration),
                                     record.objective,
                                     record.volume_fraction,
                                     record.values[0],
                                     record.values[1],
                                     double(record.solver_iterations),
                                     record.residual,
                                     record.seconds}));
    }
  EXPECT_FALSE(std::getline(stream, line));
}

TEST(OutputHistory, SeveralLoadCasesHaveColumnsOfTheirOwn)
{
  const std::vector<IterationRecord> history = {
    {1, 0.5, 0.5, 2, 0.125, 4, {0.25, 1}, {0.25, 1. / 3.}}};
  const std::string first_columns =
    "iteration,objective,volume_fraction,density_change,multiplier,solver_iterations,residual,seconds";
  // blanks are '_': a column's name is one word
  EXPECT_EQ(history_text(history, columns, "objective", {"wind, from \"west\"", "down case"}),
            first_columns + ",\"objective_wind,_from_\"\"west\"\"\",objective_down_case\n" +
              "1,0.5,0.5,0.25,1,2,0.125,4,0.25,0.33333333333333331\n");
  // with one load case the objective is already its column
  EXPECT_EQ(history_text(history, columns, "objective", {"1"}),
            first_columns + "\n1,0.5,0.5,0.25,1,2,0.125,4\n");
}

TEST(OutputHistory, LinesStandUnderTheirHeader)
{
  const std::string header = screen_header(columns);
  for (const double compliance : {1.5, 123456.789, 1e-12, 1e12})
    EXPECT_EQ(screen_line(columns, {150, compliance, 0.3, 12695, 1e-6, 1234.5, {0.01, 1}}).size(),
              header.size());
  const std::string line = screen_line(columns, {7, 2.5, 0.3, 887, 9.5e-6, 0.25, {0.0125, 1}});
  for (const char *const text : {" 7 ", "2.5", "0.3", "0.0125", "887", "9.50e-06", "0.25"})
    EXPECT_CONTAINS(line, text);
}
} // namespace
} // namespace strut
