// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/report/columns.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

using namespace strut;

namespace
{
struct Row
{
  std::string name;
  double bytes = 0;
  Spread time;

  bool measured() const
  {
    return time.median > 0.;
  }
};

Columns<Row> columns()
{
  Columns<Row> columns(&Row::measured);
  columns.words("name", "name", &Row::name);
  columns.count("", "letters", [](auto &row) { return row.name.size(); });
  columns.number("MB", "bytes", megabytes, [](auto &row) {
    return row.bytes > 0. ? std::optional<double>(row.bytes) : std::nullopt;
  });
  columns.times("", "ms", "median_s", milliseconds, &Row::time);
  columns.shown(
    "twice", [](auto &row) { return row.name + row.name; }, "twice");
  return columns;
}

const std::vector<Row> rows = {{"a, b", 2e6, {0.25, 0.125, 0.5}},
                               {"c", 0., {1., 1., 1.}},
                               {"d", 0., {}}};

// A number that is not known, and all numbers of a row that was not measured: a dash.
TEST(ColumnsTest, TablesForPeople)
{
  EXPECT_EQ(columns().table(rows).markdown(),
            "| name |  MB |    ms |     range ms |    twice |\n"
            "|---|---:|---:|---:|---:|\n"
            "| a, b | 2.0 | 250.0 | 125.0..500.0 | a, ba, b |\n"
            "| c    |   - |  1000 |   1000..1000 |       cc |\n"
            "| d    |   - |     - |            - |        - |\n");
}

// Missing values are empty fields, and commas within a field do not separate fields.
TEST(ColumnsTest, CommaSeparatedValues)
{
  EXPECT_EQ(columns().csv(rows, {{"key", "value"}}),
            "# key: value\n"
            "name,letters,bytes,median_s,min_s,max_s\n"
            "a; b,4,2000000,0.25,0.125,0.5\n"
            "c,1,,1,1,1\n"
            "d,1,,,,\n");
}

// Columns of one name are chosen together, in the order of the names. A repeated name gives one
// column, an unknown one none.
TEST(ColumnsTest, AreChosenByName)
{
  EXPECT_EQ(columns().names(),
            (std::vector<std::string>{"name", "letters", "bytes", "median_s", "range", "twice"}));
  const auto chosen = columns().chosen({"range", "name", "range", "other"});
  EXPECT_EQ(chosen.table(rows).markdown(),
            "|     range ms | name |\n"
            "|---:|---|\n"
            "| 125.0..500.0 | a, b |\n"
            "|   1000..1000 | c    |\n"
            "|            - | d    |\n");
  EXPECT_EQ(chosen.csv(rows, {}),
            "min_s,max_s,name\n"
            "0.125,0.5,a; b\n"
            "1,1,c\n"
            ",,d\n");
  EXPECT_EQ(chosen.csv_names(), (std::vector<std::string>{"min_s", "max_s", "name"}));
}

TEST(ColumnsTest, WithoutColumnsThereAreNoLines)
{
  const auto none = columns().chosen({"other"});
  EXPECT_TRUE(none.table(rows).headers.empty());
  EXPECT_TRUE(none.table(rows).rows.empty());
  EXPECT_EQ(none.csv(rows, {{"key", "value"}}), label_lines({{"key", "value"}}, "# "));
  const Section empty{"", "", none.table(rows), "about none"};
  const Section full{"", "", columns().chosen({"name"}).table(rows), "about names"};
  EXPECT_EQ(latex({}, {empty, full}), latex({}, {full}));
}
} // namespace
