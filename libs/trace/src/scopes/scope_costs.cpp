// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/scope_costs.hpp>

#include <map>
#include <utility>

#include <ridge/trace/idle.hpp>

namespace ridge::trace {
namespace {

class scope_cost_table {
 public:
  scope_cost_table(const trace& t, const scope_tree& scopes) : t_(t), scopes_(scopes) {
    out_.alone.resize(scopes.nodes.size());
  }

  void add_works(std::optional<time_range> window) {
    for (work_id w = 0; w < t_.works.size(); ++w) {
      const auto& work = t_.works[w];
      if (window && (work.start_ns < window->start_ns || work.start_ns >= window->end_ns)) continue;
      auto& cost = cost_of(w);
      ++cost.works;
      cost.device_ns += work.duration_ns();
      out_.device_ns_by_link.at(static_cast<std::size_t>(scopes_.link_of_work[w])) += work.duration_ns();
    }
  }

  void add_idle(std::optional<time_range> window) {
    for (const auto device : t_.working_devices()) {
      for (const auto& gap : idle_of(t_, device, window).gaps)
        (gap.next == none ? out_.outside : cost_of(gap.next)).idle_ns += gap.range.length_ns();
    }
  }

  void add_models(const op_costs& costs, const device_peaks& peaks) {
    for (const auto& [key, sum] : modelled_calls(costs)) {
      const auto& [node, op] = key;
      auto& cost = node == none ? out_.outside : out_.alone[node];
      auto model = *costs.ops[op].model;
      model.flops *= static_cast<double>(sum.calls);
      model.bytes *= static_cast<double>(sum.calls);
      cost.flops += model.flops;
      cost.bytes += model.bytes;
      cost.modelled_ns += sum.device_ns;
      const auto placed = costs.ops[op].place ? place(model, sum.device_ns, peaks) : std::nullopt;
      if (!placed) continue;
      cost.roof_s += placed->roof_s;
      cost.placed_ns += sum.device_ns;
    }
  }

  scope_costs made() && {
    out_.total = out_.outside;
    out_.whole = out_.alone;
    for (const auto& cost : out_.alone) out_.total += cost;
    for (auto n = out_.whole.size(); n-- > 0;)
      if (const auto parent = scopes_.nodes[n].parent; parent != none) out_.whole[parent] += out_.whole[n];
    return std::move(out_);
  }

 private:
  struct call_sum {
    std::uint64_t calls = 0;
    nanoseconds device_ns = 0;
  };
  using calls_by_scope = std::map<std::pair<std::uint32_t, std::uint32_t>, call_sum>;  // by (node, op)

  scope_cost& cost_of(work_id w) {
    const auto node = scopes_.node_of_work[w];
    return node == none ? out_.outside : out_.alone[node];
  }

  [[nodiscard]] calls_by_scope modelled_calls(const op_costs& costs) const {
    std::map<std::uint32_t, std::uint32_t> scope_of_call;
    calls_by_scope sums;
    for (work_id w = 0; w < t_.works.size(); ++w) {
      const auto op = costs.op_of_work[w];
      if (op == none || !costs.ops[op].model) continue;
      const auto [at, fresh] = scope_of_call.try_emplace(costs.call_of_work[w], scopes_.node_of_work[w]);
      auto& sum = sums[{at->second, op}];
      sum.calls += fresh ? 1U : 0U;
      sum.device_ns += t_.works[w].duration_ns();
    }
    return sums;
  }

  const trace& t_;
  const scope_tree& scopes_;
  scope_costs out_{};
};

}  // namespace

std::optional<double> scope_cost::roof_share() const {
  if (placed_ns <= 0) return std::nullopt;
  return roof_s * 1e9 / static_cast<double>(placed_ns);
}

scope_cost& scope_cost::operator+=(const scope_cost& other) {
  works += other.works;
  device_ns += other.device_ns;
  idle_ns += other.idle_ns;
  modelled_ns += other.modelled_ns;
  flops += other.flops;
  bytes += other.bytes;
  roof_s += other.roof_s;
  placed_ns += other.placed_ns;
  return *this;
}

scope_costs scope_costs_of(const trace& t, const scope_tree& scopes, const op_tree& ops,
                           const device_peaks& peaks, std::optional<time_range> window) {
  scope_cost_table table(t, scopes);
  table.add_works(window);
  table.add_idle(window);
  table.add_models(op_costs_of(t, ops, peaks, {.window = window}), peaks);
  return std::move(table).made();
}

}  // namespace ridge::trace
