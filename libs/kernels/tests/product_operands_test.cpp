// SPDX-License-Identifier: Apache-2.0
#include <ridge/kernels/product_operands.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <span>

#include <gtest/gtest.h>

#include <ridge/kernels/library_product.hpp>

// What of it needs no GPU: which of both is chosen, and what the operands say.
namespace ridge::kernels {
namespace {

using enqueued = std::function<void(cudaStream_t)>;

struct workload {
  std::int64_t m = 0, n = 0, k = 0, pitch = 0;
  std::span<const float> a{}, b{};
  std::span<float> c{};
};

struct recorded_call {
  [[nodiscard]] cudaStream_t queue() const { return nullptr; }
};

TEST(product_operands, have_gaps_in_a_and_b_alone) {
  const std::array<float, 8> numbers{};
  std::array<float, 6> sums{};
  const auto p = operands_of(workload{2, 3, 5, 8, numbers, numbers, sums});
  EXPECT_EQ(p.a, numbers.data());
  EXPECT_EQ(p.c, sums.data());
  EXPECT_EQ(p.m, 2);
  EXPECT_EQ(p.n, 3);
  EXPECT_EQ(p.k, 5);
  EXPECT_EQ(p.a_pitch, 8);
  EXPECT_EQ(p.b_pitch, 8);
  EXPECT_EQ(p.c_pitch, 3);
}

TEST(product_operands, are_planned_only_where_there_are_terms) {
  int planned = 0;
  const auto plan = [&]() -> enqueued {
    ++planned;
    return [](cudaStream_t) {};
  };
  static_cast<void>(product_or_zeros({.m = 0, .n = 3, .k = 5}, plan));
  static_cast<void>(product_or_zeros({.m = 2, .n = 0, .k = 5}, plan));
  static_cast<void>(product_or_zeros({.m = 2, .n = 3, .k = 0}, plan));
  EXPECT_EQ(planned, 0);
  static_cast<void>(product_or_zeros({.m = 1, .n = 1, .k = 1}, plan));
  EXPECT_EQ(planned, 1);
}

TEST(product_operands, give_a_body_that_enqueues_the_plan_each_time) {
  int enqueues = 0;
  workload w{1, 1, 1, 8};
  const auto body = product_body(w, [&]() -> enqueued { return [&](cudaStream_t) { ++enqueues; }; });
  recorded_call call;
  body(w, call), body(w, call);
  EXPECT_EQ(enqueues, 2);
}

TEST(product_operands, give_a_body_that_does_nothing_without_sums) {
  workload w{0, 3, 5, 8};
  recorded_call call;
  product_body(w, []() -> enqueued { return {}; })(w, call);
}

TEST(library_product, multiplies_by_the_transpose_of_b) {
  const auto wanted = library_product({.m = 2, .n = 3, .k = 5, .a_pitch = 8, .b_pitch = 16, .c_pitch = 3});
  EXPECT_EQ(wanted.a.rows, 2);
  EXPECT_EQ(wanted.a.pitch, 8);
  EXPECT_FALSE(wanted.a.transposed);
  EXPECT_EQ(wanted.b.rows, 3);
  EXPECT_EQ(wanted.b.columns, 5);
  EXPECT_EQ(wanted.b.pitch, 16);
  EXPECT_TRUE(wanted.b.transposed);
  EXPECT_EQ(wanted.pitch, 3);
}

}  // namespace
}  // namespace ridge::kernels
