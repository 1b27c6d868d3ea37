// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ridge/device/immediate_device.hpp>
#include <ridge/device/simulated_behaviour.hpp>
#include <ridge/device/simulated_calls.hpp>
#include <ridge/device/simulated_time.hpp>

namespace ridge::device {

// A device in host memory whose time passes only when told to: tests of the harness become exact and
// repeatable.
class simulated final : public immediate_device {
 public:
  // Bug: a clock that does not run forward.
  explicit simulated(simulated_behaviour behaviour = {});

  // Lets work of this many seconds at full speed pass on the device's own queue.
  void advance(double seconds) { time_.advance(seconds); }
  // The same on a queue of make_queues, whose time is its own until the queues are joined.
  void advance_on(stream queue, double seconds);
  // The true time, which its own clock only approximates.
  [[nodiscard]] double seconds() const { return time_.seconds(); }
  // Makes one call of `kind` throw failure instead of working: the call-th from now on, 1 being the next.
  void fail(operation kind, std::uint64_t call = 1) { calls_.fail(kind, call); }
  // Number of calls of `kind` so far, failed ones included.
  [[nodiscard]] std::uint64_t calls(operation kind) const { return calls_.so_far(kind); }
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
  void evict() override { calls_.count(operation::evict); }
  [[nodiscard]] std::size_t last_level_cache_bytes() const override {
    return behaviour_.last_level_cache_bytes;
  }
  [[nodiscard]] std::size_t memory_bytes() const override;
  [[nodiscard]] std::vector<gpu_use> gpus() const override { return gpus_; }
  // Where the device is apart, its other queues are streams of their own; see advance_on.
  [[nodiscard]] std::unique_ptr<queue_set> make_queues(int gpus, int queues_per_gpu) override;
  [[nodiscard]] timestamp mark() override;
  [[nodiscard]] double seconds_between(timestamp start, timestamp end) override {
    return time_.seconds_between(start, end);
  }
  void synchronize() override;
  [[nodiscard]] bool on_host() const override { return !behaviour_.apart; }
  // Work is done at once all the same; waiting while it holds makes release() return false.
  void hold() override;
  [[nodiscard]] bool release() override;
  // Leaves work of this many seconds beside the queue; wait_for_other_work returns and ends it.
  void leave_work(double seconds) { left_s_ = std::max(left_s_, seconds); }
  [[nodiscard]] double wait_for_other_work() override { return std::exchange(left_s_, 0); }
  // Takes the device away, as a fault of a kernel does: waiting for it throws failure from now on.
  void lose() { lost_ = true; }
  // Says that a setting of the device was changed, as tampering() tells from now on.
  void change_a_setting(std::string description) { changed_ = std::move(description); }
  [[nodiscard]] std::string tampering() const override { return changed_; }
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
  simulated_behaviour behaviour_;
  simulated_time time_;
  simulated_calls calls_{};
  bool held_ = false, let_go_ = false;
  std::uint64_t holds_ = 0;
  double left_s_ = 0;
  bool lost_ = false;
  std::string changed_{};
  std::vector<clock_reading> readings_{};
  std::vector<gpu_use> gpus_;
  std::shared_ptr<std::size_t> in_use_ = std::make_shared<std::size_t>(0);
};

}  // namespace ridge::device
