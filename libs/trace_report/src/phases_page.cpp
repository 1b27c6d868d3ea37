// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/phases.hpp>

#include "page_parts.hpp"

namespace ridge::trace_report {

document phases_page(const scope& s) {
  auto d = page_about(s, "phases");
  sheet made{.key = "phases",
             .title = "Phases",
             .fields = {{"device", "GPU"},
                        {"phase", "phase"},
                        {"source", "read from"},
                        {"busy_ns", "busy", unit::nanoseconds},
                        {"idle_ns", "idle before its work", unit::nanoseconds},
                        {"pct_of_window", "of window", unit::percent},
                        {"works", "works", unit::count}},
             .empty = "no device work is in this window"};
  for (const auto device : s.source->working_devices()) {
    const auto r = trace::phases_of(*s.source, device, s.window);
    const auto window = static_cast<double>(r.window.length_ns());
    for (int p = 0; p < trace::phase_count; ++p) {
      const auto kind = static_cast<trace::phase>(p);
      const auto& time = r.of(kind);
      if (time.window_ns() == 0) continue;
      const bool inference = kind == trace::phase::prefill || kind == trace::phase::decode;
      made.rows.push_back(
          {.values = {std::int64_t{device}, std::string(name(kind)),
                      std::string(name(inference ? r.inference_source : r.source)), time.busy_ns,
                      time.idle_ns, percent_of(static_cast<double>(time.window_ns()), window),
                      whole(time.works)}});
    }
  }
  d.sheets.push_back(std::move(made));
  return d;
}

}  // namespace ridge::trace_report
