// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/backend/neighbourhood.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace strut
{
namespace
{
/// x -> sign x + shift
struct Reflection
{
  double sign = 1., shift = 0.;

  double operator()(const double x) const
  {
    return sign * x + shift;
  }
};

/// The identity, then the images in one direction that reach from [lower, upper] to within the radius of it: those of
/// one plane, or of two, between which they go on like those of two mirrors.
std::vector<Reflection> reflections(const std::vector<SymmetryPlane> &planes,
                                    const unsigned int direction,
                                    const double lower,
                                    const double upper,
                                    const double radius)
{
  std::vector<Reflection> images(1);
  for (std::size_t k = 0; k < images.size(); ++k)
    for (const SymmetryPlane &plane : planes)
      {
        if (plane.normal != direction)
          continue;
        const Reflection image{-images[k].sign, 2. * plane.value - images[k].shift};
        const double a = image(lower), b = image(upper);
        const bool is_new = std::none_of(images.begin(), images.end(), [&](const auto &other) {
          return other.sign == image.sign && std::abs(other.shift - image.shift) < 1e-9 * radius;
        });
        if (is_new && std::min(a, b) <= upper + radius && std::max(a, b) >= lower - radius)
          images.push_back(image);
      }
  return images;
}

/// The points and behind them their images, `[3][n]`, and the numbers of all of them as in CellGrid::points.
struct PointsAndImages
{
  std::vector<double> coordinates;
  std::vector<std::uint32_t> numbers;
};

/// All products of the reflections in the three directions, but the identity, of each point; those that are within the
/// radius of the box.
PointsAndImages add_images(const std::vector<double> &points,
                           const std::size_t n_points,
                           const double radius,
                           const std::vector<SymmetryPlane> &planes)
{
  std::array<double, 3> lower{}, upper{};
  std::array<std::vector<Reflection>, 3> images;
  for (unsigned int d = 0; d < 3; ++d)
    {
      const auto begin       = points.begin() + d * n_points;
      const auto [low, high] = std::minmax_element(begin, begin + n_points);
      lower[d]               = *low;
      upper[d]               = *high;
      images[d]              = reflections(planes, d, lower[d], upper[d], radius);
    }

  std::array<std::vector<double>, 3> added;
  std::vector<std::uint32_t> numbers(n_points);
  std::iota(numbers.begin(), numbers.end(), 0u);
  for (std::size_t image = 1; image < images[0].size() * images[1].size() * images[2].size();
       ++image)
    {
      const std::array<Reflection, 3> reflection = {
        {images[0][image % images[0].size()],
         images[1][image / images[0].size() % images[1].size()],
         images[2][image / images[0].size() / images[1].size()]}};
      for (std::size_t p = 0; p < n_points; ++p)
        {
          std::array<double, 3> place{};
          bool is_near = true;
          for (std::size_t d = 0; d < 3; ++d)
            {
              place[d] = reflection[d](points[d * n_points + p]);
              is_near  = is_near && place[d] >= lower[d] - radius && place[d] <= upper[d] + radius;
            }
          if (!is_near)
            continue;
          for (std::size_t d = 0; d < 3; ++d)
            added[d].push_back(place[d]);
          numbers.push_back(static_cast<std::uint32_t>(p) | CellGrid::image_bit);
        }
    }

  PointsAndImages all;
  all.coordinates.reserve(3 * numbers.size());
  for (std::size_t d = 0; d < 3; ++d)
    {
      const auto begin = points.begin() + static_cast<std::ptrdiff_t>(d * n_points);
      all.coordinates.insert(all.coordinates.end(),
                             begin,
                             begin + static_cast<std::ptrdiff_t>(n_points));
      all.coordinates.insert(all.coordinates.end(), added[d].begin(), added[d].end());
    }
  all.numbers = std::move(numbers);
  return all;
}
} // namespace

CellGrid CellGrid::build(const std::vector<double> &originals,
                         const std::size_t n_originals,
                         const double radius,
                         const std::vector<SymmetryPlane> &planes)
{
  const bool has_images = !planes.empty() && n_originals > 0;
  const PointsAndImages all =
    has_images ? add_images(originals, n_originals, radius, planes) : PointsAndImages{};
  const std::vector<double> &points = has_images ? all.coordinates : originals;
  const std::size_t n_points        = has_images ? all.numbers.size() : n_originals;

  // Cells of a quarter of the radius: those that the ball touches hold about twice its points. Smaller
  // cells waste less but have shorter rows.
  CellGrid grid;
  grid.radius    = radius;
  grid.cell_size = radius / 4.;
  grid.reach     = 4;

  std::array<double, 3> upper{};
  for (int d = 0; d < 3 && n_points > 0; ++d)
    {
      const auto begin  = points.begin() + d * n_points;
      const auto bounds = std::minmax_element(begin, begin + n_points);
      grid.origin[d]    = *bounds.first;
      upper[d]          = *bounds.second;
    }

  // A tiny radius must not ask for more cells than there are points to put into them.
  const auto n_cells = [&]() {
    double product = 1.;
    for (int d = 0; d < 3; ++d)
      product *= std::floor((upper[d] - grid.origin[d]) / grid.cell_size) + 1.;
    return product;
  };
  while (n_cells() > 8. * std::max<std::size_t>(n_points, 1))
    {
      grid.cell_size *= 2.;
      grid.reach = std::max(grid.reach / 2, 1);
    }
  for (int d = 0; d < 3; ++d)
    grid.n[d] =
      static_cast<std::int32_t>(std::floor((upper[d] - grid.origin[d]) / grid.cell_size)) + 1;

  const std::size_t total = std::size_t(grid.n[0]) * grid.n[1] * grid.n[2];
  std::vector<std::uint32_t> cell(n_points);
  grid.cell_begin.assign(total + 1, 0);
  for (std::size_t p = 0; p < n_points; ++p)
    {
      const std::size_t i = grid.cell_of(points[p], 0);
      const std::size_t j = grid.cell_of(points[n_points + p], 1);
      const std::size_t k = grid.cell_of(points[2 * n_points + p], 2);
      cell[p] = static_cast<std::uint32_t>(i + grid.n[0] * (j + std::size_t(grid.n[1]) * k));
      ++grid.cell_begin[cell[p] + 1];
    }
  std::partial_sum(grid.cell_begin.begin(), grid.cell_begin.end(), grid.cell_begin.begin());

  grid.points.resize(n_points);
  grid.coordinates.resize(3 * n_points);
  std::vector<std::uint32_t> next(grid.cell_begin.begin(), grid.cell_begin.end() - 1);
  for (std::size_t p = 0; p < n_points; ++p)
    {
      const std::uint32_t s = next[cell[p]]++;
      grid.points[s]        = has_images ? all.numbers[p] : static_cast<std::uint32_t>(p);
      for (int d = 0; d < 3; ++d)
        grid.coordinates[d * n_points + s] = points[d * n_points + p];
    }
  return grid;
}
} // namespace strut
