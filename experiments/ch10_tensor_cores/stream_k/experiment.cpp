// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>

#include <ridge/base/expects.hpp>
#include <ridge/harness/experiment.hpp>

#include "stream_k.hpp"

namespace ridge::experiments::ch10_stream_k {
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
          "stream_k: shape is not \"1408x4224x8192\"");
  return e;
}

std::size_t pitch_of(std::size_t k) { return (k + 7) / 8 * 8; }

axis shapes() {
  auto made = choice("shape", {"384x640x256", "192x320x512"});
  for (const auto* shape :
       {"1408x4224x8192", "2560x2560x10240", "1280x7168x4096", "3328x3328x8192", "4864x2304x6144"})
    made.cuda_values.emplace_back(std::string(shape));
  for (const auto* shape : {"0x8x8", "1x1x1", "3x17x0", "129x257x65", "300x520x136", "128x512x1000"})
    made.edges.emplace_back(std::string(shape));
  return made;
}

double element(const workload& w, std::size_t index) {
  const auto n = as_count(w.n), k = as_count(w.k), pitch = as_count(w.pitch);
  const auto a = w.a.subspan(index / n * pitch, k), b = w.b.subspan(index % n * pitch, k);
  double sum = 0;
  for (std::size_t p = 0; p < k; ++p) sum += double{float{a[p]}} * double{float{b[p]}};
  return sum;
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch10.stream_k",
      .title = "Products whose tiles do not fill the last round",
      .question = "How much does a ragged last wave waste?",
      .answers = {"B10.3"},
      .tags = {"gemm", "tensor-cores", "scheduling"},
      .axes = {shapes()},
      .make =
          [](const problem& p, memory& m) {
            const auto e = extents_of(p);
            const auto pitch = pitch_of(e.k);
            return workload{.m = as_integer(e.m),
                            .n = as_integer(e.n),
                            .k = as_integer(e.k),
                            .pitch = as_integer(pitch),
                            .a = m.in<bf16>(product(e.m, pitch), normal{}),
                            .b = m.in<bf16>(product(e.n, pitch), normal{}),
                            .c = m.out<bf16>(product(e.m, e.n))};
          },
      .work =
          [](const problem& p) {
            const auto e = extents_of(p);
            return work::streaming(reads<bf16>(e.m + e.n, pitch_of(e.k)), writes<bf16>(e.m, e.n))
                .with_flop(2 * as_real(e.m) * as_real(e.n) * as_real(e.k));
          },
      .oracle =
          [](workload& w) {
            for (std::size_t i = 0; i < w.c.size(); ++i) w.c[i] = bf16(as_float(element(w, i)));
          },
      .element = element,
      // The sum in fp32, then a rounding to bf16, which may go to the next of its numbers.
      .within =
          [](const problem& p) {
            auto allowed = accumulation(as_real(extents_of(p).k), 0x1p-24);
            allowed.rel += 0x1p-7;
            return allowed;
          },
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch10_stream_k
