// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/gpu_driver.hpp>

#include <algorithm>
#include <string_view>

#include <ridge/base/text.hpp>
#include <ridge/host/text_file.hpp>

namespace ridge::host {
namespace {

// Returns whether a word is a version such as "580.65.06", but not "x86_64" or a date.
bool is_version(std::string_view word) {
  return word.find('.') != std::string_view::npos &&
         std::ranges::all_of(word, [](char c) { return c == '.' || (c >= '0' && c <= '9'); });
}

}  // namespace

std::string gpu_driver(const std::filesystem::path& root) {
  const auto text = read_text(root / "proc/driver/nvidia/version").value_or("");
  const auto line = std::string_view(text).substr(0, text.find('\n'));
  const auto words = split(line, ' ');
  const auto version = std::ranges::find_if(words, is_version);
  return version == words.end() ? "" : std::string(*version);
}

}  // namespace ridge::host
