// SPDX-License-Identifier: Apache-2.0
// Any bytes where the kernel's text is expected: nothing crashes, and what is read obeys its own rules.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <ridge/host/cpu_list.hpp>
#include <ridge/host/interference_reader.hpp>
#include <ridge/host/pages.hpp>
#include <ridge/host/resident_memory.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto cpus = ridge::host::parse_cpu_list(text)) {
    if (!std::ranges::is_sorted(*cpus) || std::ranges::any_of(*cpus, [](int cpu) { return cpu < 0; }))
      std::abort();
  }
  (void)ridge::host::parse_steal_ticks(text);
  (void)ridge::host::parse_throttled_periods(text);
  (void)ridge::host::parse_huge_bytes(text, 0x1000, 0x200000);
  (void)ridge::host::parse_resident_memory(text);
  return 0;
}
