// SPDX-License-Identifier: Apache-2.0
#include "trial/shared_data.hpp"

#include <algorithm>
#include <cstring>

#define RIDGE_JUDGE_HOST
#include <ridge/judge/candidate.h>

#include "exchange/layout.hpp"

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
    : given_(given),
      source_(source),
      inputs_("ridge-inputs", given.input_bytes, sharing::read_only),
      outputs_("ridge-outputs", given.output_bytes, sharing::writable),
      pristine_(any_inout(given) ? given.output_bytes : 0) {
  std::ranges::fill(inputs_.bytes(), std::byte{0xFF});
  std::ranges::fill(outputs_.bytes(), std::byte{0xFF});
  paint_guards(given_, outputs_.bytes());
}

void shared_data::begin(std::uint64_t key) { key_ = key, drawn_ = 0; }

void shared_data::draw_up_to(std::size_t count) {
  for (; drawn_ < count; ++drawn_) draw(drawn_);
}

void shared_data::draw(std::size_t member) {
  source_.draw(harness::mixed_key(key_, member));
  const auto& drawn = source_.arrays();
  for (std::size_t i = 0; i < given_.array_count; ++i) {
    const auto direction = given_.arrays[i].direction;
    if (direction == ridge_input)
      copy_into(payload(given_, member, i, inputs_.bytes(), outputs_.bytes()), drawn[i].bytes());
    if (direction == ridge_inout)
      copy_into(payload(given_, member, i, inputs_.bytes(), pristine_), drawn[i].bytes());
  }
}

void shared_data::poison(std::size_t count) {
  for (std::size_t member = 0; member < count; ++member) {
    for (std::size_t i = 0; i < given_.array_count; ++i) {
      if (!is_written(given_.arrays[i])) continue;
      const auto here = payload(given_, member, i, inputs_.bytes(), outputs_.bytes());
      if (given_.arrays[i].direction == ridge_inout) {
        copy_into(here, payload(given_, member, i, inputs_.bytes(), pristine_));
      } else if (!here.empty()) {
        std::memset(here.data(), 0xFF, here.size());
      }
    }
  }
}

void shared_data::read_inputs(std::size_t count) const {
  const volatile auto* bytes = reinterpret_cast<const volatile unsigned char*>(inputs_.bytes().data());
  const std::size_t end = count * given_.input_stride;
  for (std::size_t i = 0; i < end; i += line_of_cache) static_cast<void>(bytes[i]);
}

std::vector<std::byte> shared_data::written(std::size_t count) const {
  const auto bytes = outputs_.bytes().first(count * given_.output_stride);
  return {bytes.begin(), bytes.end()};
}

std::string shared_data::difference(std::uint64_t key, std::size_t member, std::span<const std::byte> results,
                                    std::size_t variant) {
  source_.draw(harness::mixed_key(key, member));
  source_.compute_answers();
  std::vector<std::span<const std::byte>> arrays;
  for (std::size_t i = 0; i < given_.array_count; ++i) {
    const auto& place = given_.arrays[i];
    if (is_written(place))
      arrays.push_back(results.subspan(member * given_.output_stride + place.offset, place.bytes));
  }
  return source_.difference(arrays, variant);
}

std::string shared_data::damage() const { return guard_damage(given_, outputs_.bytes()); }

}  // namespace ridge::judge
