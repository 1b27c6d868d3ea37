// SPDX-License-Identifier: Apache-2.0
#include "timing_pitfalls.hpp"

#include <algorithm>

#include <ridge/base/error.hpp>

#include "steps.hpp"

namespace ridge::experiments::ch01_timing_pitfalls {
namespace {

void expect_halves(workload& w) { halve(w.data, w.result); }

// The first step into a new buffer pays for its page faults, once; a program that keeps the buffer does not.
void cold_start(workload& w, call& c) {
  const fresh_pages buffer(w.data.size());
  for (const observable timing : {naive, right}) {
    const auto from = c.now();
    halve(w.data, buffer.elements());
    c.observe(timing, from, c.now());
  }
  std::ranges::copy(buffer.elements(), w.result.begin());
}

// A loop over one small buffer finds it in the cache; a caller whose data comes from memory never does.
void warm_cache(workload& w, call& c) {
  flush_lines(std::as_bytes(w.data));
  flush_lines(std::as_bytes(w.result));
  for (const observable timing : {right, naive}) {
    const auto from = c.now();
    halve(w.data, w.result);
    c.observe(timing, from, c.now());
  }
}

// A benchmark that halves its own result again and again arrives at subnormal numbers, which many processors
// multiply in microcode.
void denormals(workload& w, call& c) {
  const auto decayed = c.now();
  halve(w.misleading, w.result);
  const auto ordinary = c.now();
  halve(w.data, w.result);
  c.observe(naive, decayed, ordinary);
  c.observe(right, ordinary, c.now());
}

void timed_sort(workload& w, call& c, input<float> data, observable timing) {
  std::ranges::copy(data, w.result.begin());
  const auto from = c.now();
  std::ranges::sort(w.result);
  c.observe(timing, from, c.now());
}

// On zeros every comparison comes out the same and is predicted; on real data half of them are not.
void zero_inputs(workload& w, call& c) {
  timed_sort(w, c, w.misleading, naive);
  timed_sort(w, c, w.data, right);
}

void expect_zero_inputs(workload& w) {
  std::ranges::copy(w.data, w.result.begin());
  std::ranges::sort(w.result);
}

inline float sum_of_squares(input<float> data) {
  double sum = 0;
  for (const float x : data) sum += double(x) * double(x);
  return as_float(sum);
}

// Nobody reads the first sum, so an optimizing compiler leaves out the loop that makes it.
void dead_code(workload& w, call& c) {
  const auto unused = c.now();
  static_cast<void>(sum_of_squares(w.data));
  const auto used = c.now();
  w.result[0] = sum_of_squares(w.data);
  asm volatile("" ::: "memory");
  c.observe(naive, unused, used);
  c.observe(right, used, c.now());
}

void expect_dead_code(workload& w) { w.result[0] = sum_of_squares(w.data); }

void expect_zero_indices(workload& w) {
  const auto n = w.data.size();
  for (std::size_t i = 0; i < n; ++i) {
    const float next = w.data[i + 1 < n ? i + 1 : 0];
    w.result[i] = w.data[slot_of(w.data[i], next, n)];
  }
}

auto both_ways(workload& w, setup&) {
  if (w.shown->run == nullptr) {
    throw unavailable("pitfall " + w.shown->name + " on a CPU", "it is a mistake of timing a GPU");
  }
  return [run = w.shown->run](workload& own, call& c) { run(own, c); };
}

}  // namespace

// The pitfall no_synchronize has no form here: on a CPU a call returns when its work is done, and there is
// nothing to wait for.
const std::array<pitfall, 7>& pitfalls() {
  static const std::array all{
      pitfall{.name = "cold_start", .run = cold_start, .expected = expect_halves, .flop_per_element = 1},
      pitfall{.name = "warm_cache", .run = warm_cache, .expected = expect_halves, .flop_per_element = 1},
      pitfall{.name = "denormals",
              .run = denormals,
              .expected = expect_halves,
              .misleads = true,
              .misleading_from = uniform{1e-40, 1e-39},
              .flop_per_element = 1},
      pitfall{.name = "zero_inputs", .run = zero_inputs, .expected = expect_zero_inputs, .misleads = true},
      pitfall{.name = "dead_code",
              .run = dead_code,
              .expected = expect_dead_code,
              .one_result = true,
              .flop_per_element = 2,
              .steps = 1},
      pitfall{.name = "no_synchronize", .expected = expect_halves, .flop_per_element = 1},
      pitfall{.name = "zero_indices", .expected = expect_zero_indices, .misleads = true}};
  return all;
}

ladder<workload> cpu() {
  return {{.name = "both_ways",
           .is = role::baseline,
           .idea = "the same step, timed wrongly and rightly in one call",
           .run = both_ways}};
}

}  // namespace ridge::experiments::ch01_timing_pitfalls
