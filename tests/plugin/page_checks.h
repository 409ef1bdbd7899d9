// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <boost/property_tree/json_parser.hpp>

#include <sstream>
#include <string>

#include "source/surface/triangle_mesh.h"
#include "tests/plugin/text_checks.h"

namespace strut
{
/// The volume that a closed surface encloses, as the sum of signed tetrahedra at the origin. It
/// shares no code with the program.
inline double sum_of_tetrahedra(const TriangleMesh &mesh)
{
  double sum = 0.;
  for (const Triangle &t : mesh.triangles)
    {
      const Point &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
      sum += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
              a[2] * (b[0] * c[1] - b[1] * c[0])) /
             6.;
    }
  return sum;
}

using Tree = boost::property_tree::ptree;

/// The tree of an independent parser; throws if the text is not JSON.
inline Tree parsed(const std::string &json)
{
  Tree tree;
  std::istringstream stream(json);
  boost::property_tree::read_json(stream, tree);
  return tree;
}

/// The JSON of an element of a page; throws if it is not valid.
inline Tree json_of(const std::string &html, const std::string &id)
{
  return parsed(between(html, "id=\"" + id + "\">", "</script>"));
}

inline std::size_t count(const std::string &text, const std::string &word)
{
  std::size_t n = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    ++n;
  return n;
}

/// Expects that a page has as many tags as another one, whatever texts it shows.
inline void expect_same_tags(const std::string &html, const std::string &expected)
{
  for (const char *const tag : {"<script", "</script", "<!--", "<p"})
    EXPECT_EQ(count(html, tag), count(expected, tag)) << tag;
}
} // namespace strut
