// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <ridge/trace/hta_programs.hpp>

#include "hta/hta_folding.hpp"
#include "hta/hta_host_rows.hpp"

namespace ridge::trace {

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
