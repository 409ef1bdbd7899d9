// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/base/background_steps.h"

#include <strut/base/exceptions.h>

#include <chrono>
#include <new>
#include <utility>

#include "plugin/base/attempt.h"
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

namespace
{
void run_if_any(const std::function<void()> &action)
{
  if (action)
    action();
}
} // namespace

void BackgroundSteps::start()
{
  if (communicator_.size() > 1)
    background_.start([work = std::move(steps_.front().work)] { run_if_any(work); });
  else
    background_.start([steps = std::exchange(steps_, {})]() mutable {
      for (; !steps.empty(); steps.pop_front())
        {
          run_if_any(steps.front().work);
          run_if_any(steps.front().meeting);
        }
    });
  running_ = true;
}

void BackgroundSteps::meet()
{
  running_ = false;
  try
    {
      attempt_together(communicator_, [this] { background_.wait(); });
      if (communicator_.size() == 1)
        return; // the thread has finished everything
      run_if_any(steps_.front().meeting);
      steps_.pop_front();
      if (!steps_.empty())
        start();
    }
  catch (const Error &)
    {
      failure_ = std::current_exception();
    }
  catch (const std::bad_alloc &) // no reason to end the run
    {
      fail_with("the host is out of memory. Use a coarser mesh, or more machines.");
    }
  catch (const std::exception &error)
    {
      fail_with(error.what());
    }
  if (failure_ != nullptr)
    steps_.clear();
}

void BackgroundSteps::fail_with(const std::string &reason)
{
  const std::string what = file_name_.empty() ? "The output in the background has failed"
                                              : "Cannot write \"" + file_name_ + '"';
  failure_               = std::make_exception_ptr(Error(what + ": " + reason));
}

void BackgroundSteps::finish()
{
  while (running_)
    meet();
}

void BackgroundSteps::throw_failure()
{
  if (const std::exception_ptr failure = std::exchange(failure_, nullptr); failure != nullptr)
    std::rethrow_exception(failure);
}

void BackgroundSteps::begin(const std::function<Steps()> &prepare, const std::string &file_name)
{
  finish();
  file_name_                              = file_name;
  const std::exception_ptr failure_before = std::exchange(failure_, nullptr);
  try
    {
      steps_ = prepare();
      if (!steps_.empty())
        start();
    }
  catch (const Error &)
    {
      failure_ = std::current_exception();
    }
  if (failure_before != nullptr)
    std::rethrow_exception(failure_before);
}

void BackgroundSteps::proceed()
{
  if (running_ && !communicator_.any(!background_.is_done()))
    meet();
  if (!running_)
    throw_failure();
}

void BackgroundSteps::wait()
{
  finish();
  throw_failure();
}
} // namespace strut
