// SPDX-License-Identifier: Apache-2.0
#include <ridge/vendor/cublas.hpp>

#include <string>

#include <gtest/gtest.h>

#include <ridge/base/error.hpp>

namespace ridge::vendor {
namespace {

TEST(cublas, says_its_version_or_how_to_get_it) {
  const auto found = find_cublas();
  if (found) {
    EXPECT_EQ(found.value().rfind("cuBLAS 1", 0), 0U) << found.value();
    return;
  }
  EXPECT_NE(found.why().remedy.find("libcublas"), std::string::npos);
  EXPECT_THROW((void)open_cublas(nullptr, {}), unavailable);
}

TEST(cublas, a_failed_call_is_named) {
  if (!find_cublas()) GTEST_SKIP() << find_cublas().why().message;
  EXPECT_NO_THROW(check_cublas(CUBLAS_STATUS_SUCCESS, "cublasSgemm"));
  try {
    check_cublas(CUBLAS_STATUS_INVALID_VALUE, "cublasSgemm");
    FAIL();
  } catch (const failure& thrown) {
    EXPECT_NE(thrown.why().text().find("cublasSgemm failed: an"), std::string::npos) << thrown.why().text();
  }
}

}  // namespace
}  // namespace ridge::vendor
