// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <memory>

#include <gtest/gtest.h>

#include <ridge/base/error.hpp>
#include <ridge/measure/conformance.hpp>

namespace ridge::backends::measure_tsc {

std::unique_ptr<measure::clock> make();

namespace {

std::unique_ptr<measure::clock> try_make() {
  try {
    return make();
  } catch (const unavailable&) {
    return nullptr;
  }
}

TEST(tsc, conforms_where_the_counter_is_invariant) {
  const auto clock = try_make();
  if (!clock) GTEST_SKIP() << "no invariant time-stamp counter";
  measure::conformance::expect_clock(*clock);
}

TEST(tsc, two_calibrations_agree_to_a_hundred_parts_in_a_million) {
  const auto first = try_make(), second = try_make();
  if (!first || !second) GTEST_SKIP() << "no invariant time-stamp counter";
  EXPECT_LT(std::abs(first->seconds(1'000'000) / second->seconds(1'000'000) - 1), 1e-4);
}

}  // namespace
}  // namespace ridge::backends::measure_tsc
