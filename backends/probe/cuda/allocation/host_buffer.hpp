// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace ridge::backends::probe_cuda {

enum class host_memory : std::uint8_t { pageable, registered, pinned, write_combined };

[[nodiscard]] std::string_view name(host_memory kind);

// Host memory that the GPU copies from or to, of random words. Write-combined memory is slow to read.
class host_buffer final {
 public:
  host_buffer(host_memory kind, std::size_t bytes);  // a multiple of 4 KiB
  [[nodiscard]] void* at() const { return at_.get(); }
  // Of the words it was filled with, modulo 2^32.
  [[nodiscard]] std::uint32_t sum() const { return sum_; }
  [[nodiscard]] std::uint32_t sum_now() const;

 private:
  struct freed {
    host_memory kind = host_memory::pageable;
    void operator()(void* at) const;
  };
  std::size_t bytes_;
  std::unique_ptr<void, freed> at_;
  std::uint32_t sum_ = 0;
};

}  // namespace ridge::backends::probe_cuda
