// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/kernel_verdict.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "rules/kernel_symptoms.hpp"

namespace ridge::trace {
namespace {

constexpr double busy = 0.6, dram_limit = 0.8, compute_limit = 0.7, ceiling = 0.9;

// Returns the largest of the known values.
std::optional<double> most_of(std::initializer_list<std::optional<double>> values) {
  std::optional<double> most;
  for (const auto& v : values) {
    if (v && (!most || *v > *most)) most = v;
  }
  return most;
}

std::string figure_text(std::string_view name, std::optional<double> value) {
  return value ? fmt::format("{} {:.2f}", name, *value) : fmt::format("{} not known", name);
}

std::string all_figures(const verdict_figures& f) {
  return fmt::format("{}, {}, {}, {}", figure_text("F", f.f), figure_text("D", f.d), figure_text("S", f.s),
                     figure_text("L", f.l));
}

// How the grid fills a device: its waves, and whether it is smaller than the device.
struct filling {
  std::optional<double> waves{};
  bool small = false;
  [[nodiscard]] bool tail() const {
    return waves && *waves > 1 && *waves <= 5 && 1 - *waves / std::ceil(*waves) >= 0.2;
  }
};

kernel_limit limit_of(const verdict_figures& f, const filling& grid, bool enough_known) {
  const auto flop = f.f.value_or(0), dram = f.d.value_or(0), chip = f.s.value_or(0), l2 = f.l.value_or(0);
  if (dram >= dram_limit) return kernel_limit::dram;
  if (flop >= busy && dram >= busy && std::abs(flop - dram) < 0.1 && flop < ceiling)
    return kernel_limit::balanced;
  if (flop >= compute_limit) return kernel_limit::compute;
  if (std::max(flop, dram) < busy && chip >= busy) return kernel_limit::on_chip;
  if (l2 >= busy && l2 > std::max(flop, dram)) return kernel_limit::l2;
  if (std::max(flop, dram) >= busy) return flop > dram ? kernel_limit::compute : kernel_limit::dram;
  if (grid.small) return kernel_limit::small_grid;
  if (grid.tail()) return kernel_limit::tail;
  return enough_known ? kernel_limit::latency : kernel_limit::unknown;
}

// The multiprocessors' throughput holds the arithmetic pipes as well: it stands for the memory pipes only as
// far as arithmetic does not explain it.
std::optional<double> on_chip_share(const kernel_counters& c, std::optional<double> flop) {
  const auto parts = most_of({c.l1, c.shared, c.lsu});
  if (parts || !c.sm) return parts;
  const auto arithmetic = most_of({flop, c.tensor});
  return arithmetic && *arithmetic > *c.sm - 0.1 ? std::nullopt : c.sm;
}

verdict_figures figures_of(const kernel_counters& c, const verdict_context& context) {
  verdict_figures f{.d = c.dram, .l = c.l2, .i = c.issue, .o = c.occupancy, .waves = c.waves};
  const auto peak = context.peaks.flop_per_s(context.type, false);
  std::optional<double> given;
  if (context.flops && c.duration_s && *c.duration_s > 0 && peak > 0)
    given = *context.flops / *c.duration_s / peak;
  f.f = most_of({c.flops, given, c.tensor, c.fp64_pipe});
  f.s = on_chip_share(c, f.f);
  if (!f.d) {
    const auto rate = c.dram_bytes_per_s();
    if (rate && context.peaks.bytes_per_s > 0) f.d = *rate / context.peaks.bytes_per_s;
  }
  return f;
}

filling filling_of(const kernel_counters& c, const device_peaks& peaks) {
  const auto fewer = peaks.sms > 0 && c.blocks > 0 && c.blocks < peaks.sms;
  return {c.waves, fewer || (c.waves && *c.waves < 1)};
}

std::vector<std::string> missing_in(const kernel_counters& c, const verdict_figures& f) {
  std::vector<std::string> names;
  if (!f.d) names.emplace_back("dram__throughput.avg.pct_of_peak_sustained_elapsed");
  if (!f.f) {
    names.emplace_back("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum");
    names.emplace_back("sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active");
  }
  if (!c.l1) names.emplace_back("l1tex__throughput.avg.pct_of_peak_sustained_elapsed");
  if (!f.l) names.emplace_back("lts__t_throughput.avg.pct_of_peak_sustained_elapsed");
  if (!f.i) names.emplace_back("smsp__issue_active.avg.pct_of_peak_sustained_active");
  if (!f.waves) names.emplace_back("launch__waves_per_multiprocessor");
  if (c.stalls.empty()) names.emplace_back("smsp__average_warps_issue_stalled_*_per_issue_active.ratio");
  if (!c.bytes_per_sector) names.emplace_back("smsp__sass_average_data_bytes_per_sector_mem_global.ratio");
  return names;
}

// A verdict needs the share of device memory and one of the multiprocessors'.
bool enough(const verdict_figures& f, const kernel_counters& c) { return f.d && (f.f || f.s || f.i || c.sm); }

evidence_grade grade_of_verdict(const kernel_verdict& v, const kernel_counters& c) {
  if (v.limit == kernel_limit::unknown) return evidence_grade::ungraded;
  const auto only_sm = !most_of({c.l1, c.shared, c.lsu});
  if (v.limit == kernel_limit::on_chip && only_sm && !v.figures.f) return evidence_grade::models;
  return evidence_grade::counters;
}

}  // namespace

std::string_view name(kernel_limit l) {
  constexpr std::array<std::string_view, 9> names{"unknown",    "dram", "compute", "on-chip", "l2",
                                                  "small grid", "tail", "latency", "balanced"};
  return names.at(static_cast<std::size_t>(l));
}

std::string_view name(evidence_grade g) {
  constexpr std::array<std::string_view, 3> names{"", "B", "A"};
  return names.at(static_cast<std::size_t>(g));
}

std::string_view name(kernel_symptom s) {
  constexpr std::array<std::string_view, 13> names{
      "uncoalesced",    "bank conflicts", "divergence",       "spills",        "unfused arithmetic",
      "fp64",           "imbalance",      "poor L2 locality", "low occupancy", "uneven occupancy",
      "odd block size", "above a peak",   "another regime"};
  return names.at(static_cast<std::size_t>(s));
}

kernel_verdict verdict_of(const kernel_counters& c, const verdict_context& context) {
  kernel_verdict v{.figures = figures_of(c, context)};
  v.limit = limit_of(v.figures, filling_of(c, context.peaks), enough(v.figures, c));
  v.grade = grade_of_verdict(v, c);
  v.at_ceiling = v.figures.d.value_or(0) >= ceiling || v.figures.f.value_or(0) >= ceiling;
  v.why = all_figures(v.figures);
  constexpr double named = 0.3;
  if (v.limit == kernel_limit::latency && !c.stalls.empty() && c.stalls.front().share > named)
    v.top_stall = c.stalls.front().name;
  v.symptoms = symptoms_of(c, v, context);
  v.missing = missing_in(c, v.figures);
  return v;
}

kernel_verdict verdict_of(const op_cost& c) {
  kernel_verdict v;
  if (!c.place) return v;
  v.figures = {.f = c.place->compute_share, .d = c.place->memory_share};
  v.why = fmt::format("{}, {}", figure_text("F", v.figures.f), figure_text("D", v.figures.d));
  if (c.place->anomaly) {
    v.symptoms.push_back({kernel_symptom::above_peak, c.place->share,
                          fmt::format("{:.0f} % of the roof", c.place->share * 100)});
    return v;
  }
  filling grid;
  if (c.tiles && c.tiles->sms > 0) {
    const auto blocks = c.blocks > 0 ? c.blocks : c.tiles->tiles;
    v.figures.waves = grid.waves = static_cast<double>(blocks) / c.tiles->sms;
    grid.small = blocks < c.tiles->sms;
    v.why += fmt::format(", {} blocks on {} multiprocessors", blocks, c.tiles->sms);
  }
  constexpr double low = 0.3;
  const auto shape_known = grid.waves.has_value() || c.small;
  if (c.small) v.why += ", small";
  v.limit = limit_of(v.figures, grid, shape_known || c.place->share >= low);
  v.grade = v.limit == kernel_limit::unknown ? evidence_grade::ungraded : evidence_grade::models;
  v.at_ceiling = c.place->share >= ceiling;
  return v;
}

}  // namespace ridge::trace
