// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/plan.hpp>

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

namespace ridge::harness {
namespace {

// A whole number given for an axis of real ones is a real one.
model::axis_value as_on(const axis& a, const model::axis_value& given) {
  const auto* number = std::get_if<std::int64_t>(&given);
  const bool wanted = !a.values.empty() && std::holds_alternative<double>(a.values.front());
  return number && wanted ? model::axis_value(static_cast<double>(*number)) : given;
}

// The problems of one experiment with overridden axes; none where an override leaves an axis without values.
std::vector<problem> problems_with(const experiment& source, const std::vector<axis_override>& overrides,
                                   model::backend backend, bool every) {
  auto axes = axes_on(source->axes, backend);
  for (auto& a : axes) {
    const auto found = std::ranges::find(overrides, a.name, &axis_override::axis);
    if (found == overrides.end()) {
      if (!every && a.values.size() > 1) a.values.resize(1);
      continue;
    }
    const bool words = !a.values.empty() && std::holds_alternative<std::string>(a.values.front());
    std::vector<model::axis_value> kept;
    for (const auto& v : found->values) kept.push_back(as_on(a, v));
    if (words)
      std::erase_if(kept, [&](const auto& v) { return std::ranges::find(a.values, v) == a.values.end(); });
    a.values = kept;
  }
  auto all = problems_of(axes);
  std::erase_if(all, [&](const problem& p) { return source->skips(p); });
  return all;
}

result<void> check_overrides(const std::vector<experiment>& experiments,
                             const std::vector<axis_override>& overrides) {
  for (const auto& o : overrides) {
    std::set<std::string> names;
    bool found = false, same_kind = false;
    for (const auto& e : experiments) {
      for (const auto& a : e->axes) {
        names.insert(a.name);
        if (a.name != o.axis) continue;
        found = true;
        same_kind = same_kind || (!a.values.empty() && !o.values.empty() &&
                                  a.values.front().index() == as_on(a, o.values.front()).index());
      }
    }
    const std::vector<std::string> list(names.begin(), names.end());
    if (!found) {
      const auto near = nearest_name(o.axis, list);
      return error{fmt::format("no chosen experiment has an axis \"{}\"", o.axis),
                   near ? fmt::format("did you mean \"{}\"?", *near)
                        : fmt::format("the axes are: {}", join(list, ", "))};
    }
    if (!same_kind)
      return error{fmt::format("axis \"{}\" takes values of another kind", o.axis), "see `ridge show ID`"};
  }
  return {};
}

}  // namespace

result<std::vector<planned_family>> plan(const std::vector<experiment>& experiments,
                                         const run_options& options) {
  if (auto ok = check_overrides(experiments, options.axes); !ok) return ok.why();
  std::vector<planned_family> families;
  std::set<std::string> seen;
  for (const auto& e : experiments) {
    // Experiments that share an id are pieces of one (decision 0021): "the first problem" is the first
    // piece's.
    if (!options.profile.every_problem && options.axes.empty() && !seen.insert(e->id).second) continue;
    for (const auto backend : {model::backend::cpu, model::backend::cuda}) {
      if (options.backend && *options.backend != backend) continue;
      if (!std::ranges::any_of(e->variants, [&](const auto& v) { return v.backend == backend; })) continue;
      for (const auto& p : problems_with(e, options.axes, backend, options.profile.every_problem))
        families.push_back({e, p, backend});
    }
  }
  return families;
}

}  // namespace ridge::harness
