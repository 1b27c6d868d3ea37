// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/stability.hpp>

namespace ridge::trace {

step_stability stability_of(std::span<const nanoseconds> lengths) { return {.steps = lengths.size()}; }

step_stability stability_of(std::span<const step> steps) {
  std::vector<nanoseconds> lengths;
  for (const auto& s : steps) lengths.push_back(s.window.length_ns());
  return stability_of(lengths);
}

}  // namespace ridge::trace
