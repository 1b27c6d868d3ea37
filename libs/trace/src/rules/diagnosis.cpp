// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/diagnosis.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/expects.hpp>

#include "rules/findings.hpp"

namespace ridge::trace {
namespace {

detector detector_of(std::span<const bound_detector> all, std::string_view id) {
  const auto at = std::ranges::find(all, id, &bound_detector::id);
  expects(at != all.end(), fmt::format("no function looks for {}", id));
  return at->detect;
}

void abstain(const rule_table& rules, const rule& r, std::span<const std::string> missing, diagnosis& out) {
  for (const auto& name : missing) {
    const auto& need = rules.need(name);
    out.abstentions.push_back({r.id, need.missing, need.get});
  }
}

// Leaves out what was found in traces that lack what the rule needs of each, and says so once for each need.
void keep_fit(const evidence& e, const rule_table& rules, const rule& r, std::vector<candidate>& found,
              diagnosis& out) {
  for (const auto& name : r.needs) {
    const auto left = std::erase_if(found, [&](const candidate& c) {
      return !c.rows.empty() && c.rows.front().trace < e.traces.size() &&
             !has(e.traces[c.rows.front().trace], name);
    });
    if (left == 0) continue;
    const auto lacking = std::ranges::count_if(e.traces, [&](const auto& t) { return !has(t, name); });
    const auto& need = rules.need(name);
    out.abstentions.push_back(
        {r.id, fmt::format("{} (in {} of {} traces)", need.missing, lacking, e.traces.size()), need.get});
  }
}

void find_candidates(const evidence& e, const diagnose_options& options, found_candidates& found,
                     diagnosis& out) {
  const auto functions = all_detectors();
  for (const auto& r : options.rules.rules) {
    std::vector<std::string> missing;
    std::ranges::copy_if(r.needs, std::back_inserter(missing), [&](const auto& n) { return !has(e, n); });
    if (!missing.empty()) {
      abstain(options.rules, r, missing, out);
      continue;
    }
    auto seen = detector_of(functions, r.id)(e, r);
    if (seen.found.empty()) abstain(options.rules, r, seen.missing, out);
    keep_fit(e, options.rules, r, seen.found, out);
    for (auto& c : seen.found) found.add(r, std::move(c));
  }
}

std::string partition_text(const device_partition& p) {
  const auto part = [&](std::string_view state, nanoseconds ns) {
    return ns > 0 ? fmt::format("{} {}, ", state, share_text(p.percent(ns) / 100)) : std::string();
  };
  auto text = part("compute", p.compute_ns) + part("communication alone", p.exposed_communication_ns) +
              part("copies alone", p.exposed_copy_ns) + part("idle", p.idle_ns);
  if (text.size() > 2) text.resize(text.size() - 2);
  return fmt::format("{} of {}", text, time_text(p.window.length_ns()));
}

void tell_devices(const evidence& e, diagnosis& out) {
  for (const auto& d : e.devices)
    out.devices.push_back(
        {d.trace, e.trace_of(d).source.rank, d.partition, d.steps, partition_text(d.partition)});
}

void tell_trust(const evidence& e, diagnosis& out) {
  for (std::uint32_t i = 0; i < e.traces.size(); ++i)
    out.trust.push_back({i, e.traces[i].quality.factor, e.traces[i].quality.doubts});
}

// What the rule about idle time lacks; empty where it could look, or there is no timeline to look at.
std::string missing_for_idle(const evidence& e, const diagnosis& out) {
  if (!has(e, "device_work")) return "";
  constexpr std::string_view idle_rule = "I1";
  const auto at = std::ranges::find(out.abstentions, idle_rule, &abstention::rule);
  return at == out.abstentions.end() ? "" : at->missing;
}

// Whether at least half of the time that devices compute is in kernels of which something is known; counters
// without a timeline are all that there is to know.
bool most_is_judged(const evidence& e) {
  nanoseconds computing = 0, judged = 0;
  for (const auto& d : e.devices) {
    computing += d.compute.length_ns();
    std::vector<time_range> known;
    for (const auto& k : e.kernels) {
      if (k.pool != d.pool || k.verdict.limit == kernel_limit::unknown) continue;
      const auto times = k.ranges.ranges();
      known.insert(known.end(), times.begin(), times.end());
    }
    judged += interval_set(std::move(known)).intersected_with(d.compute).length_ns();
  }
  return 2 * judged >= computing;
}

std::string missing_to_judge_most(const evidence& e) {
  if (!has(e, "shapes")) return "without shapes or counters";
  return e.kernels.empty() ? "where no model tells the work of the operators that take its time"
                           : "for most of the time that it computes: models or peaks are missing";
}

// Decides, where nothing was found, whether all is well or the data did not suffice. A device that computes
// most of the time counts as well used only where most of what it computes could be judged.
void conclude(const evidence& e, diagnosis& out) {
  const auto unseen = missing_for_idle(e, out);
  const auto alarms = std::ranges::count(out.findings, true, &finding::alarm);
  if (alarms > 0) {
    out.verdict = overall_verdict::found;
    out.why = fmt::format("{} {} worth following", alarms, alarms == 1 ? "finding is" : "findings are");
  } else if (e.windows.empty()) {
    out.why = "the trace holds no work of a device, and no counters";
  } else if (e.kernels.empty() || !most_is_judged(e)) {
    out.why = fmt::format("{}; how well its kernels use it cannot be judged {}",
                          unseen.empty() ? "the device is kept busy"
                                         : "whether the device is kept busy cannot be told without " + unseen,
                          missing_to_judge_most(e));
  } else {
    out.verdict = overall_verdict::nothing_found;
    out.why = "no rule that could look found anything to repair";
    if (!unseen.empty()) out.why += "; idle time could not be judged without " + unseen;
  }
}

}  // namespace

std::string_view name(overall_verdict v) {
  constexpr std::array<std::string_view, 3> names{"insufficient data", "nothing found", "found"};
  return names.at(static_cast<std::size_t>(v));
}

diagnosis diagnose(const evidence& e, const diagnose_options& options) {
  diagnosis out;
  tell_devices(e, out);
  tell_trust(e, out);
  found_candidates found;
  find_candidates(e, options, found, out);
  std::move(found).share_out(e, options.least_alarm_share, out);
  conclude(e, out);
  return out;
}

diagnosis diagnose(std::span<const trace> traces, const diagnose_options& options) {
  return diagnose(gather(traces, options), options);
}

}  // namespace ridge::trace
