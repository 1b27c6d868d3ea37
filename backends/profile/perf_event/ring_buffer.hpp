// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <utility>

namespace ridge::backends::profile_perf_event {

// The memory into which the kernel writes the records of one event.
class ring_buffer {
 public:
  // Maps a ring as large as the limit on locked memory allows, between 32 KiB and 2 MiB; nullopt with errno
  // set where that fails.
  [[nodiscard]] static std::optional<ring_buffer> map(int event);
  ~ring_buffer();
  ring_buffer(ring_buffer&& other) noexcept
      : memory_(std::exchange(other.memory_, nullptr)), bytes_(other.bytes_) {}
  ring_buffer& operator=(ring_buffer&&) = delete;

  // Passes on each available record and frees its place.
  void read(const std::function<void(std::span<const std::byte>)>& take);

 private:
  ring_buffer(void* memory, std::size_t bytes) : memory_(memory), bytes_(bytes) {}
  void* memory_;  // one page of the kernel's positions, then the ring
  std::size_t bytes_;
};

}  // namespace ridge::backends::profile_perf_event
