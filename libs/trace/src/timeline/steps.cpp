// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/steps.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "timeline/step_name.hpp"

namespace ridge::trace {
namespace {

// Ranges that could be the steps, by what they say, their thread and the text around the number.
struct step_candidate {
  std::vector<step> steps{};  // disjoint
  nanoseconds covered_ns = 0;
};
using step_candidate_key = std::tuple<step_source, track_id, std::string>;
using step_candidates = std::map<step_candidate_key, step_candidate>;

void add_annotation(step_candidate& candidate, const trace& t, event_id e,
                    std::optional<std::int64_t> number) {
  const time_range window{t.events.start_ns[e], t.events.end_ns(e)};
  if (!candidate.steps.empty() && window.start_ns < candidate.steps.back().window.end_ns)
    return;  // nested in the last one
  const auto counted = static_cast<std::int64_t>(candidate.steps.size());
  candidate.steps.push_back({.number = number.value_or(counted), .window = window, .event = e});
  candidate.covered_ns += window.length_ns();
}

// Old Kineto traces keep annotations among the operators.
bool may_name_a_step(category c) { return c == category::annotation || c == category::op; }

step_candidates candidates_of(const trace& t) {
  step_candidates found;
  std::unordered_map<std::uint64_t, std::pair<step_candidate*, std::optional<std::int64_t>>> known;
  for (event_id e = 0; e < t.events.size(); ++e) {
    if (!may_name_a_step(t.events.kind[e])) continue;
    const auto id = t.events.name[e];
    const auto track = t.events.track[e];
    const bool op = t.events.kind[e] == category::op;
    auto [at, is_new] = known.try_emplace((std::uint64_t{track} << 32 | id) * 2 + op);
    if (is_new) {
      const auto name = step_name_of(t.names[id]);
      if (!op || name.source == step_source::profiler_step)
        at->second = {&found[{name.source, track, name.stem}], name.number};
    }
    if (at->second.first != nullptr) add_annotation(*at->second.first, t, e, at->second.second);
  }
  return found;
}

bool ascends(const step_candidate& c) {
  return std::ranges::is_sorted(c.steps, std::less_equal<>{}, &step::number);
}

// Returns whether starts are periodic: three quarters of the distances are within a fifth of their median.
bool periodic(const step_candidate& c) {
  if (c.steps.size() < 3) return false;
  std::vector<nanoseconds> distance;
  for (std::size_t i = 1; i < c.steps.size(); ++i)
    distance.push_back(c.steps[i].window.start_ns - c.steps[i - 1].window.start_ns);
  std::ranges::sort(distance);
  const auto median = distance[distance.size() / 2];
  const auto near =
      std::ranges::count_if(distance, [&](nanoseconds d) { return std::abs(d - median) * 5 <= median; });
  return median > 0 && static_cast<std::size_t>(near) * 4 >= distance.size() * 3;
}

bool tells_steps(step_source source, const step_candidate& c) {
  if (source == step_source::profiler_step) return true;
  if (source == step_source::numbered) return c.steps.size() >= 2 && ascends(c);
  return periodic(c);
}

// A periodic annotation marks the period: a step lasts until the next one starts.
void widen_to_period(std::vector<step>& steps) {
  for (std::size_t i = 0; i + 1 < steps.size(); ++i) steps[i].window.end_ns = steps[i + 1].window.start_ns;
}

}  // namespace

std::string_view name(step_source s) {
  constexpr std::array<std::string_view, 4> names{"no steps", "ProfilerStep", "numbered ranges",
                                                  "periodic range"};
  return names.at(static_cast<std::size_t>(s));
}

std::span<const step> step_windows::steady() const {
  const std::span<const step> all(steps);
  return all.size() > 2 ? all.subspan(1, all.size() - 2) : all;
}

std::vector<time_range> step_windows::windows() const {
  std::vector<time_range> out;
  for (const auto& s : steps) out.push_back(s.window);
  return out;
}

step_windows steps_of(const trace& t) {
  step_windows best;
  nanoseconds best_covered = -1;
  for (auto& [key, found] : candidates_of(t)) {
    const auto& [source, track, stem] = key;
    if (!tells_steps(source, found)) continue;
    if (best.source != step_source::unknown && (source != best.source || found.covered_ns <= best_covered))
      continue;
    best = {source, stem, track, found.steps};
    best_covered = found.covered_ns;
  }
  if (best.source == step_source::periodic) widen_to_period(best.steps);
  if (!best.steps.empty()) best.steps.front().first = best.steps.back().last = true;
  return best;
}

time_range window_of(std::span<const step> steps) {
  if (steps.empty()) return {};
  return {steps.front().window.start_ns, steps.back().window.end_ns};
}

time_range whole_window(const trace& t) {
  if (t.works.empty() && t.events.size() == 0) return {};
  const bool device = !t.works.empty();
  time_range out = device ? time_range{t.works[0].start_ns, t.works[0].end_ns}
                          : time_range{t.events.start_ns[0], t.events.end_ns(0)};
  const auto widen = [&](nanoseconds start, nanoseconds end) {
    out = {std::min(out.start_ns, start), std::max(out.end_ns, end)};
  };
  for (const auto& w : t.works) widen(w.start_ns, w.end_ns);
  for (event_id e = 0; !device && e < t.events.size(); ++e) widen(t.events.start_ns[e], t.events.end_ns(e));
  return out;
}

}  // namespace ridge::trace
