// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/units.hpp>
#include <ridge/trace/device_partition.hpp>
#include <ridge/trace/stability.hpp>

#include "page_parts.hpp"

namespace ridge::trace_report {
namespace {

std::string place_in_trace(const trace::step& s) { return s.first ? "first" : s.last ? "last" : ""; }

void add_device(sheet& table, const scope& s, std::int32_t device) {
  std::vector<trace::time_range> windows;
  for (const auto& step : s.steps) windows.push_back(step.window);
  const auto parts = trace::partition_windows(*s.source, s.classes, device, windows);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto& p = parts[i];
    table.rows.push_back({.values = {s.steps[i].number, place_in_trace(s.steps[i]), std::int64_t{device},
                                     windows[i].length_ns(), p.compute_ns, p.exposed_communication_ns,
                                     p.exposed_copy_ns, p.idle_ns, p.percent(p.idle_ns)}});
  }
}

std::vector<std::string> stability_remarks(const trace::step_stability& r) {
  std::vector<std::string> notes;
  const auto seconds = [](trace::nanoseconds ns) {
    return format_quantity(static_cast<double>(ns) / 1e9, "s");
  };
  if (r.steps > 1)
    notes.push_back(
        fmt::format("median {}, MAD {}, CoV {:.3f}", seconds(r.median_ns), seconds(r.mad_ns), r.cov()));
  if (r.bimodal)
    notes.push_back(fmt::format("two regimes: {} steps around {} and {} around {}", r.bimodal->fast_count,
                                seconds(r.bimodal->fast_median_ns), r.bimodal->slow_count,
                                seconds(r.bimodal->slow_median_ns)));
  return notes;
}

}  // namespace

document steps_page(const scope& s) {
  auto d = page_about(s, "steps");
  sheet made{
      .key = "steps",
      .title = s.steps.empty() ? "Steps"
                               : fmt::format("Steps, recognised by {}: {}", name(s.all_steps.source),
                                             s.all_steps.annotation),
      .fields = {{"number", "step", unit::count},
                 {"place", ""},
                 {"device", "GPU"},
                 {"length_ns", "length", unit::nanoseconds},
                 {"comp_ns", "compute", unit::nanoseconds},
                 {"exposed_comm_ns", "exposed comm", unit::nanoseconds},
                 {"exposed_memcpy_ns", "exposed copies", unit::nanoseconds},
                 {"idle_ns", "idle", unit::nanoseconds},
                 {"pct.idle", "idle", unit::percent}},
      .notes = stability_remarks(trace::stability_of(s.steps)),
      .empty =
          "no annotation marks steps: torch.profiler's schedule() with prof.step(), or NVTX ranges, would"};
  for (const auto device : s.source->working_devices()) {
    if (!s.steps.empty()) add_device(made, s, device);
  }
  d.sheets.push_back(std::move(made));
  return d;
}

}  // namespace ridge::trace_report
