// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <ridge/base/error.hpp>
#include <ridge/device/conformance.hpp>
#include <ridge/device/cuda_options.hpp>
#include <ridge/device/digest.hpp>
#include <ridge/device/fill.hpp>

namespace ridge::backends::device_cuda {

std::unique_ptr<device::device> make(device::cuda_options how);

namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

class cuda : public testing::Test {
 protected:
  void SetUp() override {
    try {
      subject_ = make({.hold_time_out_s = 0.2, .marks = 16});
    } catch (const unavailable& why) {
      GTEST_SKIP() << why.what();
    }
  }
  std::unique_ptr<device::device> subject_;
};

TEST_F(cuda, makes_guards_arrays) { device::conformance::expect_arrays(*subject_); }
TEST_F(cuda, fills_and_copies) { device::conformance::expect_contents(*subject_); }
TEST_F(cuda, digests) { device::conformance::expect_digests(*subject_); }
TEST_F(cuda, sums_blocks) { device::conformance::expect_block_sums(*subject_); }
TEST_F(cuda, marks_and_evicts) { device::conformance::expect_time_and_eviction(*subject_); }

TEST_F(cuda, says_which_gpu_it_is) {
  EXPECT_EQ(subject_->name().substr(0, 7), "cuda:0 ");
  EXPECT_FALSE(subject_->on_host());
  EXPECT_NE(static_cast<CUstream_st*>(subject_->queue()), nullptr);
}

TEST_F(cuda, pinned_and_pageable_arrays_are_filled_and_digested_as_they_lie) {
  std::vector<std::byte> expected(mebibyte);
  device::fill(expected, dtype::fp32, normal{}, 5);
  for (const auto where : {device::placement::pinned, device::placement::small_pages}) {
    const auto made = subject_->allocate({.bytes = mebibyte, .placement = where});
    subject_->fill(made->bytes(), dtype::fp32, normal{}, 5);
    EXPECT_EQ(subject_->digest(made->bytes()), device::digest(expected));
    subject_->synchronize();
    EXPECT_TRUE(std::ranges::equal(made->bytes(), expected)) << "the host reads them too";
    EXPECT_EQ(made->damage(), "");
  }
}

TEST_F(cuda, what_is_held_begins_at_the_release) {
  const auto made = subject_->allocate({.bytes = 64 * mebibyte});
  subject_->hold();
  const auto begin = subject_->mark();
  for (int i = 0; i < 100; ++i) subject_->poison(made->bytes());
  const auto end = subject_->mark();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_TRUE(subject_->release());
  const double seconds = subject_->seconds_between(begin, end);
  EXPECT_GT(seconds, 100e-6);
  EXPECT_LT(seconds, 45e-3) << "the wait is not in it";
}

TEST_F(cuda, a_hold_waited_for_lets_go_by_itself_and_says_so) {
  subject_->hold();
  const auto begin = std::chrono::steady_clock::now();
  subject_->synchronize();
  const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - begin;
  EXPECT_GT(waited.count(), 0.15);
  EXPECT_LT(waited.count(), 2.0);
  EXPECT_FALSE(subject_->release());
  subject_->hold();
  EXPECT_TRUE(subject_->release()) << "the next hold is its own";
  subject_->synchronize();
}

TEST_F(cuda, a_hold_never_released_ends_with_the_device) {
  subject_->hold();
  const auto begin = std::chrono::steady_clock::now();
  subject_.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(150));
}

TEST_F(cuda, marks_that_left_the_ring_are_a_bug) {
  const auto first = subject_->mark();
  auto last = first;
  for (int i = 0; i < 15; ++i) last = subject_->mark();
  EXPECT_GE(subject_->seconds_between(first, last), 0);
  last = subject_->mark();
  EXPECT_THROW((void)subject_->seconds_between(first, last), precondition_violated);
}

TEST(cuda_device, one_that_is_not_there_is_unavailable_and_says_what_to_do) {
  try {
    (void)make({.ordinal = 4096});
    FAIL() << "no machine has so many";
  } catch (const unavailable& why) {
    const std::string text = why.why().text();
    EXPECT_TRUE(text.find("driver") != std::string::npos || text.find("nvidia-smi") != std::string::npos)
        << text;
  }
}

}  // namespace
}  // namespace ridge::backends::device_cuda
