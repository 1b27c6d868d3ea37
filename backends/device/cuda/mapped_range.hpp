// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <cuda.h>

namespace ridge::backends::device_cuda {

// Device address space of [0, end + granule), mapped only from `granule` to `end`: an access to the first or
// the last granule faults. The destructor releases it, after the device's work is done.
class mapped_range {
 public:
  // Memory of GPU `ordinal` that GPU `user` may access as well; they may be the same. `end` is a multiple of
  // granule(ordinal), at least one. Throws failure when the memory is refused.
  mapped_range(int ordinal, std::size_t end, int user);
  ~mapped_range();
  mapped_range(const mapped_range&) = delete;
  mapped_range& operator=(const mapped_range&) = delete;
  [[nodiscard]] std::byte* start() const { return reinterpret_cast<std::byte*>(start_); }

 private:
  void map(int ordinal, int user);
  void give_back() noexcept;

  std::size_t granule_, end_;
  CUdeviceptr start_ = 0;
  bool mapped_ = false;
};

// The smallest unit of mapping on this device, in bytes.
[[nodiscard]] std::size_t granule(int ordinal);

}  // namespace ridge::backends::device_cuda
