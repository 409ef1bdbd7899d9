// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/base/team.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <system_error>
#include <thread>
#include <vector>

namespace strut::cpu
{
namespace
{
using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;

constexpr microseconds longest_spin(200); ///< several times the time to wake a thread
constexpr microseconds long_part(500);    ///< many times the time to wake a thread
constexpr microseconds shortest_pause(100), longest_without_spinning(20000), longest_asleep(2000);

void relax()
{
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Decides whether to retry after failures: each failure doubles the time until the next attempt.
class Backoff
{
public:
  explicit Backoff(const microseconds longest) : longest_(longest)
  {}
  bool allows(const Clock::time_point now) const
  {
    return now >= again_;
  }
  void was_in_vain(const Clock::time_point now)
  {
    again_ = now + pause_;
    pause_ = std::min(2 * pause_, longest_);
  }
  void has_paid()
  {
    pause_ = shortest_pause;
  }

private:
  const microseconds longest_;
  microseconds pause_ = shortest_pause;
  Clock::time_point again_;
};

/// Spins until the condition holds, but only as long as that saves time.
///
/// @return whether it became true while this thread spun
template <typename Condition>
bool spin_until(const Condition &condition, Backoff &spinning)
{
  constexpr int n_checks  = 32; // checks between two looks at the clock
  const auto becomes_true = [&]() {
    for (int i = 0; i < n_checks; ++i, relax())
      if (condition())
        return true;
    return false;
  };
  if (becomes_true())
    return true;
  Clock::time_point now = Clock::now();
  if (!spinning.allows(now))
    return false;
  for (const Clock::time_point end = now + longest_spin; now < end; now = Clock::now())
    if (becomes_true())
      {
        spinning.has_paid();
        return true;
      }
  spinning.was_in_vain(now);
  return false;
}

/// One helper, as seen by the calling thread. The state is that of the helper's part.
class alignas(128) Helper
{
public:
  /// Calling thread: offers the helper its part, unless it sleeps and was recently too late after
  /// waking.
  void offer()
  {
    is_offered_ = !helper_sleeps_ || waking_.allows(Clock::now());
    if (is_offered_)
      change(offered, helper_sleeps_);
  }

  /// Calling thread: offers a part that was not offered before.
  void offer_after_all()
  {
    if (is_offered_)
      return;
    is_offered_ = true;
    change(offered, helper_sleeps_);
  }

  /// Calling thread, after offer(): runs the part if the helper has not begun it.
  void run_if_left(const Part &part, const int number)
  {
    const bool late = is_offered_ && take();
    if (is_offered_ && !late)
      return;
    part(number);
    if (late)
      {
        state_      = idle;
        is_offered_ = false;
        waking_.was_in_vain(Clock::now());
      }
  }

  /// Calling thread, at the end: waits for the part that the helper has begun. If that takes long
  /// although parts are short, the helper may share this thread's core.
  void join(const bool parts_are_long)
  {
    if (wait_for(idle, caller_spinning_, caller_sleeps_) && !parts_are_long)
      waking_.was_in_vain(Clock::now());
    else if (is_offered_)
      waking_.has_paid();
  }

  /// Helper: waits for a part and runs it.
  void help(const Part *const &part, const int number)
  {
    wait_for(offered, helper_spinning_, helper_sleeps_);
    if (!take())
      return;
    (*part)(number);
    change(idle, caller_sleeps_);
  }

private:
  using State                    = std::uint32_t;
  static constexpr State idle    = 0;
  static constexpr State offered = 1; // the helper or the calling thread may take it
  static constexpr State taken   = 2;

  bool take()
  {
    State expected = offered;
    return state_.compare_exchange_strong(expected, taken);
  }

  void change(const State next, const std::atomic<bool> &other_sleeps)
  {
    state_ = next;
    if (other_sleeps)
      syscall(SYS_futex, &state_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  }

  /// @return whether this thread had to sleep
  bool wait_for(const State wanted, Backoff &spinning, std::atomic<bool> &sleeps)
  {
    if (spin_until([&]() { return state_.load(std::memory_order_acquire) == wanted; }, spinning))
      return false;
    // This store must precede the load of the state: the other thread changes the state, then reads
    // the flag.
    sleeps = true;
    for (State now = state_; now != wanted; now = state_)
      syscall(SYS_futex, &state_, FUTEX_WAIT_PRIVATE, now, nullptr, nullptr, 0);
    sleeps = false;
    return true;
  }

  std::atomic<State> state_{idle};
  std::atomic<bool> helper_sleeps_{false}, caller_sleeps_{false};
  static_assert(sizeof(std::atomic<State>) == sizeof(State), "a futex has 32 bits");

  Backoff helper_spinning_{longest_without_spinning};
  Backoff caller_spinning_{longest_without_spinning};
  Backoff waking_{longest_asleep};
  bool is_offered_ = false;
};

class Team
{
public:
  /// The team of the calling thread. It is never destroyed: the helpers sleep in it as long as the
  /// process lives.
  static Team &get()
  {
    static Team *const team = new Team;
    return of_this_thread_ != nullptr ? *of_this_thread_ : *team;
  }

  static void use_background()
  {
    static Team *const team = new Team;
    of_this_thread_         = team;
  }

  void run(const int n_parts, const Part &part)
  {
    if (n_parts < 2 || busy_.test_and_set(std::memory_order_acquire))
      {
        for (int number = 0; number < n_parts; ++number)
          part(number);
        return;
      }
    part_                       = &part;
    const std::size_t n_helpers = make_helpers(static_cast<std::size_t>(n_parts) - 1);
    const auto number_of        = [](const std::size_t h) { return static_cast<int>(h) + 1; };
    for (std::size_t h = 0; h < n_helpers; ++h)
      helpers_[h]->offer();
    const Clock::time_point begin = Clock::now();
    part(0);
    // Running a long part on this thread costs more than waking sleeping helpers.
    const bool parts_are_long = Clock::now() - begin > long_part;
    for (std::size_t h = 0; h < n_helpers && parts_are_long; ++h)
      helpers_[h]->offer_after_all();
    for (int number = number_of(n_helpers); number < n_parts; ++number)
      part(number);
    for (std::size_t h = 0; h < n_helpers; ++h)
      helpers_[h]->run_if_left(part, number_of(h));
    for (std::size_t h = 0; h < n_helpers; ++h)
      helpers_[h]->join(parts_are_long);
    busy_.clear(std::memory_order_release);
  }

private:
  /// @return the number of helpers, at most n_wanted: the system may not allow more threads
  std::size_t make_helpers(const std::size_t n_wanted)
  {
    while (helpers_.size() < n_wanted && more_are_allowed_)
      try
        {
          helpers_.push_back(std::make_unique<Helper>());
          std::thread([this,
                       &helper = *helpers_.back(),
                       number  = static_cast<int>(helpers_.size())]() {
            of_this_thread_ = this; // a nested call from a part finds this team busy
            while (true)
              helper.help(part_, number);
          }).detach();
        }
      catch (const std::system_error &)
        {
          helpers_.pop_back();
          more_are_allowed_ = false;
        }
    return std::min(n_wanted, helpers_.size());
  }

  std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
  const Part *part_      = nullptr;
  std::vector<std::unique_ptr<Helper>> helpers_;
  bool more_are_allowed_ = true;
  static thread_local Team *of_this_thread_; ///< all other threads use the first team
};
thread_local Team *Team::of_this_thread_ = nullptr;
} // namespace

void run_parts(const int n_parts, const Part part)
{
  Team::get().run(n_parts, part);
}

void use_background_team()
{
  Team::use_background();
}
} // namespace strut::cpu
