// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fixtures/data.hpp>
#include <fixtures/reference_reader.hpp>
#include <ridge/trace/fusable_chains.hpp>
#include <ridge/trace/kernel_verdict.hpp>

// Small traces that their authors named after a bottleneck: the facts that tell one from the other.
namespace ridge::trace {
namespace {

void set(device_peaks& p, number_type t, double vector, double matrix) {
  p.vector_flop_per_s[static_cast<std::size_t>(t)] = vector;
  p.matrix_flop_per_s[static_cast<std::size_t>(t)] = matrix;
}

// Datasheets. Traces that name no device have kernels of ROCm's libraries for this one.
device_peaks mi300x() {
  device_peaks p{.name = "MI300X", .bytes_per_s = 5.3e12, .sms = 304};
  set(p, number_type::fp32, 163.4e12, 163.4e12);
  set(p, number_type::bf16, 0, 1307.4e12);
  return p;
}

device_peaks h100() {
  device_peaks p{.name = "H100 SXM", .bytes_per_s = 3.35e12, .sms = 132};
  set(p, number_type::fp32, 66.9e12, 0);
  set(p, number_type::bf16, 133.8e12, 989.4e12);
  return p;
}

struct labelled_reading {
  trace made{};
  op_costs costs{};
  std::vector<fusable_chain> chains{};
  double linked = 0;
  [[nodiscard]] const op_cost& top() const { return costs.ops.at(0); }
  [[nodiscard]] kernel_limit limit() const { return verdict_of(top()).limit; }
};

labelled_reading read_labelled(const std::string& file, const device_peaks& peaks = mi300x()) {
  labelled_reading r{
      .made = fixtures::reference_trace_of(fixtures::data_file("traces/tracelens/labelled/" + file))};
  const auto tree = op_tree_of(r.made);
  r.costs = op_costs_of(r.made, tree, peaks);
  r.chains = fusable_chains_of(r.made, tree);
  r.linked = tree.linked_share();
  return r;
}

class labelled : public testing::Test {
 protected:
  void SetUp() override {
    if (fixtures::data_file("traces/tracelens/labelled/conv_05_pointwise_1x1.json").empty())
      GTEST_SKIP() << fixtures::no_data;
  }
};

TEST_F(labelled, all_work_finds_its_operator) {
  for (const auto* const file :
       {"conv_01_large_spatial_small_ch.json", "gemm_01_compute_few_tiles.json", "moe_03_top1_sparse.json",
        "sdpa_03_short_seq_overhead.json", "test01_moe_fused_vs_unfused/trace1.json"})
    EXPECT_EQ(read_labelled(file).linked, 1) << file;
}

TEST_F(labelled, few_channels_are_an_odd_product) {
  const auto r = read_labelled("conv_01_large_spatial_small_ch.json");
  EXPECT_EQ(r.top().model->gemm->k, 147);
  EXPECT_FALSE(r.top().align->aligned);
  EXPECT_DOUBLE_EQ(r.top().tiles->padding_share, 0.5);  // 64 channels in tiles of 128
  EXPECT_EQ(r.limit(), kernel_limit::latency);
}

TEST_F(labelled, a_small_grid_is_told_by_its_blocks) {
  const auto r = read_labelled("conv_03_asymmetric_kernel.json");
  EXPECT_EQ(r.top().blocks, 64);
  EXPECT_TRUE(r.top().tiles->few());
  EXPECT_TRUE(r.top().matrix_eligible);
  EXPECT_EQ(r.limit(), kernel_limit::small_grid);
}

TEST_F(labelled, a_pointwise_convolution_is_an_aligned_product_of_fp32) {
  const auto r = read_labelled("conv_05_pointwise_1x1.json");
  EXPECT_TRUE(r.top().model->convolution->pointwise());
  EXPECT_EQ(r.top().model->gemm, (gemm_shape{1, 3136, 2048, 1024}));
  EXPECT_TRUE(r.top().matrix_eligible);
}

TEST_F(labelled, a_transposed_convolution_is_known_as_one) {
  const auto r = read_labelled("conv_07_transposed.json");
  EXPECT_TRUE(r.top().model->convolution->transposed);
  EXPECT_EQ(r.top().model->flops, 2.0 * 4 * 64 * 512 * 256 * 16);
  ASSERT_EQ(r.chains.size(), 1U);
  EXPECT_EQ(r.chains[0].ops.size(), 3U);
}

TEST_F(labelled, eight_tiles_are_few_for_a_device_of_304) {
  const auto r = read_labelled("gemm_01_compute_few_tiles.json");
  EXPECT_EQ(r.top().calls, 10U);
  EXPECT_EQ(r.top().works, 20U);  // the sum of both parts of k is a kernel of its own
  EXPECT_EQ(r.top().tiles->tiles, 8);
  EXPECT_EQ(r.limit(), kernel_limit::small_grid);
  EXPECT_TRUE(r.top().align->aligned);
}

TEST_F(labelled, one_more_than_4096_is_misaligned) {
  const auto r = read_labelled("gemm_03_compute_misaligned.json");
  EXPECT_FALSE(r.top().align->aligned);
  EXPECT_EQ(r.top().align->aligned_to, 1);
  EXPECT_FALSE(r.top().tiles->few());
}

TEST_F(labelled, experts_differ_by_their_tokens) {
  const auto few = read_labelled("moe_01_many_experts_few_tokens.json");
  EXPECT_DOUBLE_EQ(few.top().model->moe->tokens_per_expert(), 0.5);
  EXPECT_TRUE(few.top().place->anomaly);  // 280 us cannot read 32 experts' weights
  const auto one = read_labelled("moe_03_top1_sparse.json");
  EXPECT_DOUBLE_EQ(one.top().model->moe->tokens_per_expert(), 32);
  EXPECT_LT(one.top().model->intensity(), 33);
  const auto many = read_labelled("moe_05_large_capacity.json");
  EXPECT_DOUBLE_EQ(many.top().model->moe->tokens_per_expert(), 1024);
  EXPECT_NEAR(many.top().place->share, 0.565, 0.001);
  EXPECT_EQ(many.top().place->bound, roof_bound::compute);
}

TEST_F(labelled, attention_differs_by_its_length) {
  const auto lengthy = read_labelled("sdpa_01_long_seq_low_eff.json");
  EXPECT_EQ(lengthy.top().model->attention->queries, 32768);
  EXPECT_FALSE(lengthy.top().small);
  EXPECT_EQ(lengthy.limit(), kernel_limit::latency);
  const auto brief = read_labelled("sdpa_03_short_seq_overhead.json");
  EXPECT_EQ(brief.top().model->attention->queries, 128);
  EXPECT_TRUE(brief.top().small);
}

TEST_F(labelled, unfused_experts_are_a_chain_and_a_fused_kernel_is_none) {
  const auto unfused = read_labelled("test01_moe_fused_vs_unfused/trace1.json");
  ASSERT_EQ(unfused.chains.size(), 1U);
  EXPECT_TRUE(unfused.chains[0].moe);
  EXPECT_EQ(unfused.chains[0].kernels.size(), 4U);
  const auto fused = read_labelled("test01_moe_fused_vs_unfused/trace2.json", h100());
  EXPECT_TRUE(fused.chains.empty());
  EXPECT_TRUE(fused.top().place->anomaly);
}

TEST_F(labelled, a_transpose_before_a_product_is_told_apart) {
  const auto with = read_labelled("test04_gemm_mm_vs_linear/trace1.json");
  EXPECT_EQ(with.top().rearranging_ns, 80'000);
  EXPECT_EQ(with.limit(), kernel_limit::small_grid);  // 256 blocks on 304
  const auto without = read_labelled("test04_gemm_mm_vs_linear/trace2.json", h100());
  EXPECT_EQ(without.top().rearranging_ns, 0);
  EXPECT_NEAR(without.top().place->share, 0.0362, 0.0001);
}

TEST_F(labelled, the_same_convolution_is_far_from_one_roof_and_near_another) {
  const auto slow = read_labelled("test06_conv_gap_exceeds_roofline/trace1.json");
  EXPECT_NEAR(slow.top().place->share, 0.0113, 0.0001);
  const auto fast = read_labelled("test06_conv_gap_exceeds_roofline/trace2.json", h100());
  EXPECT_NEAR(fast.top().place->share, 0.748, 0.001);
  EXPECT_EQ(fast.limit(), kernel_limit::compute);
  EXPECT_FALSE(fast.top().model->assumed.empty());  // the trace tells no padding
}

}  // namespace
}  // namespace ridge::trace
