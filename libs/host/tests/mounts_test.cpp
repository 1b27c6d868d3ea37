// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/mounts.hpp>

#include <gtest/gtest.h>

namespace ridge::host {
namespace {

TEST(mounts, a_line_gives_place_kind_source_and_options) {
  const auto seen = parse_mounts(
      "36 35 98:0 /mnt1 /mnt/my\\040disk rw,noatime master:1 propagate_from:2 - ext3 /dev/root "
      "rw,errors=continue\n");
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].point, "/mnt/my disk");
  EXPECT_EQ(seen[0].file_system, "ext3");
  EXPECT_EQ(seen[0].source, "/dev/root");
  EXPECT_EQ(seen[0].device, "98:0");
  EXPECT_EQ(seen[0].options, "rw,noatime,rw,errors=continue");
}

TEST(mounts, a_later_mount_hides_the_earlier_one) {
  const auto seen = parse_mounts(
      "25 24 0:23 / /dev/shm rw - tmpfs tmpfs rw\n26 24 0:24 / /tmp rw - tmpfs tmpfs rw\n"
      "30 25 0:27 / /dev/shm rw - tmpfs shm rw,size=65536k\n");
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0].point, "/tmp");
  EXPECT_EQ(seen[1].options, "rw,rw,size=65536k");
}

TEST(mounts, what_is_no_line_of_the_format_is_passed_over) {
  EXPECT_TRUE(parse_mounts("").empty());
  EXPECT_TRUE(parse_mounts("36 35 98:0 / /mnt rw\n36 35 98:0 / /mnt rw - ext3\n").empty());
}

TEST(mounts, files_on_another_machine) {
  EXPECT_TRUE(is_remote("nfs4"));
  EXPECT_TRUE(is_remote("lustre"));
  EXPECT_FALSE(is_remote("ext4"));
  EXPECT_FALSE(is_remote("overlay"));
}

}  // namespace
}  // namespace ridge::host
