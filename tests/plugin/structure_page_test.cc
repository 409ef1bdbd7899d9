// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Pages of problems and faults: the surfaces that they show, and the pieces of a design.
#include "plugin/deck/page/structure_page.h"

#include "tests/plugin/problem_fixture.h"

#include <map>

#include "plugin/deck/page/part_data.h"
#include "plugin/deck/problem/element_places.h"
#include "plugin/deck/run/problem_file.h"
#include "source/surface/measures.h"
#include "tests/plugin/page_checks.h"

namespace strut
{
namespace
{
FaultyElements::Vertices unit_cube(const double x, const double y, const double z)
{
  FaultyElements::Vertices vertices;
  for (std::size_t v = 0; v < 8; ++v)
    vertices[v] = {{x + static_cast<double>(v & 1),
                    y + static_cast<double>(v >> 1 & 1),
                    z + static_cast<double>(v >> 2)}};
  return vertices;
}

TEST(Pieces, AreJoinedByFacesAlone)
{
  FaultyElements solid;
  solid.faulty     = {unit_cube(5, 0, 0),
                      unit_cube(0, 0, 0),
                      unit_cube(1, 0, 0),
                      unit_cube(1, 1, 0),
                      unit_cube(2, 2, 0)};
  solid.others     = {unit_cube(9, 9, 9)};
  const auto split = without_largest_piece(solid);
  EXPECT_EQ(split->others,
            (std::vector<FaultyElements::Vertices>{unit_cube(0, 0, 0),
                                                   unit_cube(1, 0, 0),
                                                   unit_cube(1, 1, 0)}));
  EXPECT_EQ(split->faulty,
            (std::vector<FaultyElements::Vertices>{unit_cube(5, 0, 0), unit_cube(2, 2, 0)}));
}

TEST(Skin, LeavesOutTheFacesBetweenElements)
{
  const TriangleMesh skin = skin_of({unit_cube(0, 0, 0), unit_cube(1, 0, 0), unit_cube(5, 0, 0)});
  EXPECT_EQ(skin.vertices.size(), 12u + 8u);
  EXPECT_EQ(skin.triangles.size(), 2u * (10 + 6));
  EXPECT_NEAR(sum_of_tetrahedra(skin), 3., 1e-12);
  EXPECT_TRUE(faulty_edges(skin, 1).empty());
  EXPECT_TRUE(skin_of({}).triangles.empty());
}

TEST(Skin, ShowsAFlatElement)
{
  FaultyElements::Vertices flat = unit_cube(0, 0, 0);
  for (auto &vertex : flat)
    vertex[2] = 0.;
  EXPECT_EQ(skin_of({flat}).triangles.size(), 2u) << "top and bottom are in one place";
}

/// A plate of n x n elements, of which the first is faulty.
StructurePage plate_page(const std::size_t n)
{
  std::vector<FaultyElements::Vertices> faulty, others;
  for (std::size_t i = 0; i < n * n; ++i)
    (i == 0 ? faulty : others)
      .push_back(unit_cube(static_cast<double>(i % n), static_cast<double>(i / n), 0.));
  StructurePage page;
  page.name           = "plate";
  page.surfaces       = {{"the place", "faulty", skin_of(faulty)},
                         {"the other elements", "others", skin_of(others)},
                         {"nothing", "void", {}}};
  page.marks.box.high = {{static_cast<double>(n), static_cast<double>(n), 1.}};
  page.marks.loads    = {
       {"1", {{{{0., 0., 1.}}, {{0., 0., -5.}}}, {{{1., 1., 0.}}, {{0., 0., -2.}}, true}}}};
  page.names = {{"support wall", 2, {{{0., 0., 1.}}}}};
  return page;
}

TEST(StructurePage, ContainsSurfacesAndMarks)
{
  const Tree data = json_of(to_html(plate_page(3)), "data");
  EXPECT_EQ(data.get<std::string>("name"), "plate");
  ASSERT_EQ(data.get_child("surfaces").size(), 2u) << "one is empty";
  const Tree &place = data.get_child("surfaces").front().second,
             &rest  = data.get_child("surfaces").back().second;
  EXPECT_EQ(place.get<std::string>("kind"), "faulty");
  EXPECT_EQ(place.get<std::string>("whole"), "true");
  EXPECT_EQ(place.get<std::string>("corners").size(), 12u * 6 / 3 * 4) << "12 triangles in base64";
  EXPECT_EQ(rest.get<std::string>("name"), "the other elements");
  EXPECT_EQ(rest.get<std::string>("corners").size(), 2u * (16 + 12 + 2 - 2) * 6 / 3 * 4);
  const Tree &loads = data.get_child("part.loads").front().second;
  EXPECT_EQ(loads.get<std::string>("arrows"), "0 0 1 0 0 -5 ");
  EXPECT_EQ(loads.get<std::string>("weight"), "1 1 0 0 0 -2 ");
  const Tree &wall = data.get_child("part.names").front().second;
  EXPECT_EQ(wall.get<std::string>("name"), "support wall");
  EXPECT_EQ(wall.get<std::string>("places"), "0 0 1 ");
}

TEST(StructurePage, IsOneFileInWhichTextsBeginNoTag)
{
  StructurePage page      = plate_page(2);
  const std::string plain = to_html(page);
  page.name = page.surfaces[0].name = page.names[0].name = page.marks.loads[0].name =
    "</script><script>alert(1)</script>{{script}}<!-- & \" '";
  const std::string html = to_html(page);
  EXPECT_EQ(count(plain, "{{"), 0u);
  EXPECT_EQ(count(plain, "<script"), 4u);
  for (const char *const outside : {"src=", "@import", "https://"})
    EXPECT_EQ(count(plain, outside), 0u) << outside;
  expect_same_tags(html, plain);
}

TEST(StructurePage, IsNeverTooLarge)
{
  const std::string html = to_html(plate_page(300));
  EXPECT_LT(html.size(), most_page_bytes);
  const Tree data = json_of(html, "data");
  for (const auto &entry : data.get_child("surfaces"))
    {
      EXPECT_EQ(entry.second.get<std::string>("whole"), "false");
      EXPECT_FALSE(entry.second.get<std::string>("corners").empty());
    }
}

using PagesOfRegions = ProblemTest;

TEST_F(PagesOfRegions, HaveTheNamesOfTheDeck)
{
  const Problem &problem = setup(R"(
subsection Mesh
  set Type = box
  subsection Box
    set Size     = 12, 4, 4
    set Elements = 12, 4, 4
  end
end
subsection Non-design regions
  subsection core
    set Expression = x < 2
  end
  subsection hole
    set Expression = x > 9
    set Density    = void
  end
end
subsection Supports
  subsection wall
    set Boundary ids = 0
  end
end
subsection Loads
  subsection tip
    set Boundary ids = 1
    set Value        = 0, 3, -4
  end
end
)");
  const Communicator communicator(MPI_COMM_WORLD);
  const StructurePage page = problem_page("beam", problem, communicator);
  EXPECT_EQ(page.n_nodes, 13u * 5 * 5);
  ASSERT_EQ(page.names.size(), 1u);
  EXPECT_EQ(page.names[0].name, "support wall");
  EXPECT_EQ(page.names[0].n_nodes, 25u);
  std::map<std::string, std::size_t> n_faces;
  for (const StructurePage::Surface &surface : page.surfaces)
    if (!surface.mesh.triangles.empty())
      n_faces[surface.kind + ", " + surface.name] = surface.mesh.triangles.size() / 2;
  EXPECT_EQ(n_faces,
            (std::map<std::string, std::size_t>{{"design, to design", 7u * 16},
                                                {"solid, solid: core", 2u * 16 + 16},
                                                {"void, void: hole", 3u * 16 + 16}}));
}
} // namespace
} // namespace strut
