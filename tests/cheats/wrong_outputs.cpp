// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "cheats.hpp"

namespace ridge::cheats {
namespace {

void off_by_one(workload& w, call&) {
  const auto n = w.source.size();
  for (std::size_t i = 0; i < n; ++i) w.target[i] = answer(w.source[i + 1 < n ? i + 1 : i]);
}

void last_element_wrong(workload& w, call& c) {
  honest(w, c);
  const auto n = w.source.size();
  if (n > 1) w.target[n - 1] = w.target[n - 2];
}

// What is left of a whole number of vectors of eight.
void unwritten_tail(workload& w, call&) {
  for (std::size_t i = 0; i < w.source.size() / 8 * 8; ++i) w.target[i] = answer(w.source[i]);
}

void permuted(workload& w, call& c) {
  honest(w, c);
  std::ranges::reverse(w.target);
}

// Every sum of blocks stays what it was.
void two_swapped(workload& w, call& c) {
  honest(w, c);
  const auto n = w.target.size();
  if (n > 1) std::swap(w.target[n / 2], w.target[n / 2 - 1]);
}

void not_a_number(workload& w, call& c) {
  honest(w, c);
  if (!w.target.empty()) w.target[w.target.size() / 2] = std::numeric_limits<float>::quiet_NaN();
}

void constant_zero(workload& w, call&) { std::ranges::fill(w.target, 0.0F); }

// Rounded to bfloat16, to nearest, ties to even.
float to_bf16(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  return std::bit_cast<float>((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000);
}

void lower_precision(workload& w, call&) {
  std::ranges::transform(w.source, w.target.begin(), [](float x) { return to_bf16(answer(x)); });
}

// Right for the data one usually tries.
void wrong_where_rare(workload& w, call&) {
  std::ranges::transform(w.source, w.target.begin(), [](float x) { return answer(std::min(x, 3.0F)); });
}

}  // namespace

std::vector<cheat> wrong_outputs() {
  constexpr auto here = shows::in_one_call;
  return {
      cheat_by<off_by_one>("off_by_one", here, {"wrong"}),
      cheat_by<last_element_wrong>("last_element_wrong", here, {"1 of"}),
      cheat_by<unwritten_tail>("unwritten_tail", here, {"never written"}),
      cheat_by<permuted>("permuted", here, {"wrong"}),
      cheat_by<two_swapped>("two_swapped", here, {"2 of"}),
      cheat_by<not_a_number>("not_a_number", here, {"nan", "not finite"}),
      cheat_by<constant_zero>("constant_zero", here, {"wrong"}),
      cheat_by<lower_precision>("lower_precision", here, {"wrong"}),
      cheat_by<wrong_where_rare>("wrong_where_rare", here, {"wrong"}),
  };
}

}  // namespace ridge::cheats
