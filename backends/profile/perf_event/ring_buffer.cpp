// SPDX-License-Identifier: Apache-2.0
#include "ring_buffer.hpp"

#include <linux/perf_event.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

#include "record_reader.hpp"

namespace ridge::backends::profile_perf_event {
namespace {

constexpr std::size_t most_bytes = std::size_t{2} << 20, least_bytes = std::size_t{32} << 10;

std::size_t page_bytes() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

}  // namespace

std::optional<ring_buffer> ring_buffer::map(int event) {
  for (auto bytes = most_bytes; bytes >= least_bytes; bytes /= 2) {
    const auto all = bytes + page_bytes();
    auto* memory = mmap(nullptr, all, PROT_READ | PROT_WRITE, MAP_SHARED, event, 0);
    if (memory != MAP_FAILED) return ring_buffer(memory, all);
  }
  return std::nullopt;
}

ring_buffer::~ring_buffer() {
  if (memory_ != nullptr) munmap(memory_, bytes_);
}

void ring_buffer::read(const std::function<void(std::span<const std::byte>)>& take) {
  auto& page = *static_cast<perf_event_mmap_page*>(memory_);
  const std::span ring(static_cast<const std::byte*>(memory_) + page_bytes(), bytes_ - page_bytes());
  using position = std::atomic_ref<decltype(page.data_head)>;
  const auto head = position(page.data_head).load(std::memory_order_acquire);
  for_each_record(ring, page.data_tail, head, take);
  position(page.data_tail).store(head, std::memory_order_release);
}

}  // namespace ridge::backends::profile_perf_event
