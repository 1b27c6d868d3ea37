// SPDX-License-Identifier: Apache-2.0
#include "xplane_details.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include <ridge/trace/copy_ends.hpp>

namespace ridge::backends::trace_xplane {
namespace {

template <class Number>
Number number_in(std::string_view text) {
  Number n{};
  std::from_chars(text.data(), text.data() + text.size(), n);
  return n;
}

std::int64_t bytes_in(std::string_view text) {
  return std::max<std::int64_t>(number_in<std::int64_t>(text), 0);
}

// Calls `take` with each part between separators.
template <class Take>
void each_part(std::string_view text, char separator, Take take) {
  while (!text.empty()) {
    const auto end = std::min(text.find(separator), text.size());
    take(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

// Calls `take` with key and value of each "key:value" among the words.
template <class Take>
void each_detail(std::string_view details, Take take) {
  each_part(details, ' ', [&](std::string_view word) {
    const auto colon = word.find(':');
    if (colon != std::string_view::npos) take(word.substr(0, colon), word.substr(colon + 1));
  });
}

std::array<std::uint32_t, 3> sides_in(std::string_view text) {
  std::array<std::uint32_t, 3> sides{1, 1, 1};
  std::size_t axis = 0;
  each_part(text, ',', [&](std::string_view side) {
    if (axis < sides.size()) sides[axis++] = number_in<std::uint32_t>(side);
  });
  return sides;
}

}  // namespace

void read_kernel_details(std::string_view details, trace::device_work& work) {
  each_detail(details, [&](std::string_view key, std::string_view value) {
    if (key == "regs") work.registers = number_in<std::uint16_t>(value);
    if (key == "static_shared" || key == "dynamic_shared" || key == "group_mem")
      work.shared_bytes += number_in<std::uint32_t>(value);
    if (key == "private_mem") work.local_bytes = number_in<std::uint32_t>(value);
    if (key == "grid") work.grid = sides_in(value);
    if (key == "block" || key == "workgroup") work.block = sides_in(value);
    if (key == "occ_pct") work.occupancy = std::clamp(number_in<float>(value) / 100, 0.0F, 1.0F);
  });
}

void read_copy_details(std::string_view details, trace::device_work& work) {
  each_detail(details, [&](std::string_view key, std::string_view value) {
    if (key == "size" || key == "num_bytes") work.bytes = bytes_in(value);
    if (key == "kind_src") work.source = trace::memory_kind_of(value);
    if (key == "kind_dst") work.destination = trace::memory_kind_of(value);
  });
}

void read_fill_details(std::string_view details, trace::device_work& work) {
  each_detail(details, [&](std::string_view key, std::string_view value) {
    if (key == "num_bytes") work.bytes = bytes_in(value);
    if (key == "kind") work.destination = trace::memory_kind_of(value);
  });
}

}  // namespace ridge::backends::trace_xplane
