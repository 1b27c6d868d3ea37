// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <ridge/base/element.hpp>

#include "precision_ladder.hpp"

namespace ridge::experiments::ch01_precision_ladder {
namespace {

template <class Byte>
void quantize_rows(std::span<const float> source, std::int64_t row_length, int zero,
                   const quantized<Byte>& target) {
  const auto length = as_count(row_length);
  for (std::size_t row = 0; row < target.scales.size(); ++row) {
    const auto values = source.subspan(row * length, length);
    float largest = 0;
    for (const float x : values) largest = std::max(largest, std::abs(x));
    const float scale = largest > 0 ? largest / 127 : 1;
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < length; ++i) {
      const int whole = static_cast<int>(std::lround(values[i] / scale)) + zero;
      target.bytes[row * length + i] = static_cast<Byte>(whole);
      sum += whole;
    }
    target.scales[row] = scale;
    target.sums[row] = sum;
  }
}

}  // namespace

void to_bf16(std::span<const float> source, std::span<std::uint16_t> target) {
  std::ranges::transform(source, target.begin(), [](float x) { return bf16(x).bits; });
}

void quantize(std::span<const float> source, std::int64_t row_length, const quantized<std::uint8_t>& target) {
  quantize_rows(source, row_length, 128, target);
}

void quantize(std::span<const float> source, std::int64_t row_length, const quantized<std::int8_t>& target) {
  quantize_rows(source, row_length, 0, target);
}

void dequantize(const int8_operands& operands, std::span<const std::int32_t> sums, std::int32_t zero,
                std::span<float> target) {
  const auto n = operands.b.scales.size();
  for (std::size_t i = 0; i < operands.a.scales.size(); ++i) {
    const float scale = operands.a.scales[i];
    for (std::size_t j = 0; j < n; ++j) {
      const auto sum = sums[i * n + j] - zero * operands.b.sums[j];
      target[i * n + j] = as_float(sum) * (scale * operands.b.scales[j]);
    }
  }
}

}  // namespace ridge::experiments::ch01_precision_ladder
