// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/collectives.hpp>

namespace ridge::trace {

std::optional<bool> collective_instance::complete() const {
  if (group_size == 0) return std::nullopt;
  return parts.size() == group_size;
}

std::optional<std::int64_t> bytes_of_dtype(std::string_view) { return std::nullopt; }

matched_collectives match_collectives(std::span<const trace>, const communication_names&) { return {}; }

}  // namespace ridge::trace
