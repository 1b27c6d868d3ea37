// SPDX-License-Identifier: Apache-2.0
#include "diff/diff_parts.hpp"

#include <algorithm>
#include <utility>

namespace ridge::trace {

std::size_t diff_part_table::part_of_key(const part_key& key) {
  const auto [at, fresh] = known_.try_emplace(key, parts_.size());
  if (fresh) {
    const auto& [device, state, module, op, name] = key;
    parts_.push_back({.device = device, .state = state, .module = module, .op = op, .name = name});
  }
  return at->second;
}

std::string_view diff_part_table::module_of(const side_times& side, work_id work) {
  if (!with_modules_ || side.modules == nullptr || work == none) return {};
  const auto node = side.modules->node_of_work[work];
  const auto [at, fresh] = paths_.try_emplace({side.modules, node});
  if (fresh) at->second = side.modules->path_text(node);
  return at->second;
}

void diff_part_table::take(const side_times& side, std::uint32_t device, std::int64_t diff_count::*count,
                           nanoseconds diff_time::*time) {
  const auto& names = side.source->names;
  for (std::size_t i = 0; i < side.works.size(); ++i) {
    if (!side.counted[i] && side.busy[i] == 0) continue;
    const auto& w = side.works[i];
    const auto id = static_cast<work_id>(&w - side.source->works.data());
    const auto op =
        with_ops_ && side.op_of(id) != none ? side.source->name_of(side.op_of(id)) : std::string_view{};
    auto& p = parts_[part_of_key({device, side.states[i], module_of(side, id), op, names[w.name]})];
    p.calls.*count += side.counted[i] ? 1 : 0;
    p.busy.*time += side.busy[i];
    p.time.*time += side.alone[i];
  }
  for (const auto& idle : side.idle) {
    auto& p = parts_[part_of_key(
        {device, diff_state::idle, module_of(side, idle.next), std::string_view{}, name(idle.cause)})];
    p.calls.*count += 1;
    p.busy.*time += idle.ns;
    p.time.*time += idle.ns;
  }
}

std::vector<diff_part> diff_part_table::parts() && {
  std::ranges::stable_sort(parts_, {}, [](const diff_part& p) { return std::pair(p.device, p.state); });
  known_.clear();
  return std::exchange(parts_, {});
}

namespace {

// Parts of a whole, each divided so that the parts still add up to the divided whole.
class divider {
 public:
  explicit divider(std::int64_t divisor) : divisor_(divisor) {}
  [[nodiscard]] nanoseconds next(nanoseconds part) {
    const auto before = sum_ / divisor_;
    sum_ += part;
    return sum_ / divisor_ - before;
  }

 private:
  std::int64_t divisor_;
  nanoseconds sum_ = 0;
};

class diff_tree {
 public:
  void add(const diff_part& part) {
    auto node = none;
    auto path = part.module;
    for (constexpr std::string_view between = " > "; !path.empty();) {
      const auto end = path.find(between);
      node = below(node, path.substr(0, end));
      path.remove_prefix(end == std::string_view::npos ? path.size() : end + between.size());
    }
    auto& own = nodes_[below(node, leaf_of(part))].own;
    own.before_ns += part.time.before_ns;
    own.after_ns += part.time.after_ns;
  }

  std::vector<diff_node> made() && {
    for (auto& node : nodes_) node.whole = node.own;
    for (auto n = nodes_.size(); n-- > 0;) {
      if (nodes_[n].parent == none) continue;
      auto& above = nodes_[nodes_[n].parent].whole;
      above.before_ns += nodes_[n].whole.before_ns;
      above.after_ns += nodes_[n].whole.after_ns;
    }
    return std::move(nodes_);
  }

 private:
  static std::string leaf_of(const diff_part& part) {
    if (part.state == diff_state::idle) return "idle: " + std::string(part.name);
    return part.op.empty() ? "(" + std::string(name(part.state)) + ")" : std::string(part.op);
  }

  std::uint32_t below(std::uint32_t parent, std::string_view name) {
    const auto [at, fresh] =
        known_.try_emplace({parent, std::string(name)}, static_cast<std::uint32_t>(nodes_.size()));
    if (fresh)
      nodes_.push_back({.name = std::string(name),
                        .parent = parent,
                        .depth = parent == none ? 0 : nodes_[parent].depth + 1});
    return at->second;
  }

  std::vector<diff_node> nodes_{};
  std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> known_{};
};

bool only_before(const diff_row& r) {
  return r.calls.before > 0 && r.calls.after == 0 && r.busy.after_ns == 0;
}
bool only_after(const diff_row& r) {
  return r.calls.after > 0 && r.calls.before == 0 && r.busy.before_ns == 0;
}

void join(diff_row& old, diff_row& fresh) {
  old.new_name = fresh.name;
  old.calls.after = fresh.calls.after;
  old.busy.after_ns = fresh.busy.after_ns;
  old.time.after_ns = fresh.time.after_ns;
  fresh.calls = {};
  fresh.busy = fresh.time = {};
}

// Takes the fitting row with most time, of rows that stand in that order; nullptr where none fits.
template <class Fits>
diff_row* take_first(std::vector<diff_row*>& rows, Fits fits) {
  const auto at = std::ranges::find_if(rows, fits);
  if (at == rows.end()) return nullptr;
  auto* found = *at;
  rows.erase(at);
  return found;
}

}  // namespace

void divide_parts(std::vector<diff_part>& parts, nanoseconds diff_time::*side, std::int64_t steps) {
  divider time(steps), busy(steps);
  for (auto& part : parts) {
    part.time.*side = time.next(part.time.*side);
    part.busy.*side = busy.next(part.busy.*side);
  }
}

std::vector<diff_node> tree_of(const std::vector<diff_part>& parts) {
  diff_tree tree;
  for (const auto& part : parts) tree.add(part);
  return std::move(tree).made();
}

void pair_renamed(std::vector<diff_row>& rows, std::int64_t steps_before, std::int64_t steps_after) {
  struct changed {
    std::vector<diff_row*> gone{}, come{};
  };
  std::map<std::pair<diff_state, std::string>, changed> by_op;
  for (auto& r : rows) {
    if (r.op.empty()) continue;
    if (only_before(r)) by_op[{r.state, r.op}].gone.push_back(&r);
    if (only_after(r)) by_op[{r.state, r.op}].come.push_back(&r);
  }
  for (auto& [op, some] : by_op) {
    std::ranges::stable_sort(some.gone, std::greater{}, [](auto* r) { return r->busy.before_ns; });
    std::ranges::stable_sort(some.come, std::greater{}, [](auto* r) { return r->busy.after_ns; });
    for (const bool equally_often : {true, false}) {
      std::vector<diff_row*> left;
      for (auto* old : some.gone) {
        auto* fresh = take_first(some.come, [&](const diff_row* r) {
          return !equally_often || r->calls.after * steps_before == old->calls.before * steps_after;
        });
        if (fresh != nullptr)
          join(*old, *fresh);
        else
          left.push_back(old);
      }
      some.gone = std::move(left);
    }
  }
  std::erase_if(rows, [](const diff_row& r) {
    return r.calls.before == 0 && r.calls.after == 0 && r.busy.before_ns == 0 && r.busy.after_ns == 0;
  });
}

}  // namespace ridge::trace
