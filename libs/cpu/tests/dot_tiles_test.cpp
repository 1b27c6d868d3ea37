// SPDX-License-Identifier: Apache-2.0
#include <ridge/cpu/dot_tiles.hpp>

#include <algorithm>

#include <gtest/gtest.h>

#include <ridge/base/element.hpp>
#include <ridge/base/error.hpp>
#include <ridge/host/isa.hpp>
#include <ridge/host/pages.hpp>

#include "every_target.hpp"

namespace ridge::cpu {
namespace {

constexpr std::int64_t sizes[] = {0, 1, 2, 3, 4, 5, 9};
constexpr std::int64_t depths[] = {0, 1, 15, 16, 17, 31, 33, 63, 64, 65, 130};

// Whole numbers so small that every product and sum is exact in every type. Ends at an unmapped page.
template <class T, class Make>
class operand {
 public:
  operand(std::int64_t count, int seed, Make make)
      : memory_(static_cast<std::size_t>(count) * sizeof(T), alignof(T)) {
    for (auto& x : memory_.template as<T>()) x = make((seed = (seed * 75 + 74) % 65537) % 15);
  }
  [[nodiscard]] const T* data() const { return memory_.template as<T>().data(); }

 private:
  host::guarded_region memory_;
};

template <class Left, class Right, class Sum, class MakeLeft, class MakeRight, class Multiply>
void check_exact(MakeLeft left, MakeRight right, double left_shift, double right_shift, Multiply multiply) {
  for (const auto m : sizes) {
    for (const auto n : sizes) {
      for (const auto k : depths) {
        const operand<Left, MakeLeft> a(m * k, 1, left);
        const operand<Right, MakeRight> b(n * k, 2, right);
        const operand<int, int (*)(int)> a_whole(m * k, 1, [](int x) { return x; });
        const operand<int, int (*)(int)> b_whole(n * k, 2, [](int x) { return x; });
        std::vector<Sum> c(static_cast<std::size_t>(m * n), Sum(-1));
        multiply(m, n, k, a.data(), b.data(), c.data());
        for (std::int64_t e = 0; e < m * n; ++e) {
          double sum = 0;
          for (std::int64_t q = 0; q < k; ++q) {
            const auto row = e / n * k, column = e % n * k;
            sum += (a_whole.data()[row + q] + left_shift) * (b_whole.data()[column + q] + right_shift);
          }
          ASSERT_EQ(c[static_cast<std::size_t>(e)], static_cast<Sum>(sum)) << m << " x " << n << " x " << k;
        }
      }
    }
  }
}

TEST(dot_tiles, fp32_on_each_target) {
  for (const auto target : targets_here()) {
    const only_target set(target);
    const auto shifted = [](int x) { return static_cast<float>(x - 7); };
    check_exact<float, float, float>(shifted, shifted, -7, -7, dot_tiles_fp32);
  }
}

TEST(dot_tiles, bf16) {
  if (!host::has_isa("avx512_bf16")) {
    EXPECT_THROW(dot_tiles_bf16(0, 0, 0, nullptr, nullptr, nullptr), unavailable);
    GTEST_SKIP() << "this CPU has no avx512_bf16";
  }
  const auto shifted = [](int x) { return bf16(static_cast<float>(x - 7)).bits; };
  check_exact<std::uint16_t, std::uint16_t, float>(shifted, shifted, -7, -7, dot_tiles_bf16);
}

TEST(dot_tiles, int8) {
  if (!host::has_isa("avx512_vnni")) {
    EXPECT_THROW(dot_tiles_int8(0, 0, 0, nullptr, nullptr, nullptr), unavailable);
    GTEST_SKIP() << "this CPU has no avx512_vnni";
  }
  const auto high = [](int x) { return static_cast<std::uint8_t>(x + 241); };
  const auto shifted = [](int x) { return static_cast<std::int8_t>(x - 7); };
  check_exact<std::uint8_t, std::int8_t, std::int32_t>(high, shifted, 241, -7, dot_tiles_int8);
}

}  // namespace
}  // namespace ridge::cpu
