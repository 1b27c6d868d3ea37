// SPDX-License-Identifier: Apache-2.0
#include <ridge/device/fill.hpp>

#include <cstring>
#include <vector>

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <ridge/base/error.hpp>
#include <ridge/base/with_dtype.hpp>
#include <ridge/device/generate.hpp>
#include <ridge/device/line.hpp>
#include <ridge/device/shuffle.hpp>

namespace ridge::device {
namespace {

constexpr std::uint64_t key = 0x0123456789ABCDEF;

struct drawing {
  dtype type;
  distribution d;
};

// One element by the definition alone.
template <class T>
struct by_definition {
  std::uint64_t index, count;
  T operator()(const normal& d) const {
    return element_on<T>(line_of(d, dtype_of<T>), normal_at(key, index));
  }
  T operator()(const uniform& d) const {
    const std::uint32_t n = word_at(key, index) >> (32 - uniform_bits(dtype_of<T>));
    return element_on<T>(line_of(d, dtype_of<T>), static_cast<std::int32_t>(n));
  }
  T operator()(const integers& d) const { return whole(integer_at(key, index, d.below)); }
  T operator()(const constant& d) const { return element_on<T>({d.value, 0, d.value, d.value}, 0); }
  T operator()(const permutation&) const { return whole(shuffle(key, count)(index)); }
  T operator()(const random_bits&) const { return static_cast<T>(bits_at(key, index, sizeof(T))); }
  T operator()(const filled_by&) const { return T(0); }

 private:
  static T whole(std::uint64_t value) {
    if constexpr (std::is_integral_v<T> || std::is_same_v<T, double>)
      return static_cast<T>(value);
    else
      return static_cast<T>(static_cast<float>(value));
  }
};

template <class T>
T defined(const distribution& d, std::uint64_t index, std::uint64_t count) {
  if constexpr (std::is_integral_v<T>) {
    if (const auto* all = std::get_if<constant>(&d)) return static_cast<T>(all->value);
    if (const auto* some = std::get_if<integers>(&d))
      return static_cast<T>(integer_at(key, index, some->below));
    if (std::holds_alternative<permutation>(d)) return static_cast<T>(shuffle(key, count)(index));
    return static_cast<T>(bits_at(key, index, sizeof(T)));
  } else {
    if (std::holds_alternative<random_bits>(d)) return T(0);
    return std::visit(
        [&](const auto& one) {
          if constexpr (std::is_same_v<decltype(one), const random_bits&>)
            return T(0);
          else
            return by_definition<T>{index, count}(one);
        },
        d);
  }
}

std::vector<std::byte> definition_of(const drawing& what, std::uint64_t first, std::size_t count) {
  std::vector<std::byte> all(count * size_of(what.type));
  with_dtype(what.type, [&]<class T>() {
    for (std::size_t i = 0; i < count; ++i) {
      const T x = defined<T>(what.d, first + i, first + count);
      std::memcpy(all.data() + i * sizeof(T), &x, sizeof(T));
    }
  });
  return all;
}

std::vector<drawing> drawings() {
  std::vector<drawing> all;
  for (const dtype type : {dtype::e4m3, dtype::e5m2, dtype::fp16, dtype::bf16, dtype::fp32, dtype::fp64}) {
    for (const distribution& d :
         {distribution(normal{}), distribution(normal{0, 0.02}), distribution(normal{1, 2}),
          distribution(normal{0.1, 0.7}), distribution(uniform{}), distribution(uniform{-1, 1}),
          distribution(uniform{-0.1, 0.2}), distribution(integers{7}), distribution(constant{0.3})}) {
      all.push_back({type, d});
    }
  }
  for (const dtype type : {dtype::u8, dtype::u16, dtype::u32, dtype::u64})
    all.push_back({type, random_bits{}});
  for (const dtype type : {dtype::i8, dtype::u8, dtype::i16, dtype::i32, dtype::u32, dtype::i64}) {
    all.push_back({type, integers{100}});
    all.push_back({type, constant{-0.0}});
  }
  all.push_back({dtype::u64, integers{std::uint64_t{1} << 32}});
  all.push_back({dtype::i64, integers{1'000'000'000'000}});
  all.push_back({dtype::fp64, integers{std::uint64_t{1} << 40}});
  all.push_back({dtype::u32, permutation{}});
  all.push_back({dtype::i64, permutation{}});
  return all;
}

std::string label(const drawing& what) { return std::string(name(what.type)) + " " + text(what.d); }

class on_every_instruction_set : public testing::TestWithParam<std::int64_t> {
 protected:
  void SetUp() override { hwy::GetChosenTarget().Update(GetParam()); }
  void TearDown() override { hwy::GetChosenTarget().DeInit(); }
};

TEST_P(on_every_instruction_set, fill_gives_the_defined_numbers) {
  constexpr std::size_t count = 5003;
  for (const drawing& what : drawings()) {
    std::vector<std::byte> filled(count * size_of(what.type));
    fill(filled, what.type, what.d, key);
    EXPECT_TRUE(filled == definition_of(what, 0, count)) << label(what);
  }
}

TEST_P(on_every_instruction_set, a_part_is_the_same_slice_of_the_whole) {
  constexpr std::size_t count = 700;
  for (const drawing& what : drawings()) {
    const std::size_t size = size_of(what.type);
    const std::vector<std::byte> whole = definition_of(what, 0, count);
    for (const auto& [first, n] :
         {std::pair<std::size_t, std::size_t>{1, 30}, {31, 2}, {65, 635}, {699, 1}, {9, 0}}) {
      std::vector<std::byte> part(n * size);
      fill(part, what.type, what.d, key, first, count);
      EXPECT_TRUE(
          std::equal(part.begin(), part.end(), whole.begin() + static_cast<std::ptrdiff_t>(first * size)))
          << label(what) << " from " << first;
    }
  }
}

TEST_P(on_every_instruction_set, indices_past_32_bits_reach_the_counter) {
  constexpr std::uint64_t first = (std::uint64_t{1} << 35) - 40;
  for (const distribution& d : {distribution(normal{}), distribution(uniform{})}) {
    std::vector<std::byte> filled(100 * sizeof(float));
    fill(filled, dtype::fp32, d, key, first);
    EXPECT_TRUE(filled == definition_of({dtype::fp32, d}, first, 100)) << text(d);
  }
}

INSTANTIATE_TEST_SUITE_P(isa, on_every_instruction_set, testing::ValuesIn([] {
                           std::vector<std::int64_t> all;
                           for (auto left = hwy::SupportedTargets(); left != 0; left &= left - 1) {
                             all.push_back(left & -left);
                           }
                           return all;
                         }()),
                         [](const auto& one) { return std::string(hwy::TargetName(one.param)); });

}  // namespace
}  // namespace ridge::device
