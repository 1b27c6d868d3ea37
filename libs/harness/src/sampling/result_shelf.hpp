// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <ridge/device/device.hpp>
#include <ridge/harness/memory.hpp>

#include "data/compare_outputs.hpp"

namespace ridge::harness {

// Keeps copies of results on their device until the host has time for them, so that samples whose results are
// kept follow each other like all others.
class result_shelf {
 public:
  explicit result_shelf(device::device& device) : device_(device) {}

  // Makes room for so many bytes of results in `arrays` arrays. False where that is too much.
  [[nodiscard]] bool make_room(std::size_t bytes, std::size_t arrays);
  // Enqueues copies of the result arrays, as they are when the queue comes that far.
  void enqueue(const memory& outputs_of);
  // The copies in host memory, in the order in which they were enqueued. Waits for the queue; the shelf is
  // empty then.
  [[nodiscard]] std::vector<result_bytes> take();

 private:
  device::device& device_;
  std::unique_ptr<device::array> room_{};
  std::size_t used_ = 0;
  std::vector<std::vector<std::span<std::byte>>> kept_{};  // by member, by array
};

}  // namespace ridge::harness
