// SPDX-License-Identifier: Apache-2.0
#include <ridge/device/immediate_device.hpp>

#include <utility>

namespace ridge::device {

std::unique_ptr<queue_set> immediate_device::make_queues(int gpus, int queues_per_gpu) {
  const auto count = static_cast<std::size_t>(gpus) * static_cast<std::size_t>(queues_per_gpu);
  return std::make_unique<queue_set>(std::vector<stream>(count, queue()), queues_per_gpu);
}

result<std::unique_ptr<recorded>> immediate_device::record(const std::function<void()>&) {
  return error{"this device runs what it is given at once", {}};
}

void immediate_device::fill_parts(std::span<std::byte> target, dtype type, const distribution& d,
                                  std::uint64_t key, std::span<const part> parts) {
  fill_each_part(*this, target, type, d, key, parts);
}

void immediate_device::enqueue_digest(std::span<const std::byte> source) {
  digests_.push_back(digest(source));
}

void immediate_device::enqueue_block_sums(std::span<const std::byte> source, dtype type, std::size_t blocks) {
  sums_.push_back(block_sums(source, type, blocks));
}

std::vector<std::uint64_t> immediate_device::take_digests() { return std::exchange(digests_, {}); }

std::vector<std::vector<block_sum>> immediate_device::take_block_sums() { return std::exchange(sums_, {}); }

}  // namespace ridge::device
