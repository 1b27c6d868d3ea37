// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <ridge/base/element.hpp>
#include <ridge/cpu/dot_tiles.hpp>
#include <ridge/harness/experiment.hpp>

#include "fp8_blockscaled_gemm.hpp"

namespace ridge::experiments::ch09_fp8_blockscaled_gemm {
namespace {

// The numbers of all codes, as `Number` spells them.
template <class Number, class Spell>
std::array<Number, 256> numbers_of_codes(Spell spell) {
  std::array<Number, 256> made{};
  for (std::size_t code = 0; code < made.size(); ++code)
    made[code] = spell(e4m3::from_bits(static_cast<std::uint8_t>(code)));
  return made;
}

// Calls f(first term, end) for every block of terms.
template <class F>
void for_blocks(const workload& w, const F& f) {
  for (std::int64_t first = 0; first < w.k; first += block) f(first, std::min(first + block, w.k));
}

void store(std::span<const float> sums, std::span<bf16> c) {
  for (std::size_t i = 0; i < c.size(); ++i) c[i] = bf16(sums[i]);
}

// Numbers of a block of terms times its scale, in rows without gaps.
template <class Scale>
void widen_rows(std::span<const e4m3> codes, const workload& w, std::int64_t rows,
                const std::array<float, 256>& numbers, const Scale& scale, std::span<float> wide) {
  for (std::int64_t row = 0; row < rows; ++row)
    for_blocks(w, [&](std::int64_t first, std::int64_t end) {
      const float factor = scale(w, row, first);
      for (auto t = first; t < end; ++t)
        wide[as_count(row * w.k + t)] = numbers[codes[as_count(row * w.pitch + t)].bits] * factor;
    });
}

auto fp32(const workload& shape, setup& s) {
  return [a = s.workspace<float>(as_count(shape.m * shape.k)),
          b = s.workspace<float>(as_count(shape.n * shape.k)), sums = s.workspace<float>(shape.c.size()),
          numbers = numbers_of_codes<float>([](e4m3 x) { return float{x}; })](workload& w, call&) {
    widen_rows(w.a, w, w.m, numbers, a_scale, a);
    widen_rows(w.b, w, w.n, numbers, b_scale, b);
    cpu::dot_tiles_fp32(w.m, w.n, w.k, a.data(), b.data(), sums.data());
    store(sums, w.c);
  };
}

// The terms first .. end - 1 of all rows without scales, in rows without gaps.
template <class Number>
void widen_block(std::span<const e4m3> codes, const workload& w, std::int64_t rows, std::int64_t first,
                 std::int64_t end, const std::array<Number, 256>& numbers, std::span<Number> wide) {
  for (std::int64_t row = 0; row < rows; ++row)
    for (auto t = first; t < end; ++t)
      wide[as_count(row * (end - first) + t - first)] = numbers[codes[as_count(row * w.pitch + t)].bits];
}

// Adds a block's sums times its scales. `column_scales` is room for those of a line.
void add_scaled(const workload& w, std::int64_t term, std::span<const float> part,
                std::span<float> column_scales, std::span<float> sums) {
  for (std::int64_t column = 0; column < w.n; ++column)
    column_scales[as_count(column)] = b_scale(w, column, term);
  for (std::int64_t row = 0; row < w.m; ++row) {
    const float of_row = a_scale(w, row, term);
    const auto line = as_count(row * w.n), columns = as_count(w.n);
    for (std::size_t i = 0; i < columns; ++i) sums[line + i] += part[line + i] * (of_row * column_scales[i]);
  }
}

using float_in_bf16 = std::uint16_t;

float spelled(e4m3 x, float) { return float{x}; }
float_in_bf16 spelled(e4m3 x, float_in_bf16) { return bf16(float{x}).bits; }

constexpr auto dot_tiles(float) { return cpu::dot_tiles_fp32; }
constexpr auto dot_tiles(float_in_bf16) { return cpu::dot_tiles_bf16; }

template <class Number>
auto blockwise(const workload& shape, setup& s) {
  return
      [a = s.workspace<Number>(as_count(shape.m * block)), b = s.workspace<Number>(as_count(shape.n * block)),
       part = s.workspace<float>(shape.c.size()), sums = s.workspace<float>(shape.c.size()),
       scales = s.workspace<float>(as_count(shape.n)),
       numbers = numbers_of_codes<Number>([](e4m3 x) { return spelled(x, Number{}); })](workload& w, call&) {
        std::ranges::fill(sums, 0.0F);
        for_blocks(w, [&](std::int64_t first, std::int64_t end) {
          widen_block<Number>(w.a, w, w.m, first, end, numbers, a);
          widen_block<Number>(w.b, w, w.n, first, end, numbers, b);
          dot_tiles(Number{})(w.m, w.n, end - first, a.data(), b.data(), part.data());
          add_scaled(w, first, part, scales, sums);
        });
        store(sums, w.c);
      };
}

}  // namespace

ladder<workload> cpu() {
  return {
      {.name = "fp32",
       .is = role::baseline,
       .idea = "numbers times their scales in fp32, then multiply-adds in tiles of sums",
       .run = fp32},
      {.name = "blockwise",
       .idea = "numbers without scales, whose sums of 128 terms are scaled",
       .run = blockwise<float>},
      {.name = "blockwise_bf16",
       .idea = "codes are exact in bf16: 32 products an instruction",
       .run = blockwise<float_in_bf16>,
       .needs = {.isa = {"avx512_bf16"}},
       .arithmetic = arithmetic::bf16},
  };
}

}  // namespace ridge::experiments::ch09_fp8_blockscaled_gemm
