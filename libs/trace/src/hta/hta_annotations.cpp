// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <map>
#include <span>
#include <utility>

#include <ridge/trace/hta_programs.hpp>

#include "hta/hta_folding.hpp"
#include "hta/hta_host_rows.hpp"

namespace ridge::trace {
namespace {

using place_key = std::pair<std::int64_t, std::int64_t>;

place_key key_of(hta_place place) { return {place.process, place.thread}; }

struct annotated_range {
  time_range times{};
  event_id event = none;
};

// The device's annotations by the stream that they lie on, longest first; nothing where there is none at all.
std::optional<std::map<place_key, std::vector<annotated_range>>> device_annotations(
    const trace& t, const hta_rows& rows, const hta_options& options) {
  std::map<place_key, std::vector<annotated_range>> by_place;
  bool any = false;
  for_each_host_row(t, rows, options, [&](event_id e, time_range at, bool kept) {
    if (t.events.kind[e] != category::device_annotation) return;
    any = true;
    if (kept) by_place[key_of(hta_place_of_event(t, e))].push_back({at, e});
  });
  if (!any) return std::nullopt;
  for (auto& [place, ranges] : by_place)
    std::ranges::stable_sort(ranges, std::greater{},
                             [](const auto& r) { return r.times.end_ns - r.times.start_ns; });
  return by_place;
}

// Gives an annotation to the works of its stream that it overlaps; `works` are places in `all`, by start, and
// `latest_end` is the last end of any up to each.
void annotate(std::vector<hta_annotated_work>& all, std::span<const std::size_t> works,
              std::span<const nanoseconds> latest_end, const annotated_range& range) {
  auto behind = static_cast<std::size_t>(
      std::ranges::lower_bound(works, range.times.end_ns, {},
                               [&](std::size_t i) { return all[i].times.start_ns; }) -
      works.begin());
  for (; behind > 0 && latest_end[behind - 1] > range.times.start_ns; --behind) {
    auto& work = all[works[behind - 1]];
    if (work.times.end_ns > range.times.start_ns) work.annotation = range.event;
  }
}

}  // namespace

std::optional<std::vector<hta_annotated_work>> hta_annotated_works(const trace& t,
                                                                   const hta_options& options) {
  const auto rows = hta_rows_of(t, options);
  const auto annotations = device_annotations(t, rows, options);
  if (!annotations) return std::nullopt;
  std::vector<hta_annotated_work> all;
  std::map<place_key, std::vector<std::size_t>> works_at;
  for (const auto& row : rows.device) {
    if (!row.is_work) continue;
    works_at[key_of(hta_place_of(t, row.work))].push_back(all.size());
    all.push_back({row.work, {row.start_ns, row.end_ns}});
  }
  for (const auto& [place, ranges] : *annotations) {
    const auto at = works_at.find(place);
    if (at == works_at.end()) continue;
    std::vector<nanoseconds> latest_end;
    for (const auto i : at->second)
      latest_end.push_back(latest_end.empty() ? all[i].times.end_ns
                                              : std::max(latest_end.back(), all[i].times.end_ns));
    for (const auto& range : ranges) annotate(all, at->second, latest_end, range);
  }
  return all;
}

std::optional<std::vector<hta_kernel_time>> hta_annotations(const trace& t,
                                                            const hta_annotation_options& which,
                                                            const hta_options& options) {
  const auto wanted = which.of_device ? category::device_annotation : category::annotation;
  bool any = false;
  std::map<std::string_view, std::vector<double>> times;
  for_each_host_row(t, hta_rows_of(t, options), options, [&](event_id e, time_range at, bool kept) {
    if (t.events.kind[e] != wanted) return;
    any = true;
    if (kept) times[t.name_of(e)].push_back(static_cast<double>(at.end_ns - at.start_ns));
  });
  if (!any) return std::nullopt;
  std::vector<hta_kernel_time> rows;
  for (const auto& [name, lengths] : times)
    rows.push_back(hta_kernel_time_of(std::string(name), hta_kernel_type::other, lengths));
  return hta_folded(std::move(rows), {which.names_shown, which.sums_shown, which.kept_parts});
}

}  // namespace ridge::trace
