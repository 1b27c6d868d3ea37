// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "attention_points.hpp"

namespace ridge::plan::kernels {
namespace {

// Fills in the points of one kind of step.
class filler {
  using place = attention_points::place;
  static constexpr auto chunk = attention_points::chunk, context = attention_points::context,
                        decodes = attention_points::decodes,
                        decode_context = attention_points::decode_context;
  // Along the first of them that has measurements as near: decode attention is the most exact line.
  static constexpr std::array order{decode_context, context, decodes, chunk};

 public:
  filler(attention_points& points, bool prompt, bool sequences) : points_(points) {
    for_each_possible([&](const place& p) {
      if ((p[chunk] > 0) != prompt || (p[decodes] > 0) != sequences) return;
      ++report_.points;
      if (std::isnan(points_.at(p))) holes_.push_back(p);
    });
    holes_at_first_ = holes_;
  }

  filled_points run() {
    fill_all_between();
    report_.beyond = holes_.size();
    while (fill_beyond()) fill_all_between();
    for (const auto& p : holes_) set(p, sum_of_both(p));
    report_.filled = holes_at_first_.size();
    note_ranges();
    return report_;
  }

 private:
  struct found {
    std::size_t index = 0;
    double work = 0, seconds = 0;
  };

  template <class Function>
  void for_each_possible(Function f) const {
    place p{};
    const auto& a = points_.axes;
    for (p[0] = 0; p[0] < a[0].size(); ++p[0])
      for (p[1] = 0; p[1] < a[1].size(); ++p[1])
        for (p[2] = 0; p[2] < a[2].size(); ++p[2])
          for (p[3] = 0; p[3] < a[3].size(); ++p[3])
            if (points_.possible(p)) f(p);
  }

  void set(const place& p, double seconds) { points_.seconds[points_.cell(p)] = seconds; }

  // The work of a step as far as one axis changes it.
  [[nodiscard]] double work(const place& p, std::size_t axis) const {
    const auto at = [&](std::size_t which) { return points_.axes[which][p[which]]; };
    if (axis == decodes || axis == decode_context) return at(decodes) * at(decode_context);
    return at(chunk) * (at(context) + (at(chunk) + 1) / 2);
  }

  [[nodiscard]] std::optional<found> known(place p, std::size_t axis, std::size_t index) const {
    p[axis] = index;
    if (!points_.possible(p) || (index == 0 && axis != context)) return {};
    const auto seconds = points_.at(p);
    if (std::isnan(seconds)) return {};
    return found{index, work(p, axis), seconds};
  }
  [[nodiscard]] std::optional<found> nearest_below(const place& p, std::size_t axis, std::size_t from) const {
    for (auto i = from; i-- > 0;)
      if (const auto at = known(p, axis, i)) return at;
    return {};
  }
  [[nodiscard]] std::optional<found> nearest_above(const place& p, std::size_t axis, std::size_t from) const {
    for (auto i = from + 1; i < points_.axes[axis].size(); ++i)
      if (const auto at = known(p, axis, i)) return at;
    return {};
  }

  [[nodiscard]] std::optional<double> interpolated(const place& p) const {
    std::optional<double> value;
    auto tightest = std::numeric_limits<std::size_t>::max();
    for (const auto axis : order) {
      const auto below = nearest_below(p, axis, p[axis]), above = nearest_above(p, axis, p[axis]);
      if (!below || !above || above->index - below->index >= tightest) continue;
      tightest = above->index - below->index;
      value = std::lerp(below->seconds, above->seconds,
                        (work(p, axis) - below->work) / (above->work - below->work));
    }
    return value;
  }

  // A value beyond what is known along an axis, and how many points beyond.
  struct guess {
    std::size_t distance = std::numeric_limits<std::size_t>::max();
    double seconds = 0;
  };
  // The line through the two nearest, `near` and `far`, but between the time of the near one and the time
  // that this work takes at its utilisation.
  [[nodiscard]] static double continued(double here, const found& near, const std::optional<found>& far) {
    const auto held = near.work > 0 ? near.seconds * here / near.work : near.seconds;
    if (!far) return held;
    const auto line = std::lerp(far->seconds, near.seconds, (here - far->work) / (near.work - far->work));
    return std::clamp(line, std::min(held, near.seconds), std::max(held, near.seconds));
  }
  [[nodiscard]] guess extrapolated(const place& p) const {
    guess best;
    for (const auto axis : order) {
      const auto last = nearest_below(p, axis, p[axis]), first = nearest_above(p, axis, p[axis]);
      if (last && p[axis] - last->index < best.distance)
        best = {p[axis] - last->index, continued(work(p, axis), *last, nearest_below(p, axis, last->index))};
      if (first && first->index - p[axis] < best.distance)
        best = {first->index - p[axis],
                continued(work(p, axis), *first, nearest_above(p, axis, first->index))};
    }
    return best;
  }

  void fill_all_between() {
    while (fill_between()) {
    }
  }

  // Fills in what lies between two points that are known now; says whether it filled anything.
  bool fill_between() {
    std::vector<std::pair<place, double>> values;
    for (const auto& p : holes_)
      if (const auto value = interpolated(p)) values.emplace_back(p, *value);
    for (const auto& [p, value] : values) set(p, value);
    return forget_filled();
  }

  // Fills in those that lie nearest to what is known now.
  bool fill_beyond() {
    std::vector<std::pair<place, double>> values;
    guess nearest;
    for (const auto& p : holes_) {
      const auto value = extrapolated(p);
      if (value.distance > nearest.distance || value.distance == guess{}.distance) continue;
      if (value.distance < nearest.distance) values.clear();
      nearest = value;
      values.emplace_back(p, value.seconds);
    }
    for (const auto& [p, value] : values) set(p, value);
    return forget_filled();
  }

  bool forget_filled() {
    return std::erase_if(holes_, [&](const place& p) { return !std::isnan(points_.at(p)); }) > 0;
  }

  [[nodiscard]] double sum_of_both(const place& p) const {
    return points_.at({p[chunk], p[context], 0, 0}) + points_.at({0, 0, p[decodes], p[decode_context]});
  }

  void note_ranges() {
    report_.least.fill(std::numeric_limits<double>::infinity());
    for (const auto& p : holes_at_first_) {
      for (std::size_t axis = 0; axis < p.size(); ++axis) {
        report_.least[axis] = std::min(report_.least[axis], points_.axes[axis][p[axis]]);
        report_.most[axis] = std::max(report_.most[axis], points_.axes[axis][p[axis]]);
      }
    }
    for (std::size_t axis = 0; axis < order.size(); ++axis) {
      const auto& values = points_.axes[axis];
      const auto first = axis == context ? values.front() : values[1];
      report_.throughout[axis] = report_.least[axis] <= first && report_.most[axis] == values.back();
    }
  }

  attention_points& points_;
  std::vector<place> holes_{}, holes_at_first_{};
  filled_points report_{};
};

// What the format leaves out: contexts of prompts and sequences that are not there. Looking up between the
// points needs them.
void repeat_absent(attention_points& points) {
  attention_points::place p{};
  const auto& a = points.axes;
  points.seconds[0] = 0;
  for (p[0] = 0; p[0] < a[0].size(); ++p[0])
    for (p[1] = 0; p[1] < a[1].size(); ++p[1])
      for (p[2] = 0; p[2] < a[2].size(); ++p[2])
        for (p[3] = 0; p[3] < a[3].size(); ++p[3]) {
          const attention_points::place there{p[0], p[0] > 0 ? p[1] : 0, p[2],
                                              p[2] > 0 ? std::max<std::size_t>(p[3], 1) : 0};
          points.seconds[points.cell(p)] = points.at(there);
        }
}

}  // namespace

std::string filled_points::text() const {
  std::string where;
  for (std::size_t axis = 0; axis < attention_columns.size(); ++axis) {
    if (most[axis] == 0 || throughout[axis]) continue;
    const auto range = least[axis] == most[axis] ? fmt::format("{:.6g}", most[axis])
                                                 : fmt::format("{:.6g} to {:.6g}", least[axis], most[axis]);
    where += fmt::format("{}{} {}", where.empty() ? "" : ", ", attention_columns[axis], range);
  }
  if (where.empty()) where = "throughout";
  if (beyond > 0)
    where += beyond == filled ? "; all beyond what was measured"
                              : fmt::format("; {} beyond what was measured", beyond);
  return fmt::format("{} of {} points of {} ({})", filled, points, of_what, where);
}

std::vector<filled_points> fill_in(attention_points& points) {
  std::vector<filled_points> reports;
  const auto fill = [&](std::string_view of_what, bool prompt, bool sequences) {
    auto report = filler(points, prompt, sequences).run();
    report.of_what = of_what;
    if (report.filled > 0) reports.push_back(report);
  };
  fill("decoding sequences", false, true);
  fill("prompts", true, false);
  fill("prompts beside decoding sequences", true, true);
  repeat_absent(points);
  return reports;
}

}  // namespace ridge::plan::kernels
