// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/choose_steps.hpp>
#include <ridge/trace_report/pages.hpp>

namespace ridge::trace_report {

result<scope> scope_of(const trace::trace& t, const view& v) {
  scope s{.source = &t, .all_steps = trace::steps_of(t), .rows = v.rows, .full_names = v.full_names};
  s.steps = s.all_steps.steps;
  if (!v.steps.empty()) {
    auto chosen = trace::choose_steps(s.all_steps, v.steps);
    if (!chosen) return chosen.why();
    s.steps = std::move(*chosen);
    s.window = trace::window_of(s.steps);
  }
  s.classes = trace::classes_of(t, v.names);
  return s;
}

}  // namespace ridge::trace_report
