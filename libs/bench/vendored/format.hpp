// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

// The part of libfmt that the sources of the vendored pair use, so that the pair depends on nothing but the
// standard library: fields by order or by index, with a width, zeros in front, a precision (also from an
// argument) and the types d, x, e, f and g. Anything else throws std::invalid_argument, which a test of the
// pair would see.
namespace fmt {

using field_value = std::variant<std::int64_t, std::uint64_t, double, std::string_view>;

template <class T>
[[nodiscard]] field_value value_of(const T& x) {
  if constexpr (std::same_as<T, bool>) {
    return std::string_view(x ? "true" : "false");
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<double>(x);
  } else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
    return static_cast<std::int64_t>(x);
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<std::uint64_t>(x);
  } else {
    return std::string_view(x);
  }
}

// Reads a format string and writes what it says.
class writer {
 public:
  writer(std::string_view pattern, const field_value* values, std::size_t count)
      : rest_(pattern), values_(values), count_(count) {}

  // Returns the text. Throws std::invalid_argument where the pattern asks for what is not here.
  [[nodiscard]] std::string text() {
    std::string out;
    while (!rest_.empty()) {
      const char c = take();
      if (c == '{' && !rest_.starts_with('{')) {
        out += field();
      } else {
        if (c == '{' || c == '}') take();
        out += c;
      }
    }
    return out;
  }

 private:
  struct layout {
    std::size_t width = 0;
    bool zeros = false;
    int precision = -1;
    char type = 0;
  };

  char take() {
    if (rest_.empty()) throw std::invalid_argument("format: the pattern ends in a field");
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }
  [[nodiscard]] bool at_digit() const {
    return !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9';
  }
  int number() {
    int n = 0;
    while (at_digit()) n = 10 * n + (take() - '0');
    return n;
  }
  const field_value& argument() {
    const auto index = at_digit() ? static_cast<std::size_t>(number()) : next_++;
    if (index >= count_) throw std::invalid_argument("format: a field has no argument");
    return values_[index];
  }

  std::string field() {
    const auto& value = argument();
    layout spec;
    char c = take();
    if (c == ':') {
      spec = layout_of();
      c = take();
    }
    if (c != '}') throw std::invalid_argument("format: a field of this kind is not supported");
    auto made = std::visit([&](const auto& x) { return written(x, spec); }, value);
    if (made.size() < spec.width) {
      const auto gap = spec.width - made.size();
      const bool left = !spec.zeros && std::holds_alternative<std::string_view>(value);
      made.insert(left ? made.size() : 0, gap, spec.zeros ? '0' : ' ');
    }
    return made;
  }

  layout layout_of() {
    layout spec;
    if (rest_.starts_with('0')) {
      spec.zeros = true;
      take();
    }
    spec.width = static_cast<std::size_t>(number());
    if (rest_.starts_with('.')) {
      take();
      spec.precision = rest_.starts_with('{') ? nested() : number();
    }
    if (!rest_.starts_with('}')) spec.type = take();
    return spec;
  }
  int nested() {
    take();
    const auto& value = argument();
    if (take() != '}') throw std::invalid_argument("format: a precision is a number or an argument");
    if (const auto* n = std::get_if<std::int64_t>(&value)) return static_cast<int>(*n);
    return static_cast<int>(std::get<std::uint64_t>(value));
  }

  static std::string written(std::string_view x, const layout&) { return std::string(x); }
  template <std::integral T>
  static std::string written(T x, const layout& spec) {
    if (spec.type != 0 && spec.type != 'd' && spec.type != 'x')
      throw std::invalid_argument("format: a whole number is written with d or x");
    std::array<char, 24> buffer{};
    const auto end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), x, spec.type == 'x' ? 16 : 10).ptr;
    return {buffer.data(), end};
  }
  static std::string written(double x, const layout& spec) {
    std::array<char, 400> buffer{};
    if (!std::isfinite(x)) return std::isnan(x) ? "nan" : x < 0 ? "-inf" : "inf";
    if (spec.type == 0) return shortest(x);
    auto* const last = buffer.data() + buffer.size();
    const auto kind = spec.type == 'e'   ? std::chars_format::scientific
                      : spec.type == 'f' ? std::chars_format::fixed
                                         : std::chars_format::general;
    const auto end = std::to_chars(buffer.data(), last, x, kind, spec.precision < 0 ? 6 : spec.precision).ptr;
    return {buffer.data(), end};
  }
  // The fewest digits that give the same number again, as libfmt writes them: an exponent below 1e-4 and from
  // 1e16.
  static std::string shortest(double x) {
    std::array<char, 400> buffer{};
    const double size = std::fabs(x);
    const bool fixed = size == 0 || (size >= 1e-4 && size < 1e16);
    const auto kind = fixed ? std::chars_format::fixed : std::chars_format::scientific;
    return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), x, kind).ptr};
  }

  std::string_view rest_;
  const field_value* values_;
  std::size_t count_;
  std::size_t next_ = 0;
};

// Returns the pattern with its fields replaced by the arguments.
template <class... Arguments>
[[nodiscard]] std::string format(std::string_view pattern, const Arguments&... arguments) {
  const std::array<field_value, sizeof...(Arguments) + 1> values{value_of(arguments)..., std::string_view()};
  return writer(pattern, values.data(), sizeof...(Arguments)).text();
}

// Appends the same to an output iterator.
template <class Iterator, class... Arguments>
Iterator format_to(Iterator out, std::string_view pattern, const Arguments&... arguments) {
  for (const char c : format(pattern, arguments...)) *out++ = c;
  return out;
}

}  // namespace fmt
