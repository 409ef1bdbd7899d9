// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/backend/design_volumes.h"

#include <algorithm>

#include "source/base/parallel_loop.h"

namespace strut
{
DesignVolumes::DesignVolumes(Memory &memory,
                             const std::vector<double> &volumes,
                             const bool takes_one)
  : common_(takes_one ? common(volumes) : std::nullopt)
{
  if (!common_)
    each_ = Array<double>(memory, volumes);
}

double DesignVolumes::memory_estimate(const std::vector<double> &volumes, const bool takes_one)
{
  return takes_one && common(volumes) ? 0. : sizeof(double) * static_cast<double>(volumes.size());
}

std::optional<double> DesignVolumes::common(const std::vector<double> &volumes)
{
  if (volumes.empty())
    return std::nullopt;
  struct Range
  {
    double least, most, sum;
  };
  const auto of_block = [&](const std::size_t begin, const std::size_t end) {
    Range range{volumes[begin], volumes[begin], 0.};
    for (std::size_t e = begin; e < end; ++e)
      range = {std::min(range.least, volumes[e]),
               std::max(range.most, volumes[e]),
               range.sum + (volumes[e] - volumes[0])};
    return range;
  };
  // a mean of differences, which are exact: the mean of equal numbers is that number
  Range all{volumes[0], volumes[0], 0.};
  for (const Range &range :
       cpu::values_of_blocks(cpu::default_n_threads(), volumes.size(), of_block))
    all = {std::min(all.least, range.least), std::max(all.most, range.most), all.sum + range.sum};
  const double mean = volumes[0] + all.sum / static_cast<double>(volumes.size());
  if (!(all.most - all.least <= tolerance * mean))
    return std::nullopt;
  return mean;
}

double DesignVolumes::dot(Backend &backend, const Array<double> &x) const
{
  const auto &vectors = backend.vector_operations<double>();
  return common_ ? *common_ * vectors.sum(x.size(), x) : vectors.dot(each_.size(), each_, x);
}

void DesignVolumes::divide(Backend &backend, Array<double> &x) const
{
  const auto &vectors = backend.vector_operations<double>();
  if (common_)
    vectors.axpby(x.size(), 1. / *common_, x, 0., x);
  else
    vectors.divide(x.size(), x, each_, x);
}

void DesignVolumes::copy_to(Backend &backend, Array<double> &x) const
{
  if (common_)
    backend.vector_operations<double>().fill(x.size(), *common_, x);
  else
    x.copy_from(each_);
}
} // namespace strut
