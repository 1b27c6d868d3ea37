// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <ridge/device/device.hpp>

namespace ridge::device {

// A device that does everything as it is called, as a host does: nothing is held, every queue is its own, and
// what is enqueued is computed at once. Arrays, marks and caches are left to the derived class.
class immediate_device : public device {
 public:
  [[nodiscard]] bool on_host() const override { return true; }
  [[nodiscard]] std::vector<gpu_use> gpus() const override { return {}; }
  [[nodiscard]] stream queue() override { return {}; }
  [[nodiscard]] std::unique_ptr<queue_set> make_queues(int gpus, int queues_per_gpu) override;
  void synchronize() override {}
  void hold() override {}
  [[nodiscard]] bool release() override { return true; }
  void enqueue_empty_kernel() override {}
  // An error: nothing can be recorded.
  [[nodiscard]] result<std::unique_ptr<recorded>> record(const std::function<void()>& work) override;
  void enqueue_clock_reading() override {}
  [[nodiscard]] std::vector<clock_reading> take_clock_readings() override { return {}; }
  [[nodiscard]] std::string tampering() const override { return {}; }
  void fill_parts(std::span<std::byte> target, dtype type, const distribution& d, std::uint64_t key,
                  std::span<const part> parts) override;
  void enqueue_digest(std::span<const std::byte> source) override;
  void enqueue_block_sums(std::span<const std::byte> source, dtype type, std::size_t blocks) override;
  [[nodiscard]] std::vector<std::uint64_t> take_digests() override;
  [[nodiscard]] std::vector<std::vector<block_sum>> take_block_sums() override;

 private:
  std::vector<std::uint64_t> digests_{};
  std::vector<std::vector<block_sum>> sums_{};
};

}  // namespace ridge::device
