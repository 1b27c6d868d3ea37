// SPDX-License-Identifier: Apache-2.0
// Work that is left out where results are no poison, or left to whoever reads them.
#include <sys/mman.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include <gtest/gtest.h>
#include <ridge/base/sanitized.hpp>
#include <ridge/harness/measure_family.hpp>

#include "doubling.hpp"
#include "host_device.hpp"
#include "verify/call_effects.hpp"

namespace ridge::harness {
namespace {

// Every fifth call that finds results does nothing.
auto skips_some_repeats(doubling_workload&, setup&) {
  return [repeats = 0](doubling_workload& w, call& c) mutable {
    if (!std::isnan(w.y.back()) && ++repeats % 5 == 0) return;
    twice(w, c);
  };
}
// Looks at the results of before, as the other does, and computes all the same.
long repeats_seen = 0;
auto computes_always(doubling_workload&, setup&) {
  return [](doubling_workload& w, call& c) {
    repeats_seen += std::isnan(w.y.back()) ? 0 : 1;
    twice(w, c);
  };
}

template <auto Candidate>
model::measurement measured_beside_twice() {
  const auto where = host_device_for_tests();
  const instruments equipment{.device = where.get()};
  const auto asked = harness::doubling(
      []() -> ladder<doubling_workload> {
        return {{.name = "baseline", .is = role::baseline, .run = twice},
                {.name = "candidate", .run = Candidate}};
      },
      256);
  const auto f =
      measure_family({asked, asked.problems().front(), model::backend::cpu}, equipment, short_session(0.02));
  return *std::ranges::find(f.measurements, "candidate", &model::measurement::variant);
}

TEST(old_results, tell_a_body_that_does_less_where_it_finds_no_poison) {
  EXPECT_NE(measured_beside_twice<skips_some_repeats>().refused.find("in a row"), std::string::npos);
}

TEST(old_results, are_nothing_to_a_body_that_computes_always) {
  EXPECT_EQ(measured_beside_twice<computes_always>().refused, "");
}

TEST(faults_of_reading, are_counted_for_the_arm_whose_pages_were_taken_away) {
  if (sanitized) GTEST_SKIP() << "sanitizers touch pages of their own";
  constexpr std::size_t bytes = std::size_t{64} << 12;
  void* start = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(start, MAP_FAILED);
  madvise(start, bytes, MADV_NOHUGEPAGE);
  int sum = 0;
  const std::span values(static_cast<volatile char*>(start), bytes);
  call_effects effects;
  const auto read_all = [&](std::size_t arm) {
    effects.before_reading();
    for (std::size_t i = 0; i < bytes; i += 4096) sum += values[i];
    effects.after_reading(arm);
  };
  for (std::size_t i = 0; i < bytes; i += 4096) values[i] = 1;
  read_all(0);
  madvise(start, bytes, MADV_DONTNEED);
  read_all(1);
  EXPECT_EQ(effects.faults_of_reading(0), 0);
  EXPECT_GE(effects.faults_of_reading(1), 64);
  EXPECT_EQ(effects.faults_of_reading(2), 0);
  EXPECT_EQ(sum, 64);
  munmap(start, bytes);
}

}  // namespace
}  // namespace ridge::harness
