// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ridge/model/roofline.hpp>

#include "label_places.hpp"
#include "svg_text.hpp"

namespace ridge::report {

// One chart of a roofline while it is drawn as SVG; the corner of its plot is the origin of the coordinates
// of its parts.
class panel final {
 public:
  // Draws the `most` kernels of the longest time.
  panel(const model::roofline_chart& chart, std::size_t most);
  [[nodiscard]] double height() const;
  void draw(svg_drawing& drawing, svg_point corner, const model::roofline& whole);

 private:
  void title(svg_drawing& drawing, const model::roofline& whole) const;
  void axes(svg_drawing& drawing) const;
  // Shades the area above every roof, where no kernel can be.
  void dead_zone(svg_drawing& drawing) const;
  void block_sweeps();
  // Returns where a kernel is drawn; one that lies below the chart is drawn at its lower edge.
  [[nodiscard]] svg_point place_of(const model::roofline_point& p, double intensity) const;
  [[nodiscard]] bool is_below(const model::roofline_point& p) const;
  void block_marks();
  void haloed(svg_drawing& drawing, svg_point position, std::string_view words, std::string_view anchor,
              double degrees) const;
  [[nodiscard]] static std::string label_with_statement(const model::roof& r);
  void roofs(svg_drawing& drawing);
  void diagonal_labels(svg_drawing& drawing, const std::vector<const model::roof*>& shown, double peak);
  // Labels the peaks; those nearer to each other than a line of text share one label.
  void horizontal_labels(svg_drawing& drawing, const std::vector<const model::roof*>& shown, double steepest);
  // Draws lines down to the axis from where a peak meets the bandwidth of memory.
  void ridges(svg_drawing& drawing) const;
  [[nodiscard]] const model::roof* find_roof(std::string_view id) const;
  void sweeps(svg_drawing& drawing) const;
  void points(svg_drawing& drawing);
  void mark(svg_drawing& drawing, const model::roofline_point& p) const;
  // Draws an arrow from the declared place to the counted one, when they are apart.
  static void arrow(svg_drawing& drawing, svg_point start, svg_point until, double radius, int colour);
  void number(svg_drawing& drawing, const model::roofline_point& p, std::size_t n);
  // Lists the kernels beside the plot, under their problems.
  void key(svg_drawing& drawing) const;
  void key_row(svg_drawing& drawing, const model::roofline_point& p, std::size_t n, svg_point position) const;
  [[nodiscard]] std::string bound_of(const model::roofline_point& p) const;
  void sweep_row(svg_drawing& drawing, const model::intensity_sweep& s, std::size_t i,
                 svg_point position) const;
  void legend(svg_drawing& drawing) const;
  static std::string cut(std::string_view words, std::size_t most);
  const model::roofline_chart& chart_;
  roofline_frame frame_;
  std::vector<std::size_t> points_;
  std::map<std::string, int> groups_{};
  label_places places_{};
};

// Returns the width of a whole panel: margin, plot and key.
[[nodiscard]] double panel_width();

}  // namespace ridge::report
