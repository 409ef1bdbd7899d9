// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <array>
#include <cstddef>

// The meshes of the thesis, Ratnakar (2022), in five sizes each, as element counts of our
// generators.
namespace strut::test
{
struct CantileverSize
{
  unsigned int x, y, z;
  std::size_t elements, nodes;
};

constexpr std::array<CantileverSize, 5> cantilever_sizes = {{{50, 25, 25, 31250, 34476},
                                                             {70, 35, 35, 85750, 92016},
                                                             {90, 45, 45, 182250, 192556},
                                                             {120, 60, 60, 432000, 450241},
                                                             {160, 80, 80, 1024000, 1056321}}};

struct LBeamSize
{
  unsigned int cells_per_fifth, layers;
  std::size_t elements, nodes;
};

constexpr std::array<LBeamSize, 5> l_beam_sizes = {{{16, 8, 32768, 38313},
                                                    {22, 11, 85184, 95580},
                                                    {29, 14, 188384, 206205},
                                                    {38, 19, 438976, 469700},
                                                    {50, 25, 1000000, 1053026}}};

struct MichellSize
{
  unsigned int along_arc, from_arc, to_far_side, layers;
  std::size_t elements; ///< approximate number in the thesis
};

constexpr std::array<MichellSize, 5> michell_sizes = {{{96, 28, 44, 8, 38000},
                                                       {112, 36, 56, 12, 86000},
                                                       {144, 44, 72, 16, 183000},
                                                       {208, 60, 96, 20, 453000},
                                                       {288, 96, 144, 24, 1170000}}};

struct ConnectingRodSize
{
  unsigned int across, upper_ring, upper_field, lower_ring, lower_field, between, layers;
  std::size_t elements; ///< approximate number in the thesis
};

constexpr std::array<ConnectingRodSize, 5> connecting_rod_sizes = {
  {{32, 4, 12, 4, 8, 16, 8, 33000},
   {48, 4, 12, 4, 8, 36, 12, 85000},
   {56, 4, 20, 4, 16, 28, 16, 183000},
   {80, 8, 24, 8, 20, 52, 20, 466000},
   {96, 8, 40, 8, 40, 64, 24, 1030000}}};
} // namespace strut::test
