// SPDX-License-Identifier: Apache-2.0
#include "time_text.hpp"

#include <charconv>
#include <chrono>
#include <cmath>

namespace ridge::plan::serve {
namespace {

// Reads exactly `digits` decimal digits.
std::optional<int> fixed_digits(std::string_view text, std::size_t position, std::size_t digits) {
  if (position + digits > text.size()) return std::nullopt;
  int n = 0;
  for (const char c : text.substr(position, digits)) {
    if (c < '0' || c > '9') return std::nullopt;
    n = n * 10 + (c - '0');
  }
  return n;
}

std::optional<std::int64_t> fraction_ns(std::string_view text) {
  if (text.empty()) return 0;
  if (text.front() != '.' || text.size() < 2 || text.size() > 10) return std::nullopt;
  std::int64_t ns = 0;
  for (std::size_t i = 1; i < 10; ++i) {
    const char c = i < text.size() ? text[i] : '0';
    if (c < '0' || c > '9') return std::nullopt;
    ns = ns * 10 + (c - '0');
  }
  return ns;
}

bool has_date_marks(std::string_view t) {
  return t.size() >= 19 && t[4] == '-' && t[7] == '-' && (t[10] == ' ' || t[10] == 'T') && t[13] == ':' &&
         t[16] == ':';
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  double v = 0;
  const auto end = text.data() + text.size();
  const auto [at, code] = std::from_chars(text.data(), end, v);
  if (code != std::errc() || at != end || !std::isfinite(v)) return std::nullopt;
  return v;
}

std::optional<std::int64_t> parse_whole(std::string_view text) {
  std::int64_t v = 0;
  const auto end = text.data() + text.size();
  const auto [at, code] = std::from_chars(text.data(), end, v);
  if (code == std::errc() && at == end) return v;
  const auto real = parse_number(text);
  if (!real || std::floor(*real) != *real || std::abs(*real) > 9e15) return std::nullopt;
  return static_cast<std::int64_t>(*real);
}

std::optional<std::int64_t> parse_date_ns(std::string_view t) {
  if (!t.empty() && t.back() == 'Z') t.remove_suffix(1);
  if (t.size() > 6 && (t.ends_with("+00:00"))) t.remove_suffix(6);
  if (!has_date_marks(t)) return std::nullopt;
  const auto year = fixed_digits(t, 0, 4), month = fixed_digits(t, 5, 2), day = fixed_digits(t, 8, 2);
  const auto hour = fixed_digits(t, 11, 2), minute = fixed_digits(t, 14, 2), second = fixed_digits(t, 17, 2);
  const auto ns = fraction_ns(t.substr(19));
  if (!year || !month || !day || !hour || !minute || !second || !ns) return std::nullopt;
  const std::chrono::year_month_day date(std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day)));
  if (!date.ok() || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;
  const auto days = std::chrono::sys_days(date).time_since_epoch().count();
  return ((std::int64_t{days} * 24 + *hour) * 60 + *minute) * 60'000'000'000 + *second * 1'000'000'000LL +
         *ns;
}

}  // namespace ridge::plan::serve
