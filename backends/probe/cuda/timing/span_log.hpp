// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "allocation/device_memory.hpp"
#include "timing/block_span.hpp"

namespace ridge::backends::probe_cuda {

// The clock that kernels ran at, from the spans that their blocks wrote. Memory is taken on first use.
class span_log final {
 public:
  // In the device's memory, where kernels write.
  [[nodiscard]] block_span* spans();
  void clear();
  // Whether any block wrote one since clear(). What this build has no code for writes none. Waits.
  [[nodiscard]] bool written();
  // Of the multiprocessors in the launches since clear(): the median over blocks, in Hz. 0 where nothing was
  // written or the GPU's common clock ticks too coarsely for spans so short. Waits for the device.
  [[nodiscard]] double clock_hz();

 private:
  [[nodiscard]] std::vector<block_span> read();
  std::unique_ptr<device_memory> memory_{};
  std::int64_t tick_ns_ = 0;  // 0: not asked yet
};

// The median clock of those spans that are long enough for a clock of `tick_ns`: 500 ticks. 0: none is.
// Of these only spans about as long as the longest count: a multiprocessor lets its oldest warps go first, so
// that they end early, and tell the clock of a burst's beginning, while it still rises, and not of the whole.
[[nodiscard]] double median_clock(std::span<const block_span> spans, std::int64_t tick_ns);

// The least step seen of the GPU's common clock, in ns.
[[nodiscard]] std::int64_t common_clock_tick();

}  // namespace ridge::backends::probe_cuda
