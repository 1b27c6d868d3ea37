// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include <ridge/trace/scope_costs.hpp>

#include "kernel_names.hpp"
#include "page_parts.hpp"

namespace ridge::trace_report {
namespace {

using trace::scope_cost;
using trace::scope_costs;
using trace::scope_tree;

std::vector<value> cost_values(const scope_cost& c, const scope_cost& total) {
  const auto share = c.roof_share();
  return {c.device_ns,
          percent_of(static_cast<double>(c.device_ns), static_cast<double>(total.device_ns)),
          c.idle_ns,
          c.modelled_ns > 0 ? value(c.flops) : value(),
          c.modelled_ns > 0 ? value(c.bytes) : value(),
          share ? value(100 * *share) : value()};
}

std::vector<field> cost_fields(std::vector<field> first) {
  for (auto& f : std::vector<field>{{"device_ns", "GPU time", unit::nanoseconds},
                                    {"pct_of_device", "of all", unit::percent},
                                    {"idle_caused_ns", "idle before it", unit::nanoseconds},
                                    {"flop", "FLOP", unit::flop},
                                    {"bytes", "", unit::bytes},
                                    {"pct_of_roof", "of roof", unit::percent}})
    first.push_back(std::move(f));
  return first;
}

row row_of(std::vector<value> first, const scope_cost& c, const scope_cost& total) {
  auto rest = cost_values(c, total);
  std::ranges::move(rest, std::back_inserter(first));
  return {.values = std::move(first)};
}

// Returns the nodes as a reader goes through them: each below its parent, the longest first.
std::vector<std::uint32_t> in_reading_order(const scope_tree& tree, const scope_costs& costs) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> below;  // by parent
  for (std::uint32_t n = 0; n < tree.nodes.size(); ++n) below[tree.nodes[n].parent].push_back(n);
  std::vector<std::uint32_t> order, open;
  const auto put = [&](std::uint32_t parent) {
    auto& children = below[parent];  // the longest is taken from the back first
    std::ranges::stable_sort(children, {}, [&](auto n) {
      return std::pair(costs.whole[n].device_ns + costs.whole[n].idle_ns, ~n);
    });
    open.insert(open.end(), children.begin(), children.end());
  };
  put(trace::none);
  while (!open.empty()) {
    order.push_back(open.back());
    open.pop_back();
    put(order.back());
  }
  return order;
}

// Returns which of the nodes are shown: the `rows` with most time of their own and all below; 0: all.
std::vector<bool> kept_nodes(const scope_costs& costs, std::size_t rows) {
  const auto key = [&](std::size_t n) { return costs.whole[n].device_ns + costs.whole[n].idle_ns; };
  std::vector<std::size_t> order(costs.whole.size());
  for (std::size_t n = 0; n < order.size(); ++n) order[n] = n;
  std::ranges::stable_sort(order, std::greater{}, key);
  std::vector<bool> kept(order.size(), rows == 0);
  for (std::size_t i = 0; i < std::min(rows, order.size()); ++i) kept[order[i]] = true;
  return kept;  // a parent has at least its children's time, and comes before them
}

sheet tree_sheet(const scope_tree& tree, const scope_costs& costs, std::size_t rows,
                 const std::string& what) {
  sheet made{.key = "tree",
             .title = "GPU time, with what is inside",
             .fields = cost_fields({{"path", ""},
                                    {"shown", what},
                                    {"calls", "calls", unit::count},
                                    {"host_ns", "", unit::nanoseconds},
                                    {"works", "works", unit::count},
                                    {"own_device_ns", "", unit::nanoseconds},
                                    {"own_idle_ns", "", unit::nanoseconds}})};
  const auto kept = kept_nodes(costs, rows);
  std::size_t left = 0;
  for (const auto n : in_reading_order(tree, costs)) {
    if (!kept[n]) {
      ++left;
      continue;
    }
    const auto& node = tree.nodes[n];
    made.rows.push_back(
        row_of({tree.path_text(n),
                std::string(std::size_t{2} * std::min(node.depth, 20U), ' ') + cut_middle(node.name, 40),
                whole(node.calls), node.host_ns, whole(costs.whole[n].works), costs.alone[n].device_ns,
                costs.alone[n].idle_ns},
               costs.whole[n], costs.total));
  }
  if (left > 0) made.notes.push_back(fmt::format("{} more; --rows 0 shows all", left));
  return made;
}

// "Linear_3" and "Linear_12" are calls of one class.
std::string kind_of(const std::string& name) {
  const auto last = name.find_last_not_of("0123456789");
  if (last == std::string::npos || last + 1 == name.size() || name[last] != '_' || last == 0) return name;
  return name.substr(0, last);
}

sheet kinds_sheet(const scope_tree& tree, const scope_costs& costs, std::size_t rows,
                  const std::string& what) {
  struct sum {
    std::uint64_t calls = 0;
    scope_cost cost{};
  };
  std::map<std::string, sum> sums;
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    auto& one = sums[kind_of(tree.nodes[n].name)];
    one.calls += tree.nodes[n].calls;
    one.cost += costs.alone[n];
  }
  std::vector<std::pair<std::string, sum>> all(sums.begin(), sums.end());
  std::ranges::stable_sort(all, std::greater{},
                           [](const auto& k) { return k.second.cost.device_ns + k.second.cost.idle_ns; });
  sheet made{.key = "kinds",
             .title = "By name, without what is inside",
             .fields = cost_fields(
                 {{"name", what}, {"calls", "calls", unit::count}, {"works", "works", unit::count}})};
  const auto shown = shown_rows(all.size(), rows, made);
  for (std::size_t i = 0; i < shown; ++i)
    made.rows.push_back(row_of({all[i].first, whole(all[i].second.calls), whole(all[i].second.cost.works)},
                               all[i].second.cost, costs.total));
  made.rows.push_back(row_of({"(outside)", value(), whole(costs.outside.works)}, costs.outside, costs.total));
  return made;
}

void add_links(document& d, const scope_costs& costs) {
  const auto all = static_cast<double>(costs.total.device_ns);
  if (all <= 0) return;
  const auto share = [&](trace::scope_link l) {
    return 100 * static_cast<double>(costs.device_ns_by_link.at(static_cast<std::size_t>(l))) / all;
  };
  d.notes.push_back(fmt::format(
      "Of GPU time {:.0f} % is joined by its launch, {:.0f} % by its forward operator, {:.0f} % by the call "
      "captured in a graph, {:.0f} % by what the main thread did meanwhile; {:.0f} % lies outside.",
      share(trace::scope_link::stack), share(trace::scope_link::forward), share(trace::scope_link::capture),
      share(trace::scope_link::time), share(trace::scope_link::outside)));
}

document scopes_page(const scope& s, const trace::device_peaks& peaks, trace::scope_kind kind,
                     std::string_view verb, const std::string& what, const std::string& none_found) {
  auto d = page_about(s, verb);
  const auto ops = trace::op_tree_of(*s.source);
  const auto tree = trace::scopes_of(*s.source, ops, kind);
  if (tree.nodes.empty()) {
    d.sheets = {{.key = "tree", .fields = {{"path", what}}, .empty = none_found}};
    return d;
  }
  const auto costs = trace::scope_costs_of(*s.source, tree, ops, peaks, s.window);
  for (int l = 0; l < trace::scope_link_count; ++l) {
    const auto link = static_cast<trace::scope_link>(l);
    d.facts.emplace_back(fmt::format("linked.{}_ns", name(link)),
                         costs.device_ns_by_link.at(static_cast<std::size_t>(l)));
  }
  d.facts.emplace_back("device_ns", costs.total.device_ns);
  d.facts.emplace_back("idle_ns", costs.total.idle_ns);
  d.sheets = {tree_sheet(tree, costs, s.rows, what), kinds_sheet(tree, costs, s.rows, what)};
  add_links(d, costs);
  return d;
}

}  // namespace

document modules_page(const scope& s, const trace::device_peaks& peaks) {
  return scopes_page(s, peaks, trace::scope_kind::modules, "modules", "module",
                     "this trace records no nn.Module: profile with with_stack=True (or with_modules=True)");
}

document ranges_page(const scope& s, const trace::device_peaks& peaks) {
  return scopes_page(s, peaks, trace::scope_kind::ranges, "ranges", "range",
                     "this trace holds no range: name parts with record_function or NVTX");
}

}  // namespace ridge::trace_report
