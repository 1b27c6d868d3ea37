// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include <ridge/harness/experiment.hpp>
#include <ridge/host/team.hpp>

#include "add_sequential_parallel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "experiment.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ridge::experiments::ch06_add_sequential_parallel::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Adds by vectors and stores whole ones around the caches; visible to other threads on return.
void add(const float* left, const float* right, float* sum, std::size_t n) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i < n && reinterpret_cast<std::uintptr_t>(sum + i) % (lanes * sizeof(float)) != 0; ++i) {
    sum[i] = left[i] + right[i];
  }
  for (; i + lanes <= n; i += lanes)
    hn::Stream(hn::Add(hn::LoadU(d, left + i), hn::LoadU(d, right + i)), d, sum + i);
  for (; i < n; ++i) sum[i] = left[i] + right[i];
  hwy::FlushStream();
}

}  // namespace ridge::experiments::ch06_add_sequential_parallel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::experiments::ch06_add_sequential_parallel {
HWY_EXPORT(add);
namespace {

void scalar(workload& w, call&) {
  for (std::size_t i = 0; i < w.sum.size(); ++i) {
    w.sum[i] = w.left[i] + w.right[i];
    asm volatile("" ::: "memory");  // else the compiler would make vectors of elements
  }
}

void simd(workload& w, call&) {
  HWY_DYNAMIC_DISPATCH(add)(w.left.data(), w.right.data(), w.sum.data(), w.sum.size());
}

void simd_all_cores(workload& w, call& c) {
  c.team().parallel_for(w.sum.size(), [&w](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(add)
    (w.left.data() + begin, w.right.data() + begin, w.sum.data() + begin, end - begin);
  });
}

ladder<workload> cpu() {
  return {
      {.name = "scalar", .is = role::baseline, .idea = "an element an instruction", .run = scalar},
      {.name = "simd", .idea = "a vector an instruction, stored around the caches", .run = simd},
      {.name = "simd_all_cores",
       .idea = "the same by every core",
       .run = simd_all_cores,
       .threads = all_cores},
  };
}

double expected(const workload& w, std::size_t i) { return w.left[i] + w.right[i]; }

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch06.add_sequential_parallel",
      .title = "Vector addition, sequential and parallel",
      .question = "What does one thread leave unused?",
      .answers = {"add_sequential.cu", "add_parallel.cu", "K6.1", "B6.1"},
      .tags = {"parallelism", "memory", "simd", "threads"},
      .axes = {on_cuda(values("elements", {1 << 22, 1 << 14}, {0, 1, 3, 4, 5, 1023, 1025, 4099}),
                       {1 << 20, 1 << 22})},
      .make =
          [](const problem& p, memory& m) {
            const auto n = p.count("elements");
            return workload{m.in<float>(n, normal{}), m.in<float>(n, normal{}), m.out<float>(n)};
          },
      .work =
          [](const problem& p) {
            const auto n = p.count("elements");
            return work::streaming(reads<float>(2, n), writes<float>(n)).with_flop(p.real("elements"));
          },
      .oracle = each_element(&workload::sum, expected),
      .element = expected,
      .within = exact(),
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch06_add_sequential_parallel
#endif
