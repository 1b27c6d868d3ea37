// SPDX-License-Identifier: Apache-2.0
#include "exchange/layout.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

#include <ridge/device/guard_layout.hpp>
#include <ridge/device/guard_zone.hpp>

#define RIDGE_JUDGE_HOST
#include <ridge/judge/candidate.h>

namespace ridge::judge {
namespace {

constexpr std::size_t line_bytes = 64;
constexpr std::size_t zone = device::zone_bytes;
constexpr std::size_t gpu_alignment = 256;  // what cudaMalloc promises, and kernels count on
// Strides are no multiples of a page, so that the same array of neighbouring members does not fall on the
// same sets of the nearest cache.
constexpr std::size_t page = 4096;

template <std::size_t N>
bool store(std::array<char, N>& field, std::string_view text) {
  if (text.size() >= N) return false;
  std::ranges::copy(text, field.begin());
  return true;
}

std::size_t alignment_of(const assignment& made) { return made.on_gpu != 0 ? gpu_alignment : line_bytes; }

std::size_t rounded(std::size_t bytes, std::size_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

std::size_t stride_of(std::size_t bytes, std::size_t alignment) {
  const auto whole = rounded(std::max<std::size_t>(bytes, 1), alignment);
  return whole % page == 0 ? whole + rounded(3 * line_bytes, alignment) : whole;
}

std::int32_t direction_of(use u) {
  if (u == use::in) return ridge_input;
  return u == use::out ? ridge_output : ridge_inout;
}

std::string_view prefix_of(std::int32_t direction) {
  constexpr std::array<std::string_view, 3> prefixes{"in", "out", "inout"};
  return prefixes[static_cast<std::size_t>(direction)];
}

error cannot(std::string_view why) {
  return {fmt::format("no candidate can be judged on this experiment: {}", why),
          "choose an experiment whose workload is plain arrays"};
}

result<void> place_arrays(const std::vector<array_record>& arrays, assignment& made) {
  if (arrays.size() > most_arrays) return cannot(fmt::format("it has {} arrays", arrays.size()));
  std::array<int, 3> seen{};
  const auto alignment = alignment_of(made);
  std::size_t input = 0, output = rounded(zone, alignment);
  for (const auto& a : arrays) {
    if (a.use == use::file) return cannot("it reads a file");
    auto& place = made.arrays[made.array_count++];
    place.direction = direction_of(a.use);
    place.type = static_cast<std::int32_t>(a.type);
    place.count = a.count;
    place.bytes = a.bytes().size();
    const auto number = seen[static_cast<std::size_t>(place.direction)]++;
    store(place.name, fmt::format("{}{}", prefix_of(place.direction), number));
    auto& next = is_written(place) ? output : input;
    place.offset = next;
    next += rounded(place.bytes, alignment) +
            rounded(is_written(place) ? zone + line_bytes : 3 * line_bytes, alignment);
  }
  made.input_stride = stride_of(input, alignment);
  made.output_stride = stride_of(output, alignment);
  return {};
}

result<void> place_parameters(const problem& p, assignment& made) {
  const auto& point = p.point();
  if (point.size() > most_parameters) return cannot(fmt::format("it has {} axes", point.size()));
  for (const auto& [name, value] : point) {
    auto& place = made.parameters[made.parameter_count++];
    bool fits = store(place.name, name);
    if (const auto* whole = std::get_if<std::int64_t>(&value)) {
      place.kind = ridge_integer, place.integer = *whole, place.real = static_cast<double>(*whole);
    } else if (const auto* real = std::get_if<double>(&value)) {
      place.kind = ridge_real, place.real = *real;
    } else {
      place.kind = ridge_text;
      fits = store(place.text, std::get<std::string>(value)) && fits;
    }
    if (!fits) return cannot(fmt::format("the axis {} has too long a name or value", name));
  }
  return {};
}

}  // namespace

bool is_written(const array_place& place) { return place.direction != ridge_input; }

result<void> lay_out(const std::vector<array_record>& arrays, const problem& p, std::size_t most_bytes,
                     std::size_t most_members, assignment& made) {
  if (auto placed = place_arrays(arrays, made); !placed) return placed;
  if (auto placed = place_parameters(p, made); !placed) return placed;
  const auto member_bytes = made.input_stride + made.output_stride;
  made.members = std::clamp<std::uint64_t>(most_bytes / member_bytes, 1, most_members);
  made.input_bytes = made.members * made.input_stride;
  made.output_bytes = made.members * made.output_stride;
  return {};
}

std::span<std::byte> payload(const assignment& given, std::size_t member, std::size_t index,
                             std::span<std::byte> inputs, std::span<std::byte> outputs) {
  const auto& place = given.arrays[index];
  if (is_written(place)) return outputs.subspan(member * given.output_stride + place.offset, place.bytes);
  return inputs.subspan(member * given.input_stride + place.offset, place.bytes);
}

void each_guard(const assignment& given, std::span<std::byte> outputs, const guard_visitor& visit) {
  for (std::size_t member = 0; member < given.members; ++member) {
    const auto here = outputs.subspan(member * given.output_stride, given.output_stride);
    for (std::size_t i = 0; i < given.array_count; ++i) {
      const auto& place = given.arrays[i];
      if (!is_written(place)) continue;
      const auto before = here.subspan(place.offset - guard_bytes, guard_bytes);
      const auto after = here.subspan(place.offset + place.bytes, guard_bytes);
      if (!visit(member, place, before, after)) return;
    }
  }
}

void paint_guards(const assignment& given, std::span<std::byte> outputs) {
  each_guard(given, outputs, [](std::size_t, const array_place&, auto before, auto after) {
    device::paint(before);
    device::paint(after);
    return true;
  });
}

std::string guard_damage(const assignment& given, std::span<std::byte> outputs) {
  std::string seen;
  each_guard(given, outputs, [&](std::size_t, const array_place& place, auto before, auto after) {
    const auto damage = device::damage_text(before, after);
    if (!damage.empty()) seen = fmt::format("{}: {}", text_of(place.name), damage);
    return damage.empty();
  });
  return seen;
}

}  // namespace ridge::judge
