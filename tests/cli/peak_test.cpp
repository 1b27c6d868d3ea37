// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <ctime>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace ridge::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;

constexpr const char* one_row = "peak --backend cpu --threads 1 --only cpu.fma.fp32 --no-keep ";

TEST(cli_peak, measures_only_what_is_asked_for_and_shows_again_what_it_saved) {
  const scene in;
  const auto seen = in.ridge(std::string(one_row) + "--json --save saved.json");
  ASSERT_EQ(seen.code, 0) << seen.err;
  const auto report = json::parse(seen.out);
  EXPECT_EQ(report.at("schema"), "ridge.peak/1");
  ASSERT_EQ(report.at("ceilings").size(), 1u);
  const auto& row = report.at("ceilings").at(0);
  EXPECT_EQ(row.at("id"), "cpu.fma.fp32");
  EXPECT_GT(row.at("value").get<double>(), 1e8);
  EXPECT_EQ(json::parse(in.ridge("peak --from saved.json --json").out), report);
  EXPECT_THAT(in.ridge("peak --from saved.json").out, HasSubstr("cpu.fma.fp32 "));
  EXPECT_THAT(in.ridge("peak --from saved.json --markdown").out, HasSubstr("| `cpu.fma.fp32` |"));
}

// "2026-11-21T12:00:00Z", an hour ago.
std::string an_hour_ago() {
  const auto at = std::time(nullptr) - 3600;
  std::tm utc{};
  gmtime_r(&at, &utc);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc)};
}

TEST(cli_peak, rows_are_kept_beside_older_ones_and_no_longer_than_those) {
  const scene in;
  const auto measure = [&](const std::string& row) {
    return in.ridge("peak --backend cpu --threads 1 --only " + row,
                    "env XDG_CACHE_HOME=" + in.folder().string());
  };
  ASSERT_EQ(measure("cpu.fma.fp32.scalar").code, 0);
  std::filesystem::path kept;
  for (const auto& file : std::filesystem::directory_iterator(in.folder() / "ridge")) {
    if (file.path().filename().string().starts_with("peaks-")) kept = file.path();
  }
  auto before = json::parse(contents(kept));
  const auto then = an_hour_ago();
  before["measured_at"] = then;
  std::ofstream(kept) << before;
  ASSERT_EQ(measure("cpu.fma.fp32").code, 0);
  const auto after = json::parse(contents(kept));
  EXPECT_EQ(after.at("ceilings").size(), 2u);
  EXPECT_EQ(after.at("measured_at"), then);
  ASSERT_EQ(measure("cpu.fma.fp32*").code, 0);
  EXPECT_NE(json::parse(contents(kept)).at("measured_at"), then);
}

TEST(cli_peak, a_pattern_that_fits_no_row_is_refused_with_where_to_look) {
  const scene in;
  const auto seen = in.ridge("peak --backend cpu --only cpu.fmma.fp32");
  EXPECT_EQ(seen.code, 64);
  EXPECT_THAT(seen.err, HasSubstr("cpu.fmma.fp32"));
  EXPECT_THAT(seen.err, HasSubstr("ridge peak --list"));
}

TEST(cli_peak, a_file_that_is_no_report_is_named) {
  const scene in;
  const auto seen = in.ridge("peak --from /dev/null");
  EXPECT_EQ(seen.code, 74);
  EXPECT_THAT(seen.err, HasSubstr("/dev/null"));
  EXPECT_EQ(in.ridge("peak --quick --deep").code, 64);
}

TEST(cli_peak, lists_what_could_be_measured) {
  const scene in;
  const auto seen = in.ridge("peak --list --backend cpu");
  EXPECT_EQ(seen.code, 0);
  EXPECT_THAT(seen.out, HasSubstr("cpu.triad"));
}

}  // namespace
}  // namespace ridge::cli
