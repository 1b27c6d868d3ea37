// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include <ridge/base/error.hpp>
#include <ridge/host/affinity.hpp>

#include "os/observed.hpp"
#include "os/os_lists.hpp"
#include "os/partner.hpp"
#include "os/turn.hpp"

namespace ridge::backends::probe_host {
namespace {

constexpr char ball = 'b', end = 'e';

class pipe_of_bytes final {
 public:
  pipe_of_bytes() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0) throw io_failure("make", "a pipe", errno);
  }
  ~pipe_of_bytes() { close(ends_[0]), close(ends_[1]); }
  pipe_of_bytes(const pipe_of_bytes&) = delete;
  pipe_of_bytes& operator=(const pipe_of_bytes&) = delete;
  bool put(char c) const { return write(ends_[1], &c, 1) == 1; }
  // Returns the next byte; sleeps until there is one.
  [[nodiscard]] char get() const {
    char c = end;
    return read(ends_[0], &c, 1) == 1 ? c : end;
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

model::ceiling row_of_switch(const char* means, const cpu_pair& pair, const observed& found) {
  auto row = row_of_times("os.switch." + std::string(means) + "." + pair.name,
                          "from one thread to the other by a " + std::string(means) + ", " + pair.words,
                          found, "half of a round trip");
  row.threads = 2;
  return row;
}

// A pipe cannot be read with a time limit, so a thread that may wait for ever is sent `end`: the other thread
// when the probe ends, this one when the other ended or the time of the watchdog is over.
model::ceiling by_pipe(const probe::request& request, const cpu_pair& pair) {
  const host::scoped_affinity here(pair.first);
  const pipe_of_bytes ask, answer;
  const auto reply = [&](const std::stop_token&) {
    while (ask.get() == ball) answer.put(ball);
  };
  partner other(pair.second, reply, [&] { ask.put(end), answer.put(end); });
  const double time_s = time_of_row(request.depth);
  const watchdog limit(3 * time_s + patience_s, [&] { answer.put(end); });
  const auto once = [&] {
    const auto begin = request.clock.now();
    if (!ask.put(ball) || answer.get() != ball) other.lost();
    return request.clock.seconds(request.clock.now() - begin) / 2;
  };
  return row_of_switch("pipe", pair, observe(request.clock, {time_s}, gives_way::yes, once));
}

model::ceiling by_futex(const probe::request& request, const cpu_pair& pair) {
  const host::scoped_affinity here(pair.first);
  turn whose;
  const auto reply = [&](const std::stop_token& token) {
    while (!token.stop_requested()) {
      if (whose.sleep_until(answerers_turn, token)) whose.give(starters_turn);
    }
  };
  partner other(pair.second, reply);
  const auto once = [&] {
    const auto begin = request.clock.now();
    whose.give(answerers_turn);
    if (!whose.sleep_until(starters_turn)) other.lost();
    return request.clock.seconds(request.clock.now() - begin) / 2;
  };
  return row_of_switch("futex", pair,
                       observe(request.clock, {time_of_row(request.depth)}, gives_way::yes, once));
}

}  // namespace

rows probe_switch(const probe::request& request, const std::vector<cpu_pair>& pairs) {
  rows found;
  for (const auto& pair : pairs) {
    found.push_back(by_futex(request, pair));
    found.push_back(by_pipe(request, pair));
  }
  return found;
}

}  // namespace ridge::backends::probe_host
