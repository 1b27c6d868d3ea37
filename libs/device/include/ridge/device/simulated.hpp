// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <ridge/device/device.hpp>

namespace ridge::device {

// What of a simulated device may be counted and made to fail.
enum class operation : std::uint8_t {
  allocate,
  fill,
  poison,
  digest,
  block_sums,
  copy_to_host,
  copy_from_host,
  evict,
  mark,
  synchronize
};

// How a simulated device behaves; the defaults are an ideal one.
struct simulated_behaviour {
  double tick_seconds = 1e-9;             // marks count whole ticks, rounded down
  double drift = 0;                       // its clock runs 1 + drift times too fast
  double jitter = 0;                      // work takes up to this share longer, by a seeded draw per advance
  std::uint64_t seed = 1;                 // of the jitter
  std::function<double(double)> speed{};  // of work begun at this second, 1 when absent: a throttling script
  std::size_t memory_bytes = std::size_t{1} << 30;
  std::size_t last_level_cache_bytes = std::size_t{1} << 20;
  bool apart = false;       // a device of its own, as a GPU is: with holds, clock readings and recordings
  double mark_seconds = 0;  // that a mark takes after its reading
  double empty_kernel_seconds = 0;
  double hz = 1e9;                                             // that it computes at when at full speed
  std::size_t gpus = 1;                                        // that it says there are; it is the first
  ridge::device::compute_capability compute_capability{9, 0};  // of each of them
  bool peers = true;                                           // whether they reach each other's memory
};

// A device in host memory whose time passes only when told to: tests of the harness become exact and
// repeatable.
class simulated final : public device {
 public:
  explicit simulated(simulated_behaviour how = {});

  // Work of this many seconds at full speed was done on the device's own queue.
  void advance(double seconds);
  // The same on a queue of make_queues, whose time is its own until the queues are joined; the own queue's
  // elsewhere.
  void advance_on(stream queue, double seconds);
  // The true time, which its own clock only approximates.
  [[nodiscard]] double seconds() const { return seconds_; }
  // From now on the call-th call (1: the next) of `what` throws failure instead of working, once.
  void fail(operation what, std::uint64_t call = 1);
  // Calls so far, failed ones included.
  [[nodiscard]] std::uint64_t calls(operation what) const { return counted(what).calls; }
  // A body opens GPU `which` and takes so much of its memory.
  void use_gpu(std::size_t which, std::size_t bytes);
  // Of arrays alive now.
  [[nodiscard]] std::size_t bytes_in_use() const { return *in_use_; }

  [[nodiscard]] std::string_view name() const override { return "simulated"; }
  [[nodiscard]] std::unique_ptr<array> allocate(const array_request& request) override;
  void fill(std::span<std::byte> target, dtype type, const distribution& d, std::uint64_t key,
            std::uint64_t first, std::uint64_t of) override;
  void poison(std::span<std::byte> target) override;
  [[nodiscard]] std::uint64_t digest(std::span<const std::byte> source) override;
  [[nodiscard]] std::vector<block_sum> block_sums(std::span<const std::byte> source, dtype type,
                                                  std::size_t blocks) override;
  void copy_to_host(std::span<std::byte> to, std::span<const std::byte> from) override;
  void copy_from_host(std::span<std::byte> to, std::span<const std::byte> from) override;
  void copy(std::span<std::byte> to, std::span<const std::byte> from) override { copy_from_host(to, from); }
  void evict() override { count(operation::evict); }
  [[nodiscard]] std::size_t last_level_cache_bytes() const override { return how_.last_level_cache_bytes; }
  [[nodiscard]] std::size_t memory_bytes() const override { return how_.memory_bytes; }
  [[nodiscard]] std::vector<gpu_use> gpus() const override { return gpus_; }
  [[nodiscard]] stream queue() override { return {}; }
  // Where the device is apart, its other queues are streams of their own; see advance_on.
  [[nodiscard]] std::unique_ptr<queue_set> make_queues(int gpus, int queues_per_gpu) override;
  [[nodiscard]] timestamp mark() override;
  [[nodiscard]] double seconds_between(timestamp from, timestamp to) override;
  void synchronize() override;
  [[nodiscard]] bool on_host() const override { return !how_.apart; }
  // What is enqueued is done at once all the same; waiting while it holds makes it let go.
  void hold() override;
  [[nodiscard]] bool release() override;
  [[nodiscard]] std::uint64_t holds() const { return holds_; }
  void enqueue_clock_reading() override;
  void enqueue_empty_kernel() override { advance(how_.empty_kernel_seconds); }
  [[nodiscard]] std::vector<clock_reading> take_clock_readings() override {
    return std::exchange(readings_, {});
  }
  // Keeps `work` and does it whenever it is enqueued; while it is recorded no time passes.
  [[nodiscard]] result<std::unique_ptr<recorded>> record(const std::function<void()>& work) override;

 private:
  struct counter {
    std::uint64_t calls = 0;
    std::uint64_t fails_at = 0;  // 0: never
  };
  [[nodiscard]] const counter& counted(operation what) const {
    return counters_[static_cast<std::size_t>(what)];
  }
  void count(operation what);
  [[nodiscard]] double duration_of(double seconds, double start);

  simulated_behaviour how_;
  double seconds_ = 0;
  std::uint64_t draws_ = 0;
  bool held_ = false, let_go_ = false, recording_ = false;
  std::uint64_t holds_ = 0;
  std::vector<clock_reading> readings_{};
  std::array<counter, 10> counters_{};
  std::vector<gpu_use> gpus_;
  std::shared_ptr<std::size_t> in_use_ = std::make_shared<std::size_t>(0);
};

}  // namespace ridge::device
