// SPDX-License-Identifier: Apache-2.0
#include <ridge/gpu/check.hpp>

#include <string>

#include <gtest/gtest.h>

#include <ridge/base/error.hpp>

namespace ridge::gpu {
namespace {

std::string said(cudaError_t code) {
  try {
    check(code, "cudaMalloc of 3.0 GiB");
  } catch (const failure& thrown) {
    return thrown.why().text();
  }
  return "";
}

TEST(check, says_nothing_of_success) { EXPECT_EQ(said(cudaSuccess), ""); }

TEST(check, names_the_call_and_the_remedy) {
  const auto text = said(cudaErrorMemoryAllocation);
  EXPECT_NE(text.find("cudaMalloc of 3.0 GiB"), std::string::npos) << text;
  EXPECT_NE(text.find("cudaErrorMemoryAllocation"), std::string::npos) << text;
  EXPECT_NE(text.find("smaller problems"), std::string::npos) << text;
}

TEST(check, a_machine_without_a_gpu_is_unavailable_not_broken) {
  EXPECT_THROW(check(cudaErrorNoDevice, "cudaGetDeviceCount"), unavailable);
  EXPECT_THROW(check(cudaErrorInsufficientDriver, "cudaGetDeviceCount"), unavailable);
}

}  // namespace
}  // namespace ridge::gpu
