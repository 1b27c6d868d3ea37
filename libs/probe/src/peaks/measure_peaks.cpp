// SPDX-License-Identifier: Apache-2.0
#include <ridge/probe/measure_peaks.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <ridge/base/error.hpp>
#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>

namespace ridge::probe {
namespace {

std::string_view literal_beginning(std::string_view pattern) {
  return pattern.substr(0, pattern.find_first_of("*?"));
}

std::string more_than(const model::ceiling& row, double limit, std::string_view label) {
  return fmt::format("{}: {} is more than {} ({}); refused as impossible", row.id,
                     format_quantity(row.value, row.unit), label, format_quantity(limit, row.unit));
}

void add_reason(std::string& note, std::string_view reason) {
  if (!reason.empty()) note += (note.empty() ? "" : "; ") + std::string(reason);
}

void keep_possible(outcome& outcome, std::vector<model::ceiling> rows, const row_filter& only,
                   const request& request) {
  for (auto& row : rows) {
    if (!only.wants(row.id)) continue;
    if (request.complete) request.complete(row);
    const auto why_not = impossible_because(row);
    add_reason(outcome.skipped, why_not);
    if (why_not.empty()) outcome.rows.push_back(std::move(row));
  }
}

outcome measured(const peak_probe& probe, const request& request, const row_filter& only) {
  outcome done{.probe = &probe};
  const auto begin = request.clock.now();
  try {
    keep_possible(done, probe.measure(request), only, request);
  } catch (const failure& failed) {
    done.skipped = failed.why().text();
  }
  done.seconds = request.clock.seconds(request.clock.now() - begin);
  return done;
}

}  // namespace

bool row_filter::wants(std::string_view row_id) const {
  return patterns_.empty() ||
         std::ranges::any_of(patterns_, [&](const auto& p) { return glob_matches(p, row_id); });
}

bool row_filter::may_want(std::string_view probe_id) const {
  const auto may = [&](std::string_view pattern) {
    const auto begins = literal_beginning(pattern);
    return glob_matches(pattern, probe_id) || probe_id.starts_with(begins) || begins.starts_with(probe_id);
  };
  return patterns_.empty() || std::ranges::any_of(patterns_, may);
}

std::string impossible_because(const model::ceiling& row) {
  if (!std::isfinite(row.value) || row.value <= 0)
    return fmt::format("{}: {} is not a positive number; refused", row.id, row.value);
  if (model::lower_is_better(row)) return "";
  if (row.issue_limit > 0) {
    if (row.value <= 1.02 * row.issue_limit) return "";
    return more_than(row, row.issue_limit, "the units can issue at the clock they ran at");
  }
  if (row.specified > 0 && row.value > 1.05 * row.specified)
    return more_than(row, row.specified, "the vendor states");
  return "";
}

std::vector<model::ceiling> measure_peaks(prober& prober, const request& request, const row_filter& only,
                                          const std::function<void(const outcome&)>& tell) {
  std::vector<model::ceiling> all;
  for (const auto& one : prober.probes()) {
    if (request.over && request.over()) break;
    if (one.least_depth > request.depth || !only.may_want(one.id)) continue;
    const auto done = measured(one, request, only);
    all.insert(all.end(), done.rows.begin(), done.rows.end());
    if (tell) tell(done);
  }
  return all;
}

}  // namespace ridge::probe
