// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/flame.hpp>

namespace ridge::trace {

flame_builder::flame_builder() { made_.nodes.emplace_back(); }

std::uint32_t flame_builder::child(std::uint32_t parent, std::string_view name) {
  const auto key = std::uint64_t{parent} << 32 | names_.intern(name);
  const auto [at, fresh] = children_.try_emplace(key, static_cast<std::uint32_t>(made_.nodes.size()));
  if (fresh) made_.nodes.push_back({.name = std::string(name), .parent = parent});
  return at->second;
}

void flame_builder::add(std::uint32_t node, std::int64_t self) { made_.nodes[node].self += self; }

flame_tree flame_builder::finish() && {
  auto& nodes = made_.nodes;
  for (auto& n : nodes) n.total = n.self;
  for (auto i = nodes.size(); i-- > 1;) nodes[nodes[i].parent].total += nodes[i].total;
  return std::move(made_);
}

flame_tree flame_of_host(const trace&, const flame_options&) { return flame_builder().finish(); }
flame_tree flame_of_samples(const trace&, const flame_options&) { return flame_builder().finish(); }
flame_tree flame_of_device(const trace&, const flame_options&) { return flame_builder().finish(); }
std::string collapsed(const flame_tree&) { return {}; }
flame_tree flame_of_collapsed(std::string_view) { return flame_builder().finish(); }
std::vector<flame_diff_node> flame_diff(const flame_tree&, const flame_tree&) { return {}; }
std::string collapsed(const std::vector<flame_diff_node>&) { return {}; }

}  // namespace ridge::trace
