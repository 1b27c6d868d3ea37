// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/scope_costs.hpp>

#include <algorithm>

#include <gmock/gmock.h>

#include "fixtures/scene.hpp"

namespace ridge::trace {
namespace {

using fixtures::scene;

struct scoped {
  explicit scoped(trace made, scope_kind kind = scope_kind::modules)
      : t(std::move(made)), ops(op_tree_of(t)), tree(scopes_of(t, ops, kind)) {}
  trace t;
  op_tree ops;
  scope_tree tree;
  // Path of the first work of a name.
  [[nodiscard]] std::string path_of(std::string_view kernel) const { return tree.path_text(node_of(kernel)); }
  [[nodiscard]] scope_link link_of(std::string_view kernel) const {
    return tree.link_of_work[work_of(kernel)];
  }
  [[nodiscard]] std::uint32_t node_of(std::string_view kernel) const {
    return tree.node_of_work[work_of(kernel)];
  }

 private:
  [[nodiscard]] work_id work_of(std::string_view kernel) const {
    return static_cast<work_id>(
        std::ranges::find_if(t.works, [&](const auto& w) { return t.names[w.name] == kernel; }) -
        t.works.begin());
  }
};

TEST(scopes, work_belongs_to_the_innermost_module_around_its_launch) {
  const scoped s(scene()
                     .python("nn.Module: Net_0", 0, 100)
                     .python("nn.Module: Linear_1", 10, 20)
                     .python("model.py(3): forward", 11, 18)
                     .kernel("gemm", 200, 10, 7, {12, 2})
                     .kernel("add", 220, 10, 7, {50, 2})
                     .kernel("other", 240, 10, 7, {150, 2})
                     .build());
  EXPECT_EQ(s.path_of("gemm"), "Net_0 > Linear_1");
  EXPECT_EQ(s.path_of("add"), "Net_0");
  EXPECT_EQ(s.path_of("other"), "");
  EXPECT_EQ(s.link_of("gemm"), scope_link::stack);
  EXPECT_EQ(s.link_of("other"), scope_link::outside);
}

TEST(scopes, backward_work_belongs_to_the_module_of_its_forward_operator) {
  const scoped s(
      scene()
          .python("nn.Module: Net_0", 0, 100)
          .op("aten::linear", 10, 5, {.sequence = 41})
          .op("autograd::engine: LinearBackward0", 110, 20, {.sequence = 41, .forward_thread = 1}, 2)
          .op("aten::mm", 112, 6, {}, 2)
          .event(category::api, "x", 1, 1)
          .build());
  EXPECT_EQ(s.tree.nodes.size(), 1U);
  scene backward;
  backward.python("nn.Module: Net_0", 0, 100).op("aten::linear", 10, 5, {.sequence = 41});
  backward.op("autograd::engine: LinearBackward0", 110, 20, {.sequence = 41, .forward_thread = 1});
  backward.op("autograd::engine: OtherBackward0", 140, 20, {.sequence = 42, .forward_thread = 1});
  backward.kernel("dgrad", 300, 10, 7, {112, 2}).kernel("unknown", 320, 10, 7, {142, 2});
  const scoped b(backward.build());
  EXPECT_EQ(b.path_of("dgrad"), "Net_0");
  EXPECT_EQ(b.link_of("dgrad"), scope_link::forward);
  EXPECT_EQ(b.link_of("unknown"), scope_link::outside);
}

TEST(scopes, steps_are_one_range_and_another_thread_works_in_the_main_threads) {
  scene made;
  made.annotation("ProfilerStep#4", 0, 101).annotation("ProfilerStep#5", 100, 100);  // overlap by rounding
  made.annotation("forward", 10, 30).annotation("backward", 110, 80);
  made.kernel("fwd", 12, 5, 7, {11, 1});
  made.kernel("bwd", 130, 5, 7);
  auto& builder = made.builder();
  builder.add({.start_ns = 120,
               .duration_ns = 2,
               .name = builder.intern("cudaLaunchKernel"),
               .track = builder.track_of(track_kind::thread, builder.process(1), 2),
               .correlation = 2,
               .kind = category::api});
  const scoped s(made.build(), scope_kind::ranges);
  ASSERT_EQ(s.tree.nodes.size(), 3U);
  EXPECT_EQ(s.tree.nodes[0].calls, 2U);
  EXPECT_EQ(s.path_of("fwd"), "ProfilerStep# > forward");
  EXPECT_EQ(s.path_of("bwd"), "ProfilerStep# > backward");
  EXPECT_EQ(s.link_of("bwd"), scope_link::time);
}

trace captured_graph(int launches) {
  scene made;
  made.api("cudaStreamBeginCapture_v2", 0, 1);
  made.python("nn.Module: A_0", 2, 10).api("cudaLaunchKernel", 4, 1);
  made.python("nn.Module: B_0", 20, 10).api("cudaLaunchKernel", 24, 1);
  if (launches == 3) made.api("cudaLaunchKernel", 40, 1);
  made.api("cudaStreamEndCapture", 50, 1);
  for (int replay = 0; replay < 2; ++replay) {
    const auto at = 100 + replay * 100;
    made.kernel("first", at + 10, 5, 7, {at, 4, "cudaGraphLaunch"}, {.graph_node = 901, .graph = 3});
    made.kernel("second", at + 20, 5, 7, {at, 4, "cudaGraphLaunch"}, {.graph_node = 904, .graph = 3});
  }
  return made.build();
}

TEST(scopes, kernels_of_a_graph_belong_to_the_code_that_was_captured) {
  const scoped s(captured_graph(2));
  EXPECT_EQ(s.path_of("first"), "A_0");
  EXPECT_EQ(s.path_of("second"), "B_0");
  EXPECT_EQ(s.link_of("second"), scope_link::capture);
  const scoped unclear(captured_graph(3));  // three calls, two nodes: nothing is claimed
  EXPECT_EQ(unclear.link_of("first"), scope_link::outside);
}

TEST(scope_costs, of_scopes_and_of_the_rest_add_up) {
  const scoped s(scene()
                     .python("nn.Module: Net_0", 0, 100)
                     .python("nn.Module: Linear_1", 10, 20)
                     .kernel("gemm", 200, 10'000, 7, {12, 2})
                     .kernel("add", 40'200, 500, 7, {50, 2})
                     .kernel("other", 50'700, 70, 7, {150, 2})
                     .build());
  const auto costs = scope_costs_of(s.t, s.tree, s.ops, {});
  const auto net = s.node_of("add"), linear = s.node_of("gemm");
  EXPECT_EQ(costs.alone[linear].device_ns, 10'000);
  EXPECT_EQ(costs.alone[net].device_ns, 500);
  EXPECT_EQ(costs.whole[net].device_ns, 10'500);
  EXPECT_EQ(costs.alone[net].idle_ns, 30'000);  // the gap that ended with its kernel
  EXPECT_EQ(costs.outside.idle_ns, 10'000);
  EXPECT_EQ(costs.total.device_ns, 10'570);
  EXPECT_EQ(costs.total.idle_ns, 40'000);
  EXPECT_EQ(costs.total.works, 3U);
  const auto first = scope_costs_of(s.t, s.tree, s.ops, {}, time_range{0, 20'000});
  EXPECT_EQ(first.total.works, 1U);
}

TEST(scope_costs, models_count_where_their_work_is) {
  scene made;
  op_detail product{.input_dims = made.name("[[64, 64], [64, 64]]"),
                    .input_types = made.name(R"(["float", "float"])")};
  made.python("nn.Module: A_0", 0, 100).op("aten::mm", 10, 20, product).kernel("gemm", 200, 1000, 7, {12, 2});
  made.op("aten::mm", 110, 20, product).kernel("gemm", 2000, 1000, 7, {112, 2});
  const scoped s(made.build());
  device_peaks peaks{.name = "made up", .bytes_per_s = 1e12};
  peaks.vector_flop_per_s.fill(1e12);
  const auto costs = scope_costs_of(s.t, s.tree, s.ops, peaks);
  EXPECT_EQ(costs.alone[0].flops, 2.0 * 64 * 64 * 64);
  EXPECT_EQ(costs.outside.flops, 2.0 * 64 * 64 * 64);
  ASSERT_TRUE(costs.alone[0].roof_share());
  EXPECT_NEAR(*costs.alone[0].roof_share(), 2.0 * 64 * 64 * 64 / 1e12 / 1e-6, 1e-9);
}

}  // namespace
}  // namespace ridge::trace
