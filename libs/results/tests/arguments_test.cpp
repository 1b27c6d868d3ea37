// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <gtest/gtest.h>

#include <ridge/results/analysis.hpp>

namespace ridge::results {
namespace {

const std::array known = std::to_array<parameter>({
    {.key = "vram", .kind = parameter_kind::quantity, .unit = "GiB"},
    {.key = "latency", .kind = parameter_kind::quantity, .unit = "ms"},
    {.key = "top", .kind = parameter_kind::count, .preset = "3"},
    {.key = "goal", .kind = parameter_kind::choice, .preset = "all", .choices = {"all", "speed"}},
    {.key = "only", .kind = parameter_kind::flag},
});

arguments parsed(const std::map<std::string, std::string>& given) {
  return arguments::parse(known, given).value();
}

std::string refused(const std::map<std::string, std::string>& given) {
  const auto read = arguments::parse(known, given);
  return read.ok() ? std::string("accepted") : read.why().text();
}

TEST(arguments, quantities_are_in_si_units_whatever_unit_they_were_given_in) {
  EXPECT_EQ(parsed({{"vram", "24"}}).quantity("vram"), 24.0 * (1ull << 30));
  EXPECT_EQ(parsed({{"vram", "24 GB"}}).quantity("vram"), 24e9);
  EXPECT_EQ(parsed({{"latency", "100"}}).quantity("latency"), 0.1);
  EXPECT_EQ(parsed({{"latency", "2us"}}).quantity("latency"), 2e-6);
  EXPECT_FALSE(parsed({}).quantity("vram").has_value());
}

TEST(arguments, what_is_not_given_has_its_preset) {
  EXPECT_EQ(parsed({}).count("top"), 3u);
  EXPECT_EQ(parsed({{"top", ""}}).count("top"), 3u);
  EXPECT_EQ(parsed({{"top", "10"}}).count("top"), 10u);
  EXPECT_EQ(parsed({}).text("goal"), "all");
  EXPECT_FALSE(parsed({}).flag("only"));
  EXPECT_TRUE(parsed({{"only", "true"}}).flag("only"));
}

TEST(arguments, what_cannot_be_meant_is_refused_with_its_key) {
  for (const auto* bad : {"0", "-1", "nan", "inf", "24 ms", "1e400", "x", "24GiBs", "1e30"})
    EXPECT_NE(refused({{"vram", bad}}).find("vram"), std::string::npos) << bad;
  for (const auto* bad : {"0", "-1", "1.5", "99999999999", "x"})
    EXPECT_NE(refused({{"top", bad}}).find("top"), std::string::npos) << bad;
  EXPECT_NE(refused({{"goal", "best"}}).find("all, speed"), std::string::npos);
  EXPECT_NE(refused({{"vran", "1"}}).find("vram"), std::string::npos) << "the nearest key is named";
  EXPECT_NE(refused({{"goal", std::string(501, 'x')}}).find("501"), std::string::npos);
}

}  // namespace
}  // namespace ridge::results
