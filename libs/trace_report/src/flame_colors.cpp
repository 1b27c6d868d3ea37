// SPDX-License-Identifier: Apache-2.0
#include "flame_colors.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

namespace ridge::trace_report {
namespace {

std::uint32_t hash_of(std::string_view text) {
  std::uint32_t h = 2166136261U;  // FNV-1a
  for (const char c : text.substr(0, 4096)) h = (h ^ static_cast<unsigned char>(c)) * 16777619U;
  return h ^ (h >> 15);
}

}  // namespace

std::string_view module_of(std::string_view frame) {
  if (frame.starts_with("void ")) frame.remove_prefix(5);
  for (const std::string_view api : {"cuda", "hip", "nccl", "cublas", "cudnn"}) {
    if (frame.starts_with(api)) return api;
  }
  if (const auto file = frame.find(".py("); file != std::string_view::npos) return frame.substr(0, file + 3);
  if (const auto space = frame.find("::"); space != std::string_view::npos && space > 0)
    return frame.substr(0, std::min(space, frame.find_first_of("<( ")));
  return frame.substr(0, frame.find_first_of("_<( #0123456789."));
}

std::string flame_color(std::string_view frame) {
  const auto hue = hash_of(module_of(frame)) % 360;
  const auto shade = hash_of(frame);
  return fmt::format("hsl({},{}%,{}%)", hue, 42 + shade % 18, 70 + shade / 32 % 10);
}

std::string change_color(double change) {
  constexpr std::array<double, 3> same{226, 224, 222}, grew{240, 104, 82}, shrank{104, 152, 240};
  const double part = std::min(1.0, std::abs(change));
  std::array<int, 3> mixed{};
  for (std::size_t i = 0; i < mixed.size(); ++i)
    mixed[i] = static_cast<int>(std::lround(same[i] + part * ((change > 0 ? grew[i] : shrank[i]) - same[i])));
  return fmt::format("#{:02x}{:02x}{:02x}", mixed[0], mixed[1], mixed[2]);
}

}  // namespace ridge::trace_report
