// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/contention.hpp>

namespace ridge::trace {

std::optional<double> contention_report::slowdown() const { return std::nullopt; }

contention_report contention_of(const trace&, std::int32_t, std::span<const work_class>, std::uint64_t) {
  return {};
}

}  // namespace ridge::trace
