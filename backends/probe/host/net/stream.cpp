// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <ctime>
#include <memory>
#include <string>

#include <ridge/base/error.hpp>
#include <ridge/host/affinity.hpp>

#include "net/loopback.hpp"
#include "net/windows.hpp"
#include "os/observed.hpp"
#include "os/partner.hpp"

namespace ridge::backends::probe_host {
namespace {

constexpr std::size_t message = 128 << 10;
constexpr std::size_t windows = 24;

// A sender and a receiver with a connection between them.
class flow final {
 public:
  flow(socket_pair ends, int sender, int receiver)
      : ends_(std::move(ends)),
        receiving_(
            receiver, [this](const std::stop_token&) { receive(); }, [this] { ends_.far.end(); }),
        sending_(
            sender, [this](const std::stop_token& token) { send(token); }, [this] { ends_.near.end(); }) {}
  [[nodiscard]] std::uint64_t received() const { return received_.load(std::memory_order_relaxed); }
  [[nodiscard]] long turned_out_so_far() const { return receiver_.read() + sender_.read(); }
  [[nodiscard]] bool gone() const { return receiving_.gone() || sending_.gone(); }
  // Throws the reason of the side that has one: the other side ended because of it.
  [[noreturn]] void lost() const {
    sending_.rethrow();
    receiving_.lost();
  }

 private:
  void send(const std::stop_token& token) {
    const std::vector<std::byte> bytes(message, std::byte{0x5a});
    while (!token.stop_requested() && send_all(ends_.near, bytes)) sender_.tell();
  }
  void receive() {
    std::vector<std::byte> bytes(message);
    for (;;) {
      const auto got = recv(ends_.far.descriptor(), bytes.data(), bytes.size(), 0);
      if (got <= 0) return;
      if (bytes[0] != std::byte{0x5a})
        throw failure({"a stream delivered bytes that differ from those sent", ""});
      received_.fetch_add(static_cast<std::uint64_t>(got), std::memory_order_relaxed);
      receiver_.tell();
    }
  }
  socket_pair ends_;
  alignas(64) std::atomic<std::uint64_t> received_{0};
  turned_out receiver_{}, sender_{};
  partner receiving_, sending_;
};

using flows = std::vector<std::unique_ptr<flow>>;

std::uint64_t total(const flows& all) {
  std::uint64_t sum = 0;
  for (const auto& one : all) sum += one->received();
  return sum;
}

long turned_out_of(const flows& all) {
  long sum = 0;
  for (const auto& one : all) sum += one->turned_out_so_far();
  return sum;
}

void expect_alive(const flows& all) {
  for (const auto& one : all) {
    if (one->gone()) one->lost();
  }
}

void sleep_for(double seconds) {
  const timespec asked{0, static_cast<long>(seconds * 1e9)};
  clock_nanosleep(CLOCK_MONOTONIC, 0, &asked, nullptr);
}

std::vector<window> watch(const flows& all, const measure::clock& clock, double window_s) {
  std::vector<window> seen;
  auto before = total(all);
  const auto begin = clock.now();
  for (auto since = begin; seen.size() < windows;) {
    sleep_for(window_s);
    expect_alive(all);
    const auto bytes = total(all);
    const auto now = clock.now();
    seen.push_back({static_cast<double>(bytes - before) / clock.seconds(now - since), turned_out_of(all)});
    if (bytes == before) seen.pop_back();
    if (seen.empty() && clock.seconds(now - begin) > patience_s) all.front()->lost();
    before = bytes, since = now;
  }
  return seen;
}

}  // namespace

model::ceiling stream_through(const probe::request& request, transport transport, std::string id,
                              const std::vector<int>& cpus, const socket_maker& make) {
  flows all;
  for (std::size_t i = 0; i + 1 < cpus.size(); i += 2)
    all.push_back(std::make_unique<flow>(connect_pair(transport, make), cpus[i], cpus[i + 1]));
  expects(!all.empty(), "stream_through: two CPUs or more, one may stand twice");
  const double window_s = 2 * time_of_row(request.depth) / windows;
  sleep_for(window_s);
  const std::string kind = transport == transport::tcp ? "TCP" : "Unix sockets";
  model::ceiling row{.id = std::move(id),
                     .description = kind + ", " + std::to_string(all.size()) +
                                    (all.size() == 1 ? " stream" : " streams") + " within this machine",
                     .unit = "B/s",
                     .variant = "writes of 128 KiB",
                     .threads = static_cast<int>(2 * all.size()),
                     .size_bytes = message};
  set_rate(row, watch(all, request.clock, window_s));
  return row;
}

}  // namespace ridge::backends::probe_host
