// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/fusable_chains.hpp>

#include <gmock/gmock.h>

#include <fixtures/scene.hpp>

namespace ridge::trace {
namespace {

using fixtures::scene;

struct program {
  scene s{};
  nanoseconds host = 0, device = 1'000'000;
  program& call(std::string_view op, std::string_view dims, nanoseconds length = 100,
                std::int32_t stream = 7) {
    s.op(op, host, 900, {.input_dims = s.name(dims), .input_types = s.name(R"(["float","float","float"])")});
    s.kernel("k", device, length, stream, {.call_ns = host + 100, .call_length_ns = 10});
    host += 1000;
    device += length;
    return *this;
  }
  std::vector<fusable_chain> chains() {
    made = s.build();
    return fusable_chains_of(made, op_tree_of(made));
  }
  std::vector<std::string_view> names(const fusable_chain& c) const {
    std::vector<std::string_view> all;
    for (const auto id : c.ops) all.push_back(made.names[id]);
    return all;
  }
  trace made{};
};

TEST(fusable_chains, neighbours_that_read_what_was_written_save_it_twice) {
  program p;
  p.call("aten::add", "[[1000],[1000],[]]")
      .call("aten::mul", "[[1000],[1000]]")
      .call("aten::mm", "[[8,8],[8,8]]");
  const auto all = p.chains();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_THAT(p.names(all[0]), testing::ElementsAre("aten::add", "aten::mul"));
  EXPECT_EQ(all[0].bytes, 6 * 4000);
  EXPECT_EQ(all[0].bytes_fused, 4 * 4000);
  EXPECT_EQ(all[0].device_ns, 200);
  EXPECT_DOUBLE_EQ(all[0].saved_s(1e12), 8e-9);
  EXPECT_DOUBLE_EQ(all[0].saved_s(1e9), 200e-9);  // never more than the chain takes
  EXPECT_EQ(all[0].saved_s(0), 0);
}

TEST(fusable_chains, another_size_or_stream_breaks_a_chain) {
  program sizes;
  EXPECT_TRUE(sizes.call("aten::relu", "[[1000]]").call("aten::relu", "[[999]]").chains().empty());
  program streams;
  EXPECT_TRUE(
      streams.call("aten::relu", "[[10]]", 100, 7).call("aten::relu", "[[10]]", 100, 8).chains().empty());
}

TEST(fusable_chains, equal_chains_are_counted) {
  program p;
  for (int i = 0; i < 3; ++i)
    p.call("aten::add", "[[64],[64],[]]").call("aten::relu", "[[64]]").call("aten::mm", "[[8,8],[8,8]]");
  const auto all = p.chains();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].count, 3U);
  EXPECT_EQ(all[0].device_ns, 600);
}

constexpr auto scores = "[[2,16,16]]";

TEST(fusable_chains, softmax_between_batched_products_is_attention) {
  program p;
  p.call("aten::bmm", "[[2,16,4],[2,4,16]]").call("aten::mul", scores).call("aten::_softmax", scores);
  p.call("aten::copy_", "[[2,16,4],[2,16,4]]");  // of the other operand
  p.call("aten::bmm", "[[2,16,16],[2,16,4]]");
  const auto all = p.chains();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_TRUE(all[0].attention);
  EXPECT_EQ(all[0].ops.size(), 5U);
  // Three times scores of 2 x 16 x 16, and the copy of 2 x 16 x 4, need be neither written nor read.
  EXPECT_EQ(all[0].bytes - all[0].bytes_fused, 2 * (3 * 2048 + 512));
}

TEST(fusable_chains, a_product_without_softmax_is_not) {
  program p;
  p.call("aten::bmm", "[[2,16,4],[2,4,16]]")
      .call("aten::mul", scores)
      .call("aten::bmm", "[[2,16,16],[2,16,4]]");
  EXPECT_TRUE(p.chains().empty());
}

TEST(fusable_chains, experts_done_kernel_by_kernel_are_one_chain) {
  program p;
  p.call("aiter::moe_sorting_fwd", "[[4,8],[2,8,8]]").call("aiter::ck_moe_stage1", "[[4,8],[2,8,8]]");
  p.call("aiter::moe_sum", "[[4,8]]");
  const auto all = p.chains();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_TRUE(all[0].moe);
  EXPECT_EQ(all[0].device_ns, 300);
}

TEST(fusable_chains, one_fused_kernel_is_no_chain) {
  program p;
  EXPECT_TRUE(p.call("triton::fused_moe_kernel", "[[4,8],[2,8,8]]").chains().empty());
}

}  // namespace
}  // namespace ridge::trace
