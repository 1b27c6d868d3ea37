// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>

#include <ridge/base/expects.hpp>
#include <ridge/harness/experiment.hpp>

#include "fp8_blockscaled_gemm.hpp"

namespace ridge::experiments::ch09_fp8_blockscaled_gemm {
namespace {

struct extents {
  std::size_t m = 0, n = 0, k = 0;
};

extents extents_of(const problem& p) {
  const std::string_view text = p.text("shape");
  extents e;
  const auto* const end = text.data() + text.size();
  const auto m = std::from_chars(text.data(), end, e.m);
  const auto n = std::from_chars(m.ptr + 1, end, e.n);
  const auto k = std::from_chars(n.ptr + 1, end, e.k);
  expects(m.ec == std::errc() && n.ec == std::errc() && k.ec == std::errc() && k.ptr == end,
          "fp8_blockscaled_gemm: shape is not \"64x7168x16384\"");
  return e;
}

std::size_t rounded_up(std::size_t x, std::size_t multiple) {
  return (x + multiple - 1) / multiple * multiple;
}
std::size_t blocks_in(std::size_t extent) { return (extent + as_count(block) - 1) / as_count(block); }
std::size_t b_blocks(const extents& e) { return rounded_up(blocks_in(e.k), 4); }

axis shapes() {
  auto made = choice("shape", {"256x512x2048"});
  for (const auto* shape : {"4096x7168x16384", "64x7168x16384"})
    made.cuda_values.emplace_back(std::string(shape));
  for (const auto* shape : {"0x8x128", "8x0x128", "1x1x1", "3x17x0", "129x257x200", "64x130x384",
                            "300x520x256", "65x129x1040", "64x256x127", "272x144x129"})
    made.edges.emplace_back(std::string(shape));
  return made;
}

double element(const workload& w, std::size_t index) {
  const auto row = as_integer(index) / w.n, column = as_integer(index) % w.n;
  double sum = 0;
  for (std::int64_t t = 0; t < w.k; ++t)
    sum += double{float{w.a[as_count(row * w.pitch + t)]}} * double{a_scale(w, row, t)} *
           double{float{w.b[as_count(column * w.pitch + t)]}} * double{b_scale(w, column, t)};
  return sum;
}

}  // namespace

double terms_of(const problem& p) { return as_real(extents_of(p).k); }

double bytes_in_bf16(const problem& p) {
  const auto e = extents_of(p);
  return 2 * (as_real(e.m) * as_real(e.k) + as_real(e.n) * as_real(e.k) + as_real(e.m) * as_real(e.n));
}

experiment make() {
  return experiment_of<workload>{
      .id = "ch09.fp8_blockscaled_gemm",
      .title = "Products in fp8 with a scale for every block",
      .question = "What do block scales cost an fp8 GEMM?",
      .answers = {"K10.2", "K16.3", "B9.3"},
      .tags = {"gemm", "tensor-cores", "quantization", "fp8", "inference"},
      .axes = {shapes()},
      .make =
          [](const problem& p, memory& m) {
            const auto e = extents_of(p);
            const auto pitch = rounded_up(e.k, 16), lines = b_blocks(e);
            return workload{.m = as_integer(e.m),
                            .n = as_integer(e.n),
                            .k = as_integer(e.k),
                            .pitch = as_integer(pitch),
                            .b_blocks = as_integer(lines),
                            .a = m.in<e4m3>(product(e.m, pitch), normal{}),
                            .b = m.in<e4m3>(product(e.n, pitch), normal{}),
                            .a_scales = m.in<float>(product(e.m, blocks_in(e.k)), uniform{0.5, 1.5}),
                            .b_scales = m.in<float>(product(blocks_in(e.n), lines), uniform{0.5, 1.5}),
                            .c = m.out<bf16>(product(e.m, e.n))};
          },
      .work =
          [](const problem& p) {
            const auto e = extents_of(p);
            return work::streaming(reads<e4m3>(e.m + e.n, rounded_up(e.k, 16)) +
                                       reads<float>(e.m, blocks_in(e.k)) +
                                       reads<float>(blocks_in(e.n), b_blocks(e)),
                                   writes<bf16>(e.m, e.n))
                .with_flop(2 * as_real(e.m) * as_real(e.n) * as_real(e.k));
          },
      .oracle =
          [](workload& w) {
            for (std::size_t i = 0; i < w.c.size(); ++i) w.c[i] = bf16(as_float(element(w, i)));
          },
      .element = element,
      // The sum in fp32 of products of about 1, then a rounding to bf16, which may go to the next number.
      .within =
          [](const problem& p) {
            auto allowed = accumulation(terms_of(p), 0x1p-24, 4);
            allowed.rel += 0x1p-7;
            return allowed;
          },
      .metrics = {time_per_call(), relative_error()},
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch09_fp8_blockscaled_gemm
