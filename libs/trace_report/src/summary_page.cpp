// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <ridge/trace/cautions.hpp>
#include <ridge/trace/stability.hpp>

#include "counters_page.hpp"
#include "device_sheet.hpp"
#include "idle_page.hpp"
#include "kernels_page.hpp"
#include "page_parts.hpp"

namespace ridge::trace_report {
namespace {

sheet source_sheet(const trace::trace& t) {
  sheet made{.key = "source",
             .fields = {{"producer", "made by"},
                        {"container", "packed as"},
                        {"file_bytes", "file", unit::bytes},
                        {"content_bytes", "content", unit::bytes},
                        {"tracks", "tracks", unit::count},
                        {"names", "names", unit::count},
                        {"from_cache", ""}},
             .single = true};
  made.rows.push_back({.values = {t.source.producer, t.source.container, whole(t.source.file_bytes),
                                  whole(t.source.content_bytes), whole(t.tracks.size()),
                                  whole(t.names.size()), t.source.from_cache}});
  return made;
}

sheet steps_summary(const scope& s) {
  const auto steady = trace::stability_of(s.steps);
  sheet made{.key = "steps",
             .title = "Steps",
             .fields = {{"source", "read from"},
                        {"annotation", "annotation"},
                        {"count", "steps", unit::count},
                        {"median_ns", "median", unit::nanoseconds},
                        {"min_ns", "shortest", unit::nanoseconds},
                        {"max_ns", "longest", unit::nanoseconds},
                        {"cov", "variation (CoV)", unit::number},
                        {"first_over_median", "first / median", unit::number}},
             .single = true};
  if (steady.steps == 0) return made;
  made.rows.push_back(
      {.values = {std::string(name(s.all_steps.source)), s.all_steps.annotation, whole(steady.steps),
                  steady.median_ns, steady.min_ns, steady.max_ns, steady.cov(),
                  steady.first_over_median ? value(*steady.first_over_median) : value()}});
  return made;
}

}  // namespace

document summary_page(const scope& s) {
  constexpr std::size_t kernels = 8;
  auto d = page_about(s, "summary");
  const bool table_of_counters = s.source->works.empty() && !s.source->profiled_kernels.empty();
  d.sheets.push_back(devices_sheet(s, trace::partition_devices(*s.source, s.classes, s.window)));
  for (const auto& c : trace::cautions_of(*s.source, s.all_steps)) d.sheets.back().notes.push_back(c.text);
  if (table_of_counters) {
    d.sheets.back().empty.clear();
    d.sheets.push_back(counters_sheet(s, {}));
    d.sheets.back().key = "counters";
  }
  d.sheets.push_back(idle_causes_sheet(idle_of_devices(s)));
  auto longest = kernels_sheet(s, false, kernels);
  longest.notes.clear();
  longest.empty.clear();
  d.sheets.push_back(std::move(longest));
  d.sheets.push_back(launch_sheet(s));
  d.sheets.push_back(steps_summary(s));
  d.sheets.push_back(source_sheet(*s.source));
  d.sheets.push_back(defects_sheet(*s.source));
  return d;
}

}  // namespace ridge::trace_report
