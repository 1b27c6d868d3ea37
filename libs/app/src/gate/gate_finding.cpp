// SPDX-License-Identifier: Apache-2.0
#include "gate/gate_finding.hpp"

#include <fmt/format.h>

namespace ridge::app {
namespace {

std::string accepted_by(const std::string& state, const std::string& note) {
  return note.empty() ? state : fmt::format("{}: {}", state, note);
}

gate_finding finding_of(const changes::gated_series& one) {
  gate_finding made{.workload = one.workload, .series = one.series};
  if (!one.seen) {
    made.outcome = gate_outcome::unknown;
    made.why = one.unknown;
    return made;
  }
  const auto& seen = *one.seen;
  made.run = seen.newest.run;
  made.started = seen.newest.started;
  made.level = seen.level;
  made.value = seen.newest.median;
  made.ratio = seen.ratio;
  made.direction = seen.direction;
  made.environment = seen.newest.environment;
  made.environment_before = seen.baseline_environment;
  if (seen.p) made.q = seen.q;
  if (!seen.stands_out) return made;
  made.outcome = gate_outcome::suspected;
  if (!one.said.state.empty()) {
    made.outcome = gate_outcome::accepted;
    made.why = accepted_by(one.said.state, one.said.note);
  }
  return made;
}

void take_over(gate_finding& made, const changes::change& last) {
  made.run = last.run;
  made.started = last.started;
  made.level = last.before;
  made.value = last.after;
  made.ratio = last.ratio;
  made.direction = last.direction;
  made.q = last.q;
  made.outcome = gate_outcome::suspected;
  if (last.state == "expected" || last.state == "noise") {
    made.outcome = gate_outcome::accepted;
    made.why = accepted_by(last.state, last.note);
  }
}

void take_over(gate_finding& made, const changes::watched& newest) {
  made.run = newest.first_run;
  made.level = newest.level;
  made.value = newest.value;
  const bool positive = newest.level > 0 && newest.value > 0;
  const bool higher = made.series.metric.better == model::better::higher;
  if (positive) made.ratio = higher ? newest.value / newest.level : newest.level / newest.value;
  made.direction = newest.direction;
  made.q.reset();
  made.outcome = gate_outcome::suspected;
  made.why.clear();
}

// Sets the environments of the run that departed's level and of the run before it.
void set_environments(gate_finding& made, store::store& results) {
  const auto points = changes::valued(results.points({.series = made.series.id}));
  for (const auto& point : points) {
    if (point.run < made.run) made.environment_before = point.environment;
    made.environment = point.environment;
    if (point.run == made.run) made.started = point.started;
  }
}

gate_finding finding_of(const changes::series_changes& seen, store::store& results) {
  gate_finding made{.workload = seen.workload, .series = seen.series};
  if (!seen.enough) {
    made.outcome = gate_outcome::unknown;
    made.why = fmt::format("{} run{}: too few to tell a change", seen.points, seen.points == 1 ? "" : "s");
    return made;
  }
  if (!seen.changes.empty()) take_over(made, seen.changes.back());
  if (seen.watching) take_over(made, *seen.watching);
  if (made.outcome == gate_outcome::suspected) set_environments(made, results);
  return made;
}

}  // namespace

std::string_view name(gate_outcome outcome) {
  constexpr std::string_view names[] = {"steady",       "suspected", "confirmed", "cleared",
                                        "inconclusive", "accepted",  "unknown"};
  return names[static_cast<std::size_t>(outcome)];
}

std::vector<gate_finding> findings_since(store::store& results, const store::workload_query& query,
                                         const gate_baseline& baseline, const changes::rules& rules) {
  std::vector<gate_finding> all;
  const auto is_baseline = [&](const model::measured_point& point) { return baseline.holds(point); };
  for (const auto& one : changes::departures_of(results, query, is_baseline, rules))
    all.push_back(finding_of(one));
  return all;
}

std::vector<gate_finding> findings_of_history(store::store& results, const store::workload_query& query,
                                              const changes::rules& rules) {
  std::vector<gate_finding> all;
  for (const auto& seen : changes::changes_of(results, query, rules))
    all.push_back(finding_of(seen, results));
  return all;
}

}  // namespace ridge::app
