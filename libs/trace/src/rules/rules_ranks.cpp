// SPDX-License-Identifier: Apache-2.0
#include "rules/rules_ranks.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace ridge::trace {
namespace {

const device_evidence* device_of(const evidence& e, const participant& who) {
  const auto at = std::ranges::find_if(
      e.devices, [&](const device_evidence& d) { return d.trace == who.trace && d.device == who.device; });
  return at == e.devices.end() ? nullptr : &*at;
}

// The time that one participant waited in collectives while its device did nothing else.
struct suffered {
  std::vector<time_range> ranges{};
  nanoseconds exposed_wait_ns = 0;
};

suffered suffered_by(const communication_report& c, std::uint32_t participant) {
  suffered s;
  for (std::size_t i = 0; i < c.times.size(); ++i) {
    const auto& parts = c.matched.instances[i].parts;
    for (std::size_t p = 0; p < parts.size() && p < c.times[i].parts.size(); ++p) {
      const auto& times = c.times[i].parts[p];
      if (parts[p].participant != participant || !times.wait_ns || *times.wait_ns <= 0) continue;
      s.ranges.push_back({parts[p].start_ns, parts[p].end_ns});
      s.exposed_wait_ns += std::min(*times.wait_ns, times.exposed_ns);
    }
  }
  return s;
}

void claim_waiting(const evidence& e, candidate& c) {
  const auto& report = *e.communication;
  for (std::uint32_t p = 0; p < report.matched.participants.size(); ++p) {
    const auto* d = device_of(e, report.matched.participants[p]);
    if (!d) continue;
    auto s = suffered_by(report, p);
    const auto where = interval_set(std::move(s.ranges)).intersected_with(d->exposed_communication);
    c.claims.push_back({d->pool, where, std::min(s.exposed_wait_ns, where.length_ns())});
    c.rows.push_back(
        {.description = fmt::format("{} waited for others", report.matched.participants[p].label),
         .value = static_cast<double>(report.waiting->suffered_by(p)),
         .unit = "ns",
         .formula = "sum of (duration - shortest of its collective)",
         .trace = d->trace,
         .device = d->device});
  }
}

}  // namespace

outcome n3_waiting(const evidence& e, const rule& r) {
  outcome out;
  const auto& report = *e.communication;
  const auto share = report.wait_share();
  if (!share || *share < r.limit("wait_share") || !report.waiting) return out;
  const auto worst = report.waiting->worst();
  if (!worst) return out;
  candidate c;
  c.subject = report.matched.participants[worst->participant].label;
  c.words = {{"wait", share_text(*share)},
             {"culprit", c.subject},
             {"caused", time_text(worst->caused_ns)},
             {"waited", time_text(report.waiting->total())}};
  c.rows.push_back({.description = fmt::format("waiting that {} caused", c.subject),
                    .value = static_cast<double>(worst->caused_ns),
                    .unit = "ns",
                    .formula = "sum over collectives to which it came last"});
  claim_waiting(e, c);
  out.found.push_back(std::move(c));
  return out;
}

outcome n4_slow_bus(const evidence& e, const rule& r) {
  outcome out;
  const auto known = std::ranges::find_if(
      e.devices, [](const device_evidence& d) { return d.known && d.known->bus_bytes_per_s > 0; });
  if (known == e.devices.end()) return out;
  const auto peak = known->known->bus_bytes_per_s;
  for (const auto& row : e.communication->operations) {
    const auto each =
        row.with_bytes > 0 ? static_cast<double>(row.bytes) / static_cast<double>(row.with_bytes) : 0;
    if (!row.bus_rate || each < r.limit("bytes") || *row.bus_rate >= r.limit("rate_share") * peak) continue;
    const auto reached = *row.bus_rate / peak;
    candidate c;
    c.subject = fmt::format("{} {} {}", row.operation, row.group, row.dtype);
    c.words = {{"collective", row.operation},
               {"bytes", bytes_text(each)},
               {"rate", rate_text(*row.bus_rate)},
               {"reached", share_text(reached)},
               {"peak", rate_text(peak)}};
    c.rows.push_back({.description = "bus rate without waiting",
                      .value = *row.bus_rate,
                      .unit = "B/s",
                      .formula = "bytes / transfer x bus factor"});
    const auto could =
        static_cast<nanoseconds>(static_cast<double>(row.transfer_ns.value_or(0)) * (1 - reached));
    for (const auto& d : e.devices) c.claims.push_back({d.pool, d.exposed_communication, could});
    out.found.push_back(std::move(c));
  }
  return out;
}

}  // namespace ridge::trace
