// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <cstring>

#include <ridge/base/error.hpp>
#include <ridge/host/affinity.hpp>

#include "net/loopback.hpp"
#include "net/ring.hpp"
#include "net/windows.hpp"
#include "os/observed.hpp"
#include "os/partner.hpp"

namespace ridge::backends::probe_host {
namespace {

constexpr std::size_t slot_bytes = 4096, slots = 64, batch_of_slots = 256;
constexpr std::size_t message_bytes = 64, fewest_ring_windows = 24;

// Tries until it succeeds; returns false when a stop was requested or patience_s have passed.
template <class Try>
bool insist(Try attempt, const std::stop_token& token) {
  using clock = std::chrono::steady_clock;
  if (attempt()) return true;
  const auto end = clock::now() + std::chrono::duration<double>(patience_s);
  do {
    for (int i = 0; i < 4096; ++i) {
      if (attempt()) return true;
    }
  } while (!token.stop_requested() && clock::now() < end);
  return false;
}

struct numbered {
  explicit numbered(std::size_t bytes) : memory(bytes) {}
  void number(std::uint64_t n) { std::memcpy(memory.data(), &n, sizeof n); }
  void expect(std::uint64_t n) const {
    if (std::memcmp(memory.data(), &n, sizeof n) != 0)
      throw failure({"the ring returned a message out of order", ""});
  }
  std::vector<std::byte> memory;
};

void produce(ring& target, turned_out& told, const std::stop_token& token) {
  numbered sent(slot_bytes);
  for (std::uint64_t n = 0; !token.stop_requested(); ++n) {
    sent.number(n);
    if (n % slots == 0) told.tell();
    while (!insist([&] { return target.put(sent.memory); }, token)) {
      if (token.stop_requested()) return;
    }
  }
}

model::ceiling rate_through(const probe::request& request, const cpu_pair& pair) {
  const host::scoped_affinity here(pair.first);
  ring through(slots, slot_bytes);
  turned_out here_told, there_told;
  partner other(pair.second, [&](const std::stop_token& token) { produce(through, there_told, token); });
  numbered got(slot_bytes);
  std::uint64_t next = 0;
  const auto once = [&] {
    const auto begin = request.clock.now();
    for (std::size_t i = 0; i < batch_of_slots; ++i) {
      if (!insist([&] { return through.take(got.memory); }, {})) other.lost();
      got.expect(next++);
    }
    here_told.tell();
    return window{batch_of_slots * slot_bytes / request.clock.seconds(request.clock.now() - begin),
                  here_told.read() + there_told.read()};
  };
  std::vector<window> seen;
  const auto start = request.clock.now();
  while (seen.size() < fewest_ring_windows ||
         request.clock.seconds(request.clock.now() - start) < time_of_row(request.depth))
    seen.push_back(once());
  model::ceiling row{.id = "net.loopback.ring.stream",
                     .description = "a ring in shared memory, messages of 4 KiB, " + pair.words,
                     .unit = "B/s",
                     .variant = "64 slots, both sides spin",
                     .threads = 2,
                     .size_bytes = slots * slot_bytes};
  set_rate(row, seen);
  return row;
}

void echo_through_ring(ring& source, ring& target, const std::stop_token& token) {
  numbered message(message_bytes);
  while (!token.stop_requested()) {
    if (insist([&] { return source.take(message.memory); }, token)) (void)target.put(message.memory);
  }
}

model::ceiling trip_through(const probe::request& request, const cpu_pair& pair) {
  const host::scoped_affinity here(pair.first);
  ring there(slots, message_bytes), back(slots, message_bytes);
  partner other(pair.second, [&](const std::stop_token& token) { echo_through_ring(there, back, token); });
  numbered sent(message_bytes), got(message_bytes);
  std::uint64_t n = 0;
  const auto once = [&] {
    sent.number(++n);
    const auto begin = request.clock.now();
    const bool answered = there.put(sent.memory) && insist([&] { return back.take(got.memory); }, {});
    const double s = request.clock.seconds(request.clock.now() - begin);
    if (!answered) other.lost();
    got.expect(n);
    return s;
  };
  const auto found = observe(request.clock, {time_of_row(request.depth)}, gives_way::no, once);
  auto row =
      row_of_times("net.loopback.ring.trip", "a ring in shared memory, 64 B there and back, " + pair.words,
                   found, "both sides spin");
  row.threads = 2;
  row.size_bytes = message_bytes;
  return row;
}

}  // namespace

std::vector<model::ceiling> through_ring(const probe::request& request, const cpu_pair& pair) {
  if (!pair.apart()) throw unavailable("two CPUs", "a ring whose two sides spin needs them");
  return {rate_through(request, pair), trip_through(request, pair)};
}

}  // namespace ridge::backends::probe_host
