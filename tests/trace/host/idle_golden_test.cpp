// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <ridge/trace/device_partition.hpp>
#include <ridge/trace/idle.hpp>

#include "fixtures/data.hpp"
#include "golden.hpp"

namespace ridge::trace {
namespace {

constexpr auto idle_attributions = "traces/golden/idle_attribution.json";

void expect_device(const nlohmann::json& figures, const idle_report& found) {
  EXPECT_EQ(figures.at("idle_ns"), found.idle_ns);
  for (int p = 0; p < idle_part_count; ++p) {
    const auto part = static_cast<idle_part>(p);
    const std::string key(name(part));
    EXPECT_EQ(figures.at("parts_ns").value(key, nanoseconds{0}), found.of(part).ns) << key;
    EXPECT_EQ(figures.at("gaps").value(key, std::uint64_t{0}), found.of(part).count) << key;
  }
}

TEST(idle_golden, equals_the_attribution_of_every_trace_to_the_nanosecond) {
  if (fixtures::data_file(idle_attributions).empty()) GTEST_SKIP() << fixtures::no_data;
  const auto compared =
      fixtures::for_each_golden(idle_attributions, "traces/", [](const auto& figures, const trace& t) {
        ASSERT_EQ(figures.size(), t.working_devices().size());
        for (const auto device : t.working_devices())
          expect_device(figures.at(std::to_string(device)), idle_of(t, device));
      });
  EXPECT_GE(compared, fixtures::traces_expected(11, 4));
}

// The parts of adjacent windows are the parts of the whole, and the whole is the partition's idle time.
TEST(idle_golden, adds_up_over_windows_and_equals_the_partition) {
  if (fixtures::data_file(idle_attributions).empty()) GTEST_SKIP() << fixtures::no_data;
  fixtures::for_each_golden(idle_attributions, "traces/", [](const auto&, const trace& t) {
    for (const auto& p : partition_devices(t, classes_of(t, communication_names::built_in()))) {
      const auto whole = idle_of(t, p.device);
      EXPECT_EQ(whole.idle_ns, p.idle_ns);
      const auto middle = p.window.start_ns + p.window.length_ns() / 3;
      const auto early = idle_of(t, p.device, time_range{p.window.start_ns, middle});
      const auto late = idle_within(whole, {middle, p.window.end_ns});
      EXPECT_EQ(early.idle_ns + late.idle_ns, whole.idle_ns);
      for (std::size_t c = 0; c < whole.causes.size(); ++c)
        EXPECT_EQ(early.causes[c].ns + late.causes[c].ns, whole.causes[c].ns) << name(idle_cause(c));
    }
  });
}

}  // namespace
}  // namespace ridge::trace
