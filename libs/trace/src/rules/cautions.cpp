// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/cautions.hpp>

#include "rules/findings.hpp"

namespace ridge::trace {

std::vector<caution> cautions_of(const trace& t, const step_windows& steps) {
  static const auto rules = rule_table::built_in();
  evidence e;
  e.traces.push_back({.source = &t});
  auto& in = e.traces.front();
  in.quality = data_quality_of(t);
  in.steps = steps;
  in.launches.opaque_graphs = in.quality.has.graph_launches == 0 ? 0 : launches_of(t).opaque_graphs;
  std::vector<caution> all;
  for (const auto& [id, detect] : trust_detectors()) {
    const auto* r = rules.find(id);
    if (r == nullptr) continue;
    for (const auto& c : detect(e, *r).found) all.push_back({r->id, filled(r->text, c.words)});
  }
  return all;
}

}  // namespace ridge::trace
