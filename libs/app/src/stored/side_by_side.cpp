// SPDX-License-Identifier: Apache-2.0
#include "stored/side_by_side.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include <ridge/base/escape.hpp>
#include <ridge/model/comparison_row.hpp>
#include <ridge/report/table.hpp>
#include <ridge/report/words.hpp>

namespace ridge::app {
namespace {

std::map<std::string, std::string> facts_of(const model::run& run) {
  const auto& e = run.environment;
  std::map<std::string, std::string> all(e.facts.begin(), e.facts.end());
  all["machine"] = e.machine;
  all["host"] = e.host;
  all["kernel"] = e.kernel;
  all["compiler"] = e.compiler;
  all["flags"] = e.flags;
  all["build"] = e.build;
  all["profile"] = run.profile;
  return all;
}

std::string environment_difference(const model::run& first, const model::run& second,
                                   const terminal& screen) {
  report::table table({{"DIFFERENT"}, {first.started}, {second.started}});
  auto left = facts_of(first), right = facts_of(second);
  for (const auto& [name, value] : right) left.try_emplace(name);
  for (const auto& [name, value] : left) {
    if (value != right[name]) table.row({{name}, {value}, {right[name]}});
  }
  return table.empty() ? "the environments are the same\n" : table.text(layout_on(screen));
}

const model::family* same_problem(const model::run& run, const model::family& family) {
  const auto found = std::ranges::find_if(run.families, [&](const auto& f) {
    return f.experiment == family.experiment && f.problem == family.problem && f.backend == family.backend;
  });
  return found == run.families.end() ? nullptr : &*found;
}

void add_family(report::table& table, const model::family& first, const model::family& second) {
  for (const auto& m : first.measurements) {
    const auto* other = model::find(second, m.variant);
    if (other == nullptr || m.metrics.empty()) continue;
    const auto& a = m.metrics.front();
    const auto* b = model::find(*other, a.metric.name);
    if (b == nullptr) continue;
    table.row({{m.variant},
               {report::with_interval(a.median, a.ci, a.metric.unit)},
               {report::with_interval(b->median, b->ci, b->metric.unit)}});
  }
}

}  // namespace

std::string side_by_side(const model::run& first, const model::run& second, const terminal& screen) {
  auto text = environment_difference(first, second, screen);
  for (const auto& f : first.families) {
    const auto* other = same_problem(second, f);
    if (other == nullptr) continue;
    report::table table({{"VARIANT"}, {first.started}, {second.started}});
    add_family(table, f, *other);
    text += fmt::format("\n{}  {}\n{}", paint(screen, report::tone::strong, terminal_escaped(f.experiment)),
                        terminal_escaped(model::text(f.problem)), table.text(layout_on(screen, 2)));
  }
  return text +
         "\nThese runs were not measured interleaved, so they get no verdict; measure both with `ridge "
         "compare ID "
         "--against <binary or commit>`.\n";
}

}  // namespace ridge::app
