// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <ridge/hardware/hardware_catalogue.hpp>
#include <ridge/trace/number_type.hpp>

namespace ridge::app_trace {
namespace {

// A type that traces do not know would drop its peak, and every product in it would be judged "unknown".
TEST(device_peaks, know_the_type_of_every_peak_of_the_catalogue) {
  for (const auto& gpu : hardware::catalogue::embedded().data().gpus) {
    for (const auto& peak : gpu.peaks)
      EXPECT_NE(trace::number_type_of(peak.dtype), trace::number_type::unknown)
          << gpu.name << " " << peak.dtype;
  }
}

}  // namespace
}  // namespace ridge::app_trace
