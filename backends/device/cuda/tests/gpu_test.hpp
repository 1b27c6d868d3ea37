// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <gtest/gtest.h>

#include <ridge/base/error.hpp>
#include <ridge/device/cuda_options.hpp>
#include <ridge/device/device.hpp>

namespace ridge::backends::device_cuda {

std::unique_ptr<device::device> make(device::cuda_options options);

// A device on the first GPU for each test, which is skipped with the reason where there is none.
class gpu_test : public testing::Test {
 protected:
  explicit gpu_test(device::cuda_options options = {}) : options_(options) {}
  void SetUp() override {
    try {
      subject_ = make(options_);
    } catch (const unavailable& why) {
      GTEST_SKIP() << why.what();
    }
  }
  std::unique_ptr<device::device> subject_;

 private:
  device::cuda_options options_;
};

}  // namespace ridge::backends::device_cuda
