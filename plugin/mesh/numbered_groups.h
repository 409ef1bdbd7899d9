// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "plugin/mesh/file_mesh.h"

namespace strut::plugin
{
/// Groups of a format in which each cell or face has one number and no name. Who has the number 0 is in no
/// group.
class NumberedGroups
{
public:
  /// deal.II means inner faces by the number above.
  static constexpr long largest_id = std::numeric_limits<unsigned int>::max() - 1l;

  void add(const unsigned int id, const unsigned int member)
  {
    if (id != 0)
      members_[id].push_back(member);
  }

  std::vector<FileMesh::Group> take()
  {
    std::vector<FileMesh::Group> groups;
    for (auto &[id, members] : members_)
      groups.push_back({id, "", std::move(members)});
    return groups;
  }

private:
  std::map<unsigned int, std::vector<unsigned int>> members_;
};
} // namespace strut::plugin
