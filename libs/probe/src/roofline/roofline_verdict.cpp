// SPDX-License-Identifier: Apache-2.0
#include <ridge/probe/roofline_verdict.hpp>

#include <fmt/format.h>

#include <ridge/base/units.hpp>
#include <ridge/probe/roofs.hpp>

namespace ridge::probe {
namespace {

// As in a run: a kernel that reaches less of its roof is limited by latency, not by a rate.
constexpr double latency_below = 0.02;

const model::roof* of_level(const std::vector<model::roof>& roofs, std::string_view level) {
  for (const auto& r : roofs) {
    if (r.kind == model::roof_kind::bandwidth && r.level == level) return &r;
  }
  return nullptr;
}

const model::roof* of_type(const std::vector<model::roof>& roofs, std::string_view dtype,
                           std::string_view units) {
  const model::roof* any = nullptr;
  for (const auto& r : roofs) {
    if (r.kind != model::roof_kind::compute || r.dtype != dtype) continue;
    if (r.units == units) return &r;
    any = &r;
  }
  return any;
}

// Returns the slowest level that is faster than this one.
const model::roof* next_level(const std::vector<model::roof>& roofs, const model::roof& above) {
  const model::roof* next = nullptr;
  for (const auto& r : roofs) {
    const bool faster = r.kind == model::roof_kind::bandwidth && r.value > above.value &&
                        rank_of_level(r.level) < rank_of_level(above.level);
    if (faster && (!next || r.value < next->value)) next = &r;
  }
  return next;
}

const model::roof* next_peak(const std::vector<model::roof>& roofs, const model::roof& above) {
  const model::roof* next = nullptr;
  for (const auto& r : roofs) {
    const bool higher = r.kind == model::roof_kind::compute && r.value > 1.05 * above.value;
    if (higher && (!next || r.value < next->value)) next = &r;
  }
  return next;
}

std::string peak_name(const model::roof& r) {
  return r.id.starts_with("cuda.") ? r.dtype + ' ' + r.units : r.dtype;
}

std::string times(double x) { return fmt::format("{:.{}f}× more", x, x < 10 ? 1 : 0); }

std::string after_memory(const model::roofline_point& p, const std::vector<model::roof>& roofs,
                         const model::roof& under, const model::roof* peak, double limit) {
  const double highest = peak && p.intensity > 0 ? peak->value : 0;
  std::string words;
  if (const auto* next = next_level(roofs, under)) {
    const double there = p.intensity > 0 ? attainable(highest, next->value, p.intensity) : next->value;
    words = fmt::format("{} if its data stayed there: {}", next->level, times(there / limit));
  }
  if (highest > 0) {
    words += fmt::format("{}{} from {} FLOP/B: {}", words.empty() ? "" : "; ", peak_name(*peak),
                         format_quantity(highest / under.value, ""), times(highest / limit));
  }
  return words;
}

std::string after_compute(const model::roofline_point& p, const std::vector<model::roof>& roofs,
                          const model::roof& under, const model::roof* memory, double limit) {
  const auto* next = next_peak(roofs, under);
  if (!next) return "none above";
  const double there = attainable(next->value, memory ? memory->value : 0, p.intensity);
  return fmt::format("{}: {}", peak_name(*next), times(there / limit));
}

model::roofline_verdict without_operations(const model::roofline_point& p,
                                           const std::vector<model::roof>& roofs, const model::roof* memory) {
  if (!memory || p.bytes_per_s <= 0) return {};
  model::roofline_verdict v{.bound = model::bound::memory, .roof = memory->id, .attainable = memory->value};
  v.share = p.bytes_per_s / memory->value;
  v.headroom = 1 / v.share;
  v.next = after_memory(p, roofs, *memory, nullptr, memory->value);
  return v;
}

}  // namespace

model::roofline_verdict judge(const model::roofline_point& p, const std::vector<model::roof>& roofs) {
  const auto* memory = of_level(roofs, p.level);
  if (p.flop <= 0) return without_operations(p, roofs, memory);
  const auto* peak = of_type(roofs, p.dtype, p.units);
  if ((!memory && !peak) || p.flop_per_s <= 0) return {};
  if (p.intensity <= 0) memory = nullptr;
  if (!memory && !peak) return {};
  model::roofline_verdict v;
  v.attainable = attainable(peak ? peak->value : 0, memory ? memory->value : 0, p.intensity);
  v.share = p.flop_per_s / v.attainable;
  v.headroom = 1 / v.share;
  v.ridge = peak && memory ? peak->value / memory->value : 0;
  const bool by_memory = memory && (!peak || p.intensity < v.ridge);
  v.bound = by_memory ? model::bound::memory : model::bound::compute;
  v.roof = by_memory ? memory->id : peak->id;
  v.next = by_memory ? after_memory(p, roofs, *memory, peak, v.attainable)
                     : after_compute(p, roofs, *peak, memory, v.attainable);
  if (v.share < latency_below) {
    v.bound = model::bound::latency;
    v.next = "fixed costs dominate: do more work per call, or make fewer calls";
  }
  return v;
}

}  // namespace ridge::probe
