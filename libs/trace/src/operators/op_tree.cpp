// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/op_tree.hpp>

#include <algorithm>
#include <unordered_map>

#include "events/launch_by_id.hpp"

namespace ridge::trace {
namespace {

// Finds the operators around every event of a track in one pass, because events are ordered by start.
class nesting {
 public:
  nesting(const trace& t, op_tree& tree) : t_(t), tree_(tree), node_at_(t.events.size(), none) {
    for (const auto& track : t.tracks) {
      open_.clear();
      for (event_id e = track.first; e < track.first + track.count; ++e) visit(e);
    }
  }
  // Returns the innermost operator that was open when the event started; for an operator, itself.
  [[nodiscard]] std::uint32_t node_at(event_id e) const { return e == none ? none : node_at_[e]; }

 private:
  void visit(event_id e) {
    const auto start = t_.events.start_ns[e];
    while (!open_.empty() && t_.events.end_ns(tree_.nodes[open_.back()].event) <= start) open_.pop_back();
    if (t_.events.kind[e] == category::op) {
      const auto parent = open_.empty() ? none : open_.back();
      open_.push_back(static_cast<std::uint32_t>(tree_.nodes.size()));
      tree_.nodes.push_back(
          {.event = e, .parent = parent, .depth = static_cast<std::uint32_t>(open_.size() - 1)});
    }
    if (!open_.empty()) node_at_[e] = open_.back();
  }

  const trace& t_;
  op_tree& tree_;
  std::vector<std::uint32_t> node_at_;
  std::vector<std::uint32_t> open_{};
};

void link_works(const trace& t, const nesting& inside, op_tree& tree) {
  const launch_by_id launches(t);
  for (const auto& w : t.works) {
    const auto launch = w.launch != none ? w.launch : launches.find(w);
    auto node = inside.node_at(launch);
    auto link = node != none ? op_link::launch : op_link::unlinked;
    if (node == none && w.op != none) {
      node = inside.node_at(w.op);
      link = op_link::external_id;
    }
    tree.launch_of_work.push_back(launch);
    tree.node_of_work.push_back(node);
    tree.link_of_work.push_back(link);
  }
}

void add_work_times(const trace& t, op_tree& tree) {
  for (work_id w = 0; w < t.works.size(); ++w) {
    ++tree.works;
    tree.device_ns += t.works[w].duration_ns();
    if (tree.node_of_work[w] == none) continue;
    auto& node = tree.nodes[tree.node_of_work[w]];
    ++node.self_works;
    node.self_device_ns += t.works[w].duration_ns();
    ++tree.linked_works;
    tree.linked_ns += t.works[w].duration_ns();
  }
  for (auto n = tree.nodes.size(); n-- > 0;) {
    auto& node = tree.nodes[n];
    node.works += node.self_works;
    node.device_ns += node.self_device_ns;
    if (node.parent == none) continue;
    tree.nodes[node.parent].works += node.works;
    tree.nodes[node.parent].device_ns += node.device_ns;
  }
}

bool inside_its_like(const trace& t, const op_tree& tree, const op_node& node) {
  for (auto up = node.parent; up != none; up = tree.nodes[up].parent) {
    if (t.events.name[tree.nodes[up].event] == t.events.name[node.event]) return true;
  }
  return false;
}

class op_row_table {
 public:
  op_row& of(name_id name) {
    const auto [at, fresh] = index_.try_emplace(name, rows_.size());
    if (fresh) rows_.push_back({.name = name});
    return rows_[at->second];
  }
  [[nodiscard]] std::vector<op_row> sorted() && {
    std::ranges::stable_sort(rows_, std::greater{}, &op_row::device_ns);
    return std::move(rows_);
  }

 private:
  std::unordered_map<name_id, std::size_t> index_{};
  std::vector<op_row> rows_{};
};

void add_node_to(op_row& row, const op_node& node, nanoseconds host_ns, bool outermost) {
  ++row.count;
  row.self_device_ns += node.self_device_ns;
  if (!outermost) return;
  row.works += node.works;
  row.device_ns += node.device_ns;
  row.host_ns += host_ns;
}

void fill_rows(const trace& t, op_tree& tree) {
  std::vector<nanoseconds> self_host(tree.nodes.size());
  for (std::uint32_t n = 0; n < tree.nodes.size(); ++n) {
    const auto length = t.events.duration_ns[tree.nodes[n].event];
    self_host[n] += length;
    if (tree.nodes[n].parent != none) self_host[tree.nodes[n].parent] -= length;
  }
  op_row_table all, roots;
  for (std::uint32_t n = 0; n < tree.nodes.size(); ++n) {
    const auto& node = tree.nodes[n];
    const auto name = t.events.name[node.event];
    const auto length = t.events.duration_ns[node.event];
    const auto self = std::max<nanoseconds>(self_host[n], 0);
    add_node_to(all.of(name), node, length, !inside_its_like(t, tree, node));
    all.of(name).self_host_ns += self;
    if (node.parent != none) continue;
    add_node_to(roots.of(name), node, length, true);
    roots.of(name).self_host_ns += self;
  }
  tree.rows = std::move(all).sorted();
  tree.roots = std::move(roots).sorted();
}

}  // namespace

double op_tree::linked_share() const {
  return device_ns > 0 ? static_cast<double>(linked_ns) / static_cast<double>(device_ns) : 0;
}

std::vector<std::uint32_t> op_tree::path_of(std::uint32_t node) const {
  std::vector<std::uint32_t> path;
  for (; node != none; node = nodes.at(node).parent) path.push_back(node);
  return path;
}

op_tree op_tree_of(const trace& t) {
  op_tree tree;
  const nesting inside(t, tree);
  link_works(t, inside, tree);
  add_work_times(t, tree);
  fill_rows(t, tree);
  return tree;
}

std::string path_text(const trace& t, const op_tree& tree, std::uint32_t node) {
  std::string text;
  const auto path = tree.path_of(node);
  for (auto at = path.rbegin(); at != path.rend(); ++at) {
    if (!text.empty()) text += " > ";
    text += t.name_of(tree.nodes[*at].event);
  }
  return text;
}

}  // namespace ridge::trace
