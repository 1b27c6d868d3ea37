// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>
#include <zlib.h>

#include "input/plan_points.hpp"
#include "input/plan_power_rows.hpp"

namespace ridge::app_plan {
namespace {

using testing::HasSubstr;

// A file that is gone after the test.
class csv_input : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path); }
  void write(const std::string& text) const { std::ofstream(path, std::ios::binary) << text; }
  void write_packed(const std::string& text) const {
    auto* file = gzopen(path.c_str(), "wb");
    ASSERT_NE(file, nullptr);
    gzputs(file, text.c_str());
    gzclose(file);
  }
  [[nodiscard]] std::string name() const { return path.string(); }

  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("ridge_csv_input_" + std::to_string(getpid()));
};

TEST_F(csv_input, scaling_points_are_read_by_their_columns) {
  write("name,gpus,step_s\r\n\"eight, old\",8,0.5\r\n  \r\nsixteen, 16 ,0.25\r\n");
  const auto points = read_scaling_points(path);
  ASSERT_TRUE(points.ok()) << points.why().text();
  ASSERT_EQ(points->size(), 2U);
  EXPECT_EQ((*points)[0].workers, 8);
  EXPECT_EQ((*points)[0].throughput, 2);
  EXPECT_EQ((*points)[1].workers, 16);
  EXPECT_EQ((*points)[1].throughput, 4);
}

TEST_F(csv_input, scaling_points_may_be_compressed) {
  write_packed("workers,throughput\n1,100\n2,190\n");
  const auto points = read_scaling_points(path);
  ASSERT_TRUE(points.ok()) << points.why().text();
  EXPECT_EQ(points->size(), 2U);
}

TEST_F(csv_input, scaling_points_name_the_line_that_is_wrong) {
  write("workers,throughput\n1,100\n2,none\n");
  EXPECT_THAT(read_scaling_points(path).why().message, HasSubstr(name() + ": line 3: \"2,none\""));
  write("workers,throughput\n1\n");
  EXPECT_THAT(read_scaling_points(path).why().message, HasSubstr("line 2"));
  write("workers,colour\n1,2\n");
  EXPECT_THAT(read_scaling_points(path).why().message, HasSubstr("names no column of throughput or time"));
  write("");
  EXPECT_THAT(read_scaling_points(path).why().message, HasSubstr("empty"));
  EXPECT_THAT(read_scaling_points("/no/such/file").why().message, HasSubstr("/no/such/file"));
}

TEST_F(csv_input, power_rows_are_shares_watts_and_a_group) {
  for (const bool packed : {false, true}) {
    const std::string text = "memory_share,compute_share,watts,group\n0.5,0.25,400,\"a, b\"\n\n1, 0 ,600\n";
    packed ? write_packed(text) : write(text);
    const auto rows = read_power_rows(name());
    ASSERT_TRUE(rows.ok()) << rows.why().text();
    ASSERT_EQ(rows->size(), 2U);
    EXPECT_EQ((*rows)[0].compute_share, 0.25);
    EXPECT_EQ((*rows)[0].group, "a, b");
    EXPECT_EQ((*rows)[1].watts, 600);
    EXPECT_EQ((*rows)[1].group, "");
  }
}

TEST_F(csv_input, power_rows_name_the_line_that_is_wrong) {
  write("memory_share,compute_share,watts\n0.5,0.25,400\n0.5,x,400\n");
  EXPECT_THAT(read_power_rows(name()).why().message, HasSubstr(name() + ": line 3: compute_share: \"x\""));
  write("memory_share,compute_share,watts\n0.5,0.25\n");
  EXPECT_THAT(read_power_rows(name()).why().message, HasSubstr("line 2: watts"));
  write("memory_share,watts\n0.5,400\n");
  EXPECT_THAT(read_power_rows(name()).why().message, HasSubstr("line 1"));
  EXPECT_THAT(read_power_rows("/no/such/file").why().message, HasSubstr("/no/such/file"));
}

}  // namespace
}  // namespace ridge::app_plan
