// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>

#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>
#include <ridge/report/roofline.hpp>

#include "label_places.hpp"
#include "svg_text.hpp"

namespace ridge::report {
namespace {

constexpr double left = 84, top = 62, plot_width = 700, tallest = 560, bottom = 86;
constexpr double gap = 28, key_width = 400, row = 17;
constexpr double page_width = left + plot_width + gap + key_width;
constexpr std::size_t most_points = 35;
constexpr int colours = 8;

// Colours that people with any colour vision tell apart (Okabe and Ito 2008, darkened for text on white).
// Classes and no variables: converters to PNG know no others, and leave the dark half out.
constexpr std::string_view style = R"(<style>
text{font-family:"DejaVu Sans","Segoe UI",Helvetica,Arial,sans-serif;font-size:11px;fill:#24292f}
.page{fill:#ffffff}.plot{fill:#ffffff;stroke:none}.dead{fill:#f0f2f4}
.frame{fill:none;stroke:#8c959f;stroke-width:1}.grid{stroke:#e1e4e8;stroke-width:1}.fine{stroke:#f3f4f6;stroke-width:1}
.tick{stroke:#57606a;stroke-width:1.5}.drop{stroke:#8c959f;stroke-width:1;stroke-dasharray:2 4}
.title{font-size:17px;font-weight:600}.muted{fill:#57606a}.small{font-size:10px;fill:#57606a}.head{font-weight:600;fill:#57606a}
.roof{fill:none;stroke:#24292f;stroke-width:2}.stated{fill:none;stroke:#6e7781;stroke-width:1.4;stroke-dasharray:1.5 4;stroke-linecap:round}
.label{font-size:11.5px}.halo{font-size:11.5px;stroke:#ffffff;stroke-width:4;stroke-linejoin:round;fill:#ffffff}
.number{font-size:11px;font-weight:600}.lead{stroke:#8c959f;stroke-width:.8}.bar{stroke-width:1.3}.arrow{fill:none;stroke-width:1.5}
.hollow{fill:#ffffff;fill-opacity:.75;stroke-width:2.2}.knee{fill:none;stroke-width:2.2}.dot{stroke:none}
.c0{stroke:#0969c8}.c1{stroke:#c4500a}.c2{stroke:#0b7f5a}.c3{stroke:#a8327d}.c4{stroke:#8a6a00}.c5{stroke:#1a8fb5}.c6{stroke:#6f42c1}.c7{stroke:#57606a}
.f0{fill:#0969c8}.f1{fill:#c4500a}.f2{fill:#0b7f5a}.f3{fill:#a8327d}.f4{fill:#8a6a00}.f5{fill:#1a8fb5}.f6{fill:#6f42c1}.f7{fill:#57606a}
@media (prefers-color-scheme:dark){
text{fill:#e6edf3}.page{fill:#0d1117}.plot{fill:#0d1117}.dead{fill:#191f27}.frame{stroke:#6e7681}.grid{stroke:#252c35}.fine{stroke:#171d25}
.tick{stroke:#9198a1}.drop{stroke:#6e7681}.muted,.small,.head{fill:#9198a1}.roof{stroke:#e6edf3}.stated{stroke:#9198a1}
.halo{stroke:#0d1117;fill:#0d1117}.lead{stroke:#6e7681}.hollow{fill:#0d1117}
.c0{stroke:#58a6ff}.c1{stroke:#ff9a55}.c2{stroke:#3fc99a}.c3{stroke:#f07cc4}.c4{stroke:#e3b341}.c5{stroke:#56d4f5}.c6{stroke:#b392f0}.c7{stroke:#9198a1}
.f0{fill:#58a6ff}.f1{fill:#ff9a55}.f2{fill:#3fc99a}.f3{fill:#f07cc4}.f4{fill:#e3b341}.f5{fill:#56d4f5}.f6{fill:#b392f0}.f7{fill:#9198a1}
}
</style>
)";

double length_of(std::string_view words) { return 6.7 * static_cast<double>(display_width(words)); }

std::string_view shape_of(std::string_view level) {
  if (level == "L2" || level == "cache") return "square";
  if (level == "L3") return "diamond";
  return level == "L1" || level == "shared" ? "triangle" : "circle";
}

double radius_of(const model::roofline_point& p) { return std::sqrt(20 + 170 * p.time_share); }

// One chart while it is drawn; the frame's corner is the origin.
class panel {
 public:
  explicit panel(const model::roofline_chart& of)
      : chart_(of),
        frame_(of, plot_width, tallest, spare_room::shown),
        points_(placed_points(of, most_points)) {
    for (const auto i : points_)
      groups_.emplace(chart_.points[i].group, static_cast<int>(groups_.size()) % colours);
  }

  [[nodiscard]] double height() const {
    const auto rows = static_cast<double>(points_.size() + groups_.size()) + 5;
    return top + std::max(frame_.height() + bottom, rows * row);
  }

  void draw(svg_drawing& to, spot corner, const model::roofline& whole) {
    to.open_group({corner.x + left, corner.y + top});
    title(to, whole);
    axes(to);
    block_marks();
    roofs(to);
    ridges(to);
    sweeps(to);
    points(to);
    key(to);
    legend(to);
    to.close_group();
  }

 private:
  void title(svg_drawing& to, const model::roofline& whole) const {
    auto name = chart_.device.empty() ? whole.machine : chart_.device;
    if (chart_.threads > 0)
      name += fmt::format(", {} thread{}", chart_.threads, chart_.threads == 1 ? "" : "s");
    to.text("title", {0, -36}, "Roofline of " + name);
    auto words = whole.machine;
    if (!whole.started.empty()) words += " · " + whole.started.substr(0, 10);
    if (!points_.empty()) words += fmt::format(" · {} kernels", points_.size());
    to.text("muted", {0, -17}, words);
  }

  void axes(svg_drawing& to) const {
    const double w = frame_.width(), h = frame_.height();
    to.rect("plot", {0, 0}, w, h);
    dead_zone(to);
    for (const int e : frame_.x_decades()) {
      const double x = frame_.x(std::pow(10, e));
      to.line("grid", {x, 0}, {x, h});
      to.text("muted", {x, h + 17}, decade_text(e, ""), "middle");
    }
    for (const int e : frame_.y_decades()) {
      const double y = frame_.y(std::pow(10, e));
      to.line("grid", {0, y}, {w, y});
      to.text("muted", {-8, y + 4}, decade_text(e, "FLOP/s"), "end");
    }
    to.rect("frame", {0, 0}, w, h);
    to.text("muted", {w / 2, h + 52}, "intensity, FLOP/byte", "middle");
  }

  // Above every roof: nothing can be there.
  void dead_zone(svg_drawing& to) const {
    const double peak = highest_peak(chart_), steepest = steepest_bandwidth(chart_);
    if (peak <= 0 || steepest <= 0) return;
    const auto [a, b] = frame_.diagonal(steepest, peak);
    const double y = frame_.y(peak);
    if (a.x == b.x) return;
    to.path("dead", fmt::format("M0 0H{:.1f}V{:.1f}H{:.1f}L{:.1f} {:.1f}L0 {:.1f}z", frame_.width(), y, b.x,
                                a.x, a.y, a.x > 0 ? frame_.height() : a.y));
  }

  // Where a kernel is drawn; one that lies below the chart stands at its foot.
  [[nodiscard]] spot place_of(const model::roofline_point& p, double intensity) const {
    const auto at = frame_.at(intensity, p.flop_per_s);
    return {at.x, std::min(at.y, frame_.height() - radius_of(p) - 3)};
  }
  [[nodiscard]] bool is_below(const model::roofline_point& p) const {
    return frame_.y(p.flop_per_s) > frame_.height();
  }

  void block_marks() {
    for (const auto i : points_) {
      const auto& p = chart_.points[i];
      places_.block(place_of(p, p.intensity), radius_of(p) + 2);
      if (p.measured_intensity) places_.block(place_of(p, *p.measured_intensity), radius_of(p) + 2);
    }
  }

  void haloed(svg_drawing& to, spot at, std::string_view words, std::string_view anchor,
              double degrees) const {
    to.text("halo", at, words, anchor, degrees);
    to.text("label", at, words, anchor, degrees);
  }

  [[nodiscard]] static std::string label_with_statement(const model::roof& r) {
    if (r.origin == model::roof_origin::specified) {
      const auto clock =
          r.clock_hz > 0 ? fmt::format(" at {}", format_quantity(r.clock_hz, "Hz")) : std::string();
      return fmt::format("{} specified{}", r.label, clock);
    }
    if (r.specified <= 0) return r.label;
    return fmt::format("{} ({:.0f} %)", r.label, 100 * r.value / r.specified);
  }

  void roofs(svg_drawing& to) {
    const double peak = highest_peak(chart_), steepest = steepest_bandwidth(chart_);
    const auto shown = shown_roofs(chart_);
    for (const auto* r : shown) {
      const bool diagonal = r->kind == model::roof_kind::bandwidth;
      const auto stated = r->origin == model::roof_origin::specified ? r->value : r->specified;
      const auto line_at = [&](double v) {
        return diagonal ? frame_.diagonal(v, peak) : frame_.horizontal(v, steepest);
      };
      const auto draw = [&](const char* kind, std::pair<spot, spot> l) {
        if (l.first.x != l.second.x) to.line(kind, l.first, l.second);
      };
      if (stated > 0) draw("stated", line_at(stated));
      if (r->origin == model::roof_origin::measured) draw("roof", line_at(r->value));
    }
    diagonal_labels(to, shown, peak);
    horizontal_labels(to, shown, steepest);
  }

  void diagonal_labels(svg_drawing& to, const std::vector<const model::roof*>& shown, double peak) {
    for (const auto* r : shown) {
      if (r->kind != model::roof_kind::bandwidth) continue;
      const auto [a, b] = frame_.diagonal(r->value, peak);
      if (a.x == b.x) continue;
      const auto words = label_with_statement(*r);
      const auto at = places_.along(a, b, length_of(words), 0.45);
      haloed(to, {at.x + 2.8, at.y + 2.8}, words, "middle", 45);
    }
  }

  // Peaks nearer to each other than a line of text share one.
  void horizontal_labels(svg_drawing& to, const std::vector<const model::roof*>& shown, double steepest) {
    std::vector<const model::roof*> together;
    const auto flush = [&] {
      if (together.empty()) return;
      std::string words;
      for (const auto* r : together) words += (words.empty() ? "" : "  ·  ") + label_with_statement(*r);
      const auto [a, b] = frame_.horizontal(together.back()->value, steepest);
      if (a.x != b.x) {
        const double room = b.x - a.x, length = length_of(words);
        const auto at = places_.along({std::min(a.x, b.x - length - 12), a.y}, {b.x - 6, b.y}, length,
                                      room > 0 ? 1 : 0.5);
        haloed(to, {at.x, at.y + 4}, words, "middle", 0);
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

  // Down to the axis from where a peak meets memory's bandwidth.
  void ridges(svg_drawing& to) const {
    double taken = -1e9;
    auto sorted = chart_.ridges;
    std::erase_if(sorted, [&](const model::ridge_point& r) {
      const auto* b = find(r.bandwidth);
      return !b || b->level != "DRAM";
    });
    std::ranges::sort(sorted, {}, &model::ridge_point::intensity);
    for (const auto& r : sorted) {
      const auto at = frame_.at(r.intensity, find(r.compute)->value);
      if (!frame_.holds(at)) continue;
      to.line("drop", at, {at.x, frame_.height()});
      to.line("tick", {at.x, frame_.height()}, {at.x, frame_.height() + 6});
      const auto words = fmt::format("{} {}", format_quantity(r.intensity, ""), find(r.compute)->dtype);
      if (at.x - taken < 0.9 * length_of(words)) continue;
      to.text("small", {at.x, frame_.height() + 32}, words, "middle");
      taken = at.x;
    }
  }

  [[nodiscard]] const model::roof* find(std::string_view id) const {
    const auto at = std::ranges::find(chart_.roofs, id, &model::roof::id);
    return at == chart_.roofs.end() ? nullptr : &*at;
  }

  void sweeps(svg_drawing& to) const {
    for (std::size_t i = 0; i < chart_.sweeps.size(); ++i) {
      const auto colour = i % colours;
      std::string d;
      for (const auto& s : chart_.sweeps[i].steps) {
        if (s.intensity <= 0) continue;
        const auto at = frame_.at(s.intensity, s.flop_per_s);
        d += fmt::format("{}{:.1f} {:.1f}", d.empty() ? 'M' : 'L', at.x, at.y);
        to.mark(fmt::format("dot f{}", colour), shape_of(chart_.sweeps[i].level), at, 3.4,
                fmt::format("{} multiply-adds an element: {:.1f} % of the roof", s.fma_per_element,
                            100 * s.share));
      }
      to.path(fmt::format("knee c{}", colour), d);
    }
  }

  void points(svg_drawing& to) {
    for (const auto i : points_) mark(to, chart_.points[i]);
    for (std::size_t n = 0; n < points_.size(); ++n) number(to, chart_.points[points_[n]], n);
  }

  void mark(svg_drawing& to, const model::roofline_point& p) const {
    const auto at = place_of(p, p.intensity);
    const int colour = groups_.at(p.group);
    const auto says =
        fmt::format("{}\n{}, {} FLOP/B, {:.0f} % of {}", p.kernel, format_quantity(p.flop_per_s, "FLOP/s"),
                    format_quantity(p.intensity, ""), 100 * p.verdict.share, p.verdict.roof);
    if (p.flop_per_s > 0 && p.flop_per_s_ci.width() > 0.02 * p.flop_per_s && p.flop_per_s_ci.lo > 0)
      to.line(fmt::format("bar c{}", colour), frame_.at(p.intensity, p.flop_per_s_ci.lo),
              frame_.at(p.intensity, p.flop_per_s_ci.hi));
    if (p.measured_intensity) {
      const auto counted = place_of(p, *p.measured_intensity);
      arrow(to, at, counted, radius_of(p), colour);
      to.mark(fmt::format("dot f{}", colour), shape_of(p.level), counted, radius_of(p),
              says + ", bytes counted");
    }
    to.mark(fmt::format("hollow c{}", colour), shape_of(p.level), at, radius_of(p), says);
  }

  // From the declared place to the counted one, when they stand apart.
  static void arrow(svg_drawing& to, spot from, spot until, double radius, int colour) {
    const double way = until.x < from.x ? -1 : 1;
    if (std::abs(until.x - from.x) < 2 * radius + 8) return;
    const double head = until.x - way * (radius + 2);
    to.path(fmt::format("arrow c{}", colour),
            fmt::format("M{:.1f} {:.1f}H{:.1f}m{:.1f} -4l{:.1f} 4l{:.1f} 4", from.x + way * radius, from.y,
                        head, -way * 5, way * 5, -way * 5));
  }

  void number(svg_drawing& to, const model::roofline_point& p, std::size_t n) {
    const auto at = place_of(p, p.intensity);
    const auto words = std::to_string(n + 1) + (is_below(p) ? "↓" : "");
    const auto spot_of = places_.beside(at, radius_of(p), length_of(words), frame_.width(), frame_.height());
    const double far = std::hypot(spot_of.x - at.x, spot_of.y - at.y);
    if (far > radius_of(p) + 15) {
      const double to_mark = radius_of(p) / far, to_text = 1 - 8 / far;
      const auto between = [&](double t) {
        return spot{at.x + t * (spot_of.x - at.x), at.y + t * (spot_of.y - at.y)};
      };
      to.line("lead", between(to_mark), between(to_text));
    }
    to.text("halo", {spot_of.x, spot_of.y + 4}, words, "middle");
    to.text(fmt::format("number f{}", groups_.at(p.group)), {spot_of.x, spot_of.y + 4}, words, "middle");
  }

  // The kernels beside the plot, under their problems.
  void key(svg_drawing& to) const {
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
      if (p.group != group) to.text("muted", {x, y += row + 2}, cut(p.group, 56)), group = p.group;
      y += row;
      key_row(to, p, n, {x, y});
    }
    for (std::size_t i = 0; i < chart_.sweeps.size(); ++i) sweep_row(to, chart_.sweeps[i], i, {x, y += row});
    const auto without = chart_.points.size() - points_.size();
    if (without > 0)
      to.text("muted", {x, y + row + 4},
              fmt::format("{} kernels without operations or of less time: see the table", without));
  }

  void key_row(svg_drawing& to, const model::roofline_point& p, std::size_t n, spot at) const {
    const int colour = groups_.at(p.group);
    to.mark(fmt::format("hollow c{}", colour), shape_of(p.level), {at.x + 8, at.y - 4}, 4.5, p.kernel);
    to.text(fmt::format("number f{}", colour), {at.x + 32, at.y}, std::to_string(n + 1), "end");
    to.text("label", {at.x + 40, at.y}, cut(p.label, 24));
    const double end = at.x + key_width;
    to.text("label", {end - 190, at.y}, format_quantity(p.intensity, ""), "end");
    to.text("label", {end - 100, at.y}, format_quantity(p.flop_per_s, "FLOP/s"), "end");
    const auto share = p.verdict.roof.empty()
                           ? std::string("-")
                           : fmt::format("{:.0f} % {}", 100 * p.verdict.share, bound_of(p));
    to.text("label", {end - 16, at.y}, share, "end");
  }

  [[nodiscard]] std::string bound_of(const model::roofline_point& p) const {
    const auto* r = find(p.verdict.roof);
    if (!r) return "";
    return r->kind == model::roof_kind::bandwidth ? r->level : r->dtype;
  }

  void sweep_row(svg_drawing& to, const model::intensity_sweep& s, std::size_t i, spot at) const {
    to.line(fmt::format("knee c{}", i % colours), {at.x, at.y - 4}, {at.x + 22, at.y - 4});
    to.text("label", {at.x + 32, at.y},
            fmt::format("{} {}: within {:.1f} % of the roof, {:.0f} % below it at the knee", s.level,
                        format_quantity(s.working_set_bytes, "B"), 100 * s.worst_off_knee,
                        100 * s.knee_rounding));
  }

  void legend(svg_drawing& to) const {
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

  static std::string cut(std::string_view words, std::size_t most) {
    if (display_width(words) <= most) return std::string(words);
    auto keep = most - 1;
    while (keep > 0 && (static_cast<unsigned char>(words[keep]) & 0xc0u) == 0x80u) --keep;
    return std::string(words.substr(0, keep)) + "…";
  }

  const model::roofline_chart& chart_;
  roofline_frame frame_;
  std::vector<std::size_t> points_;
  std::map<std::string, int> groups_{};
  label_places places_{};
};

}  // namespace

std::string roofline_svg(const model::roofline& of) {
  svg_drawing drawing;
  double y = 12;
  for (const auto& c : of.charts) {
    panel one(c);
    one.draw(drawing, {12, y}, of);
    y += one.height() + 24;
  }
  const double width = page_width + 24, height = std::max(y, 40.0);
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 "
             "{0:.0f} {1:.0f}\" "
             "role=\"img\">\n<title>Roofline of {2}</title>\n{3}<rect class=\"page\" width=\"{0:.0f}\" "
             "height=\"{1:.0f}\"/>\n",
             width, height, svg_escaped(of.machine), style) +
         std::move(drawing).take() + "</svg>\n";
}

}  // namespace ridge::report
