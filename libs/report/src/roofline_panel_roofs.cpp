// SPDX-License-Identifier: Apache-2.0
#include "roofline_panel.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <ridge/base/units.hpp>

#include "roofline_layout.hpp"

namespace ridge::report {

void panel::haloed(svg_drawing& drawing, svg_point position, std::string_view words, std::string_view anchor,
                   double degrees) const {
  drawing.text("halo", position, words, anchor, degrees);
  drawing.text("label", position, words, anchor, degrees);
}

std::string panel::label_with_statement(const model::roof& r) {
  if (r.origin == model::roof_origin::specified) {
    const auto clock =
        r.clock_hz > 0 ? fmt::format(" at {}", format_quantity(r.clock_hz, "Hz")) : std::string();
    return fmt::format("{} specified{}", r.label, clock);
  }
  if (r.specified <= 0) return r.label;
  return fmt::format("{} ({:.0f} %)", r.label, 100 * r.value / r.specified);
}

void panel::roofs(svg_drawing& drawing) {
  const double peak = highest_peak(chart_), steepest = steepest_bandwidth(chart_);
  const auto shown = shown_roofs(chart_);
  for (const auto* r : shown) {
    const bool diagonal = r->kind == model::roof_kind::bandwidth;
    const auto stated = r->origin == model::roof_origin::specified ? r->value : r->specified;
    const auto line_at = [&](double v) {
      return diagonal ? frame_.diagonal(v, peak) : frame_.horizontal(v, steepest);
    };
    const auto draw = [&](const char* kind, std::pair<svg_point, svg_point> l) {
      if (l.first.x != l.second.x) drawing.line(kind, l.first, l.second);
    };
    if (stated > 0) draw("stated", line_at(stated));
    if (r->origin == model::roof_origin::measured) draw("roof", line_at(r->value));
    const auto line = line_at(r->value);
    if (line.first.x != line.second.x) places_.block_line(line.first, line.second);
  }
  diagonal_labels(drawing, shown, peak);
  horizontal_labels(drawing, shown, steepest);
}

void panel::diagonal_labels(svg_drawing& drawing, const std::vector<const model::roof*>& shown, double peak) {
  for (const auto* r : shown) {
    if (r->kind != model::roof_kind::bandwidth) continue;
    const auto [a, b] = frame_.diagonal(r->value, peak);
    if (a.x == b.x) continue;
    const auto words = label_with_statement(*r);
    const auto at = places_.along(a, b, length_of(words), 0.45);
    haloed(drawing, {at.x + 2.8, at.y + 2.8}, words, "middle", 45);
  }
}

void panel::horizontal_labels(svg_drawing& drawing, const std::vector<const model::roof*>& shown,
                              double steepest) {
  std::vector<const model::roof*> together;
  const auto flush = [&] {
    if (together.empty()) return;
    std::string words;
    for (const auto* r : together) words += (words.empty() ? "" : "  ·  ") + label_with_statement(*r);
    const auto [a, b] = frame_.horizontal(together.back()->value, steepest);
    if (a.x != b.x) {
      const double room = b.x - a.x, length = length_of(words);
      const auto at =
          places_.along({std::min(a.x, b.x - length - 12), a.y}, {b.x - 6, b.y}, length, room > 0 ? 1 : 0.5);
      haloed(drawing, {at.x, at.y + 4}, words, "middle", 0);
    }
    together.clear();
  };
  for (const auto* r : shown) {
    if (r->kind != model::roof_kind::compute) continue;
    if (!together.empty() && frame_.y(together.back()->value) - frame_.y(r->value) > 15) flush();
    together.push_back(r);
  }
  flush();
}

void panel::ridges(svg_drawing& drawing) const {
  double taken = -1e9;
  auto sorted = chart_.ridges;
  std::erase_if(sorted, [&](const model::ridge_point& r) {
    const auto* b = find_roof(r.bandwidth);
    return !b || b->level != "DRAM";
  });
  std::ranges::sort(sorted, {}, &model::ridge_point::intensity);
  for (const auto& r : sorted) {
    const auto at = frame_.at(r.intensity, find_roof(r.compute)->value);
    if (!frame_.holds(at)) continue;
    drawing.line("drop", at, {at.x, frame_.height()});
    drawing.line("tick", {at.x, frame_.height()}, {at.x, frame_.height() + 6});
    const auto words = fmt::format("{} {}", format_quantity(r.intensity, ""), find_roof(r.compute)->dtype);
    if (at.x - taken < 0.9 * length_of(words)) continue;
    drawing.text("small", {at.x, frame_.height() + 32}, words, "middle");
    taken = at.x;
  }
}

const model::roof* panel::find_roof(std::string_view id) const {
  const auto at = std::ranges::find(chart_.roofs, id, &model::roof::id);
  return at == chart_.roofs.end() ? nullptr : &*at;
}

}  // namespace ridge::report
