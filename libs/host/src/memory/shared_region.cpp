// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/shared_region.hpp>

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include <ridge/base/error.hpp>
#include <ridge/host/own_mappings.hpp>

namespace ridge::host {

shared_region::shared_region(std::size_t bytes) {
  const auto whole = std::max<std::size_t>(bytes, 1);
  void* start =
      mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED)
    throw io_failure("map", "memory that processes share", errno, "choose a smaller problem");
  bytes_ = {static_cast<std::byte*>(start), bytes};
}

shared_region::~shared_region() {
  if (bytes_.data() != nullptr) munmap(bytes_.data(), std::max<std::size_t>(bytes_.size(), 1));
}

shared_region::shared_region(shared_region&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

void shared_region::hide_from_children() const {
  if (!host::hide_from_children(std::span{bytes_.data(), std::max<std::size_t>(bytes_.size(), 1)}))
    throw io_failure("hide", "memory from child processes", errno);
}

}  // namespace ridge::host
