// SPDX-License-Identifier: Apache-2.0
#include "number.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

namespace ridge::backends::trace_chrome_json {
namespace {

struct decimal {
  std::string_view digits{};  // digits with at most one point among them
  std::int64_t exponent = 0;
  bool negative = false;
};

std::optional<decimal> parsed(std::string_view text) {
  decimal d;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    d.negative = text.front() == '-';
    text.remove_prefix(1);
  }
  const auto mantissa = text.find_first_of("eE");
  d.digits = text.substr(0, mantissa);
  bool any = false, point = false;
  for (const char c : d.digits) {
    if (!is_digit(c) && (c != '.' || point)) return std::nullopt;
    (c == '.' ? point : any) = true;
  }
  if (!any) return std::nullopt;
  if (mantissa == std::string_view::npos) return d;
  auto exponent = text.substr(mantissa + 1);
  if (!exponent.empty() && exponent.front() == '+') exponent.remove_prefix(1);
  const auto [end, failed] = std::from_chars(exponent.data(), exponent.data() + exponent.size(), d.exponent);
  if (end != exponent.data() + exponent.size()) return std::nullopt;
  constexpr std::int64_t widest = 1'000'000;
  if (failed == std::errc::result_out_of_range)
    d.exponent = exponent.front() == '-' ? -widest : widest;
  else if (failed != std::errc())
    return std::nullopt;
  d.exponent = std::min(std::max(d.exponent, -widest), widest);
  return d;
}

// Digits before the point are the integer part; `shift` moves the point right.
std::optional<std::uint64_t> shifted(std::string_view digits, std::int64_t shift) {
  const auto point = digits.find('.');
  auto whole = static_cast<std::int64_t>(point == std::string_view::npos ? digits.size() : point) + shift;
  std::uint64_t value = 0;
  char first_dropped = '0';
  bool more_dropped = false;
  for (const char c : digits) {
    if (c == '.') continue;
    if (whole-- > 0) {
      if (__builtin_mul_overflow(value, std::uint64_t{10}, &value) ||
          __builtin_add_overflow(value, static_cast<std::uint64_t>(c - '0'), &value))
        return std::nullopt;
    } else if (whole == -1) {
      first_dropped = c;
    } else {
      more_dropped |= c != '0';
    }
  }
  for (; value != 0 && whole > 0; --whole) {
    if (__builtin_mul_overflow(value, std::uint64_t{10}, &value)) return std::nullopt;
  }
  const bool up = first_dropped > '5' || (first_dropped == '5' && (more_dropped || (value & 1)));
  return value + (up ? 1 : 0);
}

// Reads the text of a number, with or without quotes; it stays empty where another value was skipped.
const char* read_number_text(const char* position, json_text& text, token& value) {
  if (*position == '"') return read_text(position + 1, text, value);
  if (!is_digit(*position) && !(*position == '-' && (is_digit(position[1]) || position[1] == '.')))
    return skip_value(position, text);
  const auto* end = skip_value(position, text);
  if (end != nullptr) value = {position, end, true};
  return end;
}

}  // namespace

std::optional<std::int64_t> scaled_integer(std::string_view text, int power) {
  const auto d = parsed(text);
  if (!d) return std::nullopt;
  const auto value = shifted(d->digits, d->exponent + power);
  if (!value || *value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    return std::nullopt;
  const auto whole = static_cast<std::int64_t>(*value);
  return d->negative ? -whole : whole;
}

const char* read_scaled(const char* position, json_text& text, int power,
                        std::optional<std::int64_t>& number) {
  token t;
  position = read_number_text(position, text, t);
  if (position != nullptr && t.told()) {
    if (const auto value = scaled_integer(t.text(), power)) number = value;
  }
  return position;
}

const char* read_real(const char* position, json_text& text, std::optional<double>& number) {
  token t;
  position = read_number_text(position, text, t);
  if (position == nullptr || !t.told()) return position;
  double value = 0;
  const auto [end, failed] = std::from_chars(t.begin, t.end, value);
  if (failed == std::errc() && end == t.end) number = value;
  return position;
}

}  // namespace ridge::backends::trace_chrome_json
