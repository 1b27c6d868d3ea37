// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <cuda_runtime_api.h>

#include <ridge/base/dtype.hpp>
#include <ridge/device/device.hpp>
#include <ridge/gpu/memory.hpp>

#include "block_sums.hpp"
#include "clock_reader.hpp"
#include "scratch.hpp"

namespace ridge::backends::device_cuda {

// Results that arrive in pinned memory in the order of the queue and are taken together. The caller waits for
// the queue before it takes them. Bug: more than 1 MiB of results between two takings of each kind.
class enqueued_results {
 public:
  enqueued_results();

  // Enqueue a digest, or sums, of memory that the device may read, or a reading of its clocks.
  void digest(std::span<const std::byte> source, cudaStream_t queue);
  void block_sums(std::span<const std::byte> source, dtype type, std::size_t blocks, scratch& room,
                  cudaStream_t queue);
  void clock_reading(cudaStream_t queue);
  // Add a result that is known already.
  void add(std::uint64_t digest);
  void add(std::vector<device::block_sum> sums);

  // The results since they were last taken, in order.
  [[nodiscard]] std::vector<std::uint64_t> take_digests();
  [[nodiscard]] std::vector<std::vector<device::block_sum>> take_block_sums();
  [[nodiscard]] std::vector<device::clock_reading> take_clock_readings();

 private:
  struct digest_to_come {
    const std::uint64_t* chunks;  // null: `value` is the digest itself
    std::uint64_t value;          // else the bytes of the source
  };
  struct sums_to_come {
    std::span<const partial_sum> parts{};
    std::uint64_t elements = 0;
    std::vector<device::block_sum> known{};
  };
  template <class T>
  [[nodiscard]] T* room(std::size_t count);
  void reuse_room();

  gpu::pinned_memory memory_;
  std::size_t used_ = 0;
  gpu::device_memory word_;  // where a digest grows before it is copied
  std::vector<digest_to_come> digests_{};
  std::vector<sums_to_come> sums_{};
  std::vector<const clock_words*> clocks_{};
};

}  // namespace ridge::backends::device_cuda
