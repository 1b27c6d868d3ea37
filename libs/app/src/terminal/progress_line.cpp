// SPDX-License-Identifier: Apache-2.0
#include <ridge/app/progress_line.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

namespace ridge::app {
namespace {

constexpr auto least_pause = std::chrono::milliseconds(100);

// Cuts the text after the last whole character that fits, so that the line never wraps.
std::string cut(std::string_view text, std::size_t columns) {
  std::string kept(text);
  while (display_width(kept) > columns) {
    do {
      kept.pop_back();
    } while (!kept.empty() && (static_cast<unsigned char>(kept.back()) & 0xc0) == 0x80);
  }
  return kept;
}

}  // namespace

void progress_line::show(std::string_view text) {
  const auto now = std::chrono::steady_clock::now();
  if (!screen_.interactive || (shown_ && now - last_ < least_pause)) return;
  last_ = now;
  shown_ = true;
  const auto line = fmt::format("\r{}\x1b[K", cut(text, screen_.columns - 1));
  std::fwrite(line.data(), 1, line.size(), stderr);
  std::fflush(stderr);
}

void progress_line::clear() {
  if (!shown_) return;
  shown_ = false;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<long>(std::ceil(std::max(0.0, seconds)));
  return whole < 60 ? fmt::format("{} s", whole) : fmt::format("{} min {:02} s", whole / 60, whole % 60);
}

std::string bar(double fraction) {
  constexpr int cells = 10;
  const int full = static_cast<int>(std::lround(std::clamp(fraction, 0.0, 1.0) * cells));
  std::string text = "▕";
  for (int i = 0; i < cells; ++i) text += i < full ? "█" : " ";
  return text + "▏";
}

}  // namespace ridge::app
