// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/base/background.h"

#include <chrono>
#include <utility>

namespace strut::plugin
{
Background::~Background()
{
  if (last_.valid())
    last_.wait();
}

void Background::start(std::function<void()> work)
{
  std::future<void> before = std::move(last_);
  if (before.valid())
    before.wait();
  last_ = std::async(std::launch::async, std::move(work));
  if (before.valid())
    before.get();
}

bool Background::is_done() const
{
  return !last_.valid() || last_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

void Background::wait()
{
  if (std::future<void> last = std::move(last_); last.valid())
    last.get();
}
} // namespace strut::plugin
