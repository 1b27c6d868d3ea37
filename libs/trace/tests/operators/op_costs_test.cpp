// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/op_costs.hpp>

#include <gtest/gtest.h>

#include <fixtures/scene.hpp>
#include <ridge/trace/kernel_verdict.hpp>

namespace ridge::trace {
namespace {

using fixtures::scene;

device_peaks device_with_round_peaks() {
  device_peaks p{.bytes_per_s = 1e12, .sms = 100, .launch_s = 1e-6};
  p.matrix_flop_per_s[static_cast<std::size_t>(number_type::bf16)] = 100e12;
  return p;
}

op_detail shapes(scene& s, std::string_view dims,
                 std::string_view types = R"(["c10::BFloat16","c10::BFloat16"])",
                 std::string_view values = "") {
  return {.input_dims = s.name(dims), .input_types = s.name(types), .concrete_inputs = s.name(values)};
}

// An operator with one kernel; calls of a scene stand one microsecond apart on the host.
struct calls {
  scene s{};
  nanoseconds host = 0, device = 1'000'000;
  calls& call(std::string_view op, std::string_view dims, nanoseconds length, std::string_view kernel = "k",
              device_work details = {}, nanoseconds gap = 0) {
    s.op(op, host, 900, shapes(s, dims));
    s.kernel(kernel, device += gap, length, 7, {.call_ns = host + 100, .call_length_ns = 10}, details);
    host += 1000;
    device += length;
    return *this;
  }
};

op_costs costs(calls& c, const op_cost_query& query = {}) {
  const auto t = c.s.build();
  return op_costs_of(t, op_tree_of(t), device_with_round_peaks(), query);
}

constexpr auto square = "[[1024,1024],[1024,1024]]";  // 2.147 GFLOP: 21.47 us at the peak

TEST(op_costs, equal_calls_are_one_row_on_the_roofline) {
  calls c;
  c.call("aten::mm", square, 40'000)
      .call("aten::mm", square, 60'000)
      .call("aten::mm", "[[8,8],[8,8]]", 5'000);
  const auto all = costs(c);
  ASSERT_EQ(all.ops.size(), 2U);
  EXPECT_EQ(all.ops[0].calls, 2U);
  EXPECT_EQ(all.ops[0].device_ns, 100'000);
  EXPECT_EQ(all.ops[0].fastest_call_ns, 40'000);
  EXPECT_EQ(all.ops[0].median_call_ns, 40'000);  // the lower one of two
  EXPECT_NEAR(all.ops[0].place->share, 2 * 2147483648.0 / 100e12 / 100e-6, 1e-12);
  EXPECT_NEAR(all.ops[0].above_roof_s(), 100e-6 - 2 * 21.47483648e-6, 1e-12);
  EXPECT_FALSE(all.ops[0].small);
  EXPECT_TRUE(all.ops[1].small);
  EXPECT_EQ(all.modelled_ns, all.device_ns);
}

TEST(op_costs, utilisation_is_over_the_window) {
  calls c;
  c.call("aten::mm", square, 30'000).call("aten::mm", square, 30'000, "k", {}, 40'000);
  EXPECT_NEAR(*costs(c).mfu, 2 * 2147483648.0 / 100e12 / 100e-6, 1e-12);
}

TEST(op_costs, a_window_takes_the_work_that_starts_in_it) {
  calls c;
  c.call("aten::mm", square, 30'000).call("aten::mm", square, 50'000);
  const auto some = costs(c, {.window = time_range{1'030'000, 1'100'000}});
  ASSERT_EQ(some.ops.size(), 1U);
  EXPECT_EQ(some.ops[0].device_ns, 50'000);
  EXPECT_NEAR(*some.mfu, 2147483648.0 / 100e12 / 70e-6, 1e-12);
}

TEST(op_costs, kernels_of_an_operator_without_a_model_belong_to_the_one_above_that_has) {
  scene s;
  s.op("aten::mm", 0, 1000, shapes(s, square)).op("inner", 100, 200);
  s.kernel("pack_transpose", 5000, 10, 7, {.call_ns = 150, .call_length_ns = 5});
  s.kernel("gemm_128x128_nn", 6000, 90, 7, {.call_ns = 400, .call_length_ns = 5});
  const auto t = s.build();
  const auto all = op_costs_of(t, op_tree_of(t), device_with_round_peaks());
  ASSERT_EQ(all.ops.size(), 1U);
  EXPECT_EQ(all.ops[0].works, 2U);
  EXPECT_EQ(all.ops[0].calls, 1U);
  EXPECT_EQ(all.ops[0].rearranging_ns, 10);
  EXPECT_EQ(t.names[all.ops[0].main_kernel], "gemm_128x128_nn");
  EXPECT_EQ(all.ops[0].tiles->tiles, 64);
}

TEST(op_costs, an_odd_product_is_held_against_its_aligned_neighbour) {
  calls c;
  c.call("aten::mm", "[[1025,1025],[1025,1025]]", 80'000).call("aten::mm", square, 40'000);
  const auto all = costs(c);
  EXPECT_FALSE(all.ops[0].align->aligned);
  ASSERT_TRUE(all.ops[0].aligned_neighbour_share);
  EXPECT_NEAR(*all.ops[0].aligned_neighbour_share, 21.47483648 / 40, 1e-9);
  EXPECT_FALSE(all.ops[1].aligned_neighbour_share);
}

TEST(op_costs, a_copy_from_the_host_is_not_held_against_the_devices_memory) {
  scene s;
  s.op("aten::copy_", 0, 1000, shapes(s, "[[1000000],[1000000],[]]"));
  s.copy(copy_kind::host_to_device, 2'000'000, 5000, 100'000, 7, {.call_ns = 100, .call_length_ns = 5});
  const auto t = s.build();
  const auto all = op_costs_of(t, op_tree_of(t), device_with_round_peaks());
  EXPECT_TRUE(all.ops[0].model);
  EXPECT_FALSE(all.ops[0].place);
}

kernel_verdict verdict_of_one(std::string_view dims, nanoseconds length, std::string_view kernel,
                              device_work details = {}) {
  calls c;
  c.call("aten::mm", dims, length, kernel, details);
  return verdict_of(costs(c).ops.at(0));
}

TEST(model_verdict, follows_the_roof_the_grid_and_the_waves) {
  EXPECT_EQ(verdict_of_one(square, 25'000, "k").limit, kernel_limit::compute);
  EXPECT_EQ(verdict_of_one("[[1,16384],[16384,16384]]", 600'000, "k").limit, kernel_limit::dram);
  EXPECT_EQ(verdict_of_one(square, 100'000, "gemm_128x128_nn").limit, kernel_limit::small_grid);  // 64 of 100
  // 11 x 11 tiles on 100 multiprocessors: the second wave is a fifth full.
  EXPECT_EQ(verdict_of_one("[[1408,1024],[1024,1408]]", 200'000, "gemm_128x128_nn").limit,
            kernel_limit::tail);
  EXPECT_EQ(verdict_of_one("[[4096,1024],[1024,4096]]", 2'000'000, "gemm_128x128_nn").limit,
            kernel_limit::latency);
}

TEST(model_verdict, blocks_launched_count_more_than_a_names_tile) {
  EXPECT_EQ(
      verdict_of_one(square, 100'000, "gemm_128x128_nn", {.grid = {64, 16, 1}, .block = {128, 1, 1}}).limit,
      kernel_limit::latency);
}

TEST(model_verdict, more_than_the_roof_is_doubted_not_praised) {
  const auto v = verdict_of_one(square, 10'000, "k");
  EXPECT_EQ(v.limit, kernel_limit::unknown);
  ASSERT_EQ(v.symptoms.size(), 1U);
  EXPECT_EQ(v.symptoms[0].kind, kernel_symptom::above_peak);
}

TEST(model_verdict, nothing_is_said_of_what_has_no_model) {
  calls c;
  c.call("my::op", square, 1000);
  const auto v = verdict_of(costs(c).ops.at(0));
  EXPECT_EQ(v.limit, kernel_limit::unknown);
  EXPECT_EQ(v.grade, evidence_grade::ungraded);
}

}  // namespace
}  // namespace ridge::trace
