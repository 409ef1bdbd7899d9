// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/backends.h"
#include "../fixtures/errors.h"

#include <strut/solvers/elasticity_operator.h>

#include <set>

namespace strut::test
{
namespace
{
using StrategyListTest = PlaceTest;

template <typename Number>
std::vector<std::string> names(const Backend &backend)
{
  std::vector<std::string> result;
  for (const Strategy<Number> &strategy : backend.strategies<Number>())
    result.push_back(strategy.name);
  return result;
}

// A backend has what the list says without one, in both precisions: no strategy escapes the tests.
TEST_P(StrategyListTest, IsThatOfTheBackend)
{
  EXPECT_EQ(names<double>(backend()), strategy_names(GetParam()));
  EXPECT_EQ(names<float>(backend()), strategy_names(GetParam()));
}

TEST_P(StrategyListTest, DescribesEachOnce)
{
  std::set<std::string> seen;
  for (const Strategy<double> &strategy : backend().strategies<double>())
    {
      EXPECT_TRUE(seen.insert(strategy.name).second) << strategy.name;
      EXPECT_FALSE(strategy.summary.empty()) << strategy.name;
    }
}

// A misspelt name is answered with the names that there are.
TEST_P(StrategyListTest, ErrorsListTheNames)
{
  std::vector<std::string> texts = strategy_names(GetParam());
  texts.insert(texts.end(), {"'ebeSimm'", backend().name()});
  expect_error([&]() { find_strategy<double>(backend(), "ebeSimm"); }, texts);
}

INSTANTIATE_TEST_SUITE_P(Core, StrategyListTest, at_all_places(), place_name);
} // namespace
} // namespace strut::test
