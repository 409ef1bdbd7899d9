// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/volume_threshold.h"
#include "source/base/parallel_sort.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace strut
{
namespace
{
/// Values with a smaller relative difference are equal, since mirror images differ by the rounding
/// of a solve.
constexpr double same_value = 1e-8;
/// Volumes with a smaller relative difference are equal, since sums of different ranks differ.
constexpr double same_volume = 1e-10;
/// Number of values on either side of the wanted volume that are examined. It is larger than the
/// number of mirror images of an element.
constexpr std::size_t window = 64;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Sorts elements in descending order, and merges those with the same value.
std::vector<RankedVolume> ranked(std::vector<RankedVolume> elements)
{
  cpu::parallel_sort(cpu::default_n_threads(),
                     elements,
                     [](const RankedVolume &a, const RankedVolume &b) {
                       return a.value > b.value || (a.value == b.value && a.volume > b.volume);
                     });
  std::size_t n = 0;
  for (std::size_t i = 0; i < elements.size(); ++i)
    if (n > 0 && elements[n - 1].value == elements[i].value)
      elements[n - 1].volume += elements[i].volume;
    else
      elements[n++] = elements[i];
  elements.resize(n);
  return elements;
}

/// Number of elements at or above the threshold.
std::size_t count_above(const std::vector<RankedVolume> &ranking, const double threshold)
{
  const auto end =
    std::partition_point(ranking.begin(), ranking.end(), [&](const RankedVolume &element) {
      return element.value >= threshold;
    });
  return static_cast<std::size_t>(end - ranking.begin());
}
} // namespace

double volume_threshold(const Communicator &communicator,
                        std::vector<RankedVolume> elements,
                        const double volume,
                        const VolumeRounding rounding)
{
  // (1) This rank's ranking, and the ends of all of them.
  const std::vector<RankedVolume> ranking = ranked(std::move(elements));
  std::vector<double> sums(ranking.size() + 1, 0.);
  for (std::size_t i = 0; i < ranking.size(); ++i)
    sums[i + 1] = sums[i] + ranking[i].volume;
  const double total   = communicator.sum(sums.back());
  const double highest = communicator.max(ranking.empty() ? -infinity : ranking.front().value);
  const double lowest  = communicator.min(ranking.empty() ? infinity : ranking.back().value);
  if (total == 0. || !(volume > 0.))
    return infinity;
  if (!(total > volume * (1. + same_volume)))
    return lowest;

  // (2) Bisect until few values are between `low` and `high`. The volume at or above `low` is
  //     enough, that at or above `high` is not.
  double low = lowest, high = std::nextafter(highest, infinity), volume_above_high = 0.;
  while (true)
    {
      const double middle = low + 0.5 * (high - low);
      const std::size_t n_between =
        communicator.sum(count_above(ranking, low) - count_above(ranking, high));
      if (n_between <= window || !(middle > low && middle < high))
        break;
      const double above = communicator.sum(sums[count_above(ranking, middle)]);
      if (above >= volume)
        low = middle;
      else
        {
          high              = middle;
          volume_above_high = above;
        }
    }

  // (3) The values around the threshold, of all ranks: those between `low` and `high`, and those in
  //     the window on either side.
  const std::size_t above_high = count_above(ranking, high), above_low = count_above(ranking, low);
  std::vector<double> numbers;
  for (std::size_t i = above_high - std::min(window, above_high);
       i < std::min(above_low + window, ranking.size());
       ++i)
    {
      numbers.push_back(ranking[i].value);
      numbers.push_back(ranking[i].volume);
    }
  numbers = communicator.gather(numbers);
  std::vector<RankedVolume> around;
  for (std::size_t k = 0; k < numbers.size(); k += 2)
    around.push_back({numbers[k], numbers[k + 1]});
  around                  = ranked(std::move(around));
  const std::size_t first = count_above(around, high), last = count_above(around, low);
  const std::size_t begin = first - std::min(window, first);
  const std::size_t end   = std::min(last + window, around.size());

  // (4) The nearest gap that is wide enough, or the widest one.
  double held = volume_above_high;
  for (std::size_t i = begin; i < first; ++i)
    held -= around[i].volume;
  const double tolerance = same_volume * volume;
  double found = infinity, least_distance = infinity, widest = infinity, widest_gap = -1.;
  for (std::size_t i = begin; i <= end; ++i) // The gap before the i-th value.
    {
      const bool is_top    = i == 0 && around.front().value == highest;
      const bool is_bottom = i == around.size() && around.back().value == lowest;
      if ((i > begin && i < end) || is_top || is_bottom)
        {
          const double above = is_top ? infinity : around[i - 1].value;
          const double gap =
            is_top || is_bottom
              ? 1.
              : (above - around[i].value) / std::max(std::abs(above), std::abs(around[i].value));
          const double distance = std::abs(held - volume);
          if (rounding == VolumeRounding::nearest || held <= volume + tolerance)
            {
              if (gap > same_value && distance <= least_distance + tolerance)
                {
                  found          = above;
                  least_distance = distance;
                }
              if (gap > widest_gap)
                {
                  widest     = above;
                  widest_gap = gap;
                }
            }
        }
      if (i < end)
        held += around[i].volume;
    }
  return least_distance < infinity ? found : widest;
}
} // namespace strut
