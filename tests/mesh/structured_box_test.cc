// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/box_mesh.h"
#include "source/mesh/structured_box.h"

#include <gtest/gtest.h>

namespace strut::test
{
namespace
{
// Places of elements and nodes of boxes in any numbering.
TEST(StructuredBox, FindsThePlaces)
{
  for (const auto &n : std::vector<std::array<std::size_t, 3>>{
         {1, 1, 1}, {5, 1, 1}, {1, 4, 1}, {1, 1, 3}, {2, 3, 5}, {7, 6, 4}})
    for (const bool shuffled : {false, true})
      {
        BoxOptions options       = BoxOptions::regular(n);
        options.shuffle_nodes    = shuffled;
        options.shuffle_elements = shuffled;
        const BoxMesh box        = make_box(options);
        const auto found         = StructuredBox::find(box.mesh);
        ASSERT_EQ(found.obstacle, "");
        EXPECT_EQ(found.n, n);
        EXPECT_EQ(found.nodes, box.node_at);
        for (std::size_t place = 0; place < found.elements.size(); ++place)
          {
            const auto &at = box.element_at[found.elements[place]];
            EXPECT_EQ(place, (at[2] * n[1] + at[1]) * n[0] + at[0]);
          }
      }
  EXPECT_EQ(StructuredBox::find(ElementMesh()).obstacle, "");
}

/// The box without some elements, and the nodes that only these had.
ElementMesh without(const BoxMesh &box, const std::vector<std::size_t> &missing)
{
  const ElementMesh &from = box.mesh;
  ElementMesh mesh;
  std::vector<std::size_t> kept;
  for (std::size_t e = 0; e < from.n_elements; ++e)
    if (std::find(missing.begin(), missing.end(), e) == missing.end())
      kept.push_back(e);
  mesh.n_elements = kept.size();
  std::vector<LocalIndex> number(from.n_nodes, ~LocalIndex(0));
  for (std::size_t v = 0; v < 8; ++v)
    for (const std::size_t e : kept)
      {
        LocalIndex &n = number[from.connectivity[v * from.n_elements + e]];
        if (n == ~LocalIndex(0))
          n = static_cast<LocalIndex>(mesh.n_nodes++);
        mesh.connectivity.push_back(n);
      }
  return mesh;
}

// An L, a box with a hole, two parts, and a slit with doubled nodes are none.
TEST(StructuredBox, SaysWhatIsNone)
{
  const BoxMesh box = make_box(BoxOptions::regular({{4, 3, 3}}));
  const auto at     = [&](const std::size_t i, const std::size_t j, const std::size_t k) {
    for (std::size_t e = 0; e < box.mesh.n_elements; ++e)
      if (box.element_at[e] == std::array<std::size_t, 3>{{i, j, k}})
        return e;
    return box.mesh.n_elements;
  };
  EXPECT_NE(StructuredBox::find(without(box, {at(3, 2, 2)})).obstacle, "");
  EXPECT_NE(StructuredBox::find(without(box, {at(0, 0, 0)})).obstacle, "");
  EXPECT_NE(StructuredBox::find(without(box, {at(2, 1, 1)})).obstacle, "");
  std::vector<std::size_t> slice;
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t j = 0; j < 3; ++j)
      slice.push_back(at(1, j, k));
  EXPECT_NE(StructuredBox::find(without(box, slice)).obstacle, "");

  ElementMesh slit               = box.mesh; // a second node beside one inside
  slit.connectivity[at(1, 1, 1)] = static_cast<LocalIndex>(slit.n_nodes++);
  EXPECT_NE(StructuredBox::find(slit).obstacle, "");
  slit.n_nodes--;
  slit.connectivity[at(1, 1, 1)] = slit.connectivity[at(3, 2, 2)];
  EXPECT_NE(StructuredBox::find(slit).obstacle, "");
}
} // namespace
} // namespace strut::test
