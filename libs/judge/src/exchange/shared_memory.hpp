// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace ridge::judge {

// What another process may do with a shared memory.
enum class sharing : std::uint8_t { read_only, writable };

// Memory that this process reads and writes and others map through a descriptor. It can neither grow nor
// shrink. Where it is shared read-only, no other process can ever map it writable (by seal where the kernel
// has it, from 5.1 on, and by the mode of the descriptor). Owns mapping and descriptors.
class shared_memory final {
 public:
  shared_memory() = default;
  // Throws io_failure where the machine refuses it.
  shared_memory(const std::string& name, std::size_t bytes, sharing others);
  ~shared_memory();
  shared_memory(shared_memory&& other) noexcept;
  shared_memory& operator=(shared_memory&& other) noexcept;

  // The bytes, zero at first; never empty.
  [[nodiscard]] std::span<std::byte> bytes() const { return bytes_; }
  // The descriptor for other processes, owned by this object.
  [[nodiscard]] int descriptor() const { return shared_; }

 private:
  std::span<std::byte> bytes_{};
  int own_ = -1, shared_ = -1;
};

// Maps `bytes` bytes of a descriptor, with its pages present; the mapping lasts until the process ends.
// Throws io_failure.
[[nodiscard]] std::byte* map_descriptor(int descriptor, std::size_t bytes, sharing mode);

}  // namespace ridge::judge
