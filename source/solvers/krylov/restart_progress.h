// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

namespace strut
{
/// Decides whether a solve whose recursion differs from the true residual should restart from the
/// latter.
///
/// The true residual of conjugate gradients falls to about `eps |A| max_k |x_k|` and stays there,
/// while that of the recursion falls on (Greenbaum 1997; van der Vorst and Ye 2000; Strakos and
/// Tichy 2002). A restart recovers the loss caused by the largest iterate. Further restarts gain
/// nothing: each finds the rounding errors of the product anew, and by chance they are smaller.
///
/// So a cycle has to halve the residual. Ten times less must be reached within as many iterations
/// again as were needed so far. Sizes are linear in the residual, |r| for example.
class RestartProgress
{
public:
  /// Returns whether another cycle is worth its cost.
  /// @param size  of the true residual at the start, and after each cycle
  bool worth_another_cycle(const double size, const unsigned int iterations)
  {
    if (cycles_++ == 0)
      {
        first_ = last_ = milestone_ = size;
        return true;
      }
    if (cycles_ == 2 || size <= 0.1 * milestone_)
      {
        milestone_ = size;
        reached_   = iterations;
      }
    const bool halved = size <= 0.5 * last_;
    last_             = size;
    return halved && !exhausted(iterations);
  }

  /// Whether the iterations granted since the last milestone are used up. The first cycle has no
  /// limit.
  bool exhausted(const unsigned int iterations) const
  {
    return cycles_ > 1 && iterations >= 2 * reached_ + slack;
  }

  /// Size of the residual at the start.
  double first() const
  {
    return first_;
  }

private:
  static constexpr unsigned int slack = 10; ///< for solves of few iterations

  unsigned int cycles_  = 0;
  unsigned int reached_ = 0; ///< iterations at the milestone
  double first_         = 0;
  double last_          = 0;
  double milestone_     = 0;
};
} // namespace strut
