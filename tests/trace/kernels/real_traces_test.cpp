// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fixtures/data.hpp>
#include <fixtures/reference_reader.hpp>
#include <ridge/trace/fusable_chains.hpp>
#include <ridge/trace/op_costs.hpp>

namespace ridge::trace {
namespace {

device_peaks peaks(double bytes_per_s, double bf16, int sms) {
  device_peaks p{.bytes_per_s = bytes_per_s, .sms = sms};
  p.matrix_flop_per_s[static_cast<std::size_t>(number_type::bf16)] = bf16;
  return p;
}

struct real_reading {
  trace made{};
  op_tree tree{};
  op_costs costs{};
};

real_reading read_real(const char* file, const device_peaks& peaks) {
  real_reading r{.made = fixtures::reference_trace_of(fixtures::data_file(file))};
  r.tree = op_tree_of(r.made);
  r.costs = op_costs_of(r.made, r.tree, peaks);
  return r;
}

constexpr auto timesformer =
    "traces/tracelens/h100/facebook_timesformer-base-finetuned-k400__1016002.json.gz";
constexpr auto flux = "traces/tracelens/inference/xdit_flux1_aiter_profile_rank0.json.gz";
constexpr auto resnet = "traces/tracelens/mi300/resnet_act_checkpoint.json.gz";

TEST(real_traces, self_times_sum_to_what_is_linked) {
  if (fixtures::data_file(resnet).empty()) GTEST_SKIP() << fixtures::no_data;
  for (const auto* const file : {timesformer, flux, resnet}) {
    const auto r = read_real(file, {});
    nanoseconds self = 0, costs = 0;
    for (const auto& row : r.tree.rows) self += row.self_device_ns;
    for (const auto& op : r.costs.ops) costs += op.device_ns;
    EXPECT_EQ(self, r.tree.linked_ns) << file;
    EXPECT_EQ(costs, r.tree.linked_ns) << file;
    EXPECT_EQ(r.costs.device_ns, r.tree.device_ns) << file;
  }
}

TEST(real_traces, no_product_is_faster_than_its_roof) {
  if (fixtures::data_file(timesformer).empty()) GTEST_SKIP() << fixtures::no_data;
  const auto r = read_real(timesformer, peaks(3.35e12, 989.4e12, 132));
  EXPECT_EQ(r.tree.linked_share(), 1);
  EXPECT_GT(static_cast<double>(r.costs.modelled_ns), 0.98 * static_cast<double>(r.costs.device_ns));
  int products = 0;
  for (const auto& op : r.costs.ops) {
    if (!op.place || !op.model->matrix) continue;
    EXPECT_FALSE(op.place->anomaly) << r.made.names[op.input_dims];
    ++products;
  }
  EXPECT_GT(products, 10);
}

// Scores of 3137 x 3137 go to memory and back: attention that nobody fused, more than 80 % of the trace.
TEST(real_traces, unfused_attention_is_found) {
  if (fixtures::data_file(timesformer).empty()) GTEST_SKIP() << fixtures::no_data;
  const auto r = read_real(timesformer, {});
  const auto chains = fusable_chains_of(r.made, r.tree);
  ASSERT_FALSE(chains.empty());
  EXPECT_TRUE(chains[0].attention);
  EXPECT_EQ(chains[0].count, 12U);
  EXPECT_GT(chains[0].device_ns, r.tree.device_ns * 8 / 10);
  EXPECT_LT(chains[0].bytes_fused, chains[0].bytes / 50);
}

// Tensile's names tell the tile; what was launched is the count of tiles that follows from it, for most
// products without splitting k.
TEST(real_traces, tiles_by_name_are_the_blocks_launched) {
  if (fixtures::data_file(flux).empty()) GTEST_SKIP() << fixtures::no_data;
  const auto r = read_real(flux, peaks(5.3e12, 1307.4e12, 304));
  int compared = 0, whole = 0;
  for (const auto& op : r.costs.ops) {
    if (!op.model || op.model->family != op_family::gemm || !r.made.names[op.main_kernel].starts_with("Cijk"))
      continue;
    if (op.blocks == 0) continue;
    EXPECT_EQ(op.tiles->tiles, op.blocks)
        << r.made.names[op.input_dims] << ' ' << r.made.names[op.main_kernel];
    ++compared;
    whole += op.tiles->tile.splits == 1 ? 1 : 0;
  }
  EXPECT_GT(whole, compared / 2);
  EXPECT_GT(compared, 3);
}

// MIOpen turns images to another layout and back around its convolutions.
TEST(real_traces, layout_changes_are_told_apart_from_convolutions) {
  if (fixtures::data_file(resnet).empty()) GTEST_SKIP() << fixtures::no_data;
  const auto r = read_real(resnet, {});
  nanoseconds all = 0, rearranging = 0;
  for (const auto& op : r.costs.ops) {
    if (!op.model || op.model->family != op_family::convolution) continue;
    all += op.device_ns;
    rearranging += op.rearranging_ns;
  }
  EXPECT_GT(rearranging, all / 4);
  EXPECT_LT(rearranging, all);
}

}  // namespace
}  // namespace ridge::trace
