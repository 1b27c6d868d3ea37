// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <gtest/gtest.h>

#include <ridge/measure/conformance.hpp>

namespace ridge::backends::measure_steady_clock {

std::unique_ptr<measure::clock> make();

namespace {

TEST(steady_clock, conforms) { measure::conformance::expect_clock(*make()); }

}  // namespace
}  // namespace ridge::backends::measure_steady_clock
