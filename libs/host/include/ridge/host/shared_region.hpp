// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

namespace ridge::host {

// Zeroed memory that this process and the children that it forks share: what one writes, the others read. It
// can be hidden from children that are forked later.
class shared_region final {
 public:
  // Maps so many bytes. Throws io_failure when the kernel refuses.
  explicit shared_region(std::size_t bytes);
  ~shared_region();
  shared_region(shared_region&& other) noexcept;
  shared_region& operator=(shared_region&&) = delete;
  shared_region(const shared_region&) = delete;
  shared_region& operator=(const shared_region&) = delete;

  // Returns the bytes of the region.
  [[nodiscard]] std::span<std::byte> bytes() const { return bytes_; }
  // Children that are forked from now on do not have this memory: reading at its address faults in them.
  // Throws io_failure when the kernel refuses.
  void hide_from_children() const;

 private:
  std::span<std::byte> bytes_{};
};

}  // namespace ridge::host
