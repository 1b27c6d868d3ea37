// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/units.hpp>
#include <ridge/trace/memory_timeline.hpp>

#include "page_parts.hpp"

namespace ridge::trace_report {
namespace {

std::string memory_place(std::int32_t device) { return device < 0 ? "host" : fmt::format("GPU {}", device); }

sheet peaks_sheet(const trace::memory_timeline& m) {
  sheet made{.key = "devices",
             .title = "Memory of the framework's allocator",
             .fields = {{"device", "where"},
                        {"peak_allocated_bytes", "peak allocated", unit::bytes},
                        {"peak_at_ns", "", unit::nanoseconds},
                        {"peak_reserved_bytes", "peak reserved", unit::bytes},
                        {"fragmented_bytes", "reserved, unused", unit::bytes},
                        {"device_bytes", "device has", unit::bytes},
                        {"near_limit", "over 90 %"},
                        {"growth_per_step_bytes", "growth per step", unit::bytes},
                        {"live_before_trace_bytes", "from before", unit::bytes}},
             .empty = "the trace holds no allocations: record with profile_memory=True"};
  for (const auto& d : m.devices) {
    made.rows.push_back(
        {.values = {memory_place(d.device), d.peak_allocated.allocated, d.peak_allocated.time_ns,
                    d.peak_reserved ? value(d.peak_reserved->reserved) : value(),
                    value_or_blank(d.fragmented), value_or_blank(d.device_bytes), d.near_limit,
                    value_or_blank(d.growth_per_step),
                    d.addresses_told ? value(d.live_before_trace) : value()}});
  }
  return made;
}

sheet holders_sheet(const scope& s, const trace::memory_of_device& d) {
  sheet made{.key = fmt::format("live_at_peak.{}", d.device),
             .title = fmt::format("Live at the peak of {}", memory_place(d.device)),
             .fields = {{"bytes", "bytes", unit::bytes},
                        {"allocations", "allocations", unit::count},
                        {"owner", "made in"},
                        {"annotation", "under"},
                        {"step", "step"}}};
  const auto rows = shown_rows(d.live_at_peak.size(), s.rows, made);
  for (std::size_t i = 0; i < rows; ++i) {
    const auto& h = d.live_at_peak[i];
    made.rows.push_back(
        {.values = {h.bytes, h.allocations, short_name(h.owner, 50), short_name(h.annotation, 30), h.step}});
  }
  return made;
}

sheet steps_sheet(const trace::memory_of_device& d) {
  sheet made{.key = fmt::format("steps.{}", d.device),
             .title = fmt::format("{} by step", memory_place(d.device)),
             .fields = {{"start_ns", "", unit::nanoseconds},
                        {"allocated_at_start", "at its start", unit::bytes},
                        {"allocated_at_end", "at its end", unit::bytes},
                        {"peak", "peak", unit::bytes},
                        {"allocations", "allocations", unit::count},
                        {"unreleased_bytes", "not released", unit::bytes},
                        {"device_allocations", "cudaMalloc", unit::count},
                        {"device_frees", "cudaFree", unit::count}}};
  for (const auto& step : d.steps)
    made.rows.push_back(
        {.values = {step.range.start_ns, step.allocated_at_start, step.allocated_at_end, step.peak,
                    step.allocations, d.addresses_told ? value(step.unreleased_bytes) : value(),
                    step.device_allocations, step.device_frees}});
  return made;
}

}  // namespace

document memory_page(const scope& s) {
  auto d = page_about(s, "memory");
  std::vector<trace::time_range> steps;
  for (const auto& step : s.steps) steps.push_back(step.window);
  const auto m = trace::memory_timeline_of(*s.source, steps);
  d.sheets.push_back(peaks_sheet(m));
  for (const auto& device : m.devices) {
    d.sheets.push_back(holders_sheet(s, device));
    d.sheets.push_back(steps_sheet(device));
  }
  return d;
}

}  // namespace ridge::trace_report
