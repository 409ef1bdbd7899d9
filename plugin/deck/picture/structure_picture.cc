// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/picture/structure_picture.h"

#include <strut/base/text.h>

#include <algorithm>
#include <cmath>

#include "plugin/base/faulty_elements.h"
#include "plugin/deck/picture/drawing.h"

namespace strut
{
namespace
{
constexpr std::size_t image_width = 900, image_height = 900; ///< size of one view
constexpr double degree      = 3.14159265358979323846 / 180.;
constexpr View views[]       = {{-62. * degree, 24. * degree}, {118. * degree, -24. * degree}};
constexpr double spot_radius = 4.5, arrow_length = 95.; ///< in pixels
constexpr double least_pixels_of_element = 7.; ///< size below which edges of elements are not drawn

struct FaceColour
{
  PicturedFace::Kind kind;
  Colour colour;
  const char *words;
};

constexpr FaceColour face_colours[] = {
  {PicturedFace::Kind::design, {{0.72f, 0.79f, 0.86f}}, "light: to design"},
  {PicturedFace::Kind::solid, {{0.36f, 0.44f, 0.54f}}, "dark: solid"},
  {PicturedFace::Kind::empty, {{0.98f, 0.90f, 0.62f}}, "yellow, seen through: void"},
  {PicturedFace::Kind::faulty, {{0.95f, 0.25f, 0.15f}}, "red: the place"}};

struct SupportColour
{
  const char *name; ///< name in marks_on_part()
  Colour colour;
  const char *words;
};

constexpr SupportColour support_colours[] = {
  {"held in x, y and z", {{0.11f, 0.48f, 0.24f}}, "green"},
  {"held in one or two directions, or by symmetry", {{0.78f, 0.57f, 0.f}}, "ochre"},
  {"moved by a given displacement", {{0.48f, 0.25f, 0.89f}}, "violet"},
  {"on springs", {{0.f, 0.51f, 0.56f}}, "teal"}};

constexpr struct
{
  Colour colour;
  const char *words;
} load_colours[]                     = {{{{0.82f, 0.15f, 0.11f}}, "red"},
                                        {{{0.12f, 0.35f, 0.85f}}, "blue"},
                                        {{{0.75f, 0.15f, 0.65f}}, "magenta"},
                                        {{{0.55f, 0.30f, 0.10f}}, "brown"}};
constexpr std::size_t n_load_colours = sizeof(load_colours) / sizeof(load_colours[0]);

const FaceColour &colour_of(const PicturedFace::Kind kind)
{
  return face_colours[static_cast<std::size_t>(kind)];
}

const SupportColour &colour_of(const PartMarks::Supports &supports)
{
  return *std::find_if(std::begin(support_colours),
                       std::end(support_colours) - 1,
                       [&](const SupportColour &colour) { return colour.name == supports.name; });
}

double mean_edge(const std::vector<PicturedFace> &faces)
{
  double sum = 0.;
  for (const PicturedFace &face : faces)
    for (std::size_t i = 0; i < 4; ++i)
      sum += length(face.corners[(i + 1) % 4] - face.corners[i]);
  return faces.empty() ? 0. : sum / (4. * static_cast<double>(faces.size()));
}

Image seen_from(const View &view, const std::vector<PicturedFace> &faces, const PartMarks &marks)
{
  Drawing drawing(image_width, image_height, view, marks.low, marks.high);
  const bool has_edges  = mean_edge(faces) * drawing.scale() > 2. * least_pixels_of_element;
  constexpr Colour edge = {{0.45f, 0.50f, 0.56f}};
  const bool has_place  = std::any_of(faces.begin(), faces.end(), [](const PicturedFace &face) {
    return face.kind == PicturedFace::Kind::faulty;
  });
  for (const PicturedFace &face : faces)
    {
      const bool is_place = face.kind == PicturedFace::Kind::faulty;
      const bool is_half  = face.kind == PicturedFace::Kind::empty || (has_place && !is_place);
      drawing.face(face.corners,
                   colour_of(face.kind).colour,
                   is_half ? Drawing::Surface::half : Drawing::Surface::opaque);
      if (has_edges && !is_half)
        drawing.outline(face.corners, edge);
    }
  for (const PartMarks::Supports &supports : marks.supports)
    for (const Point &place : supports.places)
      drawing.spot(place, spot_radius, colour_of(supports).colour);
  for (std::size_t l = 0; l < marks.loads.size(); ++l)
    {
      double largest = 0.;
      for (const PartMarks::Arrow &arrow : marks.loads[l].arrows)
        largest = std::max(largest, length(arrow.force));
      for (const PartMarks::Arrow &arrow : marks.loads[l].arrows)
        drawing.arrow(arrow.place,
                      arrow.force,
                      arrow_length * (0.35 + 0.65 * length(arrow.force) / largest),
                      load_colours[l % n_load_colours].colour,
                      arrow.is_weight);
    }
  drawing.axes();
  return drawing.image();
}

/// Joins two images of the same height side by side.
Image beside_each_other(const Image &left, const Image &right)
{
  Image both(left.width + right.width, left.height, {});
  for (std::size_t y = 0; y < both.height; ++y)
    for (std::size_t x = 0; x < both.width; ++x)
      both.pixels[y * both.width + x] = x < left.width
                                          ? left.pixels[y * left.width + x]
                                          : right.pixels[y * right.width + x - left.width];
  return both;
}
} // namespace

std::vector<PicturedFace> boundary_faces(const Communicator &communicator, const DeckMesh &mesh)
{
  std::vector<double> numbers; // corners and kind
  for (const DeckMesh::Face &face : mesh.named_faces())
    if (mesh.at_boundary(face.element, face.number))
      {
        for (const unsigned int k : {0u, 1u, 3u, 2u})
          {
            const dealii::Point<3> x =
              mesh.vertex(face.element, DeckMesh::face_vertex(face.number, k));
            numbers.insert(numbers.end(), {x[0], x[1], x[2]});
          }
        const DesignFlag flag = mesh.elements.flags[face.element];
        numbers.push_back(
          static_cast<double>(flag == DesignFlag::design  ? PicturedFace::Kind::design
                              : flag == DesignFlag::solid ? PicturedFace::Kind::solid
                                                          : PicturedFace::Kind::empty));
      }
  numbers = communicator.gather(numbers);
  std::vector<PicturedFace> faces(numbers.size() / 13);
  for (std::size_t i = 0; i < faces.size(); ++i)
    {
      const double *const of_face = &numbers[13 * i];
      for (std::size_t k = 0; k < 4; ++k)
        faces[i].corners[k] = {{of_face[3 * k], of_face[3 * k + 1], of_face[3 * k + 2]}};
      faces[i].kind = static_cast<PicturedFace::Kind>(of_face[12]);
    }
  return faces;
}

std::array<PicturedFace, 6> faces_of(const std::array<Point, 8> &vertices,
                                     const PicturedFace::Kind kind)
{
  std::array<PicturedFace, 6> faces;
  for (std::size_t f = 0; f < 6; ++f)
    {
      for (std::size_t k = 0; k < 4; ++k)
        faces[f].corners[k] = vertices[FaultyElements::around_faces[f][k]];
      faces[f].kind = kind;
    }
  return faces;
}

std::string structure_picture(const std::vector<PicturedFace> &faces, const PartMarks &marks)
{
  return to_png(
    beside_each_other(seen_from(views[0], faces, marks), seen_from(views[1], faces, marks)));
}

std::string colours_in_words(const std::vector<PicturedFace> &faces, const PartMarks &marks)
{
  std::string text;
  for (const FaceColour &colour : face_colours)
    if (std::any_of(faces.begin(), faces.end(), [&](const PicturedFace &face) {
          return face.kind == colour.kind;
        }))
      text += (text.empty() ? "" : "; ") + std::string(colour.words);
  for (const PartMarks::Supports &supports : marks.supports)
    text += "; " + std::string(colour_of(supports).words) + " spots: " + supports.name;
  for (std::size_t l = 0; l < marks.loads.size(); ++l)
    if (!marks.loads[l].arrows.empty())
      text += "; " + std::string(load_colours[l % n_load_colours].words) + " arrows: loads" +
              (marks.loads.size() > 1 ? " of case '" + marks.loads[l].name + "'" : "");
  return text;
}
} // namespace strut
