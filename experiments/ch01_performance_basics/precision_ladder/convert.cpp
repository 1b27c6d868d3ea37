// SPDX-License-Identifier: Apache-2.0
#include "convert.hpp"

#include <algorithm>
#include <cmath>

#include <ridge/base/element.hpp>

namespace ridge::experiments::ch01_precision_ladder {
namespace {

template <class Byte>
void quantize_rows(std::span<const float> from, std::int64_t row_length, int zero,
                   const quantized<Byte>& to) {
  const auto length = static_cast<std::size_t>(row_length);
  for (std::size_t row = 0; row < to.scales.size(); ++row) {
    const auto values = from.subspan(row * length, length);
    float largest = 0;
    for (const float x : values) largest = std::max(largest, std::abs(x));
    const float scale = largest > 0 ? largest / 127 : 1;
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < length; ++i) {
      const int whole = static_cast<int>(std::lround(values[i] / scale)) + zero;
      to.bytes[row * length + i] = static_cast<Byte>(whole);
      sum += whole;
    }
    to.scales[row] = scale;
    to.sums[row] = sum;
  }
}

}  // namespace

void to_bf16(std::span<const float> from, std::span<std::uint16_t> to) {
  std::ranges::transform(from, to.begin(), [](float x) { return bf16(x).bits; });
}

void quantize(std::span<const float> from, std::int64_t row_length, const quantized<std::uint8_t>& to) {
  quantize_rows(from, row_length, 128, to);
}

void quantize(std::span<const float> from, std::int64_t row_length, const quantized<std::int8_t>& to) {
  quantize_rows(from, row_length, 0, to);
}

void dequantize(const int8_operands& from, std::span<const std::int32_t> sums, std::int32_t zero,
                std::span<float> to) {
  const auto n = from.b.scales.size();
  for (std::size_t i = 0; i < from.a.scales.size(); ++i) {
    const float scale = from.a.scales[i];
    for (std::size_t j = 0; j < n; ++j) {
      const auto sum = sums[i * n + j] - zero * from.b.sums[j];
      to[i * n + j] = static_cast<float>(sum) * (scale * from.b.scales[j]);
    }
  }
}

}  // namespace ridge::experiments::ch01_precision_ladder
