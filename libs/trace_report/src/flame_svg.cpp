// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace_report/flame_svg.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include <ridge/base/units.hpp>

#include "embedded_file.hpp"
#include "flame_colors.hpp"
#include "flame_layout.hpp"
#include "markup_text.hpp"

namespace ridge::trace_report {
namespace {

constexpr double page_width = 1200, margin = 10, head = 60, row_height = 18, character_width = 7.2;

std::string weight_text(std::int64_t weight, const flame_picture& layout) {
  return layout.samples ? format_count(weight) + (weight == 1 ? " sample" : " samples")
                        : format_quantity(static_cast<double>(weight) / 1e9, "s");
}

double percent(std::int64_t part, std::int64_t all) {
  return all > 0 ? 100 * static_cast<double>(part) / static_cast<double>(all) : 0;
}

std::string shown_name(const std::string& name) { return name.empty() ? "all" : name; }

// How a frame is drawn, besides its position.
struct look {
  std::string name{};
  std::string says{};  // its weight, in words
  std::string fill{};
};

void draw(std::string& svg, const flame_box& box, const look& style, double scale) {
  const double x = margin + static_cast<double>(box.start) * scale,
               width = static_cast<double>(box.width) * scale, y = head + box.depth * row_height;
  const auto room = static_cast<std::size_t>(std::max(0.0, (width - 8) / character_width));
  const auto label = room < 3 ? std::string() : escaped(style.name, room - 1);
  fmt::format_to(std::back_inserter(svg),
                 "<g class=\"f\" data-s=\"{}\" data-w=\"{}\" data-d=\"{}\"><title>{}\n{}</title><rect "
                 "x=\"{:.2f}\" y=\"{:.0f}\" width=\"{:.2f}\" height=\"{:.0f}\" fill=\"{}\"/><text "
                 "x=\"{:.2f}\" y=\"{:.0f}\">{}</text></g>\n",
                 box.start, box.width, box.depth, escaped(style.name), escaped(style.says), x, y, width,
                 row_height - 1, style.fill, x + 4, y + 13, label);
}

std::string opening(const flame_picture& layout, const std::string& subtitle, double height) {
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
      "class=\"flame\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\">\n"
      "<style>{2}</style>\n<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n"
      "<text class=\"title\" x=\"10\" y=\"24\">{3}</text>\n<text class=\"words\" x=\"10\" "
      "y=\"46\">{4}</text>\n",
      page_width, height, embedded_text("flame.css"), escaped(layout.title, 120), escaped(subtitle));
}

std::string closing() {
  return fmt::format("<script><![CDATA[\n{}]]></script>\n</svg>\n", embedded_text("flame.js"));
}

std::string picture(const flame_layout& placed, const flame_picture& layout, std::string subtitle,
                    const std::function<look(std::uint32_t)>& look_of) {
  if (placed.left_out > 0)
    subtitle += fmt::format("; the {} narrowest frames are left out",
                            format_count(static_cast<long long>(placed.left_out)));
  auto svg = opening(layout, subtitle, head + placed.rows * row_height + margin);
  const double scale = placed.width > 0 ? (page_width - 2 * margin) / static_cast<double>(placed.width) : 0;
  for (const auto& box : placed.boxes) draw(svg, box, look_of(box.node), scale);
  return svg + closing();
}

std::vector<std::int64_t> widths_of(const std::vector<trace::flame_diff_node>& diff) {
  std::vector<std::int64_t> widths(diff.size(), 0);
  for (std::size_t i = diff.size(); i-- > 0;) {
    widths[i] += std::max(diff[i].self_before, diff[i].self_after);
    if (i > 0) widths[diff[i].parent] += widths[i];
  }
  return widths;
}

template <class Node>
std::vector<std::uint32_t> parents_of(const std::vector<Node>& nodes) {
  std::vector<std::uint32_t> parents;
  for (const auto& n : nodes) parents.push_back(n.parent);
  return parents;
}

std::int64_t growth_of(const trace::flame_diff_node& n) { return n.total_after - n.total_before; }

std::string change_text(const trace::flame_diff_node& n, const flame_picture& layout) {
  const auto change = growth_of(n);
  const auto share = n.total_before > 0 ? fmt::format(" ({:+.1f} %)", percent(change, n.total_before))
                                        : std::string(n.total_after > 0 ? " (new)" : "");
  return fmt::format("{} before, {} after: {}{}{}", weight_text(n.total_before, layout),
                     weight_text(n.total_after, layout), change < 0 ? "-" : "+",
                     weight_text(std::abs(change), layout), share);
}

}  // namespace

std::string flame_svg(const trace::flame_tree& tree, const flame_picture& layout) {
  std::vector<std::int64_t> widths;
  for (const auto& n : tree.nodes) widths.push_back(n.total);
  const auto placed = lay_out(parents_of(tree.nodes), widths, layout.frames);
  return picture(placed, layout, weight_text(tree.total(), layout), [&](std::uint32_t node) {
    const auto& n = tree.nodes[node];
    return look{.name = shown_name(n.name),
                .says = fmt::format("{}, {:.2f} % of all; own {}", weight_text(n.total, layout),
                                    percent(n.total, tree.total()), weight_text(n.self, layout)),
                .fill = node == 0 ? change_color(0) : flame_color(n.name)};
  });
}

std::string flame_svg(const std::vector<trace::flame_diff_node>& diff, const flame_picture& layout) {
  const auto placed = lay_out(parents_of(diff), widths_of(diff), layout.frames);
  std::int64_t largest = 1;
  for (std::size_t i = 1; i < diff.size(); ++i) largest = std::max(largest, std::abs(growth_of(diff[i])));
  const auto subtitle =
      diff.empty() ? std::string() : change_text(diff.front(), layout) + "; red grew, blue shrank";
  return picture(placed, layout, subtitle, [&](std::uint32_t node) {
    const auto& n = diff[node];
    const double part = static_cast<double>(growth_of(n)) / static_cast<double>(largest);
    return look{.name = shown_name(n.name),
                .says = change_text(n, layout),
                .fill = change_color(std::copysign(std::sqrt(std::abs(part)), part))};
  });
}

}  // namespace ridge::trace_report
