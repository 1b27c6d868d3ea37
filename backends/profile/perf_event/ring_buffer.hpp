// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <utility>

namespace ridge::backends::profile_perf_event {

// Memory that the kernel writes records of one event into.
class ring_buffer {
 public:
  // As large as the limit on locked memory lets it be, between 32 KiB and 2 MiB; nullopt with errno told.
  [[nodiscard]] static std::optional<ring_buffer> map(int event);
  ~ring_buffer();
  ring_buffer(ring_buffer&& other) noexcept
      : memory_(std::exchange(other.memory_, nullptr)), bytes_(other.bytes_) {}
  ring_buffer& operator=(ring_buffer&&) = delete;

  // Gives each record that is there, and makes its place free.
  void read(const std::function<void(std::span<const std::byte>)>& take);

 private:
  ring_buffer(void* memory, std::size_t bytes) : memory_(memory), bytes_(bytes) {}
  void* memory_;  // one page of the kernel's positions, then the ring
  std::size_t bytes_;
};

}  // namespace ridge::backends::profile_perf_event
