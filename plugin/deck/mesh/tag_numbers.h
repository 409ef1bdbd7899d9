// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <limits>
#include <unordered_map>
#include <vector>

namespace strut
{
/// Numbers of entities by their tags in a file. Most files count tags from 1 with few gaps, so
/// these are in an array. Tags far above are in a map.
class TagNumbers
{
public:
  static constexpr unsigned int none = std::numeric_limits<unsigned int>::max();

  /// @param tag  not negative @return false, without any change, if the tag exists already
  bool insert(const long tag, const unsigned int number)
  {
    if ((*this)(tag) != none)
      return false;
    const auto at = static_cast<std::size_t>(tag);
    ++size_;
    if (at >= 16 * (size_ + 4096))
      return far_.emplace(tag, number).second;
    if (at >= near_.size())
      near_.resize(at + 1 + near_.size() / 2, none);
    near_[at] = number;
    return true;
  }

  /// Returns the number of a tag, or `none`.
  unsigned int operator()(const long tag) const
  {
    if (tag >= 0 && static_cast<std::size_t>(tag) < near_.size())
      if (const unsigned int number = near_[static_cast<std::size_t>(tag)]; number != none)
        return number;
    if (far_.empty())
      return none;
    const auto found = far_.find(tag);
    return found == far_.end() ? none : found->second;
  }

  std::size_t size() const
  {
    return size_;
  }

private:
  std::vector<unsigned int> near_;
  std::unordered_map<long, unsigned int> far_;
  std::size_t size_ = 0;
};
} // namespace strut
