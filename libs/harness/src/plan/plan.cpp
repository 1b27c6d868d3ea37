// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/plan.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

namespace ridge::harness {
namespace {

// Returns a value of the kind that the axis takes; null for an axis without values.
const model::axis_value* example_of(const axis& a) {
  for (const auto* list : {&a.values, &a.cuda_values, &a.edges}) {
    if (!list->empty()) return &list->front();
  }
  return nullptr;
}

std::string_view name_of_kind(const model::axis_value& value) {
  if (std::holds_alternative<std::int64_t>(value)) return "whole number";
  return std::holds_alternative<double>(value) ? "real number" : "word";
}

// A whole number given for an axis of real ones is a real one.
model::axis_value as_on(const axis& a, const model::axis_value& given) {
  const auto* number = std::get_if<std::int64_t>(&given);
  const auto* example = example_of(a);
  const bool wanted = example != nullptr && std::holds_alternative<double>(*example);
  return number && wanted ? model::axis_value(static_cast<double>(*number)) : given;
}

bool has_kind_of(const axis& a, const model::axis_value& given) {
  const auto* example = example_of(a);
  return example != nullptr && example->index() == as_on(a, given).index();
}

// Why a number does not lie in the range of an axis, with the range; empty where it does, and for words.
std::string outside_range(const axis& a, const model::axis_value& given) {
  if (std::holds_alternative<std::string>(given)) return {};
  const auto* whole = std::get_if<std::int64_t>(&given);
  const double value = whole ? static_cast<double>(*whole) : std::get<double>(given);
  const auto range = range_of(a);
  const bool inside = (range.above_least ? value > range.least : value >= range.least) && value <= range.most;
  if (inside) return {};
  const auto end = [&](double x) {
    return whole ? model::text(model::axis_value(static_cast<std::int64_t>(x))) : fmt::format("{:g}", x);
  };
  if (!std::isfinite(range.most))
    return fmt::format("{} {}", range.above_least ? "above" : "at least", end(range.least));
  return fmt::format("between {} and {}", end(range.least), end(range.most));
}

// Returns the given values that the axis can take: those of its kind and in its range and, of words, those
// that it lists.
std::vector<model::axis_value> taken_by(const axis& a, const std::vector<model::axis_value>& given) {
  std::vector<model::axis_value> kept;
  for (const auto& value : given) {
    if (!has_kind_of(a, value)) continue;
    if (std::holds_alternative<std::string>(value) && std::ranges::find(a.values, value) == a.values.end())
      continue;
    if (outside_range(a, value).empty()) kept.push_back(as_on(a, value));
  }
  return kept;
}

// Gives the axes the values of their overrides; one that nothing overrides keeps its first value alone where
// `first_alone`.
void override_axes(std::vector<axis>& axes, const std::vector<axis_override>& overrides, bool first_alone) {
  for (auto& a : axes) {
    const auto found = std::ranges::find(overrides, a.name, &axis_override::axis);
    if (found != overrides.end()) {
      a.values = taken_by(a, found->values);
      a.edges.clear();
    } else if (first_alone && a.values.size() > 1) {
      a.values.resize(1);
    }
  }
}

// The problems of one experiment with overridden axes; none where an override leaves an axis without values.
std::vector<problem> problems_with(const experiment& source, const std::vector<axis_override>& overrides,
                                   model::backend backend, bool every) {
  auto axes = axes_on(source->axes, backend);
  override_axes(axes, overrides, !every);
  auto all = problems_of(axes);
  std::erase_if(all, [&](const problem& p) { return source->skips(p); });
  return all;
}

// The edge sizes of one experiment with overridden axes, and the first problem that a run would measure,
// unless it is left out where there are edges.
std::vector<problem> verified_problems(const experiment& source, const std::vector<axis_override>& overrides,
                                       model::backend backend, bool edges_only) {
  auto axes = axes_on(source->axes, backend);
  override_axes(axes, overrides, false);
  auto all = edge_problems_of(axes);
  std::erase_if(all, [&](const problem& p) { return source->skips(p); });
  if (edges_only && !all.empty()) return all;
  for (auto& own : problems_with(source, overrides, backend, false)) {
    if (std::ranges::find(all, own.point(), &problem::point) == all.end()) all.push_back(std::move(own));
  }
  return all;
}

error wrong_kind(const axis_override& given, const model::axis_value& value,
                 const std::vector<const axis*>& axes) {
  std::set<std::string> kinds;
  for (const auto* a : axes) {
    if (const auto* example = example_of(*a)) kinds.insert(fmt::format("{}s", name_of_kind(*example)));
  }
  const auto* example = example_of(*axes.front());
  return {fmt::format("axis \"{}\" expects {}, got \"{}\"", given.axis,
                      join(std::vector(kinds.begin(), kinds.end()), " or "), model::text(value)),
          example == nullptr
              ? std::string("see `ridge show ID`")
              : fmt::format("write {}={}, or see `ridge show ID`", given.axis, model::text(*example))};
}

// A value is in range where one of the axes that take its kind takes it.
result<void> check_range(const axis_override& given, const model::axis_value& value,
                         const std::vector<const axis*>& axes) {
  std::string range;
  for (const auto* a : axes) {
    if (!has_kind_of(*a, value)) continue;
    range = outside_range(*a, value);
    if (range.empty()) return {};
  }
  if (range.empty()) return {};
  return error{fmt::format("axis \"{}\" = {} is out of range", given.axis, model::text(value)),
               fmt::format("choose a value {}", range)};
}

result<void> check_overrides(const std::vector<experiment>& experiments,
                             const std::vector<axis_override>& overrides) {
  for (const auto& o : overrides) {
    std::set<std::string> names;
    std::vector<const axis*> meant;
    for (const auto& e : experiments) {
      for (const auto& a : e->axes) {
        names.insert(a.name);
        if (a.name == o.axis) meant.push_back(&a);
      }
    }
    const std::vector<std::string> list(names.begin(), names.end());
    if (meant.empty()) {
      const auto near = nearest_name(o.axis, list);
      return error{fmt::format("no chosen experiment has an axis \"{}\"", o.axis),
                   near ? fmt::format("did you mean \"{}\"?", *near)
                        : fmt::format("the axes are: {}", join(list, ", "))};
    }
    for (const auto& value : o.values) {
      if (std::ranges::none_of(meant, [&](const axis* a) { return has_kind_of(*a, value); }))
        return wrong_kind(o, value, meant);
      if (auto ok = check_range(o, value, meant); !ok) return ok.why();
    }
  }
  return {};
}

bool is_on(const experiment& one, model::backend backend, const run_options& options) {
  if (options.backend && *options.backend != backend) return false;
  return std::ranges::any_of(one->variants, [&](const auto& v) { return v.backend == backend; });
}

}  // namespace

bool takes_part(const variant_facts& variant, model::backend backend, const run_options& options) {
  if (variant.backend != backend) return false;
  return options.variants.empty() || variant.is == role::baseline ||
         std::ranges::any_of(options.variants,
                             [&](const auto& glob) { return glob_matches(glob, variant.name); });
}

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
      if (!is_on(e, backend, options)) continue;
      for (const auto& p : problems_with(e, options.axes, backend, options.profile.every_problem))
        families.push_back({e, p, backend});
    }
  }
  return families;
}

std::vector<planned_family> plan_edges(const experiment& source, model::backend backend) {
  std::vector<planned_family> families;
  for (const auto& p : edge_problems_of(axes_on(source->axes, backend))) {
    if (!source->skips(p)) families.push_back({source, p, backend});
  }
  return families;
}

result<std::vector<planned_family>> plan_verification(const std::vector<experiment>& experiments,
                                                      const run_options& options) {
  if (auto ok = check_overrides(experiments, options.axes); !ok) return ok.why();
  std::vector<planned_family> families;
  for (const auto& e : experiments) {
    for (const auto backend : {model::backend::cpu, model::backend::cuda}) {
      if (!is_on(e, backend, options)) continue;
      for (const auto& p : verified_problems(e, options.axes, backend, options.edges_only))
        families.push_back({e, p, backend});
    }
  }
  return families;
}

}  // namespace ridge::harness
