// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/merge.hpp>

namespace ridge::trace {

nanoseconds merged_view::common_ns(std::uint32_t of, nanoseconds t) const {
  return clocks.maps[of].to_common(t);
}

merged_view merge(std::span<const trace>, const clock_alignment&) { return {}; }

}  // namespace ridge::trace
