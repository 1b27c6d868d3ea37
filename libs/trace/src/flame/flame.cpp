// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/flame.hpp>

#include <utility>

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

std::vector<flame_diff_node> flame_diff(const flame_tree& before, const flame_tree& after) {
  flame_builder shape;
  std::vector<std::pair<std::int64_t, std::int64_t>> self(1);
  const auto take = [&](const flame_tree& tree, auto side) {
    std::vector<std::uint32_t> node(tree.nodes.size(), 0);
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
      const auto& n = tree.nodes[i];
      if (i > 0) node[i] = shape.child(node[n.parent], n.name);
      if (node[i] >= self.size()) self.resize(node[i] + 1);
      self[node[i]].*side += n.self;
    }
  };
  take(before, &std::pair<std::int64_t, std::int64_t>::first);
  take(after, &std::pair<std::int64_t, std::int64_t>::second);
  const auto merged = std::move(shape).finish();
  std::vector<flame_diff_node> diff;
  for (std::size_t i = 0; i < merged.nodes.size(); ++i) {
    const auto [old, fresh] = self[i];
    diff.push_back({.name = merged.nodes[i].name,
                    .parent = merged.nodes[i].parent,
                    .self_before = old,
                    .self_after = fresh,
                    .total_before = old,
                    .total_after = fresh});
  }
  for (auto i = diff.size(); i-- > 1;) {
    diff[diff[i].parent].total_before += diff[i].total_before;
    diff[diff[i].parent].total_after += diff[i].total_after;
  }
  return diff;
}

}  // namespace ridge::trace
