// SPDX-License-Identifier: Apache-2.0
#include "batched_gemm.hpp"

#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/expects.hpp>

namespace ridge::experiments::ch01_batched_gemm {
namespace {

struct shape {
  std::size_t count = 0, n = 0;
};

// "40x64": 40 products of 64×64 matrices.
shape shape_of(const problem& p) {
  const std::string_view text = p.text("shape");
  shape s;
  const auto* end = text.data() + text.size();
  const auto count = std::from_chars(text.data(), end, s.count);
  const auto n = std::from_chars(count.ptr + 1, end, s.n);
  expects(count.ec == std::errc() && n.ec == std::errc() && n.ptr == end,
          "batched_gemm: shape is not \"40x64\"");
  return s;
}

axis shapes() {
  auto made = choice("shape", {"40x64", "40x128", "40x256", "512x128"});
  made.edges = {std::string("0x8"), std::string("1x1"),  std::string("3x17"),
                std::string("5x0"), std::string("7x65"), std::string("3x68")};
  return made;
}

double element(const workload& w, std::size_t index) {
  const auto n = as_count(w.n);
  const auto row = index / n, column = index % n, first = index / (n * n) * n * n;
  double sum = 0;
  for (std::size_t p = 0; p < n; ++p) sum += double{w.a[row * n + p]} * double{w.b[first + p * n + column]};
  return sum;
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch01.batched_gemm",
      .title = "Forty small matrix products",
      .question = "What do 40 small GEMMs cost one call at a time?",
      .answers = {"batched_gemm_example.cu"},
      .tags = {"gemm", "batching", "threads", "launch-overhead"},
      .axes = {shapes()},
      .make =
          [](const problem& p, memory& m) {
            const auto s = shape_of(p);
            const auto floats = product(s.count, s.n, s.n);
            return workload{as_integer(s.count), as_integer(s.n), m.in<float>(floats, normal{}),
                            m.in<float>(floats, normal{}), m.out<float>(floats)};
          },
      .work =
          [](const problem& p) {
            const auto s = shape_of(p);
            const double count = as_real(s.count), n = as_real(s.n);
            return work::streaming(reads<float>(2, s.count, s.n, s.n), writes<float>(s.count, s.n, s.n))
                .with_flop(2 * count * n * n * n)
                .with_items(count);
          },
      .oracle =
          [](workload& w) {
            for (std::size_t i = 0; i < w.c.size(); ++i) w.c[i] = as_float(element(w, i));
          },
      .element = element,
      .within = [](const problem& p) { return accumulation(as_real(shape_of(p).n), 0x1p-24); },
      .metrics = {time_per_call(), throughput("products/s")},
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch01_batched_gemm
