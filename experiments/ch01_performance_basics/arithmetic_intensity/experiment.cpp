// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <functional>

#include <ridge/harness/experiment.hpp>
#include <ridge/host/team.hpp>

#include "arithmetic_intensity.hpp"

namespace ridge::experiments::ch01_arithmetic_intensity {
namespace {

double element(const workload& w, std::size_t i) {
  double x = w.source[i];
  for (const auto& f : chain) x = double{f.scale} * x + double{f.shift};
  return x;
}

void four_passes(workload& w, call&) {
  const auto n = w.source.size();
  for (std::size_t i = 0; i < n; ++i) w.target[i] = chain[0](w.source[i]);
  for (std::size_t i = 0; i < n; ++i) w.target[i] = chain[1](w.target[i]);
  for (std::size_t i = 0; i < n; ++i) w.target[i] = chain[2](w.target[i]);
  for (std::size_t i = 0; i < n; ++i) w.target[i] = chain[3](w.target[i]);
}

void unrolled_pass(const operation& f, const float* source, float* target, std::size_t n) {
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    const float a = f(source[i]), b = f(source[i + 1]), c = f(source[i + 2]), d = f(source[i + 3]);
    target[i] = a;
    target[i + 1] = b;
    target[i + 2] = c;
    target[i + 3] = d;
  }
  for (; i < n; ++i) target[i] = f(source[i]);
}

void unrolled(workload& w, call&) {
  const float* from = w.source.data();
  for (const auto& f : chain) {
    unrolled_pass(f, from, w.target.data(), w.source.size());
    from = w.target.data();
  }
}

void simd(workload& w, call&) {
  apply_one(0, w.source.data(), w.target.data(), w.source.size());
  for (std::size_t f = 1; f < chain.size(); ++f)
    apply_one(f, w.target.data(), w.target.data(), w.source.size());
}

void two_a_pass(workload& w, call&) {
  apply_two(0, w.source.data(), w.target.data(), w.source.size());
  apply_two(2, w.target.data(), w.target.data(), w.source.size());
}

void fused(workload& w, call&) { apply_all(w.source.data(), w.target.data(), w.source.size()); }

void streaming(workload& w, call&) { apply_all_streaming(w.source.data(), w.target.data(), w.source.size()); }

void all_cores_streaming(workload& w, call& c) {
  c.team().parallel_for(w.source.size(), [&](std::size_t begin, std::size_t end) {
    apply_all_streaming(w.source.data() + begin, w.target.data() + begin, end - begin);
  });
}

// A pass reads and writes each element once; lines that are read only to be overwritten are not counted.
std::function<double(const problem&)> passes(double count) {
  return [count](const problem& p) { return count * 8 * p.real("elements"); };
}

ladder<workload> cpu() {
  return {
      {.name = "four_passes",
       .is = role::baseline,
       .idea = "one loop an operation",
       .run = four_passes,
       .traffic = passes(4)},
      {.name = "unrolled", .idea = "four elements per iteration", .run = unrolled, .traffic = passes(4)},
      {.name = "simd", .idea = "a vector of elements an instruction", .run = simd, .traffic = passes(4)},
      {.name = "two_a_pass", .idea = "half the passes", .run = two_a_pass, .traffic = passes(2)},
      {.name = "fused", .idea = "one pass: only the compulsory bytes", .run = fused, .traffic = passes(1)},
      {.name = "streaming",
       .idea = "four pages at once, stored around the caches: no line is read to be overwritten",
       .run = streaming,
       .traffic = passes(1)},
      {.name = "all_cores",
       .idea = "the same by every core",
       .run = all_cores_streaming,
       .traffic = passes(1),
       .threads = all_cores},
  };
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch01.arithmetic_intensity",
      .title = "Four operations: passes, vectors, fusion",
      .question = "How far do unrolling, vector loads and fusion move intensity?",
      .answers = {"arithmetic_intensity_demo_sm100"},
      .tags = {"memory", "roofline", "fusion", "simd"},
      .axes = {on_cuda(
          values("elements", {1 << 24, 1 << 20, 1 << 12, 1 << 26}, {0, 1, 2, 15, 17, 64, 1001, 8200}),
          {1 << 26, 1 << 27, 1 << 20})},
      .make =
          [](const problem& p, memory& m) {
            return workload{m.in<float>(p.count("elements"), normal{}), m.out<float>(p.count("elements"))};
          },
      .work =
          [](const problem& p) {
            const auto n = p.count("elements");
            return work::streaming(reads<float>(n), writes<float>(n)).with_flop(8 * p.real("elements"));
          },
      .oracle =
          [](workload& w) {
            for (std::size_t i = 0; i < w.target.size(); ++i) w.target[i] = as_float(element(w, i));
          },
      .element = element,
      // Eight operations each round a value below 16.
      .within = tolerance{.abs = 8 * 16 * 0x1p-24},
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch01_arithmetic_intensity
