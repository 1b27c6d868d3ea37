// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <memory>
#include <string>

#include "gpu_test.hpp"

namespace ridge::backends::device_cuda {

namespace {

constexpr std::size_t bytes = std::size_t{1} << 30;

// Rates are recorded as properties: --gtest_output=json:FILE.
class cuda_speed : public gpu_test {
 protected:
  void SetUp() override {
    gpu_test::SetUp();
    if (subject_) room_ = subject_->allocate({.bytes = bytes});
  }
  double seconds(const std::function<void()>& work) {
    double best = 1e9;
    for (int i = 0; i < 5; ++i) {
      const auto begin = subject_->mark();
      work();
      best = std::min(best, subject_->seconds_between(begin, subject_->mark()));
    }
    return best;
  }
  double gigabytes_per_s(const std::string& label, const std::function<void()>& work) {
    const double rate = static_cast<double>(bytes) / seconds(work) / 1e9;
    RecordProperty(label + "_MB_per_s", static_cast<int>(1000 * rate));
    return rate;
  }
  double filling(const std::string& label, dtype type, const distribution& d) {
    return gigabytes_per_s(label, [&] { subject_->fill(room_->bytes(), type, d, 7); });
  }

  std::unique_ptr<device::array> room_;
};

constexpr double bus_gb_per_s = 64;  // PCIe 5 x16: below it, uploading would do as well

TEST_F(cuda_speed, drawing_beats_uploading) {
  EXPECT_GT(filling("normal_fp32", dtype::fp32, normal{}), bus_gb_per_s);
  EXPECT_GT(filling("normal_bf16", dtype::bf16, normal{}), bus_gb_per_s);
  EXPECT_GT(filling("uniform_fp32", dtype::fp32, uniform{-1, 1}), bus_gb_per_s);
  EXPECT_GT(filling("random_bits_u8", dtype::u8, random_bits{}), bus_gb_per_s);
  EXPECT_GT(filling("integers_i32", dtype::i32, integers{1000}), bus_gb_per_s);
  EXPECT_GT(filling("constant_fp32", dtype::fp32, constant{1}), bus_gb_per_s);
  (void)filling("permutation_u32", dtype::u32, permutation{});
}

TEST_F(cuda_speed, checking_beats_downloading) {
  subject_->fill(room_->bytes(), dtype::fp32, normal{}, 7);
  EXPECT_GT(gigabytes_per_s("digest", [&] { (void)subject_->digest(room_->bytes()); }), bus_gb_per_s);
  for (const dtype type : {dtype::fp32, dtype::bf16}) {
    const auto sum = [&] { (void)subject_->block_sums(room_->bytes(), type, 64); };
    EXPECT_GT(gigabytes_per_s("block_sums_" + std::string(name(type)), sum), bus_gb_per_s);
  }
}

TEST_F(cuda_speed, poison_and_eviction_are_short) {
  EXPECT_GT(gigabytes_per_s("poison", [&] { subject_->poison(room_->bytes()); }), bus_gb_per_s);
  const double evicting = seconds([&] { subject_->evict(); });
  RecordProperty("evict_ns", static_cast<int>(1e9 * evicting));
  EXPECT_LT(evicting, 5e-3);
  subject_->hold();
  const auto begin = subject_->mark(), end = subject_->mark();
  EXPECT_TRUE(subject_->release());
  RecordProperty("empty_pair_ns", static_cast<int>(1e9 * subject_->seconds_between(begin, end)));
}

}  // namespace
}  // namespace ridge::backends::device_cuda
