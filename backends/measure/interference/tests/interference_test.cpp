// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <gtest/gtest.h>

#include <ridge/measure/conformance.hpp>

namespace ridge::backends::measure_interference {

std::unique_ptr<measure::interference_meter> make();

namespace {

TEST(interference, conforms) { measure::conformance::expect_interference_meter(*make()); }

}  // namespace
}  // namespace ridge::backends::measure_interference
