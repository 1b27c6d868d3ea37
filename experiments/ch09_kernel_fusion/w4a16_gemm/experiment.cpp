// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstring>

#include <ridge/base/element.hpp>
#include <ridge/harness/experiment.hpp>

#include "w4a16_gemm.hpp"

namespace ridge::experiments::ch09_w4a16_gemm {

double weight_of(const workload& w, std::size_t row, std::size_t term) {
  const auto i = row * w.terms + term, s = i / terms_a_scale(w.coding);
  const unsigned code = w.codes[i / 2] >> (4 * (i % 2)) & 15U;
  if (w.coding == format::int4) {
    const auto bits = static_cast<std::uint16_t>(w.scales[2 * s] | w.scales[2 * s + 1] << 8);
    return (static_cast<double>(code) - 8) * double{float{bf16::from_bits(bits)}};
  }
  const double value = float{e2m1::from_bits(static_cast<std::uint8_t>(code))};
  const float scale =
      w.coding == format::nvfp4 ? float{e4m3::from_bits(w.scales[s])} : float{e8m0::from_bits(w.scales[s])};
  return value * double{scale};
}

namespace {

format format_of(const problem& p) {
  const auto& name = p.text("format");
  return name == "int4" ? format::int4 : name == "nvfp4" ? format::nvfp4 : format::mxfp4;
}

// Scales about 2^-6, within a factor of eight, so that products are of the order of one.
distribution scales_of(format f) {
  return filled_by{[f](std::span<std::byte> bytes, std::uint64_t key) {
    for (std::size_t i = 0; i < bytes.size() / bytes_a_scale(f); ++i) {
      const auto random = static_cast<unsigned>((i + key) * 0x9E3779B97F4A7C15U >> 40);
      if (f == format::int4) {
        const auto bits = bf16(std::ldexp(1 + static_cast<float>(random % 128) / 128, -7)).bits;
        std::memcpy(bytes.data() + 2 * i, &bits, 2);
      } else if (f == format::nvfp4) {
        bytes[i] = static_cast<std::byte>(1 + random % 24);  // e4m3 from 2^-9 to 2^-5, subnormal ones, too
      } else {
        bytes[i] = static_cast<std::byte>(119 + random % 4);  // 2^-8 to 2^-5
      }
    }
  }};
}

double element(const workload& w, std::size_t index) {
  const auto token = index / w.rows, row = index % w.rows;
  double sum = 0;
  for (std::size_t t = 0; t < w.terms; ++t)
    sum += double{float{w.a[token * w.terms + t]}} * weight_of(w, row, t);
  return sum;
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch09.w4a16_gemm",
      .title = "Products with weights of four bits",
      .question = "What do 4-bit weights buy at small batch?",
      .answers = {"B16.4"},
      .tags = {"quantization", "int4", "fp4", "memory", "inference"},
      .axes = {choice("format", {"int4", "nvfp4", "mxfp4"}),
               on_cuda(values("tokens", {1}, {0, 2, 9, 17, 65}), {1, 16, 64}),
               on_cuda(values("rows", {16384}, {0, 1, 255, 257}), {28672}),
               on_cuda(values("groups", {16}, {1, 3, 7}), {64})},
      .make =
          [](const problem& p, memory& m) {
            const auto f = format_of(p);
            const auto tokens = p.count("tokens"), rows = p.count("rows"),
                       terms = product(p.count("groups"), group);
            const auto weights = product(rows, terms);
            return workload{f,
                            tokens,
                            rows,
                            terms,
                            m.in<bf16>(product(tokens, terms), normal{}),
                            m.in<std::uint8_t>(weights / 2, random_bits{}),
                            m.in<std::uint8_t>(weights / terms_a_scale(f) * bytes_a_scale(f), scales_of(f)),
                            m.out<bf16>(product(tokens, rows))};
          },
      .work =
          [](const problem& p) {
            const auto f = format_of(p);
            const auto tokens = p.count("tokens"), rows = p.count("rows"),
                       terms = product(p.count("groups"), group);
            const auto weights = product(rows, terms);
            return work::streaming(reads<bf16>(tokens, terms) + reads<std::uint8_t>(weights / 2) +
                                       reads<std::uint8_t>(weights / terms_a_scale(f) * bytes_a_scale(f)),
                                   writes<bf16>(tokens, rows))
                .with_flop(2 * static_cast<double>(tokens) * static_cast<double>(weights))
                .with_items(p.real("tokens"));
          },
      .oracle =
          [](workload& w) {
            for (std::size_t i = 0; i < w.c.size(); ++i) w.c[i] = bf16(as_float(element(w, i)));
          },
      .element = element,
      // The result's rounding to bf16, and that of fp32 sums of terms of the order of 2^-4.
      .within =
          [](const problem& p) {
            const auto sums = accumulation(p.real("groups") * double{group}, 0x1p-24, 0x1p-4);
            return tolerance{.abs = sums.abs + 0x1p-12, .rel = 0x1p-7};
          },
      .metrics = {time_per_call(), relative_error()},
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch09_w4a16_gemm
