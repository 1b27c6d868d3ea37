// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <ridge/base/element.hpp>
#include <ridge/cpu/dot_tiles.hpp>
#include <ridge/harness/experiment.hpp>

#include "fp32_accurate_gemm.hpp"

namespace ridge::experiments::ch09_fp32_accurate_gemm {
namespace {

// Rows without the gap that ends each of them.
void pack(std::span<const float> source, const workload& w, std::int64_t rows, std::span<float> target) {
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t p = 0; p < w.k; ++p) target[as_count(i * w.k + p)] = source[as_count(i * w.pitch + p)];
}

auto fp32(const workload& shape, setup& s) {
  return [a = s.workspace<float>(as_count(shape.m * shape.k)),
          b = s.workspace<float>(as_count(shape.n * shape.k))](workload& w, call&) {
    pack(w.a, w, w.m, a);
    pack(w.b, w, w.n, b);
    cpu::dot_tiles_fp32(w.m, w.n, w.k, a.data(), b.data(), w.c.data());
  };
}

using planes = std::array<std::span<std::uint16_t>, 3>;

planes make_planes(std::int64_t rows, const workload& w, setup& s) {
  planes made;
  for (auto& plane : made) plane = s.workspace<std::uint16_t>(as_count(rows * w.k));
  return made;
}

void split_rows(std::span<const float> source, const workload& w, std::int64_t rows, const planes& target) {
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t p = 0; p < w.k; ++p) {
      float rest = source[as_count(i * w.pitch + p)];
      for (const auto& plane : target) {
        const bf16 part(rest);
        plane[as_count(i * w.k + p)] = part.bits;
        rest -= float{part};
      }
    }
}

auto bf16_six(const workload& shape, setup& s) {
  return [a = make_planes(shape.m, shape, s), b = make_planes(shape.n, shape, s),
          part = s.workspace<float>(shape.c.size())](workload& w, call&) {
    split_rows(w.a, w, w.m, a);
    split_rows(w.b, w, w.n, b);
    cpu::dot_tiles_bf16(w.m, w.n, w.k, a[0].data(), b[2].data(), w.c.data());
    constexpr std::array<std::array<std::size_t, 2>, 5> larger{{{2, 0}, {1, 1}, {0, 1}, {1, 0}, {0, 0}}};
    for (const auto& [of_a, of_b] : larger) {
      cpu::dot_tiles_bf16(w.m, w.n, w.k, a[of_a].data(), b[of_b].data(), part.data());
      for (std::size_t i = 0; i < part.size(); ++i) w.c[i] += part[i];
    }
  };
}

}  // namespace

ladder<workload> cpu() {
  return {
      {.name = "fp32", .is = role::baseline, .idea = "fp32 multiply-adds in tiles of sums", .run = fp32},
      {.name = "bf16_six",
       .idea = "three planes of bf16 and six of their products, 32 to an instruction",
       .run = bf16_six,
       .needs = {.isa = {"avx512_bf16"}}},
  };
}

}  // namespace ridge::experiments::ch09_fp32_accurate_gemm
