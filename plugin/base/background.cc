// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/base/background.h"

#include <chrono>
#include <utility>

#include "source/base/team.h"

namespace strut
{
Background::~Background()
{
  if (last_.valid())
    last_.wait();
}

void Background::start(std::function<void()> work)
{
  std::shared_future<void> before = std::move(last_);
  if (before.valid())
    before.wait();
  // objects that the work holds are destroyed with it, not with the future
  last_ = std::async(std::launch::async, [work = std::move(work)]() mutable {
    const std::function<void()> own = std::move(work);
    cpu::use_background_team();
    own();
  });
  if (before.valid())
    before.get();
}

bool Background::is_done() const
{
  return !last_.valid() || last_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

void Background::wait()
{
  if (const std::shared_future<void> last = std::move(last_); last.valid())
    last.get();
}
} // namespace strut
