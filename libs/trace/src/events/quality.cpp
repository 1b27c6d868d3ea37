// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/quality.hpp>

#include <algorithm>

namespace ridge::trace {

std::string_view name(flaw f) {
  constexpr std::array<std::string_view, flaw_count> names{
      "truncated",        "unreadable event",  "unmatched begin",      "unmatched end",
      "missing duration", "negative duration", "control character",    "non-finite number",
      "bad text",         "foreign clock",     "launched after start", "overflowing duration",
      "dropped records",  "opaque graphs",     "over limit",           "trailing bytes",
      "unknown field"};
  return names.at(static_cast<std::size_t>(f));
}

void input_quality::add(flaw kind, std::uint64_t offset, std::string_view text, std::uint64_t count) {
  constexpr std::size_t kept = 10;
  if (count == 0) return;
  auto at = std::ranges::lower_bound(defects, kind, {}, &defect::kind);
  if (at == defects.end() || at->kind != kind) {
    at = defects.insert(at, defect{});
    at->kind = kind;
    at->text = text;
  }
  at->count += count;
  if (at->offsets.size() < kept) at->offsets.push_back(offset);
}

std::uint64_t input_quality::count(flaw kind) const {
  const auto at = std::ranges::find(defects, kind, &defect::kind);
  return at == defects.end() ? 0 : at->count;
}

}  // namespace ridge::trace
