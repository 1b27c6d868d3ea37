// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "rules/rules_ranks.hpp"

namespace ridge::trace {
namespace {

// Communication that only heuristic words in names show has the grade of names.
confidence_grade grade_of_device(const evidence& e, const device_evidence& d) {
  for (std::size_t i = 0; i < e.communication->ranks.size(); ++i) {
    const auto& who = e.communication->matched.participants[i];
    if (who.trace != d.trace || who.device != d.device) continue;
    const auto& rank = e.communication->ranks[i];
    return 2 * rank.heuristic_ns > rank.busy_ns ? confidence_grade::names : confidence_grade::timeline;
  }
  return confidence_grade::timeline;
}

outcome n1_exposed(const evidence& e, const rule& r) {
  outcome out;
  for (const auto& d : e.devices) {
    const auto exposed = d.exposed_communication.length_ns();
    const auto share = d.share(exposed);
    if (exposed == 0 || share < r.limit("note_share")) continue;
    auto c = about(d, d.exposed_communication, exposed, "communication alone on the device");
    c.alarm = share >= r.limit("share");
    c.grade = grade_of_device(e, d);
    c.words["exposed"] = time_text(exposed);
    out.found.push_back(std::move(c));
  }
  return out;
}

// No more communication can be hidden than there is computation left to overlap it with.
outcome n2_overlap(const evidence& e, const rule& r) {
  outcome out;
  for (const auto& d : e.devices) {
    const auto percent = d.partition.overlap_percent();
    if (!percent || d.share(d.partition.communication_ns) < r.limit("comm_share")) continue;
    const auto free = d.partition.compute_ns - d.partition.communication_under_compute_ns;
    const auto exposed = d.exposed_communication.length_ns();
    const auto hidable = std::min(free, exposed);
    if (*percent / 100 >= r.limit("note_overlap") || d.share(hidable) < r.limit("hidable_share")) continue;
    auto c = about(d, d.exposed_communication, hidable, "communication that computation could hide");
    c.alarm = *percent / 100 < r.limit("overlap");
    c.grade = grade_of_device(e, d);
    c.rows.push_back({.description = "overlap",
                      .value = *percent / 100,
                      .unit = "1",
                      .formula = "communication under compute / communication",
                      .trace = d.trace,
                      .device = d.device});
    c.words["overlap"] = share_text(*percent / 100);
    c.words["total"] = time_text(d.partition.communication_ns);
    c.words["compute"] = share_text(d.share(d.partition.compute_ns));
    out.found.push_back(std::move(c));
  }
  return out;
}

// The part of an instance on this device, if it took part.
const collective_part* part_on(const evidence& e, const collective_instance& i, const device_evidence& d) {
  for (const auto& p : i.parts) {
    const auto& who = e.communication->matched.participants[p.participant];
    if (who.trace == d.trace && who.device == d.device) return &p;
  }
  return nullptr;
}

struct small_collectives {
  std::size_t small = 0, all = 0;
  interval_set ranges{};
};

small_collectives small_on(const evidence& e, const device_evidence& d, double below) {
  small_collectives s;
  std::vector<time_range> ranges;
  for (const auto& i : e.communication->matched.instances) {
    const auto* p = part_on(e, i, d);
    if (!p || !i.bytes) continue;
    ++s.all;
    if (static_cast<double>(*i.bytes) >= below) continue;
    ++s.small;
    ranges.push_back({p->start_ns, p->end_ns});
  }
  s.ranges = interval_set(std::move(ranges)).intersected_with(d.exposed_communication);
  return s;
}

outcome n5_small(const evidence& e, const rule& r) {
  outcome out;
  bool told = false;
  for (const auto& d : e.devices) {
    const auto s = small_on(e, d, r.limit("bytes"));
    told = told || s.all > 0;
    const auto exposed = s.ranges.length_ns();
    const bool many = static_cast<double>(s.small) >= r.limit("count_share") * static_cast<double>(s.all);
    if (s.small == 0 || !many || d.share(exposed) < r.limit("share")) continue;
    auto c = about(d, s.ranges, exposed, "small collectives alone on the device");
    c.words["count"] = std::to_string(s.small);
    c.words["all"] = std::to_string(s.all);
    c.words["bytes"] = bytes_text(r.limit("bytes"));
    c.words["exposed"] = time_text(exposed);
    out.found.push_back(std::move(c));
  }
  if (!told) out.missing.emplace_back("collectives");
  return out;
}

// Returns the times at which the kernels that contention slows ran beside communication.
interval_set beside_communication(const evidence& e, const device_evidence& d) {
  const auto& t = e.trace_of(d);
  const auto& classes = e.of(d).classes;
  const auto* first = t.works.data();
  const auto communication = times_of(t, d, [&](const device_work& w) {
    return classes[static_cast<std::size_t>(&w - first)] == work_class::communication;
  });
  const auto kernels = times_of(t, d, [&](const device_work& w) {
    return std::ranges::find(d.contention.kernels, w.name, &contended_kernel::name) !=
           d.contention.kernels.end();
  });
  return kernels.intersected_with(communication);
}

outcome n6_contention(const evidence& e, const rule& r) {
  outcome out;
  for (const auto& d : e.devices) {
    const auto slowdown = d.contention.slowdown();
    const auto lost = d.contention.beside_ns - d.contention.expected_ns;
    if (!slowdown || *slowdown < r.limit("ratio") || d.share(lost) < r.limit("share")) continue;
    auto c = about(d, beside_communication(e, d), lost, "computation beside communication");
    c.rows.push_back({.description = "time beside communication / time alone",
                      .value = *slowdown,
                      .unit = "times",
                      .trace = d.trace,
                      .device = d.device});
    c.words["ratio"] = times_text(*slowdown);
    c.words["kernels"] = std::to_string(d.contention.kernels.size());
    c.words["lost"] = time_text(lost);
    out.found.push_back(std::move(c));
  }
  return out;
}

// Kernels that count as communication only by heuristic words in their names.
outcome n7_by_name(const evidence& e, const rule& r) {
  outcome out;
  for (const auto& d : e.devices) {
    const auto& t = e.trace_of(d);
    const communication_pattern* by = nullptr;
    const auto where = times_of(t, d, [&](const device_work& w) {
      if (w.kind != category::kernel || w.collective != none) return false;
      const auto* match = e.names.match(t.names[w.name]);
      if (!match || match->confidence != name_confidence::heuristic) return false;
      by = by ? by : match;
      return true;
    });
    const auto total = where.length_ns();
    if (!by || d.share(total) < r.limit("share")) continue;
    auto c = about(d, where, 0, "communication by name alone");
    c.alarm = false;
    c.grade = confidence_grade::names;
    c.words["total"] = time_text(total);
    c.words["pattern"] = by->part;
    c.words["library"] = by->library;
    out.found.push_back(std::move(c));
  }
  return out;
}

constexpr bound_detector communication_rules[] = {
    {"N1", n1_exposed}, {"N2", n2_overlap},    {"N3", n3_waiting}, {"N4", n4_slow_bus},
    {"N5", n5_small},   {"N6", n6_contention}, {"N7", n7_by_name}};

}  // namespace

std::span<const bound_detector> communication_detectors() { return communication_rules; }

}  // namespace ridge::trace
