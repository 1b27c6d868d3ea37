// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <ridge/trace/copies.hpp>
#include <ridge/trace/device_partition.hpp>

#include "golden.hpp"

namespace ridge::trace {
namespace {

constexpr auto golden = "traces/golden/timeline_exact_ns.json";

TEST(copies_golden, equal_the_exact_copies_of_every_trace_and_their_groups_add_up) {
  if (fixtures::data_file(golden).empty()) GTEST_SKIP() << fixtures::no_data;
  const communication_names names{{{"nccl", "NCCL"}, {"rccl", "RCCL"}, {"cross_device_reduce", "custom"}}};
  const auto check = [&](const auto& figures, const trace& t) {
    const auto classes = classes_of(t, names);
    for (const auto device : t.working_devices()) {
      const auto& exact = figures.at("devices").at(std::to_string(device));
      const auto found = copies_of(t, classes, device);
      EXPECT_EQ(exact.at("memcpy_total_ns"), found.busy_ns);
      EXPECT_EQ(exact.at("exposed_memcpy_ns"), found.exposed_ns);
      std::uint64_t count = 0;
      for (const auto& g : found.groups) {
        EXPECT_NE(g.kind, copy_kind::unknown);
        EXPECT_LE(g.exposed_ns, g.busy_ns);
        EXPECT_LE(g.busy_ns, g.all.ns);
        for (const auto& size : g.sizes) count += size.count;
      }
      EXPECT_EQ(count, found.all.count);
    }
  };
  EXPECT_GE(fixtures::for_each_golden(golden, "traces/", check), 18);
}

}  // namespace
}  // namespace ridge::trace
