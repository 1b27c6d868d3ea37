// SPDX-License-Identifier: Apache-2.0
#include "output_checks.hpp"

#include <algorithm>
#include <array>

#include <ridge/base/utf8.hpp>
#include <ridge/harness/session.hpp>
#include <ridge/stats/counter_random.hpp>

namespace ridge::bench {
namespace {

constexpr double looking_share = 0.1;
constexpr std::uint64_t draw_stream = 0x636865636b;
constexpr std::size_t text_capacity = 512;

}  // namespace

output_checks::output_checks(const definition& definition, std::uint64_t seed)
    : definition_(definition), seed_(seed), looked_at_(definition.arms.size()) {}

void output_checks::start() { start_s_ = harness::monotonic_seconds(); }

bool output_checks::drawn(bool seen_before) {
  if (!seen_before) return true;
  const double elapsed_s = harness::monotonic_seconds() - start_s_;
  if (looking_s_ > looking_share * elapsed_s) return false;
  return (stats::random_bits(seed_, draw_stream, draws_++) & 1u) != 0;
}

void output_checks::note(int answer, std::size_t arm, const char* text) {
  if (answer == ridge_output_right) return;
  if (answer == ridge_output_stop) {
    stopped_ = true;
    return;
  }
  if (answer != ridge_output_wrong) throw callback_failed("the check of an output could not be made");
  if (!wrong_) wrong_ = wrong_output{std::min(arm, definition_.arms.size() - 1), well_formed_utf8(text)};
}

void output_checks::look_at(std::size_t arm) {
  std::array<char, text_capacity> text{};
  const double begin_s = harness::monotonic_seconds();
  const auto& check = definition_.check;
  const int answer = check.function(check.user, arm, text.data(), text.size());
  looking_s_ += harness::monotonic_seconds() - begin_s;
  text.back() = '\0';
  note(answer, arm, text.data());
  if (stopped_) return;
  ++looked_at_[arm];
  ++seen_;
}

void output_checks::sampled(std::size_t arm) {
  if (definition_.check && !wrong_ && drawn(looked_at_[arm] > 0)) look_at(arm);
}

void output_checks::round_ended() {
  const auto& agreement = definition_.agreement;
  if (!agreement || wrong_ || !drawn(agreements_ > 0)) return;
  std::array<char, text_capacity> text{};
  std::size_t arm = definition_.arms.size() - 1;
  const double begin_s = harness::monotonic_seconds();
  const int answer = agreement.function(agreement.user, &arm, text.data(), text.size());
  looking_s_ += harness::monotonic_seconds() - begin_s;
  text.back() = '\0';
  note(answer, arm, text.data());
  if (stopped_) return;
  ++agreements_;
  seen_ += definition_.arms.size();
}

bool output_checks::every_arm_seen() const {
  if (agreements_ > 0) return true;
  return definition_.check && std::ranges::all_of(looked_at_, [](auto times) { return times > 0; });
}

}  // namespace ridge::bench
