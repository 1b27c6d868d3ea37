// SPDX-License-Identifier: Apache-2.0
#include <ridge/device/guard_zone.hpp>

#include <fmt/format.h>

namespace ridge::device {
namespace {

std::byte pattern_at(std::size_t offset) { return static_cast<std::byte>((offset * 37 + 0xA5) & 0xFF); }

struct harm {
  std::size_t bytes = 0, first = 0, last = 0;
};

harm harm_of(std::span<const std::byte> zone) {
  harm h;
  for (std::size_t i = 0; i < zone.size(); ++i) {
    if (zone[i] == pattern_at(i)) continue;
    if (h.bytes++ == 0) h.first = i;
    h.last = i;
  }
  return h;
}

}  // namespace

void paint(std::span<std::byte> zone) {
  for (std::size_t i = 0; i < zone.size(); ++i) zone[i] = pattern_at(i);
}

std::string damage_text(std::span<const std::byte> before, std::span<const std::byte> after) {
  const harm front = harm_of(before), back = harm_of(after);
  std::string text;
  if (front.bytes > 0) {
    text = fmt::format("{} bytes before the start, last at -{}", front.bytes, before.size() - front.last);
  }
  if (back.bytes > 0) {
    text += fmt::format("{}{} bytes after the end, first at +{}", text.empty() ? "" : "; ", back.bytes,
                        back.first);
  }
  return text;
}

}  // namespace ridge::device
