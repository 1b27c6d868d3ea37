// SPDX-License-Identifier: Apache-2.0
#include "counters_page.hpp"

#include <fmt/format.h>

#include <ridge/trace/counters.hpp>
#include <ridge/trace/kernel_verdict.hpp>

#include "page_parts.hpp"

namespace ridge::trace_report {
namespace {

value share(const std::optional<double>& v) { return v ? value(100 * *v) : value(); }

std::string verdict_remarks(const trace::kernel_verdict& v) {
  std::string text = v.why;
  for (const auto& s : v.symptoms) text += fmt::format("; {}", s.text);
  if (v.at_ceiling) text += "; at its ceiling";
  return text;
}

}  // namespace

sheet counters_sheet(const scope& s, const trace::device_peaks& peaks) {
  sheet made{
      .key = "kernels",
      .title = "What limits each profiled kernel",
      .fields = {name_field(s.full_names, "name", "kernel"),
                 {"short_name", ""},
                 {"limit", "limit"},
                 {"grade", "", unit::text},
                 {"duration_s", "", unit::number},
                 {"sm_pct", "SM", unit::percent},
                 {"dram_pct", "DRAM", unit::percent},
                 {"l2_pct", "L2", unit::percent},
                 {"l1_pct", "L1", unit::percent},
                 {"flops_pct", "FLOP", unit::percent},
                 {"issue_pct", "issue", unit::percent},
                 {"occupancy_pct", "occupancy", unit::percent},
                 {"waves", "waves", unit::number},
                 {"why", ""}},
      .empty =
          "the trace holds no counters: `ncu --set full --csv --page raw CMD > table.csv` collects them"};
  for (const auto& c : trace::counters_of(*s.source, peaks)) {
    const auto v = trace::verdict_of(c, {.peaks = peaks});
    made.rows.push_back(
        {.values = {std::string(s.source->names[c.name]), std::string(), std::string(name(v.limit)),
                    std::string(name(v.grade)), c.duration_s ? value(*c.duration_s) : value(), share(c.sm),
                    share(c.dram), share(c.l2), share(c.l1), share(c.flops), share(c.issue),
                    share(c.occupancy), c.waves ? value(*c.waves) : value(), verdict_remarks(v)},
         .note = verdict_remarks(v)});
  }
  give_short_names(made);
  if (peaks.name.empty() && !made.rows.empty())
    made.notes.push_back(
        "the device's peaks are not known: --gpu NAME takes them from the catalogue, --peaks FILE from a "
        "measurement");
  return made;
}

document counters_page(const scope& s, const trace::device_peaks& peaks) {
  auto d = page_about(s, "counters");
  d.sheets.push_back(counters_sheet(s, peaks));
  return d;
}

}  // namespace ridge::trace_report
