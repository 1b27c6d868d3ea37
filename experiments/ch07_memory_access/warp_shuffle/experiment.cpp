// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdint>

#include <ridge/harness/experiment.hpp>

#include "warp_shuffle.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "experiment.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ridge::experiments::ch07_warp_shuffle::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using wide = hn::CappedTag<std::int32_t, 16>;

// How the lanes of a vector become one number.
struct store_and_sum {
  template <class Vector>
  std::int32_t operator()(wide d, Vector v) const {
    alignas(64) std::array<std::int32_t, hn::MaxLanes(wide())> lanes{};
    hn::Store(v, d, lanes.data());
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < hn::Lanes(d); ++i) {
      sum += lanes[i];
      asm volatile("" : "+r"(sum));  // keeps the compiler from making a tree of it
    }
    return sum;
  }
};
struct in_registers {
  template <class Vector>
  std::int32_t operator()(wide d, Vector v) const {
    return hn::GetLane(hn::SumOfLanes(d, v));
  }
};

template <class Finish>
void sum_segments(const workload& w, Finish finish) {
  const wide d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t s = 0; s < w.segments; ++s) {
    const std::int32_t* values = w.values.data() + s * w.width;
    auto partial = hn::Zero(d);
    std::size_t i = 0;
    for (; i + lanes <= w.width; i += lanes) partial = hn::Add(partial, hn::LoadU(d, values + i));
    std::int32_t sum = finish(d, partial);
    for (; i < w.width; ++i) sum += values[i];
    w.sums[s] = sum;
  }
}

void sum_through_memory(const workload& w) { sum_segments(w, store_and_sum{}); }
void sum_in_registers(const workload& w) { sum_segments(w, in_registers{}); }

}  // namespace ridge::experiments::ch07_warp_shuffle::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::experiments::ch07_warp_shuffle {
HWY_EXPORT(sum_through_memory);
HWY_EXPORT(sum_in_registers);
namespace {

void through_memory(workload& w, call&) { HWY_DYNAMIC_DISPATCH(sum_through_memory)(w); }
void registers(workload& w, call&) { HWY_DYNAMIC_DISPATCH(sum_in_registers)(w); }

ladder<workload> cpu() {
  return {
      {.name = "store_and_sum",
       .is = role::baseline,
       .idea = "the lanes of the vector of partial sums are stored and added one by one",
       .run = through_memory},
      {.name = "in_registers",
       .idea = "the halves of the vector are added until one lane is left",
       .run = registers},
  };
}

double expected(const workload& w, std::size_t s) {
  std::int64_t sum = 0;
  for (const auto v : w.values.subspan(s * w.width, w.width)) sum += v;
  return static_cast<double>(sum);
}

// Segments of an array that they divide as far as they can; as many empty ones as there are elements.
std::size_t segments_of(const problem& p) {
  const auto width = p.count("width");
  return width == 0 ? p.count("elements") : p.count("elements") / width;
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch07.warp_shuffle",
      .title = "Sums of short segments",
      .question = "When do shuffles beat shared memory for small reductions?",
      .answers = {"B7.4"},
      .tags = {"memory", "reduction", "shuffle", "shared-memory"},
      .axes = {between(values("width", {32, 128, 1024}, {0, 1, 4, 31, 36, 68, 100}), 0, 1 << 20),
               between(on_cuda(values("elements", {1 << 20}, {0, 1, 31, 97, 4100, 10007}), {1 << 26}), 0,
                       1U << 31)},
      .make =
          [](const problem& p, memory& m) {
            const auto width = p.count("width"), segments = segments_of(p);
            return workload{segments, width, m.in<std::int32_t>(product(segments, width), integers{1000}),
                            m.out<std::int32_t>(segments)};
          },
      .work =
          [](const problem& p) {
            const auto width = p.count("width"), segments = segments_of(p);
            return work::streaming(reads<std::int32_t>(segments, width), writes<std::int32_t>(segments))
                .with_items(as_real(segments));
          },
      .oracle = each_element(&workload::sums, expected),
      .element = expected,
      .within = exact(),
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch07_warp_shuffle
#endif
