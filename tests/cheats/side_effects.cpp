// SPDX-License-Identifier: Apache-2.0
#include "cheats.hpp"

namespace ridge::cheats {
namespace {

// Out of sight of the compiler, which would see that the address lies outside.
float* at(float* start, std::ptrdiff_t offset) {
  asm volatile("" : "+r"(offset));
  return start + offset;
}

void writes_past_the_end(workload& w, call& c) {
  honest(w, c);
  *at(w.target.data(), static_cast<std::ptrdiff_t>(w.target.size())) = 0;
}

void writes_before_the_start(workload& w, call& c) {
  honest(w, c);
  *at(w.target.data(), -1) = 0;
}

void reads_past_the_end(workload& w, call& c) {
  honest(w, c);
  const float beyond = *at(const_cast<float*>(w.source.data()), static_cast<std::ptrdiff_t>(w.source.size()));
  asm volatile("" ::"m"(beyond));
}

// The arms that come after it in the round would answer another question.
void changes_its_input(workload& w, call& c) {
  honest(w, c);
  if (!w.source.empty()) *const_cast<float*>(w.source.data()) += 1;
}

}  // namespace

std::vector<cheat> side_effects() {
  constexpr auto here = shows::in_one_call;
  return {
      cheat_by<writes_past_the_end>("writes_past_the_end", here, {"outside", "after the end"}),
      cheat_by<writes_before_the_start>("writes_before_the_start", here, {"outside", "before the start"}),
      cheat_by<reads_past_the_end>("reads_past_the_end", here, {"outside"}),
      cheat_by<changes_its_input>("changes_its_input", here, {"changed its inputs"}),
  };
}

}  // namespace ridge::cheats
