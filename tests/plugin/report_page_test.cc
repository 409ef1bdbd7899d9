// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/page/report_page.h"

#include "tests/plugin/problem_fixture.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "plugin/deck/output/surface.h"
#include "plugin/deck/page/page_frame.h"
#include "plugin/deck/page/part_data.h"
#include "source/surface/for_looking.h"
#include "tests/plugin/page_checks.h"

namespace strut
{
namespace
{
/// A closed sphere of n x 2 n quadrilaterals of two triangles.
TriangleMesh sphere(const std::uint32_t n)
{
  TriangleMesh mesh;
  const auto at = [n](const std::uint32_t i, const std::uint32_t k) {
    return i == 0 ? 0u : i == n ? 1u : 2 + (i - 1) * 2 * n + k % (2 * n);
  };
  mesh.vertices = {{{0., 0., 1.}}, {{0., 0., -1.}}};
  for (std::uint32_t i = 1; i < n; ++i)
    for (std::uint32_t k = 0; k < 2 * n; ++k)
      mesh.vertices.push_back({{std::sin(M_PI * i / n) * std::cos(M_PI * k / n),
                                std::sin(M_PI * i / n) * std::sin(M_PI * k / n),
                                std::cos(M_PI * i / n)}});
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t k = 0; k < 2 * n; ++k)
      {
        if (i > 0)
          mesh.triangles.push_back({{at(i, k), at(i + 1, k), at(i, k + 1)}});
        if (i + 1 < n)
          mesh.triangles.push_back({{at(i, k + 1), at(i + 1, k), at(i + 1, k + 1)}});
      }
  return mesh;
}

ReportPage example(const std::size_t n_iterations = 3)
{
  ReportPage page;
  page.name                    = "beam";
  page.deck                    = "set Backend = cpu\n";
  page.summary.status          = RunStatus::converged;
  page.summary.volume_fraction = 0.3;
  page.summary.load_cases      = {{"1", 1.}};
  page.summary.columns         = {{"density_change", "change"}, {"tip", "tip", true}};
  for (unsigned int i = 1; i <= n_iterations; ++i)
    page.summary.history.push_back(
      {i, 1. / (3. * i), 0.3, 10 * i, 1e-6, 0.5, {0.1 / i, -2. * i}, {1. / (3. * i)}});
  page.summary.label   = {{"date", "2024-05-31T12:00:00Z"}, {"strut", "0.1.0"}};
  page.summary.seconds = {{"operator", 1.}, {"total", 2.}};
  page.limits          = {{"tip", "tip: displacement <= 0.5", 0.5}};
  page.part            = sphere(8);
  page.part_iteration  = 3;
  page.marks.box.low   = {{-1., -1., -1.}};
  page.marks.box.high  = {{1., 1., 1.}};
  page.marks.supports  = {{"held in x, y and z", 2, {{{0., 0., -1.}}, {{-0.1, 0., -1.}}}}};
  page.marks.loads     = {{"1", {{{{0., 0., 1.}}, {{0., 0., -5.}}}}}};
  return page;
}

TEST(ReportPage, ContainsTheHistoryTheDeckAndTheMarks)
{
  const std::string html = to_html(example());
  const Tree data = json_of(html, "data"), summary = json_of(html, "summary");
  EXPECT_EQ(data.get<std::string>("history"),
            "iteration,compliance,volume_fraction,density_change,tip,solver_iterations,residual,"
            "seconds\n"
            "1,0.33333333333333331,0.29999999999999999,0.10000000000000001,-2,10,"
            "9.9999999999999995e-07,0.5\n"
            "2,0.16666666666666666,0.29999999999999999,0.050000000000000003,-4,20,"
            "9.9999999999999995e-07,0.5\n"
            "3,0.1111111111111111,0.29999999999999999,0.033333333333333333,-6,30,"
            "9.9999999999999995e-07,0.5\n");
  EXPECT_EQ(data.get<std::string>("deck"), "set Backend = cpu\n");
  EXPECT_EQ(data.get<int>("part.iteration"), 3);
  EXPECT_EQ(data.get<std::string>("part.low"), "-1 -1 -1 ");
  EXPECT_EQ(data.get_child("part.supports").front().second.get<std::string>("places"),
            "0 0 -1 -0.1 0 -1 ");
  EXPECT_EQ(data.get_child("part.loads").front().second.get<std::string>("arrows"),
            "0 0 1 0 0 -5 ");
  EXPECT_EQ(data.get_child("limits").front().second.get<double>("value"), 0.5);
  EXPECT_EQ(summary.get<std::string>("status"), "converged");
}

TEST(ReportPage, IsOneFileWithoutANetwork)
{
  const std::string html = to_html(example());
  EXPECT_EQ(count(html, "{{"), 0u);
  EXPECT_EQ(count(html, "<script"), 6u);
  EXPECT_EQ(count(html, "</script>"), 6u);
  EXPECT_EQ(count(html, "src="), 0u);
  EXPECT_EQ(count(html, "@import"), 0u);
  EXPECT_EQ(count(html, "http://") - count(html, "'http://www.w3.org/2000/svg'"), 0u);
  EXPECT_EQ(count(html, "https://"), 0u);
  EXPECT_CONTAINS(html, "default-src 'none'");
}

// The names and texts of users neither end the element that contains them, nor begin one, nor form
// marks of the frame.
TEST(ReportPage, TextsOfUsersBeginNoTag)
{
  const std::string evil = "</script><script>alert(1)</script>{{script}}<!-- & \" ' \\ \xff\x01";
  const ReportPage plain = example();
  ReportPage page        = plain;
  page.name = page.deck = page.summary.error = evil;
  page.summary.notes                         = {evil};
  page.summary.columns[1].name = page.limits[0].name = page.limits[0].text = evil;
  page.marks.loads[0].name = page.summary.load_cases[0].name = evil;
  page.summary.objective                                     = evil;
  const std::string html = to_html(page), expected = to_html(plain);
  expect_same_tags(html, expected);
  EXPECT_CONTAINS(html, "<title>&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;");
  const std::string mended =
    "</script><script>alert(1)</script>{{script}}<!-- & \" ' \\ \xEF\xBF\xBD\x01";
  EXPECT_EQ(json_of(html, "data").get<std::string>("deck"), mended);
  EXPECT_EQ(json_of(html, "summary").get<std::string>("error"), mended);
}

TEST(ReportPage, EscapesForHtml)
{
  EXPECT_EQ(html_escaped("a < b && c > \"d\" 'e' \\n"),
            "a &lt; b &amp;&amp; c &gt; &quot;d&quot; &#39;e&#39; \\n");
  EXPECT_EQ(html_escaped("a\nb\tc"), "a b c");
  EXPECT_EQ(html_escaped("\xC3\xA4\xff"), "\xC3\xA4\xEF\xBF\xBD");
}

TEST(ReportPage, EncodesBase64)
{
  const std::pair<const char *, const char *> pairs[] = {// RFC 4648, section 10
                                                         {"", ""},
                                                         {"f", "Zg=="},
                                                         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},
                                                         {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="},
                                                         {"foobar", "Zm9vYmFy"}};
  for (const auto &[bytes, text] : pairs)
    EXPECT_EQ(base64(bytes), text);
  EXPECT_EQ(base64(std::string("\xff\xfe\x00", 3)), "//4A");
}

TEST(ReportPage, IsNeverTooLarge)
{
  ReportPage page    = example(200'000);
  page.deck          = std::string(20'000'000, '<');
  page.summary.error = page.deck;
  page.summary.notes.assign(5'000, std::string(5'000, '<'));
  page.part              = sphere(300); // 358,800 triangles
  const std::string html = to_html(page);
  EXPECT_LT(html.size(), most_page_bytes);
  EXPECT_GT(html.size(), most_page_bytes / 8);
  const std::string history = json_of(html, "data").get<std::string>("history");
  EXPECT_CONTAINS(history, "\n200000,") << "the last row is there";
}

TEST(ReportPage, ExistsWithoutPartAndHistory)
{
  ReportPage page = example(0);
  page.part       = {};
  const Tree data = json_of(to_html(page), "data");
  EXPECT_EQ(data.get<std::string>("part.places"), "");
  EXPECT_EQ(data.get<std::string>("part.corners"), "");
}

TEST(ForLooking, KeepsTheShape)
{
  const TriangleMesh fine  = sphere(100);
  const TriangleMesh rough = for_looking(fine, 2000);
  EXPECT_LE(rough.triangles.size(), 2000u);
  EXPECT_GT(rough.triangles.size(), 1500u);
  EXPECT_EQ(rough.vertices.size(), rough.triangles.size() / 2 + 2) << "Euler, of a sphere";
  EXPECT_NEAR(sum_of_tetrahedra(rough), sum_of_tetrahedra(fine), 0.01 * sum_of_tetrahedra(fine));
  EXPECT_EQ(for_looking(rough, 2000).triangles, rough.triangles);
  EXPECT_TRUE(for_looking({}, 10).triangles.empty());
}

// Thinned out by cells first, with the same result for any number of threads.
TEST(ForLooking, KeepsTheShapeOfManyTriangles)
{
  const TriangleMesh fine  = sphere(200); // 159,200 triangles
  const TriangleMesh rough = for_looking(fine, 10'000, 1);
  EXPECT_LE(rough.triangles.size(), 10'000u);
  EXPECT_GT(rough.triangles.size(), 9'000u);
  EXPECT_EQ(rough.vertices.size(), rough.triangles.size() / 2 + 2) << "Euler, of a sphere";
  EXPECT_NEAR(sum_of_tetrahedra(rough), sum_of_tetrahedra(fine), 0.005 * sum_of_tetrahedra(fine));
  const TriangleMesh again = for_looking(fine, 10'000, 3);
  EXPECT_EQ(again.triangles, rough.triangles);
  EXPECT_EQ(again.vertices, rough.vertices);
}

// An octahedron in each of eight corners, apart from a fine sphere. It has eight triangles, of
// which a cell's share would be one.
TEST(ForLooking, KeepsSmallBodiesAmongManyTriangles)
{
  TriangleMesh mesh       = sphere(200);
  const TriangleMesh body = sphere(2);
  for (int corner = 0; corner < 8; ++corner)
    {
      const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
      for (const Point &x : body.vertices)
        mesh.vertices.push_back({{0.1 * x[0] + (corner & 1 ? 2. : -2.),
                                  0.1 * x[1] + (corner & 2 ? 2. : -2.),
                                  0.1 * x[2] + (corner & 4 ? 2. : -2.)}});
      for (const Triangle &t : body.triangles)
        mesh.triangles.push_back({{first + t[0], first + t[1], first + t[2]}});
    }
  const TriangleMesh rough = for_looking(mesh, 10'000, 2);
  EXPECT_LE(rough.triangles.size(), 10'000u);
  TriangleMesh bodies = rough;
  bodies.triangles.clear();
  for (const Triangle &t : rough.triangles)
    if (std::abs(rough.vertices[t[0]][0]) > 1.5)
      bodies.triangles.push_back(t);
  EXPECT_NEAR(sum_of_tetrahedra(bodies), 8. * 1e-3 * sum_of_tetrahedra(body), 1e-12);
}

TEST(ForLooking, KeepsBordersInPlace)
{
  TriangleMesh half = sphere(60);
  half.triangles.resize(half.triangles.size() / 2);
  const auto borders = [](const TriangleMesh &mesh) {
    std::map<std::pair<Point, Point>, int> edges;
    for (const Triangle &t : mesh.triangles)
      for (std::size_t i = 0; i < 3; ++i)
        {
          const Point &a = mesh.vertices[t[i]], &b = mesh.vertices[t[(i + 1) % 3]];
          ++edges[std::minmax(a, b)];
        }
    std::set<std::pair<Point, Point>> single;
    for (const auto &[edge, n] : edges)
      if (n == 1)
        single.insert(edge);
    return single;
  };
  EXPECT_EQ(borders(for_looking(half, 600)), borders(half));
}

/// The part of a solid body, on rank 0.
TriangleMesh
part_of_all(const Communicator &communicator, const ElementMesh &mesh, const std::size_t most)
{
  const EnclosingSurface found =
    make_enclosing_surface(communicator.mpi(), mesh, std::vector<double>(mesh.n_elements, 1.), 1);
  return for_looking(whole_surface(communicator.mpi(), found.surface).mesh, most);
}

using PagesOfProblems = ProblemTest;

TEST_F(PagesOfProblems, PartAndMarksAreThoseOfTheProblem)
{
  Problem &problem = setup(box_deck(12, 4, 4) + wall +
                           section("Supports / slide", "set Boundary ids = 2\nset Components = y") +
                           load("set Boundary ids = 1", "total force", "0, 3, -4"));
  const Communicator communicator(MPI_COMM_WORLD);
  std::vector<const LoadCase *> cases;
  for (const LoadCase &load_case : problem.load_cases())
    cases.push_back(&load_case);
  const PartMarks marks = marks_on_part(communicator, problem.mesh(), cases);
  EXPECT_EQ(marks.box.high, (Point{{12., 4., 4.}}));
  ASSERT_EQ(marks.supports.size(), 2u);
  EXPECT_EQ(marks.supports[0].n_nodes, 25u);
  EXPECT_EQ(marks.supports[0].places.size(), 25u);
  for (const Point &place : marks.supports[0].places)
    EXPECT_EQ(place[0], 0.);
  EXPECT_EQ(marks.supports[1].n_nodes, 60u);
  ASSERT_EQ(marks.loads.size(), 1u);
  Point sum{};
  for (const PartMarks::Arrow &arrow : marks.loads[0].arrows)
    {
      EXPECT_NEAR(arrow.place[0], 12., 1e-12);
      for (std::size_t d = 0; d < 3; ++d)
        sum[d] += arrow.force[d];
    }
  EXPECT_NEAR(sum[1], 3., 1e-12);
  EXPECT_NEAR(sum[2], -4., 1e-12);

  const ElementMesh &mesh = problem.mesh();
  const TriangleMesh part = part_of_all(communicator, mesh, 10'000);
  if (communicator.rank() == 0)
    EXPECT_NEAR(sum_of_tetrahedra(part), 12 * 4 * 4, 1e-9);
  else
    EXPECT_TRUE(part.triangles.empty());
  const TriangleMesh rough = part_of_all(communicator, mesh, 100);
  if (communicator.rank() == 0)
    {
      EXPECT_LE(rough.triangles.size(), 100u);
      EXPECT_NEAR(sum_of_tetrahedra(rough), 12 * 4 * 4, 2.);
    }
}
} // namespace
} // namespace strut
