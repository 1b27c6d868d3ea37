// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace ridge::backends::probe_cuda {

// Kinds of host memory that a copy can start from or end in.
enum class host_memory : std::uint8_t { pageable, registered, pinned, write_combined };

// The kind's name: "pageable", "registered", "pinned", "write_combined".
[[nodiscard]] std::string_view name(host_memory kind);

// Host memory for copies from or to the GPU, filled with random words. Write-combined memory is slow to read.
class host_buffer final {
 public:
  // Allocates and fills `bytes`, a multiple of 4 KiB. Throws std::bad_alloc or as gpu::check does.
  host_buffer(host_memory kind, std::size_t bytes);
  [[nodiscard]] void* data() const { return memory_.get(); }
  // The sum modulo 2^32 of the words that the buffer was filled with, and of those that it holds now.
  [[nodiscard]] std::uint32_t sum() const { return sum_; }
  [[nodiscard]] std::uint32_t sum_now() const;

 private:
  struct freed {
    host_memory kind = host_memory::pageable;
    void operator()(void* memory) const;
  };
  std::size_t bytes_;
  std::unique_ptr<void, freed> memory_;
  std::uint32_t sum_ = 0;
};

}  // namespace ridge::backends::probe_cuda
