// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/hta_differences.hpp>

#include <algorithm>
#include <array>
#include <functional>

#include <ridge/base/expects.hpp>

#include "hta/hta_breakdown.hpp"
#include "hta/hta_rows.hpp"

namespace ridge::trace {
namespace {

// One work as it is changed from the exact figures to HTA's: each stage applies one more of HTA's
// definitions.
struct staged_work {
  time_range exact{}, rounded{};
  bool kept = true;
  bool without_launch = false;
  bool of_trace = true;  // false: only HTA takes it as device work
  bool fill = false;
  bool computes = false;      // by the classes given
  bool hta_computes = false;  // by HTA's patterns
};

struct stage {
  const char* description = "";
  bool keeps_unlaunched = true, keeps_last_step = true, adds_host = false, fills_compute = true;
  bool hta_names = false, hta_times = false;
};

constexpr std::array<std::string_view, 4> figure_names{"window", "idle", "compute", "non_compute"};
using figures = std::array<nanoseconds, 4>;

std::vector<staged_work> staged(const trace& t, std::span<const work_class> classes, const hta_rows& rows,
                                const hta_options& options) {
  std::vector<staged_work> out;
  for (work_id id = 0; id < t.works.size(); ++id) {
    const auto& w = t.works[id];
    out.push_back({.exact = {w.start_ns, w.end_ns},
                   .rounded = hta_times(w.start_ns, w.duration_ns(), options),
                   .kept = rows.fates[id] == hta_fate::kept,
                   .without_launch = rows.fates[id] == hta_fate::without_launch,
                   .fill = classes[id] == work_class::fill,
                   .computes = classes[id] == work_class::compute});
  }
  for (const auto& r : rows.device) {
    const bool computes = r.type == hta_kernel_type::computation;
    if (r.is_work)
      out[r.work].hta_computes = computes;
    else
      out.push_back({.exact = {r.start_ns, r.end_ns},
                     .rounded = {r.start_ns, r.end_ns},
                     .of_trace = false,
                     .computes = computes,
                     .hta_computes = computes});
  }
  return out;
}

bool includes(const staged_work& w, const stage& s) {
  if (!w.of_trace) return s.adds_host;
  return w.kept || (w.without_launch ? s.keeps_unlaunched : s.keeps_last_step);
}

bool computes(const staged_work& w, const stage& s) {
  if (w.fill) return s.fills_compute;
  return s.hta_names ? w.hta_computes : w.computes;
}

figures figures_at(std::span<const staged_work> works, const stage& s) {
  std::vector<time_range> all, computing;
  for (const auto& w : works) {
    if (!includes(w, s)) continue;
    const auto at = s.hta_times ? w.rounded : w.exact;
    all.push_back(at);
    if (computes(w, s)) computing.push_back(at);
  }
  const auto busy = hta_merged(all);
  if (busy.empty()) return {};
  // HTA's window ends with its last range, not with the latest end; both are equal once ranges are merged.
  const auto window = busy.back().end_ns - busy.front().start_ns;
  const auto idle = window - hta_length(busy), compute = hta_length(hta_merged(computing));
  return {window, idle, compute, window - idle - compute};
}

std::size_t count(std::span<const staged_work> works, const std::function<bool(const staged_work&)>& which) {
  return static_cast<std::size_t>(std::ranges::count_if(works, which));
}

std::string stage_text(const stage& s, std::span<const staged_work> works) {
  const auto moved = [](const staged_work& w) { return w.kept && !(w.exact == w.rounded); };
  const auto other = [](const staged_work& w) { return w.kept && !w.fill && w.computes != w.hta_computes; };
  std::size_t n = 0;
  if (s.hta_times)
    n = count(works, moved);
  else if (s.hta_names)
    n = count(works, other);
  else if (!s.fills_compute)
    n = count(works, [](const staged_work& w) { return w.kept && w.fill; });
  else if (s.adds_host)
    n = count(works, [](const staged_work& w) { return !w.of_trace; });
  else if (!s.keeps_last_step)
    n = count(works, [](const staged_work& w) { return !w.kept && !w.without_launch; });
  else
    n = count(works, [](const staged_work& w) { return w.without_launch; });
  return std::string(s.description) + ": " + std::to_string(n) + " works";
}

std::vector<stage> stages(const hta_options& options) {
  std::vector<stage> all{{}};
  const auto next = [&](const char* stage, auto change) {
    all.push_back(all.back());
    all.back().description = stage;
    change(all.back());
  };
  next("without a launch in the trace, left out", [](stage& s) { s.keeps_unlaunched = false; });
  next("launched from the last step on, left out", [](stage& s) { s.keeps_last_step = false; });
  next("host events that name a stream, taken as device work", [](stage& s) { s.adds_host = true; });
  next("fills are no compute", [](stage& s) { s.fills_compute = false; });
  next("kernels that HTA's names put into another class", [](stage& s) { s.hta_names = true; });
  next(options.round_to_us ? "start rounded up and end down to whole microseconds"
                           : "times kept as floating microseconds",
       [](stage& s) { s.hta_times = true; });
  return all;
}

}  // namespace

std::vector<hta_difference> hta_differences(const trace& t, std::span<const work_class> classes,
                                            const hta_options& options) {
  expects(classes.size() == t.works.size(), "hta_differences: one class for each of trace::works");
  const auto works = staged(t, classes, hta_rows_of(t, options), options);
  std::vector<hta_difference> out;
  for (const auto name : figure_names) out.push_back({.figure = std::string(name)});
  figures before{};
  for (bool exact = true; const auto& s : stages(options)) {
    const auto now = figures_at(works, s);
    for (std::size_t f = 0; f < out.size(); ++f) {
      if (exact) out[f].exact_ns = now[f];
      if (!exact && now[f] != before[f]) out[f].causes.push_back({stage_text(s, works), now[f] - before[f]});
      out[f].hta_ns = now[f];
    }
    before = now;
    exact = false;
  }
  return out;
}

}  // namespace ridge::trace
