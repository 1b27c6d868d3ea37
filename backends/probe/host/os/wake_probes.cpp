// SPDX-License-Identifier: Apache-2.0
#include <atomic>

#include <ridge/host/affinity.hpp>

#include "os/observed.hpp"
#include "os/os_lists.hpp"
#include "os/partner.hpp"
#include "os/turn.hpp"

namespace ridge::backends::probe_host {
namespace {

constexpr double long_asleep_s = 200e-6;
constexpr int trips = 32;

// The data that the two threads share; `woke_at` is written before the turn is given back.
struct meeting {
  turn whose{};
  std::atomic<std::int64_t> woke_at{0};
};

void note_waking(meeting& meeting, const measure::clock& clock, bool asks_to_be_woken,
                 const std::stop_token& token) {
  while (!token.stop_requested()) {
    if (!meeting.whose.sleep_until(answerers_turn, token)) continue;
    meeting.woke_at.store(clock.now(), std::memory_order_relaxed);
    if (asks_to_be_woken)
      meeting.whose.give(starters_turn);
    else
      meeting.whose.give_to_spinner(starters_turn);
  }
}

void pass_time(const measure::clock& clock, double seconds) {
  for (const auto begin = clock.now(); clock.seconds(clock.now() - begin) < seconds;) continue;
}

// Measures the time from the call that wakes to the first instruction of the woken thread.
model::ceiling wake(const probe::request& request, const cpu_pair& pair) {
  const host::scoped_affinity here(pair.first);
  meeting at;
  partner other(pair.second,
                [&](const std::stop_token& t) { note_waking(at, request.clock, !pair.apart(), t); });
  const auto once = [&] {
    if (pair.apart()) pass_time(request.clock, long_asleep_s);
    const auto begin = request.clock.now();
    at.whose.give(answerers_turn);
    if (pair.apart() ? !at.whose.spin_until(starters_turn) : !at.whose.sleep_until(starters_turn))
      other.lost();
    return request.clock.seconds(at.woke_at.load(std::memory_order_relaxed) - begin);
  };
  const auto found =
      observe(request.clock, {(pair.apart() ? 4 : 1) * time_of_row(request.depth)}, gives_way::yes, once);
  auto row = row_of_times("os.wake." + pair.name, "waking a thread that sleeps, " + pair.words, found,
                          pair.apart() ? "futex, asleep for 200 us" : "futex, the waker sleeps after");
  row.threads = 2;
  return row;
}

void answer_spinning(turn& whose, const std::stop_token& token) {
  while (!token.stop_requested()) {
    if (whose.spin_until(answerers_turn, token)) whose.give_to_spinner(starters_turn);
  }
}

model::ceiling wake_spinning(const probe::request& request, const cpu_pair& pair) {
  const host::scoped_affinity here(pair.first);
  turn whose;
  partner other(pair.second, [&](const std::stop_token& t) { answer_spinning(whose, t); });
  const auto once = [&] {
    const auto begin = request.clock.now();
    for (int i = 0; i < trips; ++i) {
      whose.give_to_spinner(answerers_turn);
      if (!whose.spin_until(starters_turn)) other.lost();
    }
    return request.clock.seconds(request.clock.now() - begin) / (2 * trips);
  };
  const auto found = observe(request.clock, {time_of_row(request.depth)}, gives_way::no, once);
  auto row = row_of_times("os.wake.spinning." + pair.name, "telling a thread that spins, " + pair.words,
                          found, "half of a round trip, means of 32");
  row.threads = 2;
  return row;
}

}  // namespace

rows probe_wake(const probe::request& request, const std::vector<cpu_pair>& pairs) {
  rows found;
  for (const auto& pair : pairs) found.push_back(wake(request, pair));
  for (const auto& pair : pairs) {
    if (pair.apart()) found.push_back(wake_spinning(request, pair));
  }
  return found;
}

}  // namespace ridge::backends::probe_host
