// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <ridge/probe/gpu_describer.hpp>

namespace ridge::backends::probe_cuda {

std::unique_ptr<probe::gpu_describer> make_describer();

namespace {

TEST(cuda_describer, says_why_where_there_is_no_gpu) {
  int count = 0;
  if (cudaGetDeviceCount(&count) == cudaSuccess && count > 0) GTEST_SKIP() << "there is a GPU";
  const auto survey = make_describer()->describe();
  ASSERT_FALSE(survey);
  EXPECT_FALSE(survey.why().message.empty());
}

class cuda_describer_here : public testing::Test {
 protected:
  void SetUp() override {
    const auto survey = make_describer()->describe();
    if (!survey) GTEST_SKIP() << survey.why().text();
    gpus_ = survey->gpus;
  }
  std::vector<probe::gpu_facts> gpus_{};
};

TEST_F(cuda_describer_here, every_gpu_has_what_a_gpu_must_have) {
  ASSERT_FALSE(gpus_.empty());
  for (const auto& gpu : gpus_) {
    EXPECT_FALSE(gpu.name.empty());
    EXPECT_GE(gpu.address.size(), 12u);
    EXPECT_EQ(gpu.uuid_hash.size(), 16u);
    EXPECT_GE(gpu.capability.major, 7);
    EXPECT_GT(gpu.capability.processors, 0);
    EXPECT_GT(gpu.capability.memory_bytes, 1e9);
    EXPECT_GT(gpu.capability.sm_clock_hz, 1e8);
    EXPECT_GE(gpu.capability.shared_per_block_at_most_bytes, gpu.capability.shared_per_block_bytes);
    EXPECT_LE(gpu.peers.size(), gpus_.size() - 1);
    for (const auto& link : gpu.links) EXPECT_LT(link.bytes_per_s, 1e12);
  }
}

TEST_F(cuda_describer_here, describing_twice_gives_the_same) {
  const auto again = make_describer()->describe();
  ASSERT_TRUE(again);
  ASSERT_EQ(again.value().gpus.size(), gpus_.size());
  EXPECT_EQ(again.value().gpus[0].capability, gpus_[0].capability);
  EXPECT_EQ(again.value().gpus[0].links, gpus_[0].links);
}

}  // namespace
}  // namespace ridge::backends::probe_cuda
