// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "rules/idle_cause_text.hpp"
#include "rules/rules_idle.hpp"

namespace ridge::trace {
namespace {

std::string explained(const device_evidence& d) {
  std::vector<idle_cause> causes;
  for (int c = 0; c < idle_cause_count; ++c) {
    if (d.idle.of(static_cast<idle_cause>(c)).ns > 0) causes.push_back(static_cast<idle_cause>(c));
  }
  std::ranges::stable_sort(causes, std::greater{}, [&](idle_cause c) { return d.idle.of(c).ns; });
  std::vector<std::string> words;
  for (std::size_t i = 0; i < causes.size() && i < 3; ++i) {
    const auto part = static_cast<double>(d.idle.of(causes[i]).ns) / static_cast<double>(d.idle.idle_ns);
    words.push_back(fmt::format("{} of it {}", share_text(part), idle_cause_text(causes[i])));
  }
  return words.empty() ? "no cause is recorded" : fmt::format("{}", fmt::join(words, ", "));
}

// Idle time of a program that goes on like this: of what the host causes, no more than the replay of its line
// leaves, for the host may be ahead of the device.
nanoseconds lasting_idle(const device_evidence& d, nanoseconds idle) {
  if (!d.outlook.known) return idle;
  const auto busy = d.window.length_ns() - d.idle_time.length_ns();
  const auto replayed = std::max<nanoseconds>(0, d.outlook.steady_ns - busy);
  const auto by_host = idle_with(d, {idle_cause::framework, idle_cause::python, idle_cause::other_api,
                                     idle_cause::launch_api, idle_cause::unknown})
                           .length_ns();
  return std::max<nanoseconds>(0, idle - by_host) + std::min(by_host, replayed);
}

outcome i1_idle(const evidence& e, const rule& r) {
  outcome out;
  for (const auto& d : e.devices) {
    const auto idle = std::max<nanoseconds>(0, d.idle_time.length_ns() - d.outlook.profiler_ns);
    const auto share = d.share(idle);
    if (share < r.limit("note_share")) continue;
    auto c = about(d, d.idle_time, idle, "no work on the device");
    c.alarm = d.share(lasting_idle(d, idle)) >= r.limit("idle_share");
    c.words["share"] = share_text(share);
    c.words["idle"] = time_text(idle);
    c.words["explained"] = explained(d);
    out.found.push_back(std::move(c));
  }
  return out;
}

// Rules about the idle time with one of several causes.
outcome idle_of_causes(const evidence& e, const rule& r, std::initializer_list<idle_cause> causes) {
  outcome out;
  for (const auto& d : e.devices) {
    const auto where = idle_with(d, causes);
    const auto idle = where.length_ns();
    if (idle == 0 || d.share(idle) < r.limit("share")) continue;
    auto c = about(d, where, idle, "idle while the host did this");
    c.words["idle"] = time_text(idle);
    c.words["share"] = share_text(d.share(idle));
    c.rows.front().event = longest_blamed(d, causes);
    out.found.push_back(std::move(c));
  }
  return out;
}

// What a loader's absence saves where it is one; its short calls count as they are.
outcome i3_input(const evidence& e, const rule& r) {
  auto out = idle_of_causes(e, r, {idle_cause::data_loading});
  for (auto& c : out.found) {
    auto& claimed = c.claims.front();
    const auto& d = *std::ranges::find(e.devices, claimed.pool, &device_evidence::pool);
    if (d.outlook.loading_ns > 0) claimed.at_most_ns = std::min(claimed.at_most_ns, d.outlook.loading_ns);
  }
  return out;
}

outcome i5_allocation(const evidence& e, const rule& r) {
  return idle_of_causes(e, r, {idle_cause::allocation});
}

outcome i6_code_loading(const evidence& e, const rule& r) {
  return idle_of_causes(e, r, {idle_cause::code_loading});
}

// Gaps before works that were launched before the gap began.
interval_set small_queued_gaps(const device_evidence& d, const trace& t, nanoseconds below,
                               std::size_t& count) {
  std::vector<time_range> ranges;
  for (const auto& g : d.idle.gaps) {
    const bool queued = g.launch != none && t.events.start_ns[g.launch] < g.range.start_ns;
    if (queued && g.range.length_ns() < below) ranges.push_back(g.range);
  }
  count = ranges.size();
  return interval_set(std::move(ranges));
}

outcome i8_small_gaps(const evidence& e, const rule& r) {
  outcome out;
  for (const auto& d : e.devices) {
    std::size_t count = 0;
    const auto below = static_cast<nanoseconds>(r.limit("gap_ns"));
    const auto where = small_queued_gaps(d, e.trace_of(d), below, count);
    if (count == 0 || d.share(where.length_ns()) < r.limit("share")) continue;
    auto c = about(d, where, where.length_ns(), "gaps before works already launched");
    c.words["count"] = std::to_string(count);
    c.words["gap"] = time_text(below);
    c.words["idle"] = time_text(where.length_ns());
    out.found.push_back(std::move(c));
  }
  return out;
}

outcome i9_full_queue(const evidence& e, const rule& r) {
  outcome out;
  for (const auto& d : e.devices) {
    for (const auto& q : e.of(d).launches.queues) {
      if (q.device != d.device || static_cast<double>(q.longest) < r.limit("depth")) continue;
      const auto share =
          static_cast<double>(q.at_limit_ns) / static_cast<double>(std::max<nanoseconds>(1, q.span_ns));
      if (share < r.limit("share")) continue;
      auto c = about(d, {}, 0, "time at the limit of the queue");
      c.subject = fmt::format("stream {}", q.stream);
      c.alarm = false;
      c.rows = {{.description = "launches waiting at most",
                 .value = static_cast<double>(q.longest),
                 .unit = "launches",
                 .trace = d.trace,
                 .device = d.device}};
      c.words = {{"depth", std::to_string(q.longest)}, {"share", share_text(share)}};
      out.found.push_back(std::move(c));
    }
  }
  return out;
}

constexpr bound_detector idle_rules[] = {
    {"I1", i1_idle},       {"I2", i2_launches},     {"I3", i3_input},  {"I4", i4_synchronization},
    {"I5", i5_allocation}, {"I6", i6_code_loading}, {"I7", i7_pauses}, {"I8", i8_small_gaps},
    {"I9", i9_full_queue}, {"I10", i10_elsewhere}};

}  // namespace

std::span<const bound_detector> idle_detectors() { return idle_rules; }

}  // namespace ridge::trace
