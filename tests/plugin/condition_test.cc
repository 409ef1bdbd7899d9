// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Conditions of regions: values agree with deal.II's parser, and invalid conditions are refused.
#include "plugin/deck/problem/condition.h"

#include <deal.II/base/function_parser.h>

#include <strut/base/exceptions.h>

#include "tests/plugin/text_checks.h"

#include <cmath>

using namespace strut;

namespace
{
const std::vector<std::string> constants = {"xmax", "tol"};

double value(const std::string &text, const dealii::Point<3> &point)
{
  dealii::FunctionParser<3> parser;
  parser.initialize("x,y,z",
                    Condition::read(text, constants).formula,
                    {{"xmax", 12.}, {"tol", 1e-6}, {"pi", std::acos(-1.)}});
  return parser.value(point);
}

std::string refusal(const std::string &text)
{
  return message_of<Error>([&] { Condition::read(text, constants); });
}
} // namespace

TEST(Condition, HoldsWhereTheSameConditionInCppHolds)
{
  struct Case
  {
    const char *text;
    bool (*same)(double x, double y, double z);
  };
  const std::vector<Case> cases = {
    {"x > 1", [](double x, double, double) { return x > 1; }},
    {"x>1&&y<2||z>=3", [](double x, double y, double z) { return (x > 1 && y < 2) || z >= 3; }},
    {"x > 1 or y < 2 and z >= 3",
     [](double x, double y, double z) { return x > 1 || (y < 2 && z >= 3); }},
    {"(x > 1 OR y < 2) And z >= 3",
     [](double x, double y, double z) { return (x > 1 || y < 2) && z >= 3; }},
    {"x > 1 | y < 2 & z >= 3",
     [](double x, double y, double z) { return x > 1 || (y < 2 && z >= 3); }},
    {"not x > 1", [](double x, double, double) { return !(x > 1); }},
    {"not x > 1 and y > 1", [](double x, double y, double) { return !(x > 1) && y > 1; }},
    {"not (x > 1 and y > 1)", [](double x, double y, double) { return !(x > 1 && y > 1); }},
    {"!(x > 1) && y > 1", [](double x, double y, double) { return !(x > 1) && y > 1; }},
    {"not not x > 1", [](double x, double, double) { return x > 1; }},
    {"x > 1 and true", [](double x, double, double) { return x > 1; }},
    {"x > 1 or false", [](double x, double, double) { return x > 1; }},
    {"(x > 1) * (y > 1)", [](double x, double y, double) { return x > 1 && y > 1; }},
    {"(x > 1) + (y > 1)", [](double x, double y, double) { return x > 1 || y > 1; }},
    {"(x > 1) == (y > 1)", [](double x, double y, double) { return (x > 1) == (y > 1); }},
    {"if(x > 1, y > 1, z > 1)", [](double x, double y, double z) { return x > 1 ? y > 1 : z > 1; }},
    {"if(x > 1, 1, 0)", [](double x, double, double) { return x > 1; }},
    {"x > 1 ? y > 1 : z > 1", [](double x, double y, double z) { return x > 1 ? y > 1 : z > 1; }},
    {"x - y - z > -1", [](double x, double y, double z) { return x - y - z > -1; }},
    {"x / 2 * 3 > y", [](double x, double y, double) { return x / 2 * 3 > y; }},
    {"-x^2 + 2^-1 < 0", [](double x, double, double) { return -x * x + 0.5 < 0; }},
    {"x^2^0.5 > 2", [](double x, double, double) { return std::pow(x, std::sqrt(2.)) > 2; }},
    {"x + y != 3 and x <= 2 and -+-z > .5e0",
     [](double x, double y, double z) { return x + y != 3 && x <= 2 && z > 0.5; }},
    {"abs(x - xmax) < 11 + tol", [](double x, double, double) { return std::abs(x - 12) < 11; }},
    {"sqrt((x-1)^2 + (y - 1)^2) < 1.5e0",
     [](double x, double y, double) { return std::hypot(x - 1, y - 1) < 1.5; }},
  };
  for (const Case &c : cases)
    for (const double x : {0.25, 1.25, 2.25})
      for (const double y : {0.5, 1.5, 2.5})
        for (const double z : {0.75, 1.75, 3.75})
          EXPECT_EQ(value(c.text, {x, y, z}) > 0.5, c.same(x, y, z))
            << c.text << " at " << x << ' ' << y << ' ' << z;
}

// Bounds hold wherever the condition does. They are found for comparisons with a coordinate that
// must be true.
TEST(Condition, BoundsAreNecessary)
{
  const auto admits = [](const Condition::Bound &bound, const dealii::Point<3> &point) {
    const std::string coordinates = "xyz";
    return value(coordinates.substr(bound.direction, 1) + bound.by + bound.number, point) > 0.5;
  };
  const std::vector<std::pair<const char *, std::size_t>> cases = {
    {"x > 1", 1},
    {"x > xmax - 11 - tol && z < 1 + tol", 2},
    {"(y >= 2.5) * (x <= 2.25) and (x > 0.25 or z > 1)", 2},
    {"x > 1 and (y > 1 and (z > 1 and z < 3))", 4},
    {"x > 1 || y > 1", 0},
    {"not (x > 1 and y > 1)", 0},
    {"!(x > 1) and y > 2", 1},
    {"x > y and y < 2 * z", 0},
    {"x > 1 and y < min(2, 1.5)", 2},
    {"(x) < 2 and -x < 1 and 1 < y and x + 1 > y", 1},
    {"x == 1.25 and y != 1.5", 0},
    {"if(x > 1, y > 1, z > 1)", 0},
    {"x > 1 ? y > 1 : z > 1", 0},
    {"(x > 1) + (y > 1)", 0},
    {"(x > 1) == (y > 1)", 0},
  };
  for (const auto &[text, n_bounds] : cases)
    {
      const std::vector<Condition::Bound> bounds = Condition::read(text, constants).bounds;
      EXPECT_EQ(bounds.size(), n_bounds) << text;
      for (const double x : {0.25, 1., 1.25, 2.25})
        for (const double y : {0.5, 1.5, 2.5})
          for (const double z : {0.75, 1., 3.75})
            for (const Condition::Bound &bound : bounds)
              if (value(text, {x, y, z}) > 0.5)
                {
                  EXPECT_TRUE(admits(bound, {x, y, z})) << text;
                }
    }
}

TEST(Condition, KnowsTheFunctions)
{
  const double x                                              = 0.625;
  const std::vector<std::pair<std::string, double>> functions = {
    {"abs(-x)", x},
    {"sqrt(x)", std::sqrt(x)},
    {"sin(x)", std::sin(x)},
    {"cos(x)", std::cos(x)},
    {"tan(x)", std::tan(x)},
    {"asin(x)", std::asin(x)},
    {"acos(x)", std::acos(x)},
    {"atan(x)", std::atan(x)},
    {"atan2(x, 2)", std::atan2(x, 2)},
    {"sinh(x)", std::sinh(x)},
    {"cosh(x)", std::cosh(x)},
    {"tanh(x)", std::tanh(x)},
    {"asinh(x)", std::asinh(x)},
    {"acosh(x + 1)", std::acosh(x + 1)},
    {"atanh(x)", std::atanh(x)},
    {"exp(x)", std::exp(x)},
    {"log(x)", std::log(x)},
    {"ln(x)", std::log(x)},
    {"log2(x)", std::log2(x)},
    {"log10(x)", std::log10(x)},
    {"pow(x, 3)", std::pow(x, 3)},
    {"sign(-x)", -1},
    {"rint(x)", 1},
    {"floor(x)", 0},
    {"ceil(x)", 1},
    {"int(x)", 1},
    {"min(x, 2, 0.5)", 0.5},
    {"max(x, 2, 0.5)", 2},
    {"sum(x, 2)", x + 2},
    {"avg(x, 2)", (x + 2) / 2},
    {"cot(x)", 1 / std::tan(x)},
    {"csc(x)", 1 / std::sin(x)},
    {"sec(x)", 1 / std::cos(x)},
    {"erfc(x)", std::erfc(x)},
    {"if(x > 0, x, 2)", x},
    {"pi * x", std::acos(-1.) * x},
  };
  for (const auto &[text, expected] : functions)
    {
      const std::string number = std::to_string(expected);
      EXPECT_GT(value("abs(" + text + " - (" + number + ")) < 1e-6", {x, 0, 0}), 0.5) << text;
    }
}

TEST(Condition, EverywhereIsAWord)
{
  for (const char *text : {"everywhere", "true", "Everywhere", " (everywhere) "})
    {
      EXPECT_TRUE(Condition::read(text, constants).is_everywhere) << text;
      EXPECT_EQ(value(text, {1, 2, 3}), 1.);
    }
  EXPECT_FALSE(Condition::read("x > 1", constants).is_everywhere);
}

TEST(Condition, RefusesWhatIsNone)
{
  const std::vector<std::pair<std::string, std::string>> refused = {
    {"x = 32", "'=' assigns a value"},
    {"x > 1 && y = 2", "'=' assigns a value"},
    {"x =< 3", "'=' assigns a value"},
    {"x > 31,5", "',' outside the parentheses of a function"},
    {"(x > 31,5)", "',' in parentheses that belong to no function"},
    {"1, 2, 3", "',' outside"},
    {"abs(x - 31,5) < 1", "'abs' takes 1 value, not 2"},
    {"pow(x) > 1", "'pow' takes 2 values, not 1"},
    {"rand() > 0.5", "'rand' gives another number"},
    {"x > rand_seed(1)", "'rand_seed' gives another number"},
    {"1", "does not depend on x, y or z"},
    {"1 > 0", "does not depend on x, y or z"},
    {"xmax > 3", "does not depend on x, y or z"},
    {"false", "does not depend on x, y or z"},
    {"not true", "does not depend on x, y or z"},
    {"z", "A number is used as a condition"},
    {"x + y", "A number is used as a condition"},
    {"x > 1 or 3", "A number is used as a condition"},
    {"x and y", "A number is used as a condition"},
    {"1 < x < 3", "Two comparisons in a row"},
    {"x == y == z", "Two comparisons in a row"},
    {"(1 < x) < 3", "A condition is used as a number"},
    {"abs(x > 1) > 0", "A condition is used as a number"},
    {"!x > 1", "'!' is before a number"},
    {"r < 2", "'r' is not known here"},
    {"xmx - x < tol", "'xmx' is not known here. Did you mean 'xmax'?"},
    {"foo(x) > 1", "'foo' is not known here"},
    {"x < tol && (y > 1", "A ')' is missing"},
    {"x > 1)", "character 6"},
    {"x >", "at the end"},
    {"", "at the end"},
    {"x > 1 y", "at 'y', character 7"},
    {"x > 0x10", "at 'x10'"},
    {"x > 1.2.3", "'1.2.3' is not a number"},
    {"x > 1e400", "'1e400' is not a number"},
    {"x > 1; y", "at '; y', character 6"},
    {"x > \"1\"", "at '\"1\"'"},
    {std::string(20000, 'x'), "20000 characters"},
    {std::string(3000, '(') + "x > 1" + std::string(3000, ')'), "nested too deeply"},
    {std::string(3000, '!') + "(x > 1)", "nested too deeply"},
    {std::string(3000, '-') + "x > 1", "nested too deeply"},
  };
  for (const auto &[text, reason] : refused)
    EXPECT_CONTAINS(refusal(text), reason) << text.substr(0, 100) << "\n";
}
