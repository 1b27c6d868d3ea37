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

// The operations of a simulated device that are counted and can be made to fail.
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
  std::uint64_t seed = 1;                 // seed of the jitter
  std::function<double(double)> speed{};  // speed of work that begins at this second; 1 when absent
  std::size_t memory_bytes = std::size_t{1} << 30;
  std::size_t last_level_cache_bytes = std::size_t{1} << 20;
  bool apart = false;       // a device of its own, as a GPU is: with holds, clock readings and recordings
  double mark_seconds = 0;  // what a mark takes after its reading
  double empty_kernel_seconds = 0;
  double hz = 1e9;                                             // clock frequency at full speed
  std::size_t gpus = 1;                                        // number of GPUs, this one the first
  ridge::device::compute_capability compute_capability{9, 0};  // compute capability of each GPU
  bool peers = true;                                           // whether they reach each other's memory
};

// A device in host memory whose time passes only when told to: tests of the harness become exact and
// repeatable.
class simulated final : public device {
 public:
  // Bug: a clock that does not run forward.
  explicit simulated(simulated_behaviour behaviour = {});

  // Lets work of this many seconds at full speed pass on the device's own queue.
  void advance(double seconds);
  // The same on a queue of make_queues, whose time is its own until the queues are joined.
  void advance_on(stream queue, double seconds);
  // The true time, which its own clock only approximates.
  [[nodiscard]] double seconds() const { return seconds_; }
  // Makes one call of `kind` throw failure instead of working: the call-th from now on, 1 being the next.
  void fail(operation kind, std::uint64_t call = 1);
  // Number of calls of `kind` so far, failed ones included.
  [[nodiscard]] std::uint64_t calls(operation kind) const { return counted(kind).calls; }
  // Lets a body open GPU `which` and take `bytes` of its memory.
  void use_gpu(std::size_t which, std::size_t bytes);
  // Bytes of all arrays alive now.
  [[nodiscard]] std::size_t bytes_in_use() const { return *in_use_; }

  // What `device` promises, in host memory; calls of an operation are counted.
  [[nodiscard]] std::string_view name() const override { return "simulated"; }
  [[nodiscard]] std::unique_ptr<array> allocate(const array_request& request) override;
  void fill(std::span<std::byte> target, dtype type, const distribution& d, std::uint64_t key,
            std::uint64_t first, std::uint64_t whole_count) override;
  void poison(std::span<std::byte> target) override;
  [[nodiscard]] std::uint64_t digest(std::span<const std::byte> source) override;
  [[nodiscard]] std::vector<block_sum> block_sums(std::span<const std::byte> source, dtype type,
                                                  std::size_t blocks) override;
  void copy_to_host(std::span<std::byte> target, std::span<const std::byte> source) override;
  void copy_from_host(std::span<std::byte> target, std::span<const std::byte> source) override;
  void copy(std::span<std::byte> target, std::span<const std::byte> source) override {
    copy_from_host(target, source);
  }
  void evict() override { count(operation::evict); }
  [[nodiscard]] std::size_t last_level_cache_bytes() const override {
    return behaviour_.last_level_cache_bytes;
  }
  [[nodiscard]] std::size_t memory_bytes() const override { return behaviour_.memory_bytes; }
  [[nodiscard]] std::vector<gpu_use> gpus() const override { return gpus_; }
  [[nodiscard]] stream queue() override { return {}; }
  // Where the device is apart, its other queues are streams of their own; see advance_on.
  [[nodiscard]] std::unique_ptr<queue_set> make_queues(int gpus, int queues_per_gpu) override;
  [[nodiscard]] timestamp mark() override;
  [[nodiscard]] double seconds_between(timestamp start, timestamp end) override;
  void synchronize() override;
  [[nodiscard]] bool on_host() const override { return !behaviour_.apart; }
  // Work is done at once all the same; waiting while it holds makes release() return false.
  void hold() override;
  [[nodiscard]] bool release() override;
  // Number of calls of hold() so far.
  [[nodiscard]] std::uint64_t holds() const { return holds_; }
  void enqueue_clock_reading() override;
  void enqueue_empty_kernel() override { advance(behaviour_.empty_kernel_seconds); }
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
  [[nodiscard]] const counter& counted(operation kind) const {
    return counters_[static_cast<std::size_t>(kind)];
  }
  void count(operation kind);
  [[nodiscard]] double duration_of(double seconds, double start);

  simulated_behaviour behaviour_;
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
