// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>

#include "rules/evidence_device.hpp"
#include "rules/op_works.hpp"

namespace ridge::trace {

// Returns whether the operator of an event is one of these rows of costs.
class rows_by_event {
 public:
  rows_by_event(const trace& t, std::span<const op_cost> all) : trace_(t) {
    for (const auto& c : all)
      rows_.emplace(std::tuple(c.name, c.input_dims, c.input_types, c.concrete_inputs), &c);
  }
  [[nodiscard]] const op_cost* of(event_id op) const {
    const auto detail = trace_.events.detail[op];
    if (detail == none) return nullptr;
    const auto& in = trace_.ops[detail];
    const auto at =
        rows_.find(std::tuple(trace_.events.name[op], in.input_dims, in.input_types, in.concrete_inputs));
    return at == rows_.end() ? nullptr : at->second;
  }

 private:
  const trace& trace_;
  std::map<std::tuple<name_id, name_id, name_id, name_id>, const op_cost*> rows_{};
};

// Finds the operators with a model for which `factor_of` returns what is left of their time; one finding for
// each device, about all of them. `fill` adds words for the longest. With `launched_no_more` their launches
// cost the host nothing once they are changed.
template <class FactorOf, class Fill>
outcome operators_that(const evidence& e, const rule& r, FactorOf factor_of, Fill fill,
                       bool launched_no_more = false) {
  outcome out;
  for (const auto& d : e.devices) {
    const auto& t = e.trace_of(d);
    const rows_by_event rows(t, d.costs.ops);
    std::map<const op_cost*, double> factors;
    for (const auto& c : d.costs.ops) {
      if (!c.model) continue;
      if (const std::optional<double> factor = factor_of(d, c)) factors[&c] = std::clamp(*factor, 0.0, 1.0);
    }
    if (factors.empty()) continue;
    const auto wanted = [&](event_id op) { return factors.contains(rows.of(op)); };
    auto works = works_under(e, d, wanted);
    if (d.share(works.time_ns) < r.limit("share")) continue;
    const auto& tree = e.of(d).ops;
    const auto factor = [&](work_id w) {
      for (auto n = tree.node_of_work[w]; n != none; n = tree.nodes[n].parent) {
        const auto at = factors.find(rows.of(tree.nodes[n].event));
        if (at != factors.end()) return at->second;
      }
      return 1.0;
    };
    const auto* longest = rows.of(works.longest);
    for (const auto& [row, left] : factors)
      if (longest == nullptr || row->device_ns > longest->device_ns) longest = row;
    auto c = about_works(e, d, {.works = works, .factor = factor, .launched_no_more = launched_no_more},
                         "time of these operators");
    if (d.peaks_guessed) c.grade = confidence_grade::names;
    c.subject = short_name(subject_of(t, *longest));
    c.rows.front().event = longest->first_op;
    c.words["operator"] = c.subject;
    c.words["count"] = std::to_string(works.calls);
    c.words["dtype"] = name(longest->model->type);
    fill(d, *longest, c);
    out.found.push_back(std::move(c));
  }
  return out;
}

}  // namespace ridge::trace
