// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/device/device.hpp>

namespace ridge::device {

// Another device, which outlives it, under the same interface: a derived class replaces what it does
// otherwise.
class forwarding_device : public device {
 public:
  // Refers to a device that outlives it.
  explicit forwarding_device(device& real) : real_(real) {}

  // Names and GPUs of the other device.
  [[nodiscard]] std::string_view name() const override { return real_.name(); }
  [[nodiscard]] bool on_host() const override { return real_.on_host(); }
  [[nodiscard]] std::vector<gpu_use> gpus() const override { return real_.gpus(); }

  [[nodiscard]] std::unique_ptr<array> allocate(const array_request& request) override {
    return real_.allocate(request);
  }
  [[nodiscard]] std::unique_ptr<shared_range> share(std::size_t bytes) override { return real_.share(bytes); }
  [[nodiscard]] std::span<std::byte> map_shared(int descriptor, std::size_t bytes, bool read_only) override {
    return real_.map_shared(descriptor, bytes, read_only);
  }
  [[nodiscard]] std::size_t memory_bytes() const override { return real_.memory_bytes(); }
  // The same content, by the other device.
  void fill(std::span<std::byte> target, dtype type, const distribution& d, std::uint64_t key,
            std::uint64_t first, std::uint64_t whole_count) override {
    real_.fill(target, type, d, key, first, whole_count);
  }
  // The same for parts.
  void fill_parts(std::span<std::byte> target, dtype type, const distribution& d, std::uint64_t key,
                  std::span<const part> parts) override {
    real_.fill_parts(target, type, d, key, parts);
  }
  void poison(std::span<std::byte> target) override { real_.poison(target); }
  void copy_to_host(std::span<std::byte> target, std::span<const std::byte> source) override {
    real_.copy_to_host(target, source);
  }
  void copy_from_host(std::span<std::byte> target, std::span<const std::byte> source) override {
    real_.copy_from_host(target, source);
  }
  void copy(std::span<std::byte> target, std::span<const std::byte> source) override {
    real_.copy(target, source);
  }

  [[nodiscard]] std::uint64_t digest(std::span<const std::byte> source) override {
    return real_.digest(source);
  }
  // The same sums, by the other device.
  [[nodiscard]] std::vector<block_sum> block_sums(std::span<const std::byte> source, dtype type,
                                                  std::size_t blocks) override {
    return real_.block_sums(source, type, blocks);
  }
  void enqueue_digest(std::span<const std::byte> source) override { real_.enqueue_digest(source); }
  void enqueue_block_sums(std::span<const std::byte> source, dtype type, std::size_t blocks) override {
    real_.enqueue_block_sums(source, type, blocks);
  }
  [[nodiscard]] std::vector<std::uint64_t> take_digests() override { return real_.take_digests(); }
  [[nodiscard]] std::vector<std::vector<block_sum>> take_block_sums() override {
    return real_.take_block_sums();
  }

  void evict() override { real_.evict(); }
  [[nodiscard]] std::size_t last_level_cache_bytes() const override { return real_.last_level_cache_bytes(); }
  [[nodiscard]] std::string tampering() const override { return real_.tampering(); }

  [[nodiscard]] stream queue() override { return real_.queue(); }
  [[nodiscard]] std::unique_ptr<queue_set> make_queues(int gpus, int queues_per_gpu) override {
    return real_.make_queues(gpus, queues_per_gpu);
  }
  void synchronize() override { real_.synchronize(); }
  void hold() override { real_.hold(); }
  [[nodiscard]] bool release() override { return real_.release(); }
  [[nodiscard]] double wait_for_other_work() override { return real_.wait_for_other_work(); }
  void enqueue_empty_kernel() override { real_.enqueue_empty_kernel(); }
  [[nodiscard]] result<std::unique_ptr<recorded>> record(const std::function<void()>& work) override {
    return real_.record(work);
  }

  [[nodiscard]] timestamp mark() override { return real_.mark(); }
  [[nodiscard]] double seconds_between(timestamp start, timestamp end) override {
    return real_.seconds_between(start, end);
  }
  void enqueue_clock_reading() override { real_.enqueue_clock_reading(); }
  [[nodiscard]] std::vector<clock_reading> take_clock_readings() override {
    return real_.take_clock_readings();
  }

 private:
  device& real_;
};

}  // namespace ridge::device
