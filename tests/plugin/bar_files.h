// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <utility>
#include <vector>

// Mesh files of a bar, [0, 4] x [0, 1] x [0, 1], of four cubes along x. Node numbers begin with 1,
// along x, then y, then z.
namespace strut::test
{
using Lines = std::vector<std::string>;

inline std::string lines_of(const Lines &lines)
{
  std::string text;
  for (const std::string &line : lines)
    text += line + '\n';
  return text;
}

/// One line for each node: its number, if wanted, and its coordinates.
inline Lines bar_nodes(const std::string &separator, const bool with_numbers = true)
{
  Lines lines;
  for (int n = 0; n < 20; ++n)
    lines.push_back((with_numbers ? std::to_string(n + 1) + separator : "") +
                    std::to_string(n % 5) + separator + std::to_string(n / 5 % 2) + separator +
                    std::to_string(n / 10));
  return lines;
}

/// One line for each cube: its nodes.
inline Lines bar_cubes(const std::string &separator)
{
  Lines lines;
  for (int e = 1; e <= 4; ++e)
    {
      std::string line;
      for (const int offset : {0, 1, 6, 5, 10, 11, 16, 15})
        line += (line.empty() ? "" : separator) + std::to_string(e + offset);
      lines.push_back(line);
    }
  return lines;
}

/// The bar in format 2.2 of Gmsh.
/// @param names  physical names, such as "2 1 \"wall\""
/// @param elements  lines of elements besides the cubes: type, tags and nodes
/// @param of_cube  the volume of each cube
inline std::string
gmsh_bar(const Lines &names, Lines elements, const std::vector<int> &of_cube = {9, 9, 9, 9})
{
  const Lines cubes = bar_cubes(" ");
  for (std::size_t e = 0; e < 4; ++e)
    elements.push_back("5 2 " + std::to_string(of_cube[e]) + " 1 " + cubes[e]);
  for (std::size_t i = 0; i < elements.size(); ++i)
    elements[i] = std::to_string(i + 1) + ' ' + elements[i];
  return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n" + std::to_string(names.size()) +
         '\n' + lines_of(names) + "$EndPhysicalNames\n$Nodes\n20\n" + lines_of(bar_nodes(" ")) +
         "$EndNodes\n$Elements\n" + std::to_string(elements.size()) + '\n' + lines_of(elements) +
         "$EndElements\n";
}

/// The ends of the bar as quadrilaterals of a file of Gmsh, in groups.
inline std::string left_end(const int group)
{
  return "3 2 " + std::to_string(group) + " 1 1 6 16 11";
}
inline std::string right_end(const int group)
{
  return "3 2 " + std::to_string(group) + " 2 5 10 20 15";
}

/// The bar in a file of Abaqus. @param rest  text after the elements, which are in no set
inline std::string abaqus_bar(const std::string &rest)
{
  Lines cubes = bar_cubes(", ");
  for (std::size_t e = 0; e < 4; ++e)
    cubes[e] = std::to_string(e + 1) + ", " + cubes[e];
  return "*Node\n" + lines_of(bar_nodes(", ")) + "*Element, type=C3D8\n" + lines_of(cubes) + rest;
}
} // namespace strut::test
