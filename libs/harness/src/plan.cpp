// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/harness/runner.hpp>

namespace ridge::harness {
namespace {

error wrong_axis(std::string_view text, std::string_view why) {
  return {fmt::format("axis \"{}\": {}", text, why),
          "write NAME=8,16,32 or NAME=2^20..26:2 or NAME=word,word"};
}

std::optional<std::int64_t> whole(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> real(std::string_view text) {
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

// A whole number given for an axis of real ones is a real one.
model::axis_value as_on(const axis& a, const model::axis_value& given) {
  const auto* number = std::get_if<std::int64_t>(&given);
  const bool wanted = !a.values.empty() && std::holds_alternative<double>(a.values.front());
  return number && wanted ? model::axis_value(static_cast<double>(*number)) : given;
}

// "2^20..26:2": every second exponent; "2^20": one power.
result<std::vector<model::axis_value>> powers(std::string_view spec, std::string_view text) {
  const auto body = spec.substr(2);
  const auto dots = body.find("..");
  const auto from = whole(body.substr(0, dots));
  std::optional<std::int64_t> to = from, step = 1;
  if (dots != std::string_view::npos) {
    auto rest = body.substr(dots + 2);
    if (rest.starts_with("2^")) rest.remove_prefix(2);
    const auto colon = rest.find(':');
    to = whole(rest.substr(0, colon));
    if (colon != std::string_view::npos) step = whole(rest.substr(colon + 1));
  }
  if (!from || !to || !step || *from < 0 || *to > 62 || *from > *to || *step < 1) {
    return wrong_axis(text, "exponents must be whole, rising and at most 62");
  }
  std::vector<model::axis_value> values;
  for (auto e = *from; e <= *to; e += *step) values.emplace_back(std::int64_t{1} << e);
  return values;
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

result<axis_override> parse_axis_override(std::string_view text) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0)
    return wrong_axis(text, "no name before an equals sign");
  axis_override made{.axis = std::string(trim(text.substr(0, equals)))};
  for (auto part : split(text.substr(equals + 1), ',')) {
    part = trim(part);
    if (part.empty()) return wrong_axis(text, "a value is missing");
    if (part.starts_with("2^")) {
      auto list = powers(part, text);
      if (!list) return list.why();
      made.values.insert(made.values.end(), list->begin(), list->end());
    } else if (const auto number = whole(part)) {
      made.values.emplace_back(*number);
    } else if (const auto fraction = real(part)) {
      made.values.emplace_back(*fraction);
    } else {
      made.values.emplace_back(std::string(part));
    }
  }
  return made;
}

result<mode> mode_named(std::string_view text) {
  std::vector<std::string> names;
  for (const auto m : {mode::warm, mode::graph, mode::host_latency}) {
    if (name(m) == text) return m;
    names.emplace_back(name(m));
  }
  const auto near = nearest_name(text, names);
  return error{fmt::format("no mode is called \"{}\"", text),
               near ? fmt::format("did you mean \"{}\"?", *near)
                    : "the modes are warm, graph and latency; cold is always measured"};
}

result<profile> profile_named(std::string_view name) {
  if (name == "minimal") return profile{.name = "minimal", .budget_per_arm_s = 0.25, .every_problem = false};
  if (name == "standard") return profile{.modes = {mode::host_latency}};
  if (name == "deep") {
    return profile{.name = "deep",
                   .budget_per_arm_s = 5,
                   .forks = 5,
                   .counters = true,
                   .modes = {mode::warm, mode::graph, mode::host_latency}};
  }
  const std::vector<std::string> names{"minimal", "standard", "deep"};
  const auto near = nearest_name(name, names);
  return error{
      fmt::format("no profile is called \"{}\"", name),
      near ? fmt::format("did you mean \"{}\"?", *near) : "the profiles are minimal, standard and deep"};
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
      if (options.backend && *options.backend != backend) continue;
      if (!std::ranges::any_of(e->variants, [&](const auto& v) { return v.backend == backend; })) continue;
      for (const auto& p : problems_with(e, options.axes, backend, options.profile.every_problem))
        families.push_back({e, p, backend});
    }
  }
  return families;
}

}  // namespace ridge::harness
