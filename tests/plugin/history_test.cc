// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/base/exceptions.h>


#include <cmath>
#include <csignal>
#include <cstdlib>
#include <limits>

#include <sys/resource.h>

#include "distributed_problem.h"
#include "plugin/base/atomic_file.h"
#include "plugin/deck/output/history.h"

namespace strut::plugin
{
namespace
{
const std::vector<HistoryColumn> columns = {{"density_change", "change"}, {"multiplier", ""}};

using OutputHistory = SharedFolder;


TEST_F(OutputHistory, GivesBackTheSameNumbers)
{
  if (rank_in(MPI_COMM_WORLD) != 0)
    return;
  std::vector<IterationRecord> history(3);
  history[0]             = {1, 0.1, 1. / 3., 4000000000u, 5e-324, 12.5, {std::sqrt(2.), 1e-300}};
  history[1]             = {2, -1e300, std::nextafter(0.3, 1.), 0, 1e-5 / 3., 0.1 + 0.2, {0., -0.}};
  history[2]             = {3, 1, 2, 5, 6, 7, {3, 4}};
  const std::string file = folder + "/history.csv";
  write_history(file, history, columns);

  std::istringstream stream(contents_of(file));
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

TEST_F(OutputHistory, SeveralLoadCasesHaveColumnsOfTheirOwn)
{
  if (rank_in(MPI_COMM_WORLD) != 0)
    return;
  const std::string file                     = folder + "/history.csv";
  const std::vector<IterationRecord> history = {
    {1, 0.5, 0.5, 2, 0.125, 4, {0.25, 1}, {0.25, 1. / 3.}}};
  const std::string first_columns =
    "iteration,objective,volume_fraction,density_change,multiplier,solver_iterations,residual,seconds";
  // blanks are '_': a column's name is one word
  write_history(file, history, columns, "objective", {"wind, from \"west\"", "down case"});
  EXPECT_EQ(contents_of(file),
            first_columns + ",\"objective_wind,_from_\"\"west\"\"\",objective_down_case\n" +
              "1,0.5,0.5,0.25,1,2,0.125,4,0.25,0.33333333333333331\n");
  // the objective is already that of one case
  write_history(file, history, columns, "objective", {"1"});
  EXPECT_EQ(contents_of(file), first_columns + "\n1,0.5,0.5,0.25,1,2,0.125,4\n");
}

TEST_F(OutputHistory, LinesStandUnderTheirHeader)
{
  const std::string header = screen_header(columns);
  for (const double compliance : {1.5, 123456.789, 1e-12, 1e12})
    EXPECT_EQ(screen_line(columns, {150, compliance, 0.3, 12695, 1e-6, 1234.5, {0.01, 1}}).size(),
              header.size());
  const std::string line = screen_line(columns, {7, 2.5, 0.3, 887, 9.5e-6, 0.25, {0.0125, 1}});
  for (const char *const text : {" 7 ", "2.5", "0.3", "0.0125", "887", "9.50e-06", "0.25"})
    EXPECT_TRUE(contains(line, text));
}
} // namespace
} // namespace strut::plugin
