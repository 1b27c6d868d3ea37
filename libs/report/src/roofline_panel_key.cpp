// SPDX-License-Identifier: Apache-2.0
#include "roofline_panel.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>

#include "roofline_layout.hpp"

namespace ridge::report {

void panel::key(svg_drawing& drawing) const {
  const double x = frame_.width() + gap;
  double y = 10;
  if (!points_.empty()) {
    drawing.text("head", {x + key_width - 190, y}, "FLOP/B", "end");
    drawing.text("head", {x + key_width - 100, y}, "FLOP/s", "end");
    drawing.text("head", {x + key_width - 16, y}, "of its roof", "end");
  }
  std::string group;
  for (std::size_t n = 0; n < points_.size(); ++n) {
    const auto& p = chart_.points[points_[n]];
    if (p.group != group) drawing.text("muted", {x, y += row_height + 2}, cut(p.group, 56)), group = p.group;
    y += row_height;
    key_row(drawing, p, n, {x, y});
  }
  for (std::size_t i = 0; i < chart_.sweeps.size(); ++i)
    sweep_row(drawing, chart_.sweeps[i], i, {x, y += row_height});
  const auto drawable = placed_points(chart_, chart_.points.size()).size();
  std::vector<std::string> without;
  if (const auto shorter = drawable - points_.size(); shorter > 0)
    without.push_back(fmt::format("{} of less time than these {}", shorter, points_.size()));
  if (const auto workless = chart_.points.size() - drawable; workless > 0)
    without.push_back(fmt::format("{} without operations", workless));
  if (!without.empty())
    drawing.text("muted", {x, y + row_height + 4}, "in the table alone: " + join(without, ", "));
}

void panel::key_row(svg_drawing& drawing, const model::roofline_point& p, std::size_t n,
                    svg_point position) const {
  const int colour = groups_.at(p.group);
  drawing.mark(fmt::format("hollow c{}", colour), shape_of(p.level), {position.x + 8, position.y - 4}, 4.5,
               p.kernel);
  drawing.text(fmt::format("number f{}", colour), {position.x + 32, position.y}, std::to_string(n + 1),
               "end");
  drawing.text("label", {position.x + 40, position.y}, cut(p.label, 24));
  const double end = position.x + key_width;
  drawing.text("label", {end - 190, position.y}, format_quantity(p.intensity, ""), "end");
  drawing.text("label", {end - 100, position.y}, format_quantity(p.flop_per_s, "FLOP/s"), "end");
  const auto share = p.verdict.roof.empty() ? std::string("-")
                                            : fmt::format("{} {}", share_text(p.verdict.share), bound_of(p));
  drawing.text("label", {end - 16, position.y}, share, "end");
}

std::string panel::bound_of(const model::roofline_point& p) const {
  const auto* r = find_roof(p.verdict.roof);
  if (!r) return "";
  return r->kind == model::roof_kind::bandwidth ? r->level : r->dtype;
}

void panel::sweep_row(svg_drawing& drawing, const model::intensity_sweep& s, std::size_t i,
                      svg_point position) const {
  drawing.line(fmt::format("knee c{}", i % colours), {position.x, position.y - 4},
               {position.x + 22, position.y - 4});
  drawing.text(
      "label", {position.x + 32, position.y},
      fmt::format("{} {}: within {:.1f} %, at the knee {:.0f} % below", s.level,
                  format_quantity(s.working_set_bytes, "B"), 100 * s.worst_off_knee, 100 * s.knee_rounding));
}

void panel::legend(svg_drawing& drawing) const {
  const double y = frame_.height() + 74;
  drawing.line("roof", {0, y - 4}, {26, y - 4});
  drawing.text("small", {32, y}, "measured");
  drawing.line("stated", {92, y - 4}, {118, y - 4});
  drawing.text("small", {124, y}, "specified; (%): measured of it");
  if (points_.empty()) return;
  drawing.text("small", {322, y}, "hollow: declared bytes, filled: counted");
  double x = 628;
  for (const auto* level : {"DRAM", "L3", "L2", "L1"}) {
    const bool used = std::ranges::any_of(
        points_, [&](std::size_t i) { return shape_of(chart_.points[i].level) == shape_of(level); });
    if (!used) continue;
    drawing.mark("hollow c7", shape_of(level), {x, y - 4}, 4.5, level);
    drawing.text("small", {x + 9, y}, level);
    x += 58;
  }
}

std::string panel::cut(std::string_view words, std::size_t most) {
  if (display_width(words) <= most) return std::string(words);
  auto keep = most - 1;
  while (keep > 0 && (static_cast<unsigned char>(words[keep]) & 0xc0u) == 0x80u) --keep;
  return std::string(words.substr(0, keep)) + "…";
}

}  // namespace ridge::report
