// SPDX-License-Identifier: Apache-2.0
// Outputs that are wrong in every call.
#include "output.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <numeric>

namespace ridge::cheats {
namespace {

void off_by_one(arrays& w, call&) {
  const auto n = w.source.size();
  for (std::size_t i = 0; i < n; ++i) w.target[i] = affine_answer(w.source[i + 1 < n ? i + 1 : i]);
}

void last_element_wrong(arrays& w, call& c) {
  affine(w, c);
  w.target.back() = w.target[w.target.size() - 2];
}

void unwritten_tail(arrays& w, call&) { costly_part(w, 0, w.source.size() / 8 * 8); }

void odd_blocks_copied(arrays& w, call&) {
  constexpr std::size_t block = 512;
  for (std::size_t first = 0; first + block <= w.source.size(); first += 2 * block) {
    costly_part(w, first, first + block);
    const auto next = std::min(first + 2 * block, w.target.size());
    std::copy(&w.target[first], &w.target[first] + (next - first - block), &w.target[first + block]);
  }
}

void reversed(arrays& w, call& c) {
  affine(w, c);
  std::ranges::reverse(w.target);
}

// Every sum of blocks stays what it was.
void two_swapped(arrays& w, call& c) {
  affine(w, c);
  const auto n = w.target.size();
  std::swap(w.target[n / 2], w.target[n / 2 - 1]);
}

void not_a_number(arrays& w, call& c) {
  affine(w, c);
  w.target[w.target.size() / 2] = std::numeric_limits<float>::quiet_NaN();
}

void constant_zero(arrays& w, call&) { std::ranges::fill(w.target, 0.0F); }

// Rounded to bfloat16, to nearest, ties to even.
float to_bf16(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  return std::bit_cast<float>((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000);
}

void lower_precision(arrays& w, call&) {
  std::ranges::transform(w.source, w.target.begin(), [](float x) { return to_bf16(affine_answer(x)); });
}

void wrong_where_rare(arrays& w, call&) {
  std::ranges::transform(w.source, w.target.begin(),
                         [](float x) { return affine_answer(std::min(x, 3.0F)); });
}

void fewer_steps(arrays& w, call&) {
  std::ranges::transform(w.source, w.target.begin(), series_answer<costly_steps / 2>);
}

void half_of_each_row(arrays& w, call&) {
  for (std::size_t r = 0; r < w.target.size(); ++r) {
    const auto terms = w.source.subspan(r * row, row / 2);
    w.target[r] = static_cast<float>(2 * std::accumulate(terms.begin(), terms.end(), 0.0));
  }
}

// The question is checked by the sum of its results alone.
void moved(arrays& w, call&) { std::ranges::reverse_copy(w.source, w.target.begin()); }
void whole_sum_in_front(arrays& w, call&) {
  std::ranges::fill(w.target, 0.0F);
  w.target.front() = static_cast<float>(std::accumulate(w.source.begin(), w.source.end(), 0.0));
}
experiment of_a_property(const std::string& id) {
  auto stated = pose(id, {.answer = nullptr}, pair_of<moved, whole_sum_in_front>);
  stated.check = [](const arrays& w) -> result<void> {
    const double before = std::accumulate(w.source.begin(), w.source.end(), 0.0);
    const double after = std::accumulate(w.target.begin(), w.target.end(), 0.0);
    if (std::fabs(before - after) <= 1e-3) return {};
    return error{"the sum changed", "move every value once"};
  };
  return stated;
}

}  // namespace

std::vector<cheat> wrong_outputs() {
  return {
      {"off_by_one",
       "Each result is that of the next element",
       gain::others,
       {"refused"},
       "same_code",
       repeated<off_by_one>},
      {"last_element_wrong",
       "One result of thousands is copied from its neighbour",
       gain::others,
       {"refused"},
       "same_code",
       repeated<last_element_wrong>},
      {"unwritten_tail",
       "What is left of a whole number of vectors is not written",
       gain::others,
       {"refused"},
       "vectors_with_a_tail",
       single<unwritten_tail>},
      {"odd_blocks_copied",
       "Every second block is a copy of the one before",
       gain::time,
       {"refused"},
       "memo_within_the_call",
       single<odd_blocks_copied>},
      {"reversed",
       "The right results in the wrong order",
       gain::others,
       {"refused"},
       "any_order",
       repeated<reversed>},
      {"two_swapped",
       "Two neighbours are exchanged: all sums stay what they were",
       gain::others,
       {"refused"},
       "any_order",
       repeated<two_swapped>},
      {"not_a_number", "One result is NaN", gain::others, {"refused"}, "same_code", repeated<not_a_number>},
      {"constant_zero", "All results are 0", gain::time, {"refused"}, "same_code", repeated<constant_zero>},
      {"lower_precision",
       "Results are rounded to bfloat16 where the question is exact",
       gain::others,
       {"refused"},
       "lower_precision_within_tolerance",
       repeated<lower_precision>},
      {"wrong_where_rare",
       "Right for the values that one usually tries",
       gain::others,
       {"refused"},
       "early_exit",
       repeated<wrong_where_rare>},
      {"fewer_steps",
       "Half of the steps of a recurrence that converges",
       gain::time,
       {"refused"},
       "early_exit",
       single<fewer_steps>},
      {"half_of_each_row",
       "A sum is estimated from half of its terms",
       gain::time,
       {"refused"},
       "lower_precision_within_tolerance",
       in_rows<half_of_each_row>},
      {"only_the_property",
       "The one property that is checked holds, and nothing else",
       gain::others,
       {"timed_results", "refused"},
       "same_code",
       of_a_property},
  };
}

}  // namespace ridge::cheats
