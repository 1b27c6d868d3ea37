// SPDX-License-Identifier: Apache-2.0
#include "roofline_panel.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <ridge/base/units.hpp>

#include "roofline_layout.hpp"

namespace ridge::report {

void panel::key(svg_drawing& to) const {
  const double x = frame_.width() + gap;
  double y = 10;
  if (!points_.empty()) {
    to.text("head", {x + key_width - 190, y}, "FLOP/B", "end");
    to.text("head", {x + key_width - 100, y}, "FLOP/s", "end");
    to.text("head", {x + key_width - 16, y}, "of its roof", "end");
  }
  std::string group;
  for (std::size_t n = 0; n < points_.size(); ++n) {
    const auto& p = chart_.points[points_[n]];
    if (p.group != group) to.text("muted", {x, y += row_height + 2}, cut(p.group, 56)), group = p.group;
    y += row_height;
    key_row(to, p, n, {x, y});
  }
  for (std::size_t i = 0; i < chart_.sweeps.size(); ++i)
    sweep_row(to, chart_.sweeps[i], i, {x, y += row_height});
  const auto without = chart_.points.size() - points_.size();
  if (without > 0)
    to.text("muted", {x, y + row_height + 4},
            fmt::format("{} kernels without operations or of less time: see the table", without));
}

void panel::key_row(svg_drawing& to, const model::roofline_point& p, std::size_t n, spot at) const {
  const int colour = groups_.at(p.group);
  to.mark(fmt::format("hollow c{}", colour), shape_of(p.level), {at.x + 8, at.y - 4}, 4.5, p.kernel);
  to.text(fmt::format("number f{}", colour), {at.x + 32, at.y}, std::to_string(n + 1), "end");
  to.text("label", {at.x + 40, at.y}, cut(p.label, 24));
  const double end = at.x + key_width;
  to.text("label", {end - 190, at.y}, format_quantity(p.intensity, ""), "end");
  to.text("label", {end - 100, at.y}, format_quantity(p.flop_per_s, "FLOP/s"), "end");
  const auto share = p.verdict.roof.empty() ? std::string("-")
                                            : fmt::format("{:.0f} % {}", 100 * p.verdict.share, bound_of(p));
  to.text("label", {end - 16, at.y}, share, "end");
}

std::string panel::bound_of(const model::roofline_point& p) const {
  const auto* r = find(p.verdict.roof);
  if (!r) return "";
  return r->kind == model::roof_kind::bandwidth ? r->level : r->dtype;
}

void panel::sweep_row(svg_drawing& to, const model::intensity_sweep& s, std::size_t i, spot at) const {
  to.line(fmt::format("knee c{}", i % colours), {at.x, at.y - 4}, {at.x + 22, at.y - 4});
  to.text(
      "label", {at.x + 32, at.y},
      fmt::format("{} {}: within {:.1f} %, at the knee {:.0f} % below", s.level,
                  format_quantity(s.working_set_bytes, "B"), 100 * s.worst_off_knee, 100 * s.knee_rounding));
}

void panel::legend(svg_drawing& to) const {
  const double y = frame_.height() + 74;
  to.line("roof", {0, y - 4}, {26, y - 4});
  to.text("small", {32, y}, "measured");
  to.line("stated", {92, y - 4}, {118, y - 4});
  to.text("small", {124, y}, "specified; (%): measured of it");
  if (points_.empty()) return;
  to.text("small", {322, y}, "hollow: declared bytes, filled: counted · area: share of time");
  double x = 628;
  for (const auto* level : {"DRAM", "L3", "L2", "L1"}) {
    const bool used = std::ranges::any_of(
        points_, [&](std::size_t i) { return shape_of(chart_.points[i].level) == shape_of(level); });
    if (!used) continue;
    to.mark("hollow c7", shape_of(level), {x, y - 4}, 4.5, level);
    to.text("small", {x + 9, y}, level);
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
