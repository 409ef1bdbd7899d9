// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/problem/element_places.h"

#include <algorithm>
#include <map>
#include <vector>

#include "source/base/forest.h"

namespace strut
{
std::shared_ptr<const FaultyElements>
element_places(const Communicator &communicator,
               const ElementMesh &mesh,
               const std::function<bool(std::size_t element)> &is_faulty)
{
  if (communicator.sum(mesh.n_elements) > FaultyElements::most_elements ||
      mesh.type.n_vertices != 8)
    return nullptr;
  constexpr std::size_t n_numbers = 25; // whether the element is faulty, and its coordinates
  std::vector<double> numbers;
  numbers.reserve(n_numbers * mesh.n_elements);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    {
      numbers.push_back(is_faulty(e) ? 1. : 0.);
      for (std::size_t v = 0; v < 8; ++v)
        for (std::size_t d = 0; d < 3; ++d)
          numbers.push_back(
            mesh.coordinates[d * mesh.n_nodes + mesh.connectivity[v * mesh.n_elements + e]]);
    }
  numbers          = communicator.gather(numbers);
  const auto place = std::make_shared<FaultyElements>();
  for (std::size_t i = 0; i < numbers.size(); i += n_numbers)
    {
      FaultyElements::Vertices vertices;
      for (std::size_t v = 0; v < 8; ++v)
        for (std::size_t d = 0; d < 3; ++d)
          vertices[v][d] = numbers[i + 1 + 3 * v + d];
      (numbers[i] != 0. ? place->faulty : place->others).push_back(vertices);
    }
  return place;
}

std::shared_ptr<const FaultyElements> without_largest_piece(const FaultyElements &place)
{
  // Corners of a face; those of neighbours are bitwise equal.
  using Places        = std::array<std::array<double, 3>, 4>;
  const std::size_t n = place.faulty.size();
  Forest pieces(n);
  std::map<Places, std::size_t> first_at;
  for (std::size_t e = 0; e < n; ++e)
    for (const auto &corners : FaultyElements::around_faces)
      {
        Places face;
        std::transform(corners.begin(), corners.end(), face.begin(), [&](const unsigned int v) {
          return place.faulty[e][v];
        });
        std::sort(face.begin(), face.end());
        if (const auto [entry, is_new] = first_at.emplace(face, e); !is_new)
          pieces.unite(entry->second, e);
      }
  std::size_t n_pieces                    = 0;
  const std::vector<std::uint32_t> number = pieces.trees(n_pieces);
  std::vector<std::size_t> sizes(n_pieces, 0);
  for (const std::uint32_t piece : number)
    ++sizes[piece];
  const auto split = std::make_shared<FaultyElements>();
  const auto largest =
    static_cast<std::size_t>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
  for (std::size_t e = 0; e < n; ++e)
    (number[e] == largest ? split->others : split->faulty).push_back(place.faulty[e]);
  return split;
}
} // namespace strut
