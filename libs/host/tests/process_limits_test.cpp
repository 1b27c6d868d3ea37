// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/process_limits.hpp>

#include <sys/resource.h>

#include <gtest/gtest.h>

#include "fixture_tree.hpp"

namespace ridge::host {
namespace {

TEST(process_limits, the_kernels_table_is_read) {
  const fixture_tree tree;
  tree.write("proc/self/limits",
             "Limit                     Soft Limit           Hard Limit           Units     \n"
             "Max stack size            8388608              unlimited            bytes     \n"
             "Max core file size        0                    unlimited            bytes     \n"
             "Max open files            1024                 524288               files     \n"
             "Max locked memory         65536                65536                bytes     \n"
             "Max realtime priority     0                    0                    ");
  const auto seen = read_process_limits(tree.root());
  EXPECT_EQ(seen.stack_bytes, (process_limit{8388608, no_limit}));
  EXPECT_EQ(seen.core_bytes, (process_limit{0, no_limit}));
  EXPECT_EQ(seen.open_files, (process_limit{1024, 524288}));
  EXPECT_EQ(seen.locked_bytes, (process_limit{65536, 65536}));
  EXPECT_EQ(seen.realtime_priority, (process_limit{0, 0}));
  EXPECT_FALSE(seen.processes);
  EXPECT_FALSE(seen.address_space_bytes);
}

TEST(process_limits, below_the_root_they_are_what_getrlimit_says) {
  rlimit files{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &files), 0);
  const auto seen = read_process_limits();
  ASSERT_TRUE(seen.open_files);
  EXPECT_EQ(seen.open_files->soft, files.rlim_cur);
}

TEST(process_limits, a_broken_line_is_no_limit) {
  EXPECT_FALSE(parse_process_limits("Max open files  many  1024 files").open_files);
  EXPECT_FALSE(parse_process_limits("Max open files  1024").open_files);
}

}  // namespace
}  // namespace ridge::host
