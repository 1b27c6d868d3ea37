// SPDX-License-Identifier: Apache-2.0
#include <ridge/vendor/cublaslt.hpp>

#include <gtest/gtest.h>

#include <cublasLt.h>

#include <ridge/base/error.hpp>

namespace ridge::vendor {
namespace {

// No GPU is needed: descriptions are host memory.
TEST(cublaslt, describes_a_matrix_or_says_how_to_get_it) {
  const auto found = find_cublaslt();
  cublasLtMatrixLayout_t layout{};
  const auto call = [&] { return cublasLtMatrixLayoutCreate(&layout, CUDA_R_32F, 4, 3, 4); };
  if (!found) {
    EXPECT_NE(found.why().remedy.find("libcublas"), std::string::npos);
    EXPECT_THROW(static_cast<void>(call()), unavailable);
    return;
  }
  ASSERT_EQ(call(), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasLtMatrixLayoutDestroy(layout), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(found.value().rfind("cuBLASLt 1", 0), 0U);
}

}  // namespace
}  // namespace ridge::vendor
