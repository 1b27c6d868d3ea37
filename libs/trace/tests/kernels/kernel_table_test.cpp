// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gmock/gmock.h>

#include <ridge/trace/kernel_table.hpp>

#include "fixtures/scene.hpp"

namespace ridge::trace {
namespace {

std::vector<kernel_row> table(const trace& t, const kernel_table_options& options = {}) {
  return kernel_table(t, classes_of(t, communication_names::built_in()), options);
}

device_work shaped(std::uint32_t grid, std::uint16_t registers, float occupancy) {
  return {.grid = {grid, 1, 1}, .block = {128, 1, 1}, .registers = registers, .occupancy = occupancy};
}

trace some() {
  fixtures::scene in;
  in.kernel("gemm", 0, 30, 7, {}, shaped(8, 64, 0.25F)).kernel("gemm", 40, 10, 7, {}, shaped(16, 96, 0.75F));
  in.kernel("relu", 60, 5).kernel("ncclKernel", 60, 25, 8);
  in.copy(copy_kind::host_to_device, 100, 90, 10).copy(copy_kind::host_to_device, 200, 100, 10);
  return in.build();
}

TEST(kernel_table, has_a_row_a_name_longest_first) {
  const auto t = some();
  const auto rows = table(t);
  ASSERT_EQ(rows.size(), 4);
  const auto& gemm = rows[0];
  EXPECT_EQ(t.names[gemm.name], "gemm");
  EXPECT_EQ(gemm.count, 2);
  EXPECT_EQ(gemm.total_ns, 40);
  EXPECT_EQ(gemm.min_ns, 10);
  EXPECT_EQ(gemm.max_ns, 30);
  EXPECT_EQ(gemm.p50_ns, 10);
  EXPECT_EQ(gemm.p99_ns, 30);
  EXPECT_DOUBLE_EQ(gemm.mean_ns, 20);
  EXPECT_DOUBLE_EQ(gemm.stddev_ns, std::sqrt(200.0));
  EXPECT_DOUBLE_EQ(gemm.share_of_work, 40.0 / 90);
  EXPECT_DOUBLE_EQ(gemm.share_of_window, 40.0 / 110);
  EXPECT_EQ(gemm.shapes, 2);
  EXPECT_EQ(gemm.registers, 96);
  EXPECT_FLOAT_EQ(*gemm.occupancy, 0.375F);  // (0.25 x 30 + 0.75 x 10) / 40
  EXPECT_EQ(t.works[gemm.longest].start_ns, 0);
  EXPECT_FALSE(gemm.per_step);
  EXPECT_EQ(rows[1].purpose, work_class::communication);
  EXPECT_EQ(rows[2].bytes, 300);
  EXPECT_EQ(rows[2].purpose, work_class::copy);
  EXPECT_FALSE(rows[3].occupancy);
}

TEST(kernel_table, has_a_row_a_shape_where_asked) {
  const auto t = some();
  const auto rows = table(t, {.by_shape = true, .steps = 2});
  ASSERT_EQ(rows.size(), 5);
  EXPECT_EQ(rows[0].grid[0], 8U);
  EXPECT_EQ(rows[0].count, 1);
  EXPECT_EQ(rows[0].shapes, 1);
  EXPECT_EQ(*rows[0].per_step, 0.5);
}

TEST(kernel_table, takes_what_starts_in_the_window_whole) {
  const auto t = some();
  const auto rows = table(t, {.window = time_range{40, 61}});
  ASSERT_EQ(rows.size(), 3);
  EXPECT_EQ(t.names[rows[0].name], "ncclKernel");
  EXPECT_EQ(rows[0].total_ns, 25);
  EXPECT_DOUBLE_EQ(rows[0].share_of_window, 25.0 / 21);
  EXPECT_DOUBLE_EQ(rows[0].share_of_work, 25.0 / 40);
}

TEST(kernel_table, keeps_devices_and_kinds_apart_and_orders_equals_by_name) {
  const auto t = fixtures::scene()
                     .kernel("b", 0, 10)
                     .kernel("a", 0, 10, 8)
                     .kernel("a", 0, 10, 7, {}, {.device = 1})
                     .build();
  const auto rows = table(t);
  ASSERT_EQ(rows.size(), 3);
  EXPECT_EQ(t.names[rows[0].name], "a");
  EXPECT_EQ(rows[0].device, 0);
  EXPECT_EQ(rows[1].device, 1);
  EXPECT_EQ(t.names[rows[2].name], "b");
  EXPECT_EQ(rows[1].share_of_work, 1);
}

TEST(kernel_table, gives_percentiles_that_occurred) {
  fixtures::scene in;
  for (int i = 1; i <= 200; ++i) in.kernel("k", i * 1000, i);
  const auto row = table(in.build()).front();
  EXPECT_EQ(row.p50_ns, 100);
  EXPECT_EQ(row.p99_ns, 198);
}

}  // namespace
}  // namespace ridge::trace
