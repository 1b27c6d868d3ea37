// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/counting.hpp>

#include <fmt/format.h>

#include <ridge/harness/not_enough_memory.hpp>

namespace ridge {

std::size_t checked_product(std::size_t a, std::size_t b) {
  std::size_t all = 0;
  if (__builtin_mul_overflow(a, b, &all) || all > most_things) {
    throw not_enough_memory(
        {fmt::format("{} times {} is more than a process can hold", a, b), "choose a smaller problem"});
  }
  return all;
}

}  // namespace ridge
