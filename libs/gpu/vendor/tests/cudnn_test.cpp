// SPDX-License-Identifier: Apache-2.0
#include <ridge/vendor/cudnn.hpp>

#include <gtest/gtest.h>

#include <ridge/base/error.hpp>

namespace ridge::vendor {
namespace {

TEST(cudnn, tells_its_version_or_how_to_get_it) {
  const auto found = find_cudnn();
  if (found) {
    EXPECT_EQ(found->rfind("cuDNN 9.", 0), 0U) << *found;
    return;
  }
  EXPECT_NE(found.why().remedy.find("libcudnn9"), std::string::npos);
  EXPECT_THROW(cudnn_softmax(1, 1, nullptr), unavailable);
}

}  // namespace
}  // namespace ridge::vendor
