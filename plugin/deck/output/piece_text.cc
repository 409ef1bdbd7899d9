// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/piece_text.h"

#include <algorithm>
#include <numeric>
#include <sstream>

namespace strut
{
namespace
{
constexpr std::size_t n_in_log = 5, n_in_summary = 50;

double volume_of(const std::vector<DesignPiece> &pieces)
{
  return std::accumulate(pieces.begin(),
                         pieces.end(),
                         0.,
                         [](const double sum, const DesignPiece &piece) {
                           return sum + piece.volume;
                         });
}

std::string describe(const DesignPiece &piece, const double volume)
{
  std::ostringstream text;
  text.precision(3);
  text << piece.n_elements << (piece.n_elements == 1 ? " element, " : " elements, ")
       << 100. * piece.volume / volume << " % of the volume"
       << (piece.has_load && piece.has_support ? ", with a load and a support"
           : piece.has_load                    ? ", with a load"
           : piece.has_support                 ? ", with a support"
                                               : "");
  return text.str();
}
} // namespace

std::string describe_pieces(const std::vector<DesignPiece> &pieces)
{
  std::ostringstream text;
  text << "Pieces connected by faces, of elements with a density from "
       << DesignPiece::least_density << ": " << pieces.size() << '\n';
  if (pieces.size() < 2)
    return text.str();
  const double volume = volume_of(pieces);
  text << "NOTE: the design is in " << pieces.size() << " pieces that share no face.\n"
       << "  The largest has " << describe(pieces.front(), volume) << ".\n  The next:";
  const std::size_t n_told = std::min(pieces.size(), n_in_log + 1);
  for (std::size_t i = 1; i < n_told; ++i)
    text << (i > 1 ? "; " : " ") << describe(pieces[i], volume);
  text << ".\n";
  if (n_told == pieces.size())
    return text.str();
  DesignPiece rest; // sum of the remaining pieces
  std::size_t n_with_load = 0, n_with_support = 0;
  for (std::size_t i = n_told; i < pieces.size(); ++i)
    {
      rest.n_elements += pieces[i].n_elements;
      rest.volume += pieces[i].volume;
      n_with_load += pieces[i].has_load ? 1 : 0;
      n_with_support += pieces[i].has_support ? 1 : 0;
    }
  text << "  The other " << pieces.size() - n_told << " together: " << describe(rest, volume)
       << "; " << n_with_load << " with a load, " << n_with_support << " with a support.\n";
  return text.str();
}

std::string describe_emptiness(const DesignElements &design)
{
  if (design.n == 0 || design.most >= DesignPiece::least_density)
    return "";
  std::ostringstream text;
  text << "the design is empty: no element to design has a density from "
       << DesignPiece::least_density << " on, the largest has " << design.most;
  return text.str();
}

void write_pieces(Json &json, const std::vector<DesignPiece> &pieces)
{
  const double volume = volume_of(pieces);
  json.open("pieces")
    .value("least density", DesignPiece::least_density)
    .value("number", pieces.size());
  json.open_list("largest");
  for (std::size_t i = 0; i < std::min(pieces.size(), n_in_summary); ++i)
    json.open()
      .value("elements", pieces[i].n_elements)
      .value("share of the volume", pieces[i].volume / volume)
      .value("load", pieces[i].has_load)
      .value("support", pieces[i].has_support)
      .close();
  json.close().close();
}
} // namespace strut
