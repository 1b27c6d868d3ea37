// SPDX-License-Identifier: Apache-2.0
#include "cache/cache_layout.hpp"

#include <array>

#include "cache/cache_checksum.hpp"

namespace ridge::trace {

std::uint64_t layout_hash() {
  constexpr std::uint64_t version = 2;  // raised where a field changes its meaning, not its size
  constexpr std::array<std::uint64_t, 24> sizes{
      version,
      category_count,
      flaw_count,
      sizeof(cache_header),
      sizeof(trace),
      sizeof(origin),
      sizeof(defect),
      sizeof(track),
      sizeof(process),
      sizeof(device_facts),
      sizeof(process_group),
      sizeof(counter_series),
      sizeof(profiled_kernel),
      sizeof(device_work),
      sizeof(op_detail),
      sizeof(sync_detail),
      sizeof(collective),
      sizeof(memory_event),
      sizeof(flow),
      sizeof(counter_value),
      sizeof(stack_sample),
      sizeof(stack_frame),
      sizeof(kernel_metric),
      1};  // the order of bytes: the last one reads otherwise elsewhere
  return wide_checksum_of({reinterpret_cast<const char*>(sizes.data()), sizeof sizes}).low;
}

}  // namespace ridge::trace
