// SPDX-License-Identifier: Apache-2.0
#include <ridge/probe/roofline_charts.hpp>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include <ridge/base/text.hpp>
#include <ridge/probe/roof_name.hpp>
#include <ridge/probe/roofline_verdict.hpp>
#include <ridge/probe/roofs.hpp>

#include "roofline/roofline_points.hpp"

namespace ridge::probe {
namespace {

using model::roof;
using model::roof_kind;

std::string fact(const model::environment& e, std::string_view name) {
  for (const auto& [key, value] : e.facts) {
    if (key == name) return value;
  }
  return "";
}

std::string vendor_of(std::string_view model) {
  if (model.find("Intel") != std::string_view::npos || model.find("INTEL") != std::string_view::npos)
    return "GenuineIntel";
  return model.find("AMD") != std::string_view::npos ? "AuthenticAMD" : "ARM";
}

// Returns the clock at which rows of the processor were measured, where one was.
double cpu_clock_of(const model::peak& peak) {
  const auto* clock = peak.find("cpu.clock");
  return clock && clock->unit == "Hz" ? clock->value : 0;
}

specified_limit limits_of(const model::run& run, const hardware::catalogue& known) {
  const auto& e = run.environment;
  const auto* gpu = known.find_gpu({.name = fact(e, "gpu")});
  const auto* cpu = known.find_processor(vendor_of(e.cpu), e.cpu);
  const double clock_hz = cpu_clock_of(run.peak);
  return [=](std::string_view ceiling, int threads) -> std::optional<hardware::specification> {
    if (ceiling.starts_with("cuda.")) return gpu ? specified(*gpu, ceiling) : std::nullopt;
    if (!cpu) return std::nullopt;
    return specified(*cpu, ceiling, {.cores = std::max(threads, 1), .clock_hz = clock_hz});
  };
}

std::string lower(std::string_view text) {
  std::string low(text);
  std::ranges::transform(low, low.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return low;
}

bool chosen(const std::vector<std::string>& among, std::string_view word) {
  return std::ranges::any_of(among,
                             [&](const std::string& candidate) { return lower(candidate) == lower(word); });
}

// Returns how soon a roof is left out when there are too many; the lowest stays.
int dispensable(const roof& r, const std::vector<model::roofline_point>& points) {
  const bool used = std::ranges::any_of(points, [&](const auto& p) {
    return r.kind == roof_kind::bandwidth ? p.level == r.level : p.dtype == r.dtype && p.units == r.units;
  });
  if (r.kind == roof_kind::bandwidth) return r.level == "DRAM" ? 0 : used ? 1 : 2 + rank_of_level(r.level);
  if (used || r.dtype == "fp32") return 1;
  if (r.origin == model::roof_origin::specified) return 9;
  return r.dtype == "bf16" ? 2 : r.dtype == "fp8" ? 3 : r.dtype == "fp64" ? 4 : r.dtype == "tf32" ? 5 : 6;
}

void choose(model::roofline_chart& c, const roofline_options& options) {
  std::vector<roof*> open;
  for (auto& r : c.roofs) {
    const bool bandwidth = r.kind == roof_kind::bandwidth;
    const auto& wanted = bandwidth ? options.levels : options.dtypes;
    r.shown = wanted.empty() ? r.level != "host" : chosen(wanted, bandwidth ? r.level : r.dtype);
    if (r.shown && wanted.empty()) open.push_back(&r);
  }
  std::ranges::stable_sort(open, {}, [&](const roof* r) { return dispensable(*r, c.points); });
  const auto kept = static_cast<std::size_t>(std::ranges::count_if(c.roofs, &roof::shown)) - open.size();
  const auto room = options.most_roofs > kept ? options.most_roofs - kept : 0;
  for (std::size_t i = room; i < open.size(); ++i) open[i]->shown = false;
}

void add_time_shares(std::vector<model::roofline_point>& points) {
  double all = 0;
  for (const auto& p : points) all += p.seconds;
  for (auto& p : points) p.time_share = all > 0 ? p.seconds / all : 0;
}

using place = std::pair<model::backend, int>;

// Sorts the kernels by the chart they belong to; all kernels on a GPU share one chart.
std::map<place, std::vector<model::roofline_point>> sorted_points(const model::run& run,
                                                                  const roofline_options& options) {
  std::map<place, std::vector<model::roofline_point>> sorted;
  for (const auto& f : run.families) {
    for (auto& p : points_of(f, run.peak)) {
      if (!options.only.empty() && !glob_matches(options.only, p.kernel)) continue;
      sorted[{f.backend, f.backend == model::backend::cpu ? p.threads : 0}].push_back(std::move(p));
    }
  }
  return sorted;
}

// Returns the charts of a run without kernels: one for each backend that has ceilings.
std::set<place> bare_places(const model::peak& peak) {
  std::set<place> places;
  int most = 0;
  for (const auto& c : peak.ceilings) {
    if (!roof_of(c.id)) continue;
    if (c.id.starts_with("cuda.")) places.emplace(model::backend::cuda, 0);
    if (c.id.starts_with("cpu.")) most = std::max(most, c.threads);
  }
  if (most > 0) places.emplace(model::backend::cpu, most);
  return places;
}

}  // namespace

model::roofline roofline_of(const model::run& run, const hardware::catalogue& known,
                            const roofline_options& options) {
  model::roofline made{.run = run.id, .machine = run.environment.machine, .started = run.started};
  auto sorted = sorted_points(run, options);
  if (sorted.empty()) {
    for (const auto& at : bare_places(run.peak)) sorted[at] = {};
  }
  const auto specified = limits_of(run, known);
  for (auto& [at, points] : sorted) {
    model::roofline_chart c{.backend = at.first, .threads = at.second};
    c.device = at.first == model::backend::cpu ? run.environment.cpu : fact(run.environment, "gpu");
    c.roofs = roofs_of(run.peak, at.first, at.second, specified);
    c.points = std::move(points);
    add_time_shares(c.points);
    for (auto& p : c.points) p.verdict = judge(p, c.roofs);
    choose(c, options);
    c.ridges = ridges_of(c.roofs);
    made.charts.push_back(std::move(c));
  }
  return made;
}

}  // namespace ridge::probe
