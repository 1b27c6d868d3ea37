// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/phases.hpp>

#include <algorithm>
#include <utility>

#include "host/launch_phases.hpp"
#include "timeline/device_span.hpp"

namespace ridge::trace {
namespace {

// Lays stretches end to end over the window.
class tiler {
 public:
  explicit tiler(phase_report& report) : report_(report), now_(report.window.start_ns) {}

  void add(const device_work& w, phase p) {
    if (w.end_ns <= report_.window.start_ns || w.start_ns >= report_.window.end_ns) return;
    ++time_of(p).works;
    time_of(p).idle_ns += lay(w.start_ns, p);
    time_of(p).busy_ns += lay(w.end_ns, p);
  }

  void finish(phase after_the_last) {
    time_of(after_the_last).idle_ns += lay(report_.window.end_ns, after_the_last);
  }

 private:
  phase_time& time_of(phase p) { return report_.phases[static_cast<std::size_t>(p)]; }

  nanoseconds lay(nanoseconds until, phase p) {
    const auto end = std::min(until, report_.window.end_ns);
    if (end <= now_) return 0;
    if (!report_.stretches.empty() && report_.stretches.back().kind == p)
      report_.stretches.back().range.end_ns = end;
    else
      report_.stretches.push_back({{now_, end}, p});
    return end - std::exchange(now_, end);
  }

  phase_report& report_;
  nanoseconds now_;
};

// Sources by strength: what a person named comes first.
phase_source strongest(phase_source a, phase_source b) {
  if (a == phase_source::not_told || b == phase_source::not_told) return std::max(a, b);
  return std::min(a, b);
}

bool trains(const std::vector<told_phase>& told) {
  return std::ranges::any_of(
      told, [](const told_phase& p) { return p.kind == phase::backward || p.kind == phase::optimizer; });
}

}  // namespace

phase_report phases_of(const trace& t, std::int32_t device, std::optional<time_range> window) {
  phase_report made{.device = device, .window = window ? *window : device_span(t, device)};
  const auto works = t.works_of(device);
  auto told = launch_phases(t, works);
  if (!trains(told)) guess_decode(t, works, told);
  tiler tiles(made);
  for (std::size_t i = 0; i < works.size(); ++i) {
    const auto [kind, source] = told[i];
    tiles.add(works[i], kind);
    made.of_work.push_back(kind);
    auto& of = is_inference(kind) ? made.inference_source : made.source;
    of = strongest(of, source);
  }
  tiles.finish(phase::other);
  return made;
}

}  // namespace ridge::trace
