// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/steps.hpp>

#include <algorithm>
#include <array>

namespace ridge::trace {

std::string_view name(step_source s) {
  constexpr std::array<std::string_view, 4> names{"no steps", "ProfilerStep", "numbered ranges",
                                                  "periodic range"};
  return names.at(static_cast<std::size_t>(s));
}

std::span<const step> step_windows::steady() const {
  const std::span<const step> all(steps);
  return all.size() > 2 ? all.subspan(1, all.size() - 2) : all;
}

std::vector<time_range> step_windows::windows() const {
  std::vector<time_range> out;
  for (const auto& s : steps) out.push_back(s.window);
  return out;
}

step_windows steps_of(const trace&) { return {}; }

result<std::vector<step>> choose_steps(const step_windows& from, std::string_view) { return from.steps; }

time_range window_of(std::span<const step> steps) {
  if (steps.empty()) return {};
  time_range out = steps.front().window;
  for (const auto& s : steps)
    out = {std::min(out.start_ns, s.window.start_ns), std::max(out.end_ns, s.window.end_ns)};
  return out;
}

time_range whole_window(const trace& t) {
  if (t.works.empty() && t.events.size() == 0) return {};
  const bool device = !t.works.empty();
  time_range out = device ? time_range{t.works[0].start_ns, t.works[0].end_ns}
                          : time_range{t.events.start_ns[0], t.events.end_ns(0)};
  const auto widen = [&](nanoseconds start, nanoseconds end) {
    out = {std::min(out.start_ns, start), std::max(out.end_ns, end)};
  };
  for (const auto& w : t.works) widen(w.start_ns, w.end_ns);
  for (event_id e = 0; !device && e < t.events.size(); ++e) widen(t.events.start_ns[e], t.events.end_ns(e));
  return out;
}

}  // namespace ridge::trace
