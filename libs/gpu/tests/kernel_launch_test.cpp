// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/kernel_launch.hpp>

#include <memory>

#include <gtest/gtest.h>

#include <ridge/base/error.hpp>

namespace ridge::gpu {
namespace {

TEST(kernel_launch, a_plain_launch_has_no_attributes) {
  const kernel_launch how(7, 128, nullptr, 4096);
  EXPECT_EQ(how.config()->gridDim.x, 7U);
  EXPECT_EQ(how.config()->blockDim.x, 128U);
  EXPECT_EQ(how.config()->dynamicSmemBytes, 4096U);
  EXPECT_EQ(how.config()->numAttrs, 0U);
}

TEST(kernel_launch, says_what_was_asked_for) {
  const auto how = kernel_launch(8, 128, nullptr).dependent().cluster({2, 1, 1}).cooperative();
  const auto* config = how.config();
  ASSERT_EQ(config->numAttrs, 3U);
  EXPECT_EQ(config->attrs[0].id, cudaLaunchAttributeProgrammaticStreamSerialization);
  EXPECT_EQ(config->attrs[0].val.programmaticStreamSerializationAllowed, 1);
  EXPECT_EQ(config->attrs[1].id, cudaLaunchAttributeClusterDimension);
  EXPECT_EQ(config->attrs[1].val.clusterDim.x, 2U);
  EXPECT_EQ(config->attrs[2].id, cudaLaunchAttributeCooperative);
  EXPECT_EQ(config->attrs[2].val.cooperative, 1);
}

TEST(kernel_launch, a_copy_keeps_its_attributes_when_the_first_is_gone) {
  auto first = std::make_unique<kernel_launch>(kernel_launch(1, 32, nullptr).dependent());
  static_cast<void>(first->config());
  const kernel_launch copy = *first;
  const auto* of_first = first->config()->attrs;
  EXPECT_NE(copy.config()->attrs, of_first);
  first.reset();
  EXPECT_EQ(copy.config()->attrs[0].id, cudaLaunchAttributeProgrammaticStreamSerialization);
}

TEST(kernel_launch, refuses_more_attributes_than_it_has) {
  auto how = kernel_launch(1, 32, nullptr).dependent().dependent().dependent();
  EXPECT_THROW(how.dependent(), precondition_violated);
}

}  // namespace
}  // namespace ridge::gpu
