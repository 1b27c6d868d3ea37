// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <ridge/trace/trace_diff.hpp>

#include "page_parts.hpp"

namespace ridge::trace_report {
namespace {

sheet states_sheet(const trace::trace_diff& diff) {
  sheet made{.key = "states",
             .title = diff.per_step ? "Time per step" : "Time of the window",
             .fields = {{"state", "state"},
                        {"before_ns", "before", unit::nanoseconds},
                        {"after_ns", "after", unit::nanoseconds},
                        {"delta_ns", "change", unit::nanoseconds},
                        {"pct_of_before", "of all before", unit::percent}}};
  const auto add = [&](std::string_view state, const trace::diff_time& t, report::tone look) {
    made.rows.push_back(
        {.values = {std::string(state), t.before_ns, t.after_ns, t.delta_ns(),
                    percent_of(static_cast<double>(t.delta_ns()), static_cast<double>(diff.total.before_ns))},
         .look = look});
  };
  for (int s = 0; s < trace::diff_state_count; ++s) {
    const auto state = static_cast<trace::diff_state>(s);
    add(name(state), diff.state(state), report::tone::plain);
  }
  add("all", diff.total, report::tone::strong);
  return made;
}

sheet rows_sheet(const trace::trace_diff& diff, std::size_t rows) {
  sheet made{.key = "causes",
             .title = "What changed it",
             .fields = {{"name", ""},
                        {"short_name", "work"},
                        {"op", "operator"},
                        {"state", ""},
                        {"cause", "because"},
                        {"calls_before", "calls", unit::count},
                        {"calls_after", "now", unit::count},
                        {"before_ns", "before", unit::nanoseconds},
                        {"after_ns", "after", unit::nanoseconds},
                        {"delta_ns", "change", unit::nanoseconds},
                        {"by_calls_ns", "", unit::nanoseconds},
                        {"by_speed_ns", "", unit::nanoseconds}},
             .empty = "no device work changed"};
  std::size_t changed = 0;
  for (const auto& r : diff.rows) changed += r.time.delta_ns() != 0 ? 1U : 0U;
  const auto shown = shown_rows(changed, rows, made);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& r = diff.rows[i];
    made.rows.push_back(
        {.values = {r.name, short_name(r.name, 44), short_name(r.op, 24), std::string(name(r.state)),
                    std::string(name(r.cause)), r.calls.before, r.calls.after, r.time.before_ns,
                    r.time.after_ns, r.time.delta_ns(), r.calls_ns, r.speed_ns}});
  }
  return made;
}

}  // namespace

document diff_page(const scope& before, const scope& after) {
  const auto steps_before = step_windows_of(before), steps_after = step_windows_of(after);
  const bool stepped = !steps_before.empty() && !steps_after.empty();
  trace::diff_side a{.source = before.source, .classes = before.classes},
      b{.source = after.source, .classes = after.classes};
  if (stepped) {
    a.steps = steps_before;
    b.steps = steps_after;
  }
  const auto diff = trace::diff_of(a, b);
  document d{.schema = "ridge.trace.diff/1",
             .title = "from " + headline(*before.source) + " to " + headline(*after.source)};
  d.facts = {{"before", before.source->source.path},
             {"after", after.source->source.path},
             {"per_step", diff.per_step},
             {"total_delta_ns", diff.total.delta_ns()},
             {"remainder_ns", diff.remainder_ns}};
  d.sheets = {states_sheet(diff), rows_sheet(diff, before.rows)};
  d.notes.push_back("Two traces show what changed, not whether it is a gain: `ridge compare` measures that.");
  return d;
}

}  // namespace ridge::trace_report
