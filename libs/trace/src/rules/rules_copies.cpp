// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "events/name_match.hpp"
#include "rules/op_works.hpp"

namespace ridge::trace {
namespace {

bool pageable(const trace& t, const device_work& w) {
  return w.source == memory_kind::pageable || w.destination == memory_kind::pageable ||
         contains(t.names[w.name], "Pageable");
}

std::string_view direction(copy_kind k) {
  switch (k) {
    case copy_kind::host_to_device:
      return "to the device";
    case copy_kind::device_to_host:
      return "to the host";
    case copy_kind::device_to_device:
      return "within the device";
    case copy_kind::peer_to_peer:
      return "to another device";
    default:
      return "of an unknown direction";
  }
}

// Whether it copies pageable memory, and more than a read of a value: pinning that helps nothing.
bool has_pageable_bytes(const trace& t, const device_work& w) {
  constexpr std::int64_t tiny_bytes = 4096;
  return w.kind == category::copy && w.bytes > tiny_bytes && pageable(t, w);
}

// What is left of a copy's time from pinned memory, at the link's rate or at a usual one of today.
double left_when_pinned(const trace& t, const device_evidence& d, work_id w) {
  constexpr double usual_bytes_per_s = 25e9, reached = 0.85;
  const auto peak = d.known ? d.known->link_bytes_per_s : 0;
  const auto seconds =
      static_cast<double>(t.works[w].bytes) / (peak > 0 ? reached * peak : usual_bytes_per_s);
  return seconds * 1e9 / static_cast<double>(std::max<nanoseconds>(1, t.works[w].duration_ns()));
}

outcome c1_pageable(const evidence& e, const rule& r) {
  outcome out;
  for (const auto& d : e.devices) {
    const auto& t = e.trace_of(d);
    const auto works = works_where(e, d, [&](const device_work& w) { return has_pageable_bytes(t, w); });
    std::vector<time_range> ranges;
    for (const auto w : works.works) ranges.push_back({t.works[w].start_ns, t.works[w].end_ns});
    const auto exposed = interval_set(std::move(ranges)).intersected_with(d.exposed_copies).length_ns();
    if (exposed == 0 || d.share(exposed) < r.limit("share")) continue;
    auto c = about_works(e, d,
                         {.works = works,
                          .factor = [&](work_id w) { return left_when_pinned(t, d, w); },
                          .waited_no_more = true},
                         "copies of pageable memory");
    c.words["count"] = std::to_string(works.works.size());
    c.words["exposed"] = time_text(exposed);
    c.words["share"] = share_text(d.share(exposed));
    out.found.push_back(std::move(c));
  }
  return out;
}

const copy_group* most_exposed(const device_evidence& d) {
  const auto at = std::ranges::max_element(d.copies.groups, {}, &copy_group::exposed_ns);
  return at == d.copies.groups.end() ? nullptr : &*at;
}

outcome c2_exposed(const evidence& e, const rule& r) {
  outcome out;
  for (const auto& d : e.devices) {
    const auto& t = e.trace_of(d);
    const auto of_pageable = times_of(t, d, [&](const device_work& w) { return has_pageable_bytes(t, w); });
    const auto where = d.exposed_copies.without(of_pageable);  // these have a rule of their own
    const auto exposed = where.length_ns();
    const auto* group = most_exposed(d);
    if (exposed == 0 || !group || d.share(exposed) < r.limit("share")) continue;
    auto c = about(d, where, exposed, "copies alone on the device");
    const auto rate = group->all.bytes_per_s();
    c.rows.push_back({.description = fmt::format("rate of copies {}", direction(group->kind)),
                      .value = rate,
                      .unit = "B/s",
                      .formula = "bytes / sum of durations",
                      .trace = d.trace,
                      .device = d.device});
    c.words["exposed"] = time_text(exposed);
    c.words["direction"] = direction(group->kind);
    c.words["rate"] = group->all.bytes > 0 ? rate_text(rate) : "an untold rate";
    out.found.push_back(std::move(c));
  }
  return out;
}

outcome c3_tiny(const evidence& e, const rule& r) {
  outcome out;
  for (const auto& d : e.devices) {
    for (const auto& per : d.copies.per_step) {
      if (per.kind != copy_kind::host_to_device && per.kind != copy_kind::device_to_host) continue;
      const bool many = static_cast<double>(per.median_count) > r.limit("count");
      const bool tiny = static_cast<double>(per.median_bytes) < r.limit("bytes");
      if (!many || !tiny) continue;
      const auto where = times_of(e.trace_of(d), d, [&](const device_work& w) {
                           return w.kind == category::copy && w.copy == per.kind &&
                                  static_cast<double>(w.bytes) < r.limit("bytes");
                         }).intersected_with(d.exposed_copies);
      auto c = about(d, where, where.length_ns(), "small copies alone on the device");
      c.subject = direction(per.kind);
      if (per.kind == copy_kind::device_to_host) c.cause = "read-back";
      c.alarm = d.share(where.length_ns()) >= r.limit("share");
      c.words["count"] = std::to_string(per.median_count);
      c.words["direction"] = direction(per.kind);
      c.words["median"] = bytes_text(static_cast<double>(per.median_bytes));
      out.found.push_back(std::move(c));
    }
  }
  return out;
}

outcome c4_slow(const evidence& e, const rule& r) {
  outcome out;
  for (const auto& d : e.devices) {
    if (!d.known || d.known->link_bytes_per_s <= 0) continue;
    for (const auto& g : d.copies.groups) {
      if (g.kind != copy_kind::host_to_device && g.kind != copy_kind::device_to_host) continue;
      const auto reached = g.achieved(d.known->link_bytes_per_s);
      if (!reached || *reached >= r.limit("rate_share")) continue;
      const auto& t = e.trace_of(d);
      const auto large = times_of(t, d, [&](const device_work& w) {
        return w.kind == category::copy && w.copy == g.kind && w.source == g.source &&
               !has_pageable_bytes(t, w) && static_cast<double>(w.bytes) >= r.limit("bytes");
      });
      if (large.length_ns() == 0) continue;  // copies of pageable memory have a rule of their own
      const auto where = large.intersected_with(d.exposed_copies);
      const auto could = static_cast<double>(where.length_ns()) * (1 - *reached);
      auto c = about(d, where, static_cast<nanoseconds>(could), "large copies alone on the device");
      c.subject = direction(g.kind);
      c.words["direction"] = direction(g.kind);
      c.words["rate"] = rate_text(g.large.bytes_per_s());
      c.words["reached"] = share_text(*reached);
      c.words["peak"] = rate_text(d.known->link_bytes_per_s);
      out.found.push_back(std::move(c));
    }
  }
  return out;
}

// Kernels that only move data, by the names that frameworks give them.
bool moves_data(std::string_view kernel) {
  constexpr std::string_view parts[] = {"transpose", "Transpose", "nchwToNhwc", "nhwcToNchw", "permute"};
  return std::ranges::any_of(parts, [&](std::string_view part) { return contains(kernel, part); });
}

// Copies within the device that change neither values nor types: operators that copy between equal types,
// and kernels and copies whose operator is not known.
bool rearranges(const trace& t, const op_tree& tree, work_id w) {
  const auto& work = t.works[w];
  const auto name = t.names[work.name];
  if (work.kind == category::kernel && moves_data(name)) return true;
  const bool within = work.kind == category::copy && work.copy == copy_kind::device_to_device;
  const bool copies = work.kind == category::kernel && contains(name, "copy_kernel");
  if (!within && !copies) return false;
  const auto node = tree.node_of_work[w];
  if (node == none) return true;
  return t.name_of(tree.nodes[node].event) == "aten::copy_" ? !changes_type(t, tree.nodes[node].event)
                                                            : within;
}

outcome c5_layouts(const evidence& e, const rule& r) {
  outcome out;
  for (const auto& d : e.devices) {
    const auto& t = e.trace_of(d);
    const auto works = works_where(e, d, [&](const device_work& w) {
      return rearranges(t, e.of(d).ops, static_cast<work_id>(&w - t.works.data()));
    });
    if (works.works.empty() || d.share(works.time_ns) < r.limit("share")) continue;
    auto c =
        about_works(e, d, {.works = works, .factor = [](work_id) { return 0.0; }, .launched_no_more = true},
                    "copies and transposes within the device");
    const auto converted =
        times_of(t, d, [&](const device_work& w) {
          return contains(t.names[w.name], "nchwToNhwc") || contains(t.names[w.name], "nhwcToNchw");
        }).length_ns();
    c.alarm = d.share(converted) >= r.limit("share") || d.share(works.time_ns) >= r.limit("copied_share");
    const auto& first = t.works[works.works.front()];
    if (first.kind == category::kernel) c.grade = confidence_grade::names;
    c.words["exposed"] = time_text(works.time_ns);
    out.found.push_back(std::move(c));
  }
  return out;
}

constexpr bound_detector copy_rules[] = {
    {"C1", c1_pageable}, {"C2", c2_exposed}, {"C3", c3_tiny}, {"C4", c4_slow}, {"C5", c5_layouts}};

}  // namespace

std::span<const bound_detector> copy_detectors() { return copy_rules; }

}  // namespace ridge::trace
