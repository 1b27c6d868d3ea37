// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/process_limits.hpp>

#include <charconv>
#include <vector>

#include <ridge/base/text.hpp>
#include <ridge/host/text_file.hpp>

namespace ridge::host {
namespace {

std::optional<std::uint64_t> amount(std::string_view word) {
  if (word == "unlimited") return no_limit;
  std::uint64_t value = 0;
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (code != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return value;
}

// Returns the limit in a line such as "Max open files            20000                20000
// files".
std::optional<process_limit> limit_after(std::string_view text, std::string_view name) {
  for (const auto line : split(text, '\n')) {
    if (!line.starts_with(name)) continue;
    std::vector<std::string_view> words = split(line.substr(name.size()), ' ');
    std::erase(words, std::string_view{});
    if (words.size() < 2) return std::nullopt;
    const auto soft = amount(words[0]), hard = amount(words[1]);
    return soft && hard ? std::optional(process_limit{*soft, *hard}) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

process_limits parse_process_limits(std::string_view text) {
  return {.locked_bytes = limit_after(text, "Max locked memory"),
          .open_files = limit_after(text, "Max open files"),
          .processes = limit_after(text, "Max processes"),
          .stack_bytes = limit_after(text, "Max stack size"),
          .address_space_bytes = limit_after(text, "Max address space"),
          .realtime_priority = limit_after(text, "Max realtime priority"),
          .core_bytes = limit_after(text, "Max core file size")};
}

process_limits read_process_limits(const std::filesystem::path& root) {
  return parse_process_limits(read_text(root / "proc/self/limits").value_or(""));
}

}  // namespace ridge::host
