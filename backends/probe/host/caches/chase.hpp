// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <ridge/host/pages.hpp>

namespace ridge::backends::probe_host {

// Returns one cycle over all of [0, count) in random order: next[i] follows i (Sattolo's algorithm, "An
// algorithm to generate a random cyclic permutation", 1986).
[[nodiscard]] std::vector<std::uint32_t> random_cycle(std::size_t count, std::uint32_t seed);

// Pointers in memory, each the address of the next: a load must end before the next one can start, and no
// prefetcher can predict it.
class chase final {
 public:
  // Returns a chase through every cache line of the memory.
  [[nodiscard]] static chase over_lines(std::span<std::byte> memory);
  // Returns a chase through one line of each page of this size, at an offset that differs from page to page.
  [[nodiscard]] static chase over_pages(std::span<std::byte> memory, std::size_t page_bytes);

  // Makes this many loads (a multiple of 16) from where the last call ended.
  void run(std::int64_t loads);
  [[nodiscard]] std::size_t places() const;
  // Returns this many different addresses on the cycle, where independent chases may start.
  [[nodiscard]] std::vector<void*> starts(std::size_t count) const;

 private:
  chase(std::span<std::byte> memory, std::size_t page_bytes);
  [[nodiscard]] std::byte* place(std::size_t page) const;
  std::span<std::byte> memory_;
  std::size_t page_bytes_;
  void* position_;
};

// Makes `loads` loads in each of starts.size() chases at once, and stores in `starts` where they end; there
// may be 1, 2, 4, 6, 8, 10, 12, 16, 20, 24 or 32 of them.
void run_together(std::span<void*> starts, std::int64_t loads);
inline constexpr std::size_t together[] = {1, 2, 4, 6, 8, 10, 12, 16, 20, 24, 32};

}  // namespace ridge::backends::probe_host
