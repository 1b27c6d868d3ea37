// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/known_work.hpp>

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

namespace ridge::trace {
namespace {

std::optional<double> positive(std::string_view text) {
  double value = 0;
  const auto [end, why] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (why != std::errc{} || end != text.data() + text.size() || !std::isfinite(value) || value <= 0)
    return std::nullopt;
  return value;
}

}  // namespace

result<known_work> parse_known_work(std::string_view text) {
  const auto wrong = [&] {
    return error{fmt::format("\"{}\" does not tell a kernel's work", text),
                 "give --kernel-work NAME=OPERATIONS[,BYTES] of one launch, as in --kernel-work gemm=1.7e10"};
  };
  const auto equals = text.rfind('=');
  if (equals == std::string_view::npos || equals == 0) return wrong();
  const auto figures = split(text.substr(equals + 1), ',');
  known_work work{.kernel = std::string(text.substr(0, equals))};
  const auto flops = positive(figures.front());
  if (!flops || figures.size() > 2) return wrong();
  work.flops = *flops;
  if (figures.size() == 2) {
    const auto bytes = positive(figures.back());
    if (!bytes) return wrong();
    work.bytes = *bytes;
  }
  return work;
}

}  // namespace ridge::trace
