// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/harness/counting.hpp>
#include <ridge/model/run.hpp>

namespace ridge {

// One point of an experiment's axes. Asking for an axis that does not exist, or as another type, is a bug.
class problem {
 public:
  problem() = default;
  // The problem at this point.
  explicit problem(model::problem_point point) : point_(std::move(point)) {}

  // The axis's value as a number of things: elements, rows, calls. Throws failure, naming the axis, where it
  // is negative or above most_things, since the value may come from the command line.
  [[nodiscard]] std::size_t count(std::string_view axis) const;
  // The axis's value as any whole number.
  [[nodiscard]] std::int64_t integer(std::string_view axis) const;
  // The axis's value as a real number; a whole one is converted.
  [[nodiscard]] double real(std::string_view axis) const;
  // The axis's value where it is a word.
  [[nodiscard]] const std::string& text(std::string_view axis) const;
  // Whether there is an axis of this name.
  [[nodiscard]] bool has(std::string_view axis) const;
  [[nodiscard]] const model::problem_point& point() const { return point_; }

 private:
  [[nodiscard]] const model::axis_value& value_of(std::string_view axis) const;
  model::problem_point point_;
};

// A named list of values; the problems of an experiment are the product of its axes without those that `skip`
// leaves out. `edges` are more values, used in verification only: empty, single, odd and ragged sizes.
struct axis {
  std::string name{};
  std::vector<model::axis_value> values{};
  std::vector<model::axis_value> edges{};
  std::vector<model::axis_value> cuda_values{};  // instead of `values` on the CUDA backend; empty: the same
  std::optional<double> least{}, most{};         // the range of a number; absent: see range_of
};

// The numbers that an axis takes, both ends included.
struct axis_range {
  double least = 0, most = 0;
  bool above_least = false;  // `least` itself is not taken
};
// Returns the stated range of an axis of numbers. Where an end is not stated, whole numbers begin at 1, or at
// the least value or edge that is listed where that is smaller, and end at most_things; real numbers are
// above 0, or begin at the least that is listed where that is not, and have no end.
[[nodiscard]] axis_range range_of(const axis& a);

// 2^first .. 2^last, exponents `step` apart; its edges are small, odd and ragged sizes.
[[nodiscard]] axis pow2(std::string name, int first, int last, int step = 1);
// Whole numbers, and edges.
[[nodiscard]] axis values(std::string name, std::vector<std::int64_t> list,
                          std::vector<std::int64_t> edges = {});
// Words.
[[nodiscard]] axis choice(std::string name, std::vector<std::string> list);
// The axis with other values on the CUDA backend, where sizes that fill a GPU are not those that fit a CPU.
[[nodiscard]] axis on_cuda(axis both, std::vector<std::int64_t> list);

// The axis with a stated range, both ends included.
[[nodiscard]] axis between(axis a, double least, double most);

// The axes with the values that `backend` uses.
[[nodiscard]] std::vector<axis> axes_on(std::vector<axis> axes, model::backend backend);
// The product of the axes, last axis fastest.
[[nodiscard]] std::vector<problem> problems_of(const std::vector<axis>& axes);
// Every value of the axes without edges, combined with every combination of the edges of the others.
[[nodiscard]] std::vector<problem> edge_problems_of(const std::vector<axis>& axes);

}  // namespace ridge
