// SPDX-License-Identifier: Apache-2.0
#include <ridge/vendor/nccl.hpp>

#include <gtest/gtest.h>

#include <ridge/base/error.hpp>

namespace ridge::vendor {
namespace {

TEST(nccl, tells_its_version_or_how_to_get_it) {
  const auto found = find_nccl();
  if (found) {
    EXPECT_EQ(found->rfind("NCCL 2.", 0), 0U) << *found;
    return;
  }
  EXPECT_NE(found.why().remedy.find("libnccl"), std::string::npos);
  EXPECT_THROW(nccl_ranks({0}), unavailable);
}

}  // namespace
}  // namespace ridge::vendor
