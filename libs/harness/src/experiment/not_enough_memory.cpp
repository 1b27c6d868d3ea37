// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/not_enough_memory.hpp>

#include <fmt/format.h>

#include <ridge/base/units.hpp>

namespace ridge {

void expect_room(std::size_t bytes, const device::array_store& store) {
  const auto free_bytes = store.memory_bytes();
  if (bytes <= free_bytes) return;
  const auto text = [](std::size_t count) { return format_quantity(static_cast<double>(count), "B"); };
  throw not_enough_memory(
      {fmt::format("its arrays take {} or more, and {} of memory are free", text(bytes), text(free_bytes)),
       "choose a smaller problem"});
}

}  // namespace ridge
