// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/run_summary.h"

#include "plugin/base/json.h"

#include <cmath>
#include <limits>

#include "tests/plugin/page_checks.h"

namespace strut
{
namespace
{
/// The value at a path whose names contain points.
std::string at(const Tree &tree, const std::string &path)
{
  return tree.get<std::string>(Tree::path_type(path, '|'));
}

TEST(Json, WritesNestedObjectsAndLists)
{
  Json json;
  json.value("a", 1).open("b").value("c", true).null("d").close().open_list("e");
  json.element("x").element("y").close().open_list("f").close();
  json.open_list("g").open().value("h", 0.5).close().open().close().close();
  EXPECT_EQ(
    json.text(),
    "{\n  \"a\": 1,\n  \"b\": {\n    \"c\": true,\n    \"d\": null\n  },\n  \"e\": [\n"
    "    \"x\",\n    \"y\"\n  ],\n  \"f\": [],\n  \"g\": [\n    {\n      \"h\": 0.5\n    },\n"
    "    {}\n  ]\n}\n");
}

TEST(Json, NumbersKeepTheirBits)
{
  for (const double number : {0.1, 1. / 3., -0., 5e-324, 1.7e308, 1e22, -2.5e-7})
    {
      Json json;
      json.value("x", number);
      const std::string text = at(parsed(json.text()), "x");
      EXPECT_EQ(std::strtod(text.c_str(), nullptr), number) << text;
    }
  for (const double number : {std::nan(""),
                              std::numeric_limits<double>::infinity(),
                              -std::numeric_limits<double>::infinity()})
    {
      Json json;
      json.value("x", number);
      EXPECT_EQ(at(parsed(json.text()), "x"), "null");
    }
}

TEST(Json, TextsComeBackWhateverIsInThem)
{
  std::string all;
  for (int c = 1; c < 128; ++c)
    all += static_cast<char>(c);
  all += "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x99\x82 \\u0041 </script>";
  Json json;
  json.value("text", all);
  EXPECT_EQ(at(parsed(json.text()), "text"), all);
}

// A deck's name or a message may have bytes of other encodings.
TEST(Json, BytesThatAreNoUtf8AreReplaced)
{
  const std::string stranger = "\xEF\xBF\xBD";
  EXPECT_EQ(Json::quoted("Br\xFC"
                         "cke"),
            "\"Br" + stranger + "cke\"");
  EXPECT_EQ(Json::quoted("\xC3"), '"' + stranger + '"'); // cut off
  EXPECT_EQ(Json::quoted("\xE2\x82"), '"' + stranger + stranger + '"');
  EXPECT_EQ(Json::quoted("\xC0\xAF"), '"' + stranger + stranger + '"'); // too long a form
  EXPECT_EQ(Json::quoted("\xED\xA0\x80"),
            '"' + stranger + stranger + stranger + '"'); // a surrogate
  EXPECT_EQ(Json::quoted("\x80"
                         "a"),
            '"' + stranger + "a\"");
}

RunSummary some_summary()
{
  RunSummary summary;
  summary.label           = {{"strut", "0.1.0"}, {"deal.II", "9.4.1"}, {"device", "A \"CPU\""}};
  summary.deck            = "decks/my \"deck\".prm";
  summary.options         = {"--set A / B = C:\\x", "--threads Threads = 2"};
  summary.n_elements      = 192;
  summary.n_nodes         = 325;
  summary.n_ranks         = 3;
  summary.load_cases      = {{"left", 1.}, {"right, \"cold\"", 2.5}};
  summary.volume_fraction = 0.4;
  summary.history         = {{1, 9., 0.4, 30, 1e-6, 0.1, {0.2, 1.}, {2., 2.8}},
                             {2, 7., 0.40001, 20, 2e-6, 0.1, {0.125, 1.}, {1., 2.4}}};
  summary.columns         = {{"density_change", "change"}, {"multiplier", ""}};
  summary.seconds         = {{"set-up", 0.5}, {"total", 1.25}};
  summary.notes           = {"a radius below one element\nfilters nothing"};
  return summary;
}

TEST(RunSummary, SaysWhatCameOfTheRun)
{
  RunSummary summary = some_summary();
  summary.status     = RunStatus::converged;
  const auto tree    = parsed(to_json(summary));
  EXPECT_EQ(at(tree, "status"), "converged");
  EXPECT_EQ(at(tree, "error"), "null");
  EXPECT_EQ(at(tree, "iterations"), "2");
  EXPECT_EQ(at(tree, "objective|name"), "compliance");
  EXPECT_EQ(at(tree, "objective|value"), "7");
  EXPECT_EQ(at(tree, "volume fraction|asked"), "0.40000000000000002");
  EXPECT_EQ(at(tree, "volume fraction|got"), "0.40000999999999998");
  EXPECT_EQ(at(tree, "density change"), "0.125");
  EXPECT_EQ(at(tree, "solver|iterations"), "50");
  EXPECT_EQ(at(tree, "solver|most in one design iteration"), "30");
  EXPECT_EQ(at(tree, "sizes|degrees of freedom"), "975");
  EXPECT_EQ(at(tree, "sizes|ranks"), "3");
  EXPECT_EQ(at(tree, "label|deal.II"), "9.4.1");
  EXPECT_EQ(at(tree, "label|device"), "A \"CPU\"");
  EXPECT_EQ(at(tree, "deck|file"), summary.deck);
  EXPECT_EQ(at(tree, "seconds|total"), "1.25");

  const auto &cases = tree.get_child("load cases");
  ASSERT_EQ(cases.size(), 2u);
  EXPECT_EQ(at(cases.back().second, "name"), "right, \"cold\"");
  EXPECT_EQ(at(cases.back().second, "weight"), "2.5");
  EXPECT_EQ(std::strtod(at(cases.back().second, "objective").c_str(), nullptr), 2.4);
  EXPECT_EQ(tree.get_child("notes").front().second.data(), summary.notes[0]);
  EXPECT_EQ(tree.get_child("deck.options").front().second.data(), summary.options[0]);
}

TEST(RunSummary, ListsThePiecesOfTheDesignOnceThereAreSome)
{
  RunSummary summary = some_summary();
  EXPECT_EQ(at(parsed(to_json(summary)), "pieces"), "null");
  EXPECT_EQ(at(parsed(to_json(summary)), "greyness"), "null");
  summary.greyness = 0.25;
  EXPECT_EQ(at(parsed(to_json(summary)), "greyness"), "0.25");
  summary.pieces  = {{12, 6., true, true}, {1, 2., false, true}};
  const auto tree = parsed(to_json(summary));
  EXPECT_EQ(at(tree, "pieces|least density"), "0.5");
  EXPECT_EQ(at(tree, "pieces|number"), "2");
  const auto &largest = tree.get_child("pieces.largest");
  ASSERT_EQ(largest.size(), 2u);
  EXPECT_EQ(at(largest.back().second, "elements"), "1");
  EXPECT_EQ(at(largest.back().second, "share of the volume"), "0.25");
  EXPECT_EQ(at(largest.back().second, "load"), "false");
  EXPECT_EQ(at(largest.back().second, "support"), "true");
}

TEST(RunSummary, KnowsEveryEnd)
{
  const std::vector<std::pair<RunStatus, std::string>> ends = {
    {RunStatus::running, "running"},
    {RunStatus::converged, "converged"},
    {RunStatus::iteration_limit, "iteration limit"},
    {RunStatus::ended, "ended"},
    {RunStatus::interrupted, "interrupted"},
    {RunStatus::failed, "failed"}};
  for (const auto &[status, name] : ends)
    {
      RunSummary summary = some_summary();
      summary.status     = status;
      summary.error      = status == RunStatus::failed ? "Load case 'a':\n  not converged" : "";
      const auto tree    = parsed(to_json(summary));
      EXPECT_EQ(at(tree, "status"), name);
      EXPECT_EQ(at(tree, "error"), summary.error.empty() ? "null" : summary.error);
      EXPECT_EQ(at(tree, "shortfall"), "null");
      summary.shortfall = "the limit of 'a' is broken: 2 instead of \"1\"";
      EXPECT_EQ(at(parsed(to_json(summary)), "shortfall"), summary.shortfall);
    }
}

TEST(RunSummary, BeforeTheFirstIterationNumbersAreNull)
{
  RunSummary summary = some_summary();
  summary.history.clear();
  const auto tree = parsed(to_json(summary));
  EXPECT_EQ(at(tree, "iterations"), "0");
  EXPECT_EQ(at(tree, "objective|value"), "null");
  EXPECT_EQ(at(tree, "volume fraction|got"), "null");
  EXPECT_EQ(at(tree.get_child("load cases").front().second, "objective"), "null");
}
} // namespace
} // namespace strut
