// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/backends.h"
#include "../fixtures/errors.h"
#include "source/backend/hardware_rates.h"
#include "source/backend/stopwatch.h"
#include "source/backend/transport.h"

#include <strut/backend/timing.h>

#include <chrono>
#include <cmath>
#include <sstream>
#include <thread>

namespace strut::test
{
namespace
{
using BackendTest = PlaceTest;

TEST_P(BackendTest, SaysWhatItIs)
{
  EXPECT_EQ(backend().name(), GetParam() == Place::cuda ? "cuda" : "cpu");
  EXPECT_FALSE(backend().device().empty());
  EXPECT_EQ(backend().memory().is_host(), GetParam() != Place::cuda);
  if (GetParam() == Place::cpu_3_threads)
    {
      EXPECT_NE(backend().device().find("3 threads"), std::string::npos) << backend().device();
    }
}

// One rank's transport works also in programs that never call MPI_Init().
TEST_P(BackendTest, TransportOfOneRankNeedsNoMpi)
{
  Transport &transport = backend().transport(Communicator());
  const std::vector<double> expected{1., 2.};
  Array<double> values(memory(), expected);
  transport.begin({});
  transport.finish();
  transport.sum(values.data(), 2);
  EXPECT_EQ(values.to_host(), expected);
}

INSTANTIATE_TEST_SUITE_P(Core, BackendTest, at_all_places(), place_name);

// Never a silent fall-back: without a device there is a reason, and asking for one is an Error.
TEST(CudaBackend, IsAnErrorWithoutADevice)
{
  std::string reason;
  const int n_devices = n_cuda_devices(&reason);
  EXPECT_GE(cuda_compiled() ? 1000 : 0, n_devices);
  EXPECT_EQ(reason.empty(), n_devices > 0) << reason;
  expect_error([&]() { make_cuda_backend(n_devices); }, {"CUDA"}); // one past the last
}

// The table lists each section once, with its number of calls.
TEST(TimingTable, CountsCallsBySection)
{
  TimingTable table;
  const auto backend = make_cpu_backend(1);
  for (int i = 0; i < 3; ++i)
    TimingTable::Scope scope(table, "operator", backend.get());
  {
    TimingTable::Scope scope(table, "filter");
  }
  std::ostringstream out;
  table.print(out);
  std::istringstream lines(out.str());
  std::string line;
  int found = 0;
  while (std::getline(lines, line))
    {
      std::istringstream words(line);
      std::string section, calls;
      words >> section >> calls;
      found += (section == "operator" && calls == "3") || (section == "filter" && calls == "1");
    }
  EXPECT_EQ(found, 2) << out.str();
  EXPECT_EQ(table.seconds("never"), 0.);
  EXPECT_GE(table.total(), table.seconds("operator") + table.seconds("filter"));
}

// Each second counts once: a section within another, and a time that was measured within one, are
// taken from the section around them.
TEST(TimingTable, SectionsWithinOthersCountOnce)
{
  TimingTable table;
  const auto wait = []() { std::this_thread::sleep_for(std::chrono::milliseconds(5)); };
  {
    TimingTable::Scope update(table, "update");
    wait();
    {
      TimingTable::Scope filter(table, "filter");
      wait();
      table.add("solve", 1000., 7); // longer than any machine needs here
    }
    TimingTable::Scope again(table, "update");
    wait();
  }
  EXPECT_GE(table.seconds("update"), 0.01);
  EXPECT_LE(table.seconds("filter"), table.total() - 1000.);
  EXPECT_EQ(table.seconds("solve"), 1000.);
  double sum = 0;
  for (const auto &[section, seconds] : table.by_section())
    {
      EXPECT_TRUE(section != "other" || seconds >= 0.) << seconds;
      sum += section == "total" ? -seconds : seconds;
    }
  EXPECT_NEAR(sum, 0., 1e-9);
  // Nothing is left of these scopes: what is added outside of all of them is taken from none.
  table.add("filter", 2000., 1);
  EXPECT_GE(table.seconds("filter"), 1000.);
}

// The time of a stopwatch grows with the work, and the yardsticks are positive numbers.
TEST_P(BackendTest, MeasuresTheHardware)
{
  const HardwareRates rates = HardwareRates::measure(backend(), std::size_t(1) << 22);
  for (const double rate : {rates.copy_bandwidth, rates.flops_fp64, rates.flops_fp32})
    {
      EXPECT_GT(rate, 0.);
      EXPECT_TRUE(std::isfinite(rate)) << rate;
    }
  EXPECT_EQ(rates.flops(strut::Precision::fp32), rates.flops_fp32);
  EXPECT_GE(backend().n_threads(), 1u);
}

// Work timed piece by piece, more pieces than a stopwatch keeps at a time, as against all of it.
TEST_P(BackendTest, StopwatchSumsPieces)
{
  const std::size_t n = 100000;
  Array<double> x(backend().memory(), n), y(backend().memory(), n);
  const auto whole = backend().make_stopwatch(), pieces = backend().make_stopwatch();
  whole->start();
  for (int i = 0; i < 50; ++i)
    {
      pieces->start();
      backend().vector_operations<double>().axpy(n, 1., x, y);
      pieces->pause();
    }
  const double seconds = whole->stop();
  const double sum     = pieces->take_sum();
  EXPECT_GT(sum, 0.);
  EXPECT_LE(sum, 1.1 * seconds + 1e-4); // events count half microseconds
  EXPECT_EQ(pieces->take_sum(), 0.);

  TimingTable table;
  table.add("section", 2., 3);
  table.add("section", 1., 1);
  EXPECT_EQ(table.seconds("section"), 3.);
  EXPECT_NE(table.csv().find("section,4,3\n"), std::string::npos) << table.csv();
}

// A strategy from outside must not take the name of another.
TEST(CpuStrategies, HaveEachNameOnce)
{
  const Strategy<float> taken = cpu_strategies<float>().front();
  const std::size_t n         = cpu_strategies<float>().size();
  EXPECT_THROW(add_cpu_strategy(taken), Error);
  EXPECT_EQ(cpu_strategies<float>().size(), n);
}
} // namespace
} // namespace strut::test
