// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/hierarchy.h>

namespace strut
{
/// The transfer to a coarse level with all of its arrays. If it is in order, the arrays are made
/// here, and live as long as this object.
class TransferArrays
{
public:
  /// @param coarse  must outlive this object
  TransferArrays(const CoarseLevel &coarse, int n_threads);

  const LevelTransfer &operator*() const
  {
    return coarse_.transfer.is_in_order ? in_order_ : coarse_.transfer;
  }
  const LevelTransfer *operator->() const
  {
    return &**this;
  }

private:
  const CoarseLevel &coarse_;
  LevelTransfer in_order_; ///< empty, unless the transfer is in order
};
} // namespace strut
