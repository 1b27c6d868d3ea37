// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/trace/fusable_chains.hpp>
#include <ridge/trace/kernel_verdict.hpp>
#include <ridge/trace/op_costs.hpp>

#include "page_parts.hpp"

namespace ridge::trace_report {
namespace {

// Returns JSON without its blanks.
std::string compact(std::string_view json) {
  std::string text;
  for (const char c : json) {
    if (c != ' ' && c != '\n' && c != '\t') text += c;
  }
  return text;
}

// Returns shapes as text: "[[64,1024],[1024,32],[]]" gives "64×1024, 1024×32".
std::string shape_text(std::string_view dims) {
  std::string text;
  const auto all = compact(dims);
  for (std::size_t at = 0; at < all.size(); ++at) {
    if (all[at] != '[' || at + 1 >= all.size() || all[at + 1] == '[' || all[at + 1] == ']') continue;
    const auto end = all.find(']', at);
    if (end == std::string::npos) break;
    if (!text.empty()) text += ", ";
    for (const char c : all.substr(at + 1, end - at - 1)) text += c == ',' ? "×" : std::string(1, c);
    at = end;
  }
  return text;
}

row cost_row(const trace::trace& t, const trace::op_cost& c) {
  const auto verdict = trace::verdict_of(c);
  return {.values = {
              std::string(t.names[c.name]), short_name(t.names[c.name], 40), compact(t.names[c.input_dims]),
              shape_text(t.names[c.input_dims]), whole(c.calls), c.device_ns, c.median_call_ns,
              c.model ? value(c.model->flops) : value(), c.model ? value(c.model->bytes) : value(),
              c.model ? value(c.model->intensity()) : value(), c.place ? value(c.place->flop_per_s) : value(),
              c.place ? value(100 * c.place->share) : value(), std::string(name(verdict.limit)),
              verdict.why}};
}

sheet chains_sheet(const scope& s, const trace::op_tree& tree, double bytes_per_s) {
  sheet made{.key = "fusable_chains",
             .title = "Chains that one kernel could do",
             .fields = {{"ops", "operators"},
                        {"count", "times", unit::count},
                        {"device_ns", "time", unit::nanoseconds},
                        {"bytes", "moves", unit::bytes},
                        {"bytes_fused", "fused", unit::bytes},
                        {"saved_s", "", unit::number}}};
  const auto chains = trace::fusable_chains_of(*s.source, tree);
  const auto rows = shown_rows(chains.size(), s.rows, made);
  for (std::size_t i = 0; i < rows; ++i) {
    const auto& c = chains[i];
    std::vector<std::string> ops;
    for (const auto op : c.ops) ops.push_back(short_name(s.source->names[op], 24));
    made.rows.push_back({.values = {join(ops, " → "), whole(c.count), c.device_ns, c.bytes, c.bytes_fused,
                                    bytes_per_s > 0 ? value(c.saved_s(bytes_per_s)) : value()}});
  }
  return made;
}

}  // namespace

document ops_page(const scope& s, const trace::device_peaks& peaks) {
  auto d = page_about(s, "ops");
  const auto tree = trace::op_tree_of(*s.source);
  const auto costs = trace::op_costs_of(*s.source, tree, peaks, {.window = s.window});
  sheet made{.key = "ops",
             .title = peaks.name.empty()
                          ? "Operators"
                          : fmt::format("Operators under the roof of {} ({})", peaks.name, peaks.source),
             .fields = {{"name", ""},
                        {"short_name", "operator"},
                        {"input_dims", ""},
                        {"shapes", "shapes"},
                        {"calls", "calls", unit::count},
                        {"device_ns", "GPU time", unit::nanoseconds},
                        {"median_call_ns", "", unit::nanoseconds},
                        {"flop", "", unit::flop},
                        {"bytes", "", unit::bytes},
                        {"flop_per_byte", "FLOP/B", unit::number},
                        {"flop_per_s", "rate", unit::flop_per_s},
                        {"pct_of_roof", "of roof", unit::percent},
                        {"limit", "limit"},
                        {"why", ""}},
             .empty = "no operator of this window launched device work"};
  const auto rows = shown_rows(costs.ops.size(), s.rows, made);
  for (std::size_t i = 0; i < rows; ++i) made.rows.push_back(cost_row(*s.source, costs.ops[i]));
  d.facts.emplace_back("linked_pct", 100 * tree.linked_share());
  d.facts.emplace_back("modelled_pct", percent_of(static_cast<double>(costs.modelled_ns),
                                                  static_cast<double>(costs.device_ns)));
  d.facts.emplace_back("mfu", costs.mfu ? value(*costs.mfu) : value());
  made.notes.push_back(
      fmt::format("{:.0f} % of device time has a known operator, {:.0f} % a model of its work{}",
                  100 * tree.linked_share(),
                  costs.device_ns > 0
                      ? 100.0 * static_cast<double>(costs.modelled_ns) / static_cast<double>(costs.device_ns)
                      : 0.0,
                  costs.mfu ? fmt::format("; {:.1f} % of the peak (MFU)", 100 * *costs.mfu) : ""));
  if (peaks.name.empty())
    made.notes.push_back("the device's peaks are not known: --gpu NAME takes them from the catalogue");
  d.sheets = {std::move(made), chains_sheet(s, tree, peaks.bytes_per_s)};
  return d;
}

}  // namespace ridge::trace_report
