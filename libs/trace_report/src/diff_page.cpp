// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>

#include <fmt/format.h>

#include <ridge/trace/trace_diff.hpp>

#include "kernel_names.hpp"
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

std::string work_text(const trace::diff_row& r) {
  if (r.state == trace::diff_state::idle) return "idle: " + r.name;
  return r.new_name.empty() ? r.name : r.name + " → " + r.new_name;
}

// Makes works fit; of a renamed one each name gets half of the columns.
std::vector<std::string> short_works(const std::vector<std::string>& texts, std::size_t columns) {
  constexpr std::string_view arrow = " → ";
  std::vector<std::string> names;
  for (const auto& text : texts) {
    const auto at = text.find(arrow);
    names.push_back(text.substr(0, at));
    names.push_back(at == std::string::npos ? "" : text.substr(at + arrow.size()));
  }
  const auto wide = short_names(names, columns),
             narrow = short_names(names, columns > 3 ? (columns - 3) / 2 : 1);
  std::vector<std::string> made;
  for (std::size_t i = 0; i < names.size(); i += 2)
    made.push_back(names[i + 1].empty() ? wide[i] : narrow[i] + std::string(arrow) + narrow[i + 1]);
  return made;
}

// Modules and operators whose change is at least a hundredth of all that changed, each below its parent.
sheet changed_tree_sheet(const trace::trace_diff& diff, std::size_t rows) {
  sheet made{.key = "tree",
             .title = "Where it changed",
             .fields = {{"path", ""},
                        {"shown", "module, operator"},
                        {"before_ns", "before", unit::nanoseconds},
                        {"after_ns", "after", unit::nanoseconds},
                        {"delta_ns", "change", unit::nanoseconds},
                        {"own_delta_ns", "", unit::nanoseconds}}};
  std::map<std::uint32_t, std::vector<std::uint32_t>> below;
  std::vector<std::uint32_t> order(diff.tree.size());
  for (std::uint32_t n = 0; n < diff.tree.size(); ++n) {
    order[n] = n;
    below[diff.tree[n].parent].push_back(n);
  }
  const auto size = [&](std::uint32_t n) { return std::abs(diff.tree[n].whole.delta_ns()); };
  std::ranges::stable_sort(order, std::greater{}, size);
  std::vector<bool> kept(order.size(), rows == 0);
  for (std::size_t i = 0; i < std::min(rows, order.size()); ++i)  // with all that they lie in
    for (auto n = order[i]; n != trace::none && size(order[i]) > 0; n = diff.tree[n].parent) kept[n] = true;
  const std::function<void(std::uint32_t, const std::string&)> add = [&](std::uint32_t n,
                                                                         const std::string& above) {
    if (!kept[n]) return;
    const auto& node = diff.tree[n];
    const auto path = above.empty() ? node.name : above + " > " + node.name;
    made.rows.push_back(
        {.values = {path,
                    std::string(std::size_t{2} * std::min(node.depth, 20U), ' ') + cut_middle(node.name, 44),
                    node.whole.before_ns, node.whole.after_ns, node.whole.delta_ns(), node.own.delta_ns()}});
    auto& children = below[n];
    std::ranges::stable_sort(children, std::greater{}, size);
    for (const auto child : children) add(child, path);
  };
  auto& roots = below[trace::none];
  std::ranges::stable_sort(roots, std::greater{}, size);
  for (const auto root : roots) add(root, "");
  if (made.rows.size() < diff.tree.size())
    made.notes.push_back(fmt::format("{} more; --rows 0 shows all", diff.tree.size() - made.rows.size()));
  return made;
}

sheet changed_devices_sheet(const trace::trace_diff& diff) {
  sheet made{.key = "devices",
             .title = "By GPU",
             .fields = {{"before_device", "GPU before", unit::count},
                        {"after_device", "after", unit::count},
                        {"before_ns", "time before", unit::nanoseconds},
                        {"after_ns", "after", unit::nanoseconds},
                        {"delta_ns", "change", unit::nanoseconds},
                        {"compute_delta_ns", "compute", unit::nanoseconds},
                        {"exposed_comm_delta_ns", "exposed comm", unit::nanoseconds},
                        {"exposed_memcpy_delta_ns", "exposed copies", unit::nanoseconds},
                        {"idle_delta_ns", "idle", unit::nanoseconds}}};
  if (diff.devices.size() < 2) return made;
  for (const auto& d : diff.devices) {
    row one{.values = {d.before ? value(std::int64_t{*d.before}) : value(),
                       d.after ? value(std::int64_t{*d.after}) : value(), d.total.before_ns, d.total.after_ns,
                       d.total.delta_ns()}};
    for (const auto& state : d.states) one.values.emplace_back(state.delta_ns());
    made.rows.push_back(std::move(one));
  }
  return made;
}

sheet rows_sheet(const trace::trace_diff& diff, const scope& s) {
  sheet made{.key = "causes",
             .title = "What changed it",
             .fields = {{"name", ""},
                        {"new_name", ""},
                        {"work", "work"},
                        {"short_name", ""},
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
             .empty = "nothing changed"};
  std::size_t changed = 0;
  for (const auto& r : diff.rows) changed += r.time.delta_ns() != 0 ? 1U : 0U;
  const auto shown = shown_rows(changed, s.rows, made);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& r = diff.rows[i];
    made.rows.push_back(
        {.values = {r.name, r.new_name, work_text(r), std::string(), short_name(r.op, 20),
                    std::string(name(r.state)), std::string(name(r.cause)), r.calls.before, r.calls.after,
                    r.time.before_ns, r.time.after_ns, r.time.delta_ns(), r.calls_ns, r.speed_ns}});
  }
  constexpr std::size_t work = 2, columns = 56;
  std::vector<std::string> texts;
  for (const auto& r : made.rows) texts.push_back(std::get<std::string>(r.values[work]));
  const auto short_ones = short_works(texts, columns);
  for (std::size_t i = 0; i < texts.size(); ++i) made.rows[i].values[work + 1] = short_ones[i];
  if (!s.full_names) made.fields[work].fit = short_works;
  return made;
}

}  // namespace

document diff_page(const scope& before, const scope& after) {
  const auto steps_before = step_windows_of(before), steps_after = step_windows_of(after);
  const bool stepped = !steps_before.empty() && !steps_after.empty();
  const auto old_ops = trace::op_tree_of(*before.source), new_ops = trace::op_tree_of(*after.source);
  const auto old_modules = trace::scopes_of(*before.source, old_ops, trace::scope_kind::modules),
             new_modules = trace::scopes_of(*after.source, new_ops, trace::scope_kind::modules);
  trace::diff_side a{.source = before.source,
                     .classes = before.classes,
                     .all_devices = true,
                     .ops = &old_ops,
                     .modules = &old_modules},
      b{.source = after.source,
        .classes = after.classes,
        .all_devices = true,
        .ops = &new_ops,
        .modules = &new_modules};
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
  d.sheets = {states_sheet(diff), changed_devices_sheet(diff), rows_sheet(diff, before),
              changed_tree_sheet(diff, before.rows)};
  d.notes.push_back("Two traces show what changed, not whether it is a gain: `ridge compare` measures that.");
  return d;
}

}  // namespace ridge::trace_report
