// SPDX-License-Identifier: Apache-2.0
#include <ridge/device/fill.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <ridge/base/error.hpp>
#include <ridge/base/with_dtype.hpp>
#include <ridge/device/digest.hpp>

#include "drawing.hpp"

namespace ridge::device {
namespace {

std::vector<drawing> drawings() {
  std::vector<drawing> all;
  for (const dtype type : {dtype::e4m3, dtype::e5m2, dtype::fp16, dtype::bf16, dtype::fp32, dtype::fp64}) {
    for (const distribution& d :
         {distribution(normal{}), distribution(normal{0, 0.02}), distribution(normal{1, 2}),
          distribution(normal{0.1, 0.7}), distribution(normal{3e9, 1}), distribution(uniform{}),
          distribution(uniform{-1, 1}), distribution(uniform{-0.1, 0.2}), distribution(integers{7}),
          distribution(constant{0.3})}) {
      all.push_back({type, d});
    }
  }
  for (const dtype type : {dtype::u8, dtype::u16, dtype::u32, dtype::u64})
    all.push_back({type, random_bits{}});
  for (const dtype type : {dtype::i8, dtype::u8, dtype::i16, dtype::i32, dtype::u32, dtype::i64}) {
    all.push_back({type, integers{100}});
    all.push_back({type, constant{3}});
  }
  all.push_back({dtype::u64, integers{std::uint64_t{1} << 32}});
  all.push_back({dtype::i64, integers{1'000'000'000'000}});
  all.push_back({dtype::fp64, integers{std::uint64_t{1} << 40}});
  all.push_back({dtype::u32, permutation{}});
  all.push_back({dtype::i64, permutation{}});
  return all;
}

struct golden {
  drawing drawn;
  std::uint64_t digest;
};

// Digests of 2^20 elements: every compiler, instruction set and device gives these.
std::vector<golden> goldens() {
  return {
      {{dtype::fp32, normal{}}, 0xE466BEE6DF501AA7},
      {{dtype::fp32, normal{0.1, 0.7}}, 0x452C7CCA705C864B},
      {{dtype::fp64, normal{0.1, 0.7}}, 0xE9E1E6159D388D6D},
      {{dtype::bf16, normal{}}, 0x44B99BAA8490A036},
      {{dtype::fp16, normal{}}, 0xCD2CC5F335E7FB3A},
      {{dtype::e4m3, normal{}}, 0x18B98489F841FDB7},
      {{dtype::e5m2, normal{}}, 0xAF83823B4BD35B64},
      {{dtype::fp32, uniform{}}, 0xE52D83BB3D9D87B7},
      {{dtype::fp32, uniform{-0.1, 0.2}}, 0x984D6155EB36269E},
      {{dtype::fp64, uniform{-0.1, 0.2}}, 0x70634424609D0D37},
      {{dtype::i32, integers{1000}}, 0x012960E78AB59E3F},
      {{dtype::u64, integers{1'000'000'000'000}}, 0x9F6DB3BCFBEB1F71},
      {{dtype::u8, random_bits{}}, 0x94A278524448B267},
      {{dtype::u64, random_bits{}}, 0x18A9325BD9B5DA03},
      {{dtype::u32, permutation{}}, 0x79A10E4F53698A7E},
  };
}

constexpr std::size_t golden_count = 1 << 20;

class fill_on : public testing::TestWithParam<std::int64_t> {
 protected:
  void SetUp() override { hwy::GetChosenTarget().Update(GetParam()); }
  void TearDown() override { hwy::GetChosenTarget().DeInit(); }
};

TEST_P(fill_on, gives_the_defined_numbers) {
  constexpr std::size_t count = 5003;
  for (const drawing& what : drawings()) {
    EXPECT_TRUE(filled(what, 0, count, 0) == definition_of(what, 0, count, count)) << label(what);
  }
}

TEST_P(fill_on, gives_the_golden_numbers) {
  for (const golden& g : goldens())
    EXPECT_EQ(digest(filled(g.drawn, 0, golden_count, 0)), g.digest) << label(g.drawn);
}

TEST_P(fill_on, gives_the_same_slice_of_the_whole) {
  constexpr std::size_t count = 700;
  for (const drawing& what : drawings()) {
    for (const auto& [first, n] :
         {std::pair<std::size_t, std::size_t>{1, 30}, {31, 2}, {65, 635}, {699, 1}, {9, 0}}) {
      EXPECT_TRUE(filled(what, first, n, count) == definition_of(what, first, n, count))
          << label(what) << " from " << first;
    }
  }
}

TEST_P(fill_on, reaches_past_32_bits_of_index) {
  constexpr std::uint64_t first = (std::uint64_t{1} << 35) - 40;
  for (const distribution& d : {distribution(normal{}), distribution(uniform{}), distribution(integers{9})}) {
    const drawing what{dtype::fp32, d};
    EXPECT_TRUE(filled(what, first, 100, 0) == definition_of(what, first, 100, 0)) << text(d);
  }
}

INSTANTIATE_TEST_SUITE_P(isa, fill_on, testing::ValuesIn(instruction_sets()),
                         [](const auto& each) { return std::string(hwy::TargetName(each.param)); });

TEST(fill, the_definition_gives_the_golden_numbers) {
  for (const golden& g : goldens()) {
    EXPECT_EQ(digest(definition_of(g.drawn, 0, golden_count, golden_count)), g.digest) << label(g.drawn);
  }
}

std::vector<float> floats(const distribution& d, std::size_t count, std::uint64_t key = 1) {
  std::vector<float> all(count);
  fill(std::as_writable_bytes(std::span(all)), dtype::fp32, d, key);
  return all;
}

struct moments {
  double mean = 0, variance = 0, fourth = 0, lagged = 0;
};

moments moments_of(const std::vector<float>& x) {
  moments m;
  const auto n = static_cast<double>(x.size());
  for (const float v : x) m.mean += v / n;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double at = x[i] - m.mean;
    m.variance += at * at / n;
    m.fourth += at * at * at * at / n;
    if (i > 0) m.lagged += at * (x[i - 1] - m.mean) / n;
  }
  return m;
}

// A sum of n uniforms has excess kurtosis -6 / (5 n); limits are five standard errors.
TEST(fill, normals_have_the_moments_of_twelve_uniforms) {
  const auto x = floats(normal{2, 3}, 1 << 20);
  const moments m = moments_of(x);
  EXPECT_NEAR(m.mean, 2, 5 * 3.0 / 1024);
  EXPECT_NEAR(m.variance / 9, 1, 5 * std::sqrt(2.0) / 1024);
  EXPECT_NEAR(m.fourth / (m.variance * m.variance), 3 - 0.1, 5 * std::sqrt(24.0) / 1024);
  EXPECT_NEAR(m.lagged / 9, 0, 5.0 / 1024);
  EXPECT_TRUE(std::ranges::all_of(x, [](float v) { return std::fabs(v - 2) <= 18; }));
}

TEST(fill, uniforms_have_their_moments_and_stay_in_range) {
  const auto x = floats(uniform{-1, 3}, 1 << 20);
  const moments m = moments_of(x);
  EXPECT_NEAR(m.mean, 1, 5 * std::sqrt(16.0 / 12) / 1024);
  EXPECT_NEAR(m.variance, 16.0 / 12, 0.01);
  EXPECT_NEAR(m.lagged, 0, 5 * (16.0 / 12) / 1024);
  EXPECT_TRUE(std::ranges::all_of(x, [](float v) { return v >= -1 && v < 3; }));
}

TEST(fill, uniforms_keep_their_ends_after_rounding_to_a_narrow_type) {
  for (const dtype type : {dtype::e4m3, dtype::e5m2, dtype::bf16, dtype::fp16, dtype::fp32, dtype::fp64}) {
    for (const uniform& d : {uniform{0, 1}, uniform{-1, 1}, uniform{0.3, 0.9}, uniform{-3, -0.1}}) {
      const auto bytes = filled({type, d}, 0, 1 << 14, 0);
      with_dtype(type, [&]<class T>() {
        const auto* x = reinterpret_cast<const T*>(bytes.data());
        for (std::size_t i = 0; i < 1 << 14; ++i) {
          const auto value = static_cast<double>(x[i]);
          ASSERT_TRUE(value >= d.lo && value < d.hi) << name(type) << " " << value;
        }
      });
    }
  }
}

TEST(fill, integers_are_even_over_their_range) {
  std::vector<std::uint32_t> x(1 << 20);
  fill(std::as_writable_bytes(std::span(x)), dtype::u32, integers{1000}, 5);
  std::vector<int> seen(1000);
  for (const auto v : x) ++seen.at(v);
  const double expected = static_cast<double>(x.size()) / 1000;
  double chi2 = 0;
  for (const int s : seen) chi2 += (s - expected) * (s - expected) / expected;
  EXPECT_NEAR(chi2, 999, 5 * std::sqrt(2 * 999.0));
}

TEST(fill, a_permutation_holds_every_index_once) {
  for (const std::size_t count : {0u, 1u, 2u, 3u, 7u, 64u, 1000u, 65537u}) {
    std::vector<std::uint32_t> x(count), sorted(count);
    fill(std::as_writable_bytes(std::span(x)), dtype::u32, permutation{}, 3);
    std::iota(sorted.begin(), sorted.end(), 0u);
    EXPECT_TRUE(count < 7 || x != sorted) << count;
    std::ranges::sort(x);
    EXPECT_EQ(x, sorted) << count;
  }
}

TEST(fill, keys_give_unlike_arrays) {
  EXPECT_NE(floats(normal{}, 64, 1), floats(normal{}, 64, 2));
  EXPECT_NE(floats(normal{}, 64, 1), floats(normal{}, 64, std::uint64_t{1} << 32 | 1));
}

TEST(fill, a_function_receives_bytes_and_key) {
  std::vector<std::byte> target(12);
  std::uint64_t seen = 0;
  fill(target, dtype::fp32,
       filled_by{[&](std::span<std::byte> all, std::uint64_t k) { seen = k + all.size(); }}, 30);
  EXPECT_EQ(seen, 42u);
  EXPECT_THROW(fill(target, dtype::fp32, filled_by{[](auto, auto) {}}, 30, 1, 4), precondition_violated);
}

TEST(fill, refuses_what_the_type_cannot_hold) {
  std::vector<std::byte> target(1024);
  EXPECT_THROW(fill(target, dtype::i32, normal{}, 1), precondition_violated);
  EXPECT_THROW(fill(target, dtype::u8, uniform{}, 1), precondition_violated);
  EXPECT_THROW(fill(target, dtype::i8, integers{200}, 1), precondition_violated);
  EXPECT_THROW(fill(target, dtype::u8, integers{0}, 1), precondition_violated);
  EXPECT_THROW(fill(target, dtype::bf16, integers{300}, 1), precondition_violated);
  EXPECT_THROW(fill(target, dtype::u8, permutation{}, 1), precondition_violated);
  EXPECT_THROW(fill(target, dtype::i32, random_bits{}, 1), precondition_violated);
  EXPECT_THROW(fill(target, dtype::u8, constant{0.5}, 1), precondition_violated);
  EXPECT_THROW(fill(target, dtype::u8, constant{256}, 1), precondition_violated);
  EXPECT_THROW(fill(target, dtype::e4m3, uniform{1.01, 1.02}, 1), precondition_violated);
  EXPECT_THROW(fill(std::span(target).first(7), dtype::u32, random_bits{}, 1), precondition_violated);
}

}  // namespace
}  // namespace ridge::device
