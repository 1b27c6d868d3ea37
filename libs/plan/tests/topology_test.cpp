// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/topology.hpp>

#include <gmock/gmock.h>

namespace ridge::plan {
namespace {

using testing::HasSubstr;

accelerator h100() {
  return {.name = "H100 SXM", .generation = "hopper", .scale_up_bytes_per_s = 450e9, .source = "H100"};
}

TEST(topology, reads_tiers_of_bytes_and_of_bits) {
  const auto by = parse_topology(R"({"tiers": [
      {"name": "NVLink", "size": 8, "gigabytes_per_s": 450, "latency_us": 2.5, "efficiency": 0.8},
      {"name": "rails", "size": 2048, "gigabits_per_s": 400, "latency_us": 5},
      {"name": "spine", "gigabits_per_s": 400, "oversubscription": 4}]})",
                                 "mine.json");
  ASSERT_TRUE(by.ok()) << by.why().text();
  ASSERT_EQ(by->tiers.size(), 3U);
  EXPECT_EQ(by->tiers[0].bytes_per_s, 450e9);
  EXPECT_DOUBLE_EQ(by->tiers[0].latency_s, 2.5e-6);
  EXPECT_EQ(by->tiers[1].bytes_per_s, 50e9);  // bytes, never bits
  EXPECT_EQ(by->tier_of(2, 8).name, "rails");
  EXPECT_EQ(by->tier_of(4096).name, "spine");
  EXPECT_EQ(by->tiers[2].reached_bytes_per_s(), 12.5e9);
}

std::string refusal(std::string_view text) {
  const auto by = parse_topology(text, "mine.json");
  return by.ok() ? "accepted" : by.why().text();
}

std::string with_tier(std::string_view tier) { return "{\"tiers\": [" + std::string(tier) + "]}"; }

TEST(topology, names_the_field_that_is_wrong) {
  EXPECT_THAT(refusal("{"), HasSubstr("mine.json is not valid JSON"));
  EXPECT_THAT(refusal("[]"), HasSubstr("/tiers"));
  EXPECT_THAT(refusal(R"({"tiers": []})"), HasSubstr("/tiers"));
  EXPECT_THAT(refusal(with_tier("7")), HasSubstr("/tiers/0 is not an object"));
  EXPECT_THAT(refusal(with_tier(R"({"name": "a"})")), HasSubstr("/tiers/0/gigabytes_per_s is missing"));
  EXPECT_THAT(refusal(with_tier(R"({"name": "a", "gigabytes_per_s": 50, "gigabits_per_s": 400})")),
              HasSubstr("/tiers/0/gigabits_per_s is given beside"));
  EXPECT_THAT(refusal(with_tier(R"({"name": "a", "gigabytes_per_s": "fast"})")),
              HasSubstr("\"fast\", no number"));
  EXPECT_THAT(refusal(with_tier(R"({"name": "a", "gigabytes_per_s": -50})")),
              HasSubstr("/tiers/0/gigabytes_per_s is -50"));
  EXPECT_THAT(refusal(with_tier(R"({"name": "a", "gigabytes_per_s": 50, "efficiency": 1.5})")),
              HasSubstr("/tiers/0/efficiency is 1.5"));
  EXPECT_THAT(refusal(with_tier(R"({"name": "a", "gigabytes_per_s": 50, "oversubscription": 0.5})")),
              HasSubstr("oversubscription"));
  EXPECT_THAT(refusal(with_tier(R"({"name": "a", "gbps": 400})")),
              HasSubstr("/tiers/0/gbps is not a member"));
  EXPECT_THAT(refusal(with_tier(R"({"gigabytes_per_s": 50})")), HasSubstr("/tiers/0/name"));
}

TEST(topology, wants_sizes_to_rise_by_multiples) {
  const auto two = [](int inner, std::string_view outer) {
    return with_tier(R"({"name": "a", "gigabytes_per_s": 50, "size": )" + std::to_string(inner) +
                     R"(}, {"name": "b", "gigabytes_per_s": 50, "size": )" + std::string(outer) + "}");
  };
  EXPECT_EQ(refusal(two(8, "16")), "accepted");
  EXPECT_THAT(refusal(two(8, "8")), HasSubstr("/tiers/1/size is 8, below it 8"));
  EXPECT_THAT(refusal(two(8, "20")), HasSubstr("multiple"));
}

TEST(topology, holds_everything_where_the_last_tier_has_no_size) {
  const auto by = *parse_topology(
      with_tier(R"({"name": "a", "gigabytes_per_s": 50, "size": 72}, {"name": "b", "gigabits_per_s": 8})"),
      "f");
  EXPECT_EQ(by.tier_of(131072).name, "b");
  EXPECT_EQ(by.tiers[1].bytes_per_s, 1e9);
}

TEST(topology, knows_usual_clusters) {
  EXPECT_EQ(topology_named("dgx", h100())->tier_of(16).bytes_per_s, 50e9);
  EXPECT_EQ(topology_named("dgx", h100())->tier_of(8).bytes_per_s, 450e9);
  EXPECT_EQ(topology_named("nvl72", h100())->tier_of(64).bytes_per_s, 450e9);
  EXPECT_EQ(topology_named("fat-tree:4", h100())->tier_of(512).oversubscription, 4);
  EXPECT_EQ(topology_named("fat-tree", h100())->tier_of(256).oversubscription, 1);
  EXPECT_EQ(topology_named("three-tier", h100())->tiers.size(), 3U);
  for (const auto& p : topology_presets()) EXPECT_TRUE(topology_named(p.name, h100()).ok()) << p.name;
}

TEST(topology, lists_the_names_of_presets) {
  for (const auto* name : {"torus", "fat-tree:", "fat-tree:x", "fat-tree:0", "fat-tree4", ""}) {
    const auto by = topology_named(name, h100());
    ASSERT_FALSE(by.ok()) << name;
    EXPECT_THAT(by.why().remedy, HasSubstr("nvl72"));
  }
}

TEST(topology, says_which_file_cannot_be_read) {
  EXPECT_THAT(read_topology("/nowhere/mine.json").why().message, HasSubstr("/nowhere/mine.json"));
}

}  // namespace
}  // namespace ridge::plan
