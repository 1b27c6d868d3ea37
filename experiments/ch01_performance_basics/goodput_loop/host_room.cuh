// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <cuda_runtime_api.h>

#include <ridge/gpu/check.hpp>

namespace ridge::experiments::ch01_goodput_loop {

enum class paging : std::uint8_t { pageable, pinned };

// Host memory for a loader, zeroed, alive as long as the room; setup::workspace is the GPU's.
class host_room {
 public:
  explicit host_room(paging how) : how_(how) {}

  template <class T>
  [[nodiscard]] std::span<T> workspace(std::size_t count) {
    if (count == 0) return {};
    return {reinterpret_cast<T*>(take(count * sizeof(T))), count};
  }

 private:
  struct unpin {
    void operator()(std::byte* at) const { static_cast<void>(cudaFreeHost(at)); }
  };

  [[nodiscard]] std::byte* take(std::size_t bytes) {
    if (how_ == paging::pageable) {
      return pageable_.emplace_back(std::make_unique<std::byte[]>(bytes)).get();
    }
    void* at = nullptr;
    gpu::check(cudaHostAlloc(&at, bytes, cudaHostAllocDefault), "cudaHostAlloc of a window");
    std::byte* const first = pinned_.emplace_back(static_cast<std::byte*>(at)).get();
    for (std::size_t i = 0; i < bytes; ++i) first[i] = std::byte{0};
    return first;
  }

  paging how_;
  std::vector<std::unique_ptr<std::byte[]>> pageable_{};
  std::vector<std::unique_ptr<std::byte, unpin>> pinned_{};
};

}  // namespace ridge::experiments::ch01_goodput_loop
