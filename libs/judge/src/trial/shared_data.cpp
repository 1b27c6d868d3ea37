// SPDX-License-Identifier: Apache-2.0
#include "trial/shared_data.hpp"

#include <algorithm>
#include <cstring>
#include <span>

#define RIDGE_JUDGE_HOST
#include <ridge/judge/candidate.h>

#include "exchange/layout.hpp"
#include "trial/agreement.hpp"

namespace ridge::judge {
namespace {

constexpr std::size_t line_of_cache = 64;

bool any_inout(const assignment& given) {
  return std::ranges::any_of(std::span(given.arrays).first(given.array_count),
                             [](const array_place& place) { return place.direction == ridge_inout; });
}

void copy_into(std::span<std::byte> target, std::span<const std::byte> source) {
  if (!target.empty()) std::memcpy(target.data(), source.data(), target.size());
}

}  // namespace

shared_data::shared_data(const assignment& given, harness::judged_data& source)
    : trial_data(given, source),
      inputs_("ridge-inputs", given.input_bytes, sharing::read_only),
      outputs_("ridge-outputs", given.output_bytes, sharing::writable),
      pristine_(any_inout(given) ? given.output_bytes : 0) {
  std::ranges::fill(inputs_.bytes(), std::byte{0xFF});
  std::ranges::fill(outputs_.bytes(), std::byte{0xFF});
  paint_guards(given, outputs_.bytes());
}

void shared_data::draw(std::size_t member) {
  const auto& given = layout();
  source().draw(key_of(member));
  const auto& drawn = source().arrays();
  for (std::size_t i = 0; i < given.array_count; ++i) {
    const auto direction = given.arrays[i].direction;
    if (direction == ridge_input)
      copy_into(payload(given, member, i, inputs_.bytes(), outputs_.bytes()), drawn[i].bytes());
    if (direction == ridge_inout)
      copy_into(payload(given, member, i, inputs_.bytes(), pristine_), drawn[i].bytes());
  }
}

void shared_data::poison(std::size_t count) {
  const auto& given = layout();
  for (std::size_t member = 0; member < count; ++member) {
    for (std::size_t i = 0; i < given.array_count; ++i) {
      if (!is_written(given.arrays[i])) continue;
      const auto here = payload(given, member, i, inputs_.bytes(), outputs_.bytes());
      if (given.arrays[i].direction == ridge_inout) {
        copy_into(here, payload(given, member, i, inputs_.bytes(), pristine_));
      } else if (!here.empty()) {
        std::memset(here.data(), 0xFF, here.size());
      }
    }
  }
}

void shared_data::read_inputs(std::size_t count) {
  const volatile auto* bytes = reinterpret_cast<const volatile unsigned char*>(inputs_.bytes().data());
  const std::size_t end = count * layout().input_stride;
  for (std::size_t i = 0; i < end; i += line_of_cache) static_cast<void>(bytes[i]);
}

std::string shared_data::take(std::size_t arm, std::size_t count) {
  const auto bytes = outputs_.bytes().first(count * layout().output_stride);
  copies_[arm].assign(bytes.begin(), bytes.end());
  return {};
}

std::string shared_data::disagreement(std::size_t count, tolerance within) {
  return judge::disagreement(layout(), count, copies_[candidate_arm], copies_[baseline_arm], within);
}

std::vector<std::byte> shared_data::taken(std::size_t arm, std::size_t member) {
  const auto stride = layout().output_stride;
  const auto bytes = std::span(copies_[arm]).subspan(member * stride, stride);
  return {bytes.begin(), bytes.end()};
}

std::string shared_data::damage() { return guard_damage(layout(), outputs_.bytes()); }

}  // namespace ridge::judge
