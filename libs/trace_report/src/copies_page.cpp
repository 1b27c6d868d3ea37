// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <ridge/base/units.hpp>
#include <ridge/trace/copies.hpp>

#include "page_parts.hpp"

namespace ridge::trace_report {
namespace {

std::string kind_text(trace::copy_kind k) {
  constexpr std::array<const char*, 6> names{"unknown",          "host to device", "device to host",
                                             "device to device", "peer to peer",   "host to host"};
  return names.at(static_cast<std::size_t>(k));
}

std::string memory_text(const trace::copy_group& g) {
  constexpr std::array<const char*, 6> names{"?", "pageable", "pinned", "device", "array", "managed"};
  if (g.source == trace::memory_kind::unknown && g.destination == trace::memory_kind::unknown) return "";
  return fmt::format("{} → {}", names.at(static_cast<std::size_t>(g.source)),
                     names.at(static_cast<std::size_t>(g.destination)));
}

row group_row(std::int32_t device, const trace::copy_group& g) {
  const auto rate = [](const trace::copy_sum& c) {
    return c.ns > 0 && c.bytes > 0 ? value(c.bytes_per_s()) : value();
  };
  return {.values = {std::int64_t{device}, kind_text(g.kind), memory_text(g), whole(g.all.count), g.all.bytes,
                     g.median_bytes, g.all.ns, g.exposed_ns, rate(g.all), rate(g.large)}};
}

sheet copy_sizes_sheet(const std::vector<trace::copy_report>& devices) {
  sheet made{.key = "sizes",
             .title = "By size",
             .fields = {{"device", "GPU"},
                        {"kind", "copies"},
                        {"from_bytes", "from", unit::bytes},
                        {"count", "count", unit::count},
                        {"bytes", "bytes", unit::bytes},
                        {"total_ns", "time", unit::nanoseconds},
                        {"bytes_per_s", "rate", unit::bytes_per_s}}};
  for (const auto& r : devices) {
    for (const auto& g : r.groups) {
      for (int c = 0; c < trace::copy_size_classes; ++c) {
        const auto& sum = g.sizes[static_cast<std::size_t>(c)];
        if (sum.count == 0) continue;
        made.rows.push_back({.values = {std::int64_t{r.device}, kind_text(g.kind),
                                        trace::copy_size_class_begin(c), whole(sum.count), sum.bytes, sum.ns,
                                        sum.bytes > 0 && sum.ns > 0 ? value(sum.bytes_per_s()) : value()}});
      }
    }
  }
  return made;
}

}  // namespace

document copies_page(const scope& s) {
  auto d = page_about(s, "copies");
  sheet made{.key = "copies",
             .title = "Copies",
             .fields = {{"device", "GPU"},
                        {"kind", "copies"},
                        {"memory", "memory"},
                        {"count", "count", unit::count},
                        {"bytes", "bytes", unit::bytes},
                        {"median_bytes", "median", unit::bytes},
                        {"total_ns", "time", unit::nanoseconds},
                        {"exposed_ns", "exposed", unit::nanoseconds},
                        {"bytes_per_s", "rate", unit::bytes_per_s},
                        {"large_bytes_per_s", "from 1 MiB on", unit::bytes_per_s}},
             .empty = "no copy is in this window"};
  std::vector<trace::copy_report> devices;
  const auto windows = step_windows_of(s);
  for (const auto device : s.source->working_devices())
    devices.push_back(trace::copies_of(*s.source, s.classes, device, s.window, windows));
  for (const auto& r : devices) {
    for (const auto& g : r.groups) made.rows.push_back(group_row(r.device, g));
  }
  d.sheets = {std::move(made), copy_sizes_sheet(devices)};
  return d;
}

}  // namespace ridge::trace_report
