// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/op_tree.hpp>

namespace ridge::trace {

double op_tree::linked_share() const {
  return device_ns > 0 ? static_cast<double>(linked_ns) / static_cast<double>(device_ns) : 0;
}

std::vector<std::uint32_t> op_tree::path_of(std::uint32_t node) const { return {node}; }

op_tree op_tree_of(const trace&) { return {}; }

std::string path_text(const trace&, const op_tree&, std::uint32_t) { return {}; }

}  // namespace ridge::trace
