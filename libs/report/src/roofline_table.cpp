// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <ridge/base/units.hpp>
#include <ridge/report/roofline.hpp>
#include <ridge/report/words.hpp>

#include "roofline_frame.hpp"
#include "roofline_layout.hpp"

namespace ridge::report {
namespace {

const model::roof* find_roof(const model::roofline_chart& c, std::string_view id) {
  const auto at = std::ranges::find(c.roofs, id, &model::roof::id);
  return at == c.roofs.end() ? nullptr : &*at;
}

std::string bound_in_words(const model::roofline_chart& c, const model::roofline_point& p) {
  const auto* r = find_roof(c, p.verdict.roof);
  if (!r) return "unknown";
  const auto by = r->kind == model::roof_kind::bandwidth ? r->level : r->dtype;
  return fmt::format("{} ({})", name(p.verdict.bound), by);
}

std::string headroom_in_words(const model::roofline_verdict& v) {
  if (v.roof.empty()) return "-";
  if (v.headroom <= 1.02) return "on the roof";
  return fmt::format("{:.{}f}×", v.headroom, v.headroom < 10 ? 2 : 0);
}

tone tone_of_share(double share) {
  return share >= 0.8 ? tone::good : share < 0.3 ? tone::doubtful : tone::plain;
}

std::string peak_in_words(const model::roof& r) {
  return r.id.starts_with("cuda.") ? r.dtype + ' ' + r.units : r.dtype;
}

// Returns "DRAM: a kernel needs 14 FLOP/B for the fp32 vector peak, 207 for bf16 matrix".
std::string ridges_in_words(const model::roofline_chart& c) {
  std::string text;
  for (const auto* b : shown_roofs(c)) {
    if (b->kind != model::roof_kind::bandwidth) continue;
    std::string peaks;
    for (const auto& r : c.ridges) {
      const auto* peak = r.bandwidth == b->id ? find_roof(c, r.compute) : nullptr;
      if (!peak) continue;
      peaks += fmt::format("{}{} for {}", peaks.empty() ? "" : ", ", format_quantity(r.intensity, ""),
                           peak_in_words(*peak));
    }
    if (!peaks.empty()) text += fmt::format("ridge of {}: a kernel needs {} (FLOP/B)\n", b->level, peaks);
  }
  return text;
}

std::string roofs_in_words(const model::roofline_chart& c, const layout& layout) {
  table t({{"roof"}, {"", align::right}, {"specified", align::right}, {"reached", align::right}});
  for (const auto* r : shown_roofs(c)) {
    const char* unit = r->kind == model::roof_kind::bandwidth ? "B/s" : "FLOP/s";
    const bool measured = r->origin == model::roof_origin::measured;
    t.row({{r->kind == model::roof_kind::bandwidth ? r->level : peak_in_words(*r)},
           {measured ? format_quantity(r->value, unit) : "not measured"},
           {r->specified > 0 ? format_quantity(r->specified, unit) : "-"},
           {measured && r->specified > 0 ? fmt::format("{:.0f} %", 100 * r->value / r->specified) : "-"}});
  }
  return t.text(layout);
}

std::vector<cell> row_of(const model::roofline_chart& c, const model::roofline_point& p, std::size_t i) {
  const bool rates = p.flop > 0;
  const auto share = p.verdict.roof.empty() ? std::string("-") : share_text(p.verdict.share);
  return {{mark_of(i), tone::strong},
          {p.label},
          {rates ? format_quantity(p.intensity, "") : "-"},
          {rates ? format_quantity(p.flop_per_s, "FLOP/s") : format_quantity(p.bytes_per_s, "B/s")},
          {bound_in_words(c, p)},
          {share, tone_of_share(p.verdict.share)},
          {headroom_in_words(p.verdict)},
          {p.verdict.next}};
}

std::string counted_in_words(const model::roofline_chart& c) {
  std::string text;
  for (std::size_t i = 0; i < c.points.size(); ++i) {
    const auto& p = c.points[i];
    if (!p.measured_bytes || p.bytes <= 0) continue;
    text += fmt::format("{} {}: {} counted, {:.2f} times what is declared\n", mark_of(i), p.label,
                        format_quantity(*p.measured_bytes, "B"), *p.measured_bytes / p.bytes);
  }
  return text;
}

}  // namespace

std::string roofline_table(const model::roofline_chart& chart, const options& options) {
  const layout in{.columns = options.columns, .color = options.color};
  if (chart.points.empty()) return roofs_in_words(chart, in) + '\n' + ridges_in_words(chart);
  table t({{""},
           {"kernel"},
           {"FLOP/B", align::right},
           {"rate", align::right},
           {"bound"},
           {"of roof", align::right},
           {"headroom", align::right},
           {"next roof"}});
  std::string group;
  for (std::size_t i = 0; i < chart.points.size(); ++i) {
    const auto& p = chart.points[i];
    if (p.group != group) t.note(p.group, 0), group = p.group;
    t.row(row_of(chart, p, i));
  }
  return t.text(in) + counted_in_words(chart) + '\n' + ridges_in_words(chart);
}

std::string sweep_table(const model::roofline_chart& chart, const options& options) {
  std::string text;
  for (const auto& s : chart.sweeps) {
    text += fmt::format("{}, {} per thread, {} thread{}: {} to read, {} to multiply, ridge at {} FLOP/B\n",
                        s.level, format_quantity(s.working_set_bytes, "B"), s.threads,
                        s.threads == 1 ? "" : "s", format_quantity(s.bandwidth, "B/s"),
                        format_quantity(s.peak, "FLOP/s"), format_quantity(s.ridge, ""));
    table t({{"FMA per element", align::right},
             {"FLOP/B", align::right},
             {"rate", align::right},
             {"roof", align::right},
             {"of roof", align::right},
             {"95 %", align::right},
             {""}});
    for (const auto& step : s.steps) {
      const char* unit = step.fma_per_element == 0 ? "B/s" : "FLOP/s";
      const bool off = !step.at_knee && std::abs(step.share - 1) > 0.05;
      t.row({{std::to_string(step.fma_per_element)},
             {format_quantity(step.intensity, "")},
             {format_quantity(step.flop_per_s, unit)},
             {format_quantity(step.roof, unit)},
             {fmt::format("{:.1f} %", 100 * step.share), off ? tone::bad : tone::plain},
             {fmt::format("{:.1f}..{:.1f}", 100 * step.share_ci.lo, 100 * step.share_ci.hi)},
             {step.at_knee ? "knee"
              : off        ? "off the roof"
                           : ""}});
    }
    text += t.text({.columns = options.columns, .indent = 2, .color = options.color});
    text +=
        fmt::format("  within {:.1f} % of the roof away from the knee, {:.1f} % below it at the knee{}\n\n",
                    100 * s.worst_off_knee, 100 * s.knee_rounding, s.note.empty() ? "" : "; " + s.note);
  }
  return text;
}

}  // namespace ridge::report
