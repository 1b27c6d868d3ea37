// SPDX-License-Identifier: Apache-2.0
#include "rules/rules_kernels.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "events/name_match.hpp"
#include "rules/op_works.hpp"
#include "rules/rules_chains.hpp"

namespace ridge::trace {
namespace {

std::string product(const kernel_row& row) {
  return std::to_string(std::uint64_t{row.grid[0]} * row.grid[1] * row.grid[2]);
}

double blocks_of(const kernel_row& row) {
  return static_cast<double>(row.grid[0]) * row.grid[1] * row.grid[2];
}

bool is_work_of(const kernel_row& row, const device_work& w) {
  return w.name == row.name && w.grid == row.grid && w.block == row.block;
}

// Whether a device is AMD's, by its name, its architecture or its kernels' names.
bool is_amd(const trace& t, const device_evidence& d) {
  const auto* facts = t.facts_of(d.device);
  const auto by_name =
      facts != nullptr && (contains(facts->name, "AMD") || contains(facts->name, "Instinct"));
  const auto by_hint = d.hint && (d.hint->architecture.starts_with("gfx") || d.hint->architecture.empty());
  return by_name || by_hint || (d.known && d.known->architecture.starts_with("gfx"));
}

candidate about_row(const evidence& e, const device_evidence& d, const kernel_row& row, double left,
                    std::string_view label, const interval_set& beside = {}) {
  const auto where =
      times_of(e.trace_of(d), d, [&](const device_work& w) { return is_work_of(row, w); }).without(beside);
  auto c = about(d, where, static_cast<nanoseconds>(static_cast<double>(where.length_ns()) * left), label);
  c.subject = short_name(e.trace_of(d).names[row.name]);
  c.words["kernel"] = c.subject;
  c.rows.front().work = row.longest;
  return c;
}

// Judges by the grids that launches record.
void small_grids(const evidence& e, const rule& r, outcome& out) {
  for (const auto& d : e.devices) {
    if (d.least_sms == 0) continue;
    const auto needed = r.limit("sm_share") * d.least_sms;
    for (const auto& row : d.kernels) {
      const auto blocks = blocks_of(row);
      if (row.purpose != work_class::compute || blocks <= 0 || blocks >= needed) continue;
      // More blocks make no kernel shorter than its start.
      if (row.p50_ns <= kernel_start_ns || d.share(row.total_ns) < r.limit("share")) continue;
      // The other multiprocessors are not idle while another stream's work runs.
      const auto beside = times_of(e.trace_of(d), d, [&](const device_work& w) {
        return w.kind == category::kernel && w.stream != e.trace_of(d).works[row.longest].stream;
      });
      auto c = about_row(e, d, row, 1 - blocks / needed, "kernel with few blocks", beside);
      if (d.share(c.claims.front().ranges.length_ns()) < r.limit("share")) continue;
      if (d.sms == 0) c.grade = confidence_grade::names;
      c.words["blocks"] = product(row);
      c.words["sms"] = d.sms > 0 ? std::to_string(d.sms) : fmt::format("at least {}", d.least_sms);
      out.found.push_back(std::move(c));
    }
  }
}

bool found_already(const outcome& out, const std::string& kernel) {
  return std::ranges::any_of(out.found, [&](const candidate& c) { return c.subject == kernel; });
}

// Judges by the tiles of an operator's shape where its kernel's grid is not recorded, or by counters.
void few_tiles(const evidence& e, const rule& r, outcome& out) {
  for (const auto& k : e.kernels) {
    if (k.verdict.limit != kernel_limit::small_grid || k.share < r.limit("share")) continue;
    if (k.cost && k.cost->median_call_ns <= kernel_start_ns) continue;
    const auto& names = e.traces[k.trace].source->names;
    if (k.cost && found_already(out, short_name(names[k.cost->main_kernel]))) continue;
    const auto waves = k.verdict.figures.waves.value_or(0);
    auto c = about_kernel(
        e, k, static_cast<nanoseconds>(static_cast<double>(k.time_ns) * std::clamp(1 - waves, 0.0, 1.0)));
    const auto sms = k.cost && k.cost->tiles ? k.cost->tiles->sms : 0;
    c.words["blocks"] = sms > 0 ? fmt::format("{:.0f}", waves * sms) : fmt::format("{:.2g} waves of", waves);
    c.words["sms"] = sms > 0 ? std::to_string(sms) : "its";
    out.found.push_back(std::move(c));
  }
}

outcome k4_small_grid(const evidence& e, const rule& r) {
  outcome out;
  small_grids(e, r, out);
  few_tiles(e, r, out);
  const bool told = std::ranges::any_of(e.devices, [](const auto& d) { return d.least_sms > 0; });
  if (!told && e.kernels.empty()) out.missing.emplace_back("peaks");
  return out;
}

outcome k5_tail(const evidence& e, const rule& r) {
  outcome out;
  for (const auto& k : e.kernels) {
    const auto waves = k.verdict.figures.waves.value_or(0);
    if (waves <= 1 || waves >= r.limit("waves") || k.share < r.limit("share")) continue;
    const auto tail = 1 - waves / std::ceil(waves);
    if (tail < r.limit("tail") || k.verdict.limit != kernel_limit::tail) continue;
    auto c = about_kernel(e, k, static_cast<nanoseconds>(static_cast<double>(k.time_ns) * tail));
    c.words["waves"] = fmt::format("{:.2f}", waves);
    c.words["tail"] = share_text(tail);
    out.found.push_back(std::move(c));
  }
  if (out.found.empty()) out.missing = missing_to_judge(e);
  return out;
}

// Judges by the local memory in the launch record, without counters.
outcome k11_spills(const evidence& e, const rule& r) {
  outcome out;
  for (const auto& d : e.devices) {
    const auto& t = e.trace_of(d);
    for (const auto& row : d.kernels) {
      const auto bytes = static_cast<double>(t.works[row.longest].local_bytes);
      // A library's communication kernels are nobody's to compile.
      if (bytes <= r.limit("bytes") || row.purpose == work_class::communication) continue;
      auto c = about_row(e, d, row, 1, "kernel with local memory");
      if (d.share(c.claims.front().ranges.length_ns()) < r.limit("share")) continue;
      c.words["bytes"] = bytes_text(bytes);
      c.words["compiler"] = is_amd(t, d) ? "hipcc -Rpass-analysis=kernel-resource-usage" : "nvcc -Xptxas -v";
      c.words["registers"] = row.registers > 0 ? fmt::format(", with {} registers", row.registers) : "";
      out.found.push_back(std::move(c));
    }
  }
  for (const auto& k : e.kernels) {
    if (!k.counters || k.counters->spill_bytes.value_or(0) <= 0 || k.share < r.limit("share")) continue;
    auto c = about_kernel(e, k, k.time_ns);
    c.words["bytes"] = bytes_text(k.counters->local_bytes_per_thread.value_or(0));
    c.words["compiler"] = "nvcc -Xptxas -v";
    c.words["registers"] = fmt::format(", and moves {} of it", bytes_text(*k.counters->spill_bytes));
    out.found.push_back(std::move(c));
  }
  return out;
}

// Claims what the runs took longer than if each had taken the median.
outcome k19_unstable(const evidence& e, const rule& r) {
  outcome out;
  for (const auto& d : e.devices) {
    for (const auto& row : d.kernels) {
      if (row.purpose == work_class::communication || row.kind != category::kernel) continue;
      if (row.cov() <= r.limit("variation") || static_cast<double>(row.count) <= r.limit("count")) continue;
      auto c = about_row(e, d, row, 1, "runs of this kernel");
      if (d.share(c.claims.front().ranges.length_ns()) < r.limit("share")) continue;
      const auto even = static_cast<nanoseconds>(row.count) * row.p50_ns;
      c.claims.front().at_most_ns = std::max<nanoseconds>(0, row.total_ns - even);
      c.words["count"] = std::to_string(row.count);
      c.words["fastest"] = time_text(row.min_ns);
      c.words["slowest"] = time_text(row.max_ns);
      c.words["variation"] = times_text(row.cov());
      out.found.push_back(std::move(c));
    }
  }
  return out;
}

constexpr bound_detector kernel_rules[] = {{"K4", k4_small_grid}, {"K5", k5_tail},
                                           {"K11", k11_spills},   {"K18", k18_fusable},
                                           {"K19", k19_unstable}, {"K20", k20_attention}};

}  // namespace

std::vector<std::string> missing_to_judge(const evidence& e) {
  if (e.kernels.empty()) return {has(e, "shapes") ? "models" : "shapes"};
  const bool judged = std::ranges::any_of(
      e.kernels, [](const judged_kernel& k) { return k.verdict.limit != kernel_limit::unknown; });
  return judged ? std::vector<std::string>{} : std::vector<std::string>{"peaks"};
}

candidate about_kernel(const evidence& e, const judged_kernel& k, nanoseconds at_most) {
  candidate c;
  c.subject = short_name(k.subject);
  c.claims.push_back({.pool = k.pool, .ranges = k.ranges, .at_most_ns = std::min(at_most, k.time_ns)});
  c.grade = k.counters ? confidence_grade::counters : confidence_grade::timeline;
  evidence_row row{.description = "time of this kernel",
                   .value = static_cast<double>(k.time_ns),
                   .unit = "ns",
                   .trace = k.trace,
                   .device = k.device};
  if (!k.ranges.empty() && k.device >= 0) row.range = k.ranges.span();
  if (k.cost) row.event = k.cost->first_op;
  c.rows.push_back(row);
  if (!k.verdict.why.empty())
    c.rows.push_back({.description = k.verdict.why,
                      .value = k.share,
                      .unit = "1",
                      .formula = "share of the window",
                      .trace = k.trace,
                      .device = k.device});
  const auto guessed = std::ranges::any_of(
      e.devices, [&](const device_evidence& d) { return d.pool == k.pool && d.peaks_guessed; });
  if (guessed) c.grade = confidence_grade::names;
  c.words["kernel"] = c.subject;
  c.words["share"] = share_text(k.share);
  return c;
}

std::span<const bound_detector> kernel_detectors() { return kernel_rules; }

}  // namespace ridge::trace
