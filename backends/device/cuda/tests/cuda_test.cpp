// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <ridge/base/error.hpp>
#include <ridge/device/conformance.hpp>
#include <ridge/device/digest.hpp>
#include <ridge/device/fill.hpp>

#include "gpu_test.hpp"

namespace ridge::backends::device_cuda {

namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

class cuda : public gpu_test {
 protected:
  cuda() : gpu_test({.hold_time_out_s = 0.2, .marks = 16}) {}
};

TEST_F(cuda, makes_guards_arrays) { device::conformance::expect_arrays(*subject_); }
TEST_F(cuda, opens_no_other_gpu_than_its_own_and_none_by_asking) {
  int count = 0;
  ASSERT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  for (int asked = 0; asked < 2; ++asked) {
    const auto gpus = subject_->gpus();
    ASSERT_EQ(gpus.size(), static_cast<std::size_t>(count));
    EXPECT_TRUE(gpus.front().opened);
    EXPECT_GT(gpus.front().free_bytes, mebibyte);
    for (std::size_t i = 1; i < gpus.size(); ++i) EXPECT_FALSE(gpus[i].opened) << i;
  }
  int current = -1;
  ASSERT_EQ(cudaGetDevice(&current), cudaSuccess);
  EXPECT_EQ(current, 0);
}

TEST_F(cuda, sees_another_gpu_that_was_opened) {
  if (subject_->gpus().size() < 2) GTEST_SKIP() << "one GPU is here";
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  ASSERT_EQ(cudaFree(nullptr), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  EXPECT_TRUE(subject_->gpus()[1].opened);
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
}

TEST_F(cuda, fills_and_copies) { device::conformance::expect_contents(*subject_); }
TEST_F(cuda, digests) { device::conformance::expect_digests(*subject_); }
TEST_F(cuda, sums_blocks) { device::conformance::expect_block_sums(*subject_); }
TEST_F(cuda, gives_what_was_enqueued) { device::conformance::expect_enqueued_results(*subject_); }
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

// A million of each, and far out in the stream (decision 0021).
TEST_F(cuda, draws_the_hosts_numbers) {
  constexpr std::size_t count = mebibyte;
  const auto expect_same = [&](dtype type, const distribution& d, std::uint64_t first) {
    std::vector<std::byte> expected(count * size_of(type));
    device::fill(expected, type, d, 0xFEDCBA9876543210u, first);
    const auto made = subject_->allocate({.bytes = expected.size()});
    subject_->fill(made->bytes(), type, d, 0xFEDCBA9876543210u, first);
    EXPECT_EQ(subject_->digest(made->bytes()), device::digest(expected))
        << name(type) << " " << text(d) << " from " << first;
  };
  for (const std::uint64_t first : {std::uint64_t{0}, (std::uint64_t{1} << 34) + 5}) {
    for (const dtype type : {dtype::e4m3, dtype::e5m2, dtype::fp16, dtype::bf16, dtype::fp32, dtype::fp64}) {
      expect_same(type, normal{}, first);
      expect_same(type, normal{-3, 0.1}, first);
      expect_same(type, uniform{}, first);
      expect_same(type, uniform{-0.3, 1e3}, first);
    }
    for (const dtype type : {dtype::u8, dtype::u16, dtype::u32, dtype::u64}) {
      expect_same(type, random_bits{}, first);
      expect_same(type, integers{201}, first);
      expect_same(type, constant{77}, first);
    }
    expect_same(dtype::u64, integers{std::uint64_t{1} << 60}, first);
  }
  expect_same(dtype::u32, permutation{}, 0);
  expect_same(dtype::fp32, permutation{}, 0);
}

TEST_F(cuda, fills_parts_as_the_whole) {
  constexpr std::size_t count = 100003;
  std::vector<device::part> parts;
  for (std::uint64_t i = 0; i < 500; ++i) parts.push_back({i * 200 % count, i % 90});
  parts.push_back({count - 3, 3});
  const auto expect_parts = [&](dtype type, const distribution& d) {
    std::vector<std::byte> filled(count * size_of(type)), expected(filled.size());
    device::fill(filled, type, d, 77);
    const auto made = subject_->allocate({.bytes = expected.size()});
    subject_->copy_from_host(made->bytes(), expected);
    for (const auto& p : parts) {
      const auto at = static_cast<std::ptrdiff_t>(p.first * size_of(type));
      std::copy_n(filled.begin() + at, p.count * size_of(type), expected.begin() + at);
    }
    subject_->fill_parts(made->bytes(), type, d, 77, parts);
    EXPECT_EQ(subject_->digest(made->bytes()), device::digest(expected)) << name(type) << " " << text(d);
    EXPECT_EQ(made->damage(), "");
  };
  for (const dtype type : {dtype::e4m3, dtype::bf16, dtype::fp32, dtype::fp64}) {
    expect_parts(type, normal{0.1, 0.7});
    expect_parts(type, uniform{-1, 2});
    expect_parts(type, constant{1.5});
  }
  for (const dtype type : {dtype::u8, dtype::u16, dtype::u32, dtype::u64}) {
    expect_parts(type, random_bits{});
    expect_parts(type, integers{5});
  }
  expect_parts(dtype::u32, permutation{});
  expect_parts(dtype::i64, integers{std::uint64_t{1} << 40});
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

TEST_F(cuda, results_are_enqueued_behind_a_hold) {
  const auto made = subject_->allocate({.bytes = mebibyte});
  subject_->hold();
  for (int i = 0; i < 16; ++i) {
    subject_->evict();
    subject_->enqueue_clock_reading();
    subject_->enqueue_digest(made->bytes());
    subject_->enqueue_block_sums(made->bytes(), dtype::fp32, 16);
  }
  EXPECT_TRUE(subject_->release()) << "nothing of it waited";
  EXPECT_EQ(subject_->take_digests().size(), 16u);
  EXPECT_EQ(subject_->take_block_sums().size(), 16u);
  EXPECT_EQ(subject_->take_clock_readings().size(), 16u);
}

TEST_F(cuda, reads_its_own_clocks) {
  const auto made = subject_->allocate({.bytes = 256 * mebibyte});
  subject_->hold();  // so that the host's enqueueing is not between the readings
  subject_->enqueue_clock_reading();
  const auto begin = subject_->mark();
  for (int i = 0; i < 20; ++i) subject_->poison(made->bytes());
  const auto end = subject_->mark();
  subject_->enqueue_clock_reading();
  EXPECT_TRUE(subject_->release());
  const auto seen = subject_->take_clock_readings();
  ASSERT_EQ(seen.size(), 2u);
  for (const auto& one : seen) {
    EXPECT_GT(one.hz, 0.2e9);
    EXPECT_LT(one.hz, 4e9);
    EXPECT_GE(one.end_ns, one.begin_ns + 8000);
    EXPECT_LT(one.end_ns, one.begin_ns + 100000);
  }
  const double between = static_cast<double>(seen[1].begin_ns - seen[0].end_ns) * 1e-9;
  EXPECT_NEAR(between / subject_->seconds_between(begin, end), 1, 0.05);
}

TEST_F(cuda, lines_allowed_to_persist_are_told) {
  EXPECT_EQ(subject_->tampering(), "");
  if (cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, std::size_t{1} << 20) != cudaSuccess)
    GTEST_SKIP() << "this GPU lets no lines persist";
  EXPECT_NE(subject_->tampering().find("bytes of L2 to persist"), std::string::npos);
  ASSERT_EQ(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0), cudaSuccess);
}

TEST_F(cuda, settings_that_somebody_changed_are_told_until_they_are_put_back) {
  cudaFuncCache before = cudaFuncCachePreferNone;
  ASSERT_EQ(cudaDeviceGetCacheConfig(&before), cudaSuccess);
  ASSERT_EQ(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared), cudaSuccess);
  cudaFuncCache now = before;
  ASSERT_EQ(cudaDeviceGetCacheConfig(&now), cudaSuccess);
  EXPECT_EQ(subject_->tampering().find("cache configuration") != std::string::npos, now != before);
  ASSERT_EQ(cudaDeviceSetCacheConfig(before), cudaSuccess);
  EXPECT_EQ(subject_->tampering(), "");
}

TEST_F(cuda, work_beside_the_queue_is_waited_for) {
  EXPECT_LT(subject_->wait_for_other_work(), 1);
  const auto other = make({.hold_time_out_s = 0.05});
  other->hold();  // a kernel on a stream of its own, which ends by itself
  EXPECT_GT(subject_->wait_for_other_work(), 0.02);
  EXPECT_LT(subject_->wait_for_other_work(), 0.02);
}

TEST_F(cuda, recorded_work_runs_when_it_is_enqueued) {
  const auto made = subject_->allocate({.bytes = mebibyte});
  subject_->fill(made->bytes(), dtype::u32, constant{0}, 1);
  const auto before = subject_->digest(made->bytes());
  auto work = subject_->record([&] { subject_->poison(made->bytes()); });
  ASSERT_TRUE(work.ok());
  EXPECT_EQ(subject_->digest(made->bytes()), before) << "recording runs nothing";
  (*work)->enqueue();
  EXPECT_NE(subject_->digest(made->bytes()), before);
}

TEST_F(cuda, a_wait_cannot_be_recorded_and_the_queue_lives_on) {
  const auto refused = subject_->record([&] { subject_->synchronize(); });
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.why().message.find("cudaStreamSynchronize"), std::string::npos) << refused.why().text();
  subject_->synchronize();
  EXPECT_TRUE(subject_->record([] {}).ok());
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

// In a program of its own: a GPU that faulted is of no more use to the program that made it fault.
TEST_F(cuda, reading_past_a_guard_page_faults) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto read_past_the_end = [this] {
    const auto made = subject_->allocate({.bytes = 4096, .alignment = 4, .guard = device::guard::pages});
    try {
      (void)subject_->digest({made->bytes().data(), 8192});
    } catch (const failure&) {
      std::_Exit(7);
    }
    std::_Exit(0);
  };
  EXPECT_EXIT(read_past_the_end(), testing::ExitedWithCode(7), "");
}

TEST_F(cuda, marks_that_left_the_ring_are_a_bug) {
  const auto first = subject_->mark();
  auto last = first;
  for (int i = 0; i < 15; ++i) last = subject_->mark();
  EXPECT_GE(subject_->seconds_between(first, last), 0);
  last = subject_->mark();
  EXPECT_THROW((void)subject_->seconds_between(first, last), precondition_violated);
}

TEST_F(cuda, marks_hold_the_work_of_every_queue_between_fork_and_join) {
  const auto made = subject_->allocate({.bytes = 256 * mebibyte});
  const auto queues = subject_->make_queues(1, 2);
  EXPECT_EQ(queues->at(0, 0), subject_->queue());
  const auto begin = subject_->mark();
  queues->fork();
  for (int i = 0; i < 50; ++i)
    ASSERT_EQ(cudaMemsetAsync(made->bytes().data(), i, made->bytes().size(), queues->at(0, 1)), cudaSuccess);
  queues->join();
  const auto end = subject_->mark();
  // 13 GB are written: no GPU does that in a tenth of a millisecond.
  EXPECT_GT(subject_->seconds_between(begin, end), 1e-4);
  EXPECT_EQ(cudaStreamQuery(queues->at(0, 1)), cudaSuccess);
}

TEST_F(cuda, arrays_and_queues_of_a_peer_are_used_from_here) {
  if (subject_->gpus().size() < 2 || !subject_->gpus()[1].peer)
    GTEST_SKIP() << "no second GPU with peer access";
  std::vector<std::byte> expected(mebibyte), seen(mebibyte);
  device::fill(expected, dtype::fp32, normal{}, 5);
  for (const auto guard : {device::guard::red_zones, device::guard::pages}) {
    const auto made = subject_->allocate({.bytes = expected.size(), .guard = guard, .gpu = 1});
    cudaPointerAttributes lies{};
    ASSERT_EQ(cudaPointerGetAttributes(&lies, made->bytes().data()), cudaSuccess);
    EXPECT_EQ(lies.device, 1);
    subject_->poison(made->bytes());
    subject_->fill(made->bytes(), dtype::fp32, normal{}, 5, 0, 0);
    EXPECT_EQ(subject_->digest(made->bytes()), device::digest(expected));
    const auto queues = subject_->make_queues(2, 1);
    queues->fork();
    ASSERT_EQ(
        cudaMemcpyAsync(seen.data(), made->bytes().data(), seen.size(), cudaMemcpyDefault, queues->at(1, 0)),
        cudaSuccess);
    queues->join();
    subject_->synchronize();
    EXPECT_EQ(seen, expected);
    EXPECT_EQ(made->damage(), "");
  }
  int current = -1;
  ASSERT_EQ(cudaGetDevice(&current), cudaSuccess);
  EXPECT_EQ(current, 0);
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
