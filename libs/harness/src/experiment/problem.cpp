// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/problem.hpp>

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include <ridge/base/error.hpp>
#include <ridge/base/expects.hpp>

namespace ridge {

const model::axis_value& problem::value_of(std::string_view axis) const {
  const auto found =
      std::ranges::find(point_, axis, [](const auto& pair) { return std::string_view(pair.first); });
  expects(found != point_.end(),
          fmt::format("problem: no axis is called \"{}\" in \"{}\"", axis, model::text(point_)));
  return found->second;
}

std::size_t problem::count(std::string_view axis) const {
  const auto value = integer(axis);
  if (value < 0 || static_cast<std::uint64_t>(value) > most_things) {
    throw failure(
        {fmt::format("axis \"{}\" = {} is out of range", axis, value), "choose a value between 0 and 2^47"});
  }
  return static_cast<std::size_t>(value);
}

std::int64_t problem::integer(std::string_view axis) const {
  const auto* whole = std::get_if<std::int64_t>(&value_of(axis));
  expects(whole != nullptr, fmt::format("problem: axis \"{}\" is not a whole number", axis));
  return *whole;
}

double problem::real(std::string_view axis) const {
  const auto& value = value_of(axis);
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  const auto* number = std::get_if<double>(&value);
  expects(number != nullptr, fmt::format("problem: axis \"{}\" is not a number", axis));
  return *number;
}

const std::string& problem::text(std::string_view axis) const {
  const auto* word = std::get_if<std::string>(&value_of(axis));
  expects(word != nullptr, fmt::format("problem: axis \"{}\" is not a word", axis));
  return *word;
}

bool problem::has(std::string_view axis) const {
  return std::ranges::any_of(point_, [&](const auto& pair) { return pair.first == axis; });
}

axis pow2(std::string name, int first, int last, int step) {
  expects(first >= 0 && first <= last && last < 63 && step > 0,
          "pow2: exponents must rise from 0 to 62 at most");
  axis made{std::move(name), {}, {}};
  for (const std::int64_t edge : {0, 1, 2, 3, 17, 255, 256, 257}) made.edges.emplace_back(edge);
  for (int exponent = first; exponent <= last; exponent += step)
    made.values.emplace_back(std::int64_t{1} << exponent);
  return made;
}

axis values(std::string name, std::vector<std::int64_t> list, std::vector<std::int64_t> edges) {
  return {std::move(name), {list.begin(), list.end()}, {edges.begin(), edges.end()}};
}

axis choice(std::string name, std::vector<std::string> list) {
  return {std::move(name), {list.begin(), list.end()}, {}};
}

axis on_cuda(axis both, std::vector<std::int64_t> list) {
  both.cuda_values.assign(list.begin(), list.end());
  return both;
}

axis between(axis a, double least, double most) {
  expects(least <= most, "between: the least value comes first");
  a.least = least, a.most = most;
  return a;
}

axis_range range_of(const axis& a) {
  double listed = std::numeric_limits<double>::infinity();
  bool whole = false;
  for (const auto* list : {&a.values, &a.cuda_values, &a.edges}) {
    for (const auto& value : *list) {
      if (const auto* count = std::get_if<std::int64_t>(&value)) {
        listed = std::min(listed, static_cast<double>(*count));
        whole = true;
      } else if (const auto* real = std::get_if<double>(&value)) {
        listed = std::min(listed, *real);
      }
    }
  }
  axis_range made{.least = whole ? std::min(1.0, listed) : std::min(0.0, listed),
                  .most = whole ? static_cast<double>(most_things) : std::numeric_limits<double>::infinity(),
                  .above_least = !whole && listed > 0};
  if (a.least) made.least = *a.least, made.above_least = false;
  if (a.most) made.most = *a.most;
  return made;
}

std::vector<axis> axes_on(std::vector<axis> axes, model::backend backend) {
  if (backend != model::backend::cuda) return axes;
  for (auto& a : axes) {
    if (!a.cuda_values.empty()) a.values = a.cuda_values;
  }
  return axes;
}

std::vector<problem> problems_of(const std::vector<axis>& axes) {
  std::vector<model::problem_point> points{{}};
  for (const auto& a : axes) {
    std::vector<model::problem_point> longer;
    for (const auto& point : points) {
      for (const auto& value : a.values) {
        longer.push_back(point);
        longer.back().emplace_back(a.name, value);
      }
    }
    points = std::move(longer);
  }
  std::vector<problem> problems;
  for (auto& point : points) problems.emplace_back(std::move(point));
  return problems;
}

std::vector<problem> edge_problems_of(const std::vector<axis>& axes) {
  auto edged = axes;
  bool any = false;
  for (auto& a : edged) {
    if (a.edges.empty()) continue;
    a.values = a.edges;
    any = true;
  }
  return any ? problems_of(edged) : std::vector<problem>{};
}

}  // namespace ridge
