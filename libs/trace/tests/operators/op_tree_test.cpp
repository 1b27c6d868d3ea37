// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/op_tree.hpp>

#include <gmock/gmock.h>

#include <random>

#include <fixtures/scene.hpp>

namespace ridge::trace {
namespace {

using fixtures::scene;

const op_row& op_row_named(const trace& t, const std::vector<op_row>& rows, std::string_view name) {
  const auto at = std::ranges::find_if(rows, [&](const op_row& r) { return t.names[r.name] == name; });
  EXPECT_NE(at, rows.end()) << name;
  return *at;
}

TEST(op_tree, work_belongs_to_the_innermost_operator_around_its_launch) {
  const auto t = scene()
                     .op("aten::linear", 0, 1000)
                     .op("aten::addmm", 100, 500)
                     .kernel("gemm", 2000, 300, 7, {.call_ns = 200, .call_length_ns = 50})
                     .kernel("epilogue", 2300, 40, 7, {.call_ns = 700, .call_length_ns = 50})
                     .build();
  const auto tree = op_tree_of(t);
  EXPECT_EQ(path_text(t, tree, tree.node_of_work[0]), "aten::linear > aten::addmm");
  EXPECT_EQ(path_text(t, tree, tree.node_of_work[1]), "aten::linear");
  EXPECT_EQ(tree.link_of_work[0], op_link::launch);
  EXPECT_EQ(op_row_named(t, tree.rows, "aten::linear").device_ns, 340);
  EXPECT_EQ(op_row_named(t, tree.rows, "aten::linear").self_device_ns, 40);
  EXPECT_EQ(op_row_named(t, tree.rows, "aten::linear").self_host_ns, 500);
  EXPECT_EQ(op_row_named(t, tree.rows, "aten::addmm").device_ns, 300);
  ASSERT_EQ(tree.roots.size(), 1U);
  EXPECT_EQ(tree.roots[0].works, 2U);
  EXPECT_DOUBLE_EQ(tree.linked_share(), 1);
}

TEST(op_tree, a_launch_at_an_operators_end_is_not_in_it) {
  const auto t = scene()
                     .op("first", 0, 100)
                     .op("second", 100, 100)
                     .kernel("k", 500, 10, 7, {.call_ns = 100, .call_length_ns = 5})
                     .build();
  const auto tree = op_tree_of(t);
  EXPECT_EQ(path_text(t, tree, tree.node_of_work[0]), "second");
}

TEST(op_tree, another_threads_operator_is_no_parent) {
  const auto t = scene()
                     .op("other", 0, 1000, {}, 2)
                     .kernel("k", 500, 10, 7, {.call_ns = 100, .call_length_ns = 5})
                     .build();
  const auto tree = op_tree_of(t);
  EXPECT_EQ(tree.node_of_work[0], none);
  EXPECT_EQ(tree.link_of_work[0], op_link::unlinked);
  EXPECT_EQ(tree.linked_share(), 0);
  EXPECT_EQ(tree.device_ns, 10);
}

// Without a launch in the trace the "External id" tells the operator.
TEST(op_tree, an_external_id_stands_in_for_a_launch) {
  scene s;
  s.kernel("k", 500, 10, 7, {}, {.external = 9});
  auto& b = s.builder();
  b.add({.duration_ns = 100,
         .name = b.intern("op"),
         .track = b.track_of(track_kind::thread, b.process(1), 1),
         .external = 9,
         .kind = category::op},
        op_detail{});
  const auto t = s.build();
  const auto tree = op_tree_of(t);
  EXPECT_EQ(path_text(t, tree, tree.node_of_work[0]), "op");
  EXPECT_EQ(tree.link_of_work[0], op_link::external_id);
}

// Older ROCm traces number launches and their work by "External id", and know no correlation.
TEST(op_tree, a_launch_is_found_by_the_id_that_it_shares_with_its_work) {
  scene s;
  auto& b = s.builder();
  const auto host = b.track_of(track_kind::thread, b.process(1), 1);
  s.op("wanted", 0, 100).op("later", 200, 100);
  for (const auto start : {10, 210})
    b.add({.start_ns = start,
           .duration_ns = 5,
           .name = b.intern("hipLaunchKernel"),
           .track = host,
           .external = 4,
           .kind = category::api});
  b.add({.start_ns = 150,
         .duration_ns = 30,
         .name = b.intern("k"),
         .track = b.track_of(track_kind::stream, b.process(1), 7, 0),
         .external = 4,
         .kind = category::kernel},
        device_work{.stream = 7});
  const auto t = s.build();
  const auto tree = op_tree_of(t);
  EXPECT_EQ(path_text(t, tree, tree.node_of_work[0]), "wanted");
  EXPECT_EQ(t.events.start_ns[tree.launch_of_work[0]], 10);
}

// Some of them draw an arrow from the work to itself, whose number no call bears.
TEST(op_tree, a_number_that_no_call_bears_does_not_hide_the_launch) {
  scene s;
  auto& b = s.builder();
  s.op("wanted", 0, 100).kernel("k", 150, 30, 7, {}, {.external = 4});
  b.add({.start_ns = 10,
         .duration_ns = 5,
         .name = b.intern("hipLaunchKernel"),
         .track = b.track_of(track_kind::thread, b.process(1), 1),
         .external = 4,
         .kind = category::api});
  const auto t = s.build();
  ASSERT_NE(t.events.correlation[t.works[0].event], 0U);
  const auto tree = op_tree_of(t);
  EXPECT_EQ(path_text(t, tree, tree.node_of_work[0]), "wanted");
}

TEST(op_tree, recursion_counts_once) {
  const auto t = scene()
                     .op("f", 0, 1000)
                     .op("f", 100, 500)
                     .kernel("k", 2000, 30, 7, {.call_ns = 200, .call_length_ns = 5})
                     .build();
  const auto tree = op_tree_of(t);
  ASSERT_EQ(tree.rows.size(), 1U);
  EXPECT_EQ(tree.rows[0].count, 2U);
  EXPECT_EQ(tree.rows[0].device_ns, 30);
  EXPECT_EQ(tree.rows[0].host_ns, 1000);
  EXPECT_EQ(tree.rows[0].self_host_ns, 1000);
}

// Self times of all rows sum to the linked time; a node holds its children.
TEST(op_tree, parts_sum_to_the_whole) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::mt19937 random(seed);
    const auto any = [&](int n) { return static_cast<nanoseconds>(random() % static_cast<unsigned>(n)); };
    scene s;
    for (int i = 0; i < 60; ++i) s.op("op" + std::to_string(any(5)), any(10000), 1 + any(3000));
    for (int i = 0; i < 40; ++i)
      s.kernel("k", 20000 + 100 * i, 1 + any(100), 7, {.call_ns = any(13000), .call_length_ns = 1});
    const auto t = s.build();
    const auto tree = op_tree_of(t);
    nanoseconds self = 0, roots = 0;
    for (const auto& r : tree.rows) self += r.self_device_ns;
    for (const auto& r : tree.roots) roots += r.device_ns;
    EXPECT_EQ(self, tree.linked_ns) << seed;
    EXPECT_EQ(roots, tree.linked_ns) << seed;
    for (std::uint32_t n = 0; n < tree.nodes.size(); ++n)
      EXPECT_TRUE(tree.nodes[n].parent == none || tree.nodes[n].parent < n) << seed;
  }
}

}  // namespace
}  // namespace ridge::trace
