// SPDX-License-Identifier: Apache-2.0
#include <ridge/base/with_dtype.hpp>

#include <gtest/gtest.h>

namespace ridge {
namespace {

TEST(with_dtype, calls_with_the_type_whose_size_and_number_it_has) {
  for (int i = 0; i <= static_cast<int>(dtype::fp64); ++i) {
    const auto type = static_cast<dtype>(i);
    EXPECT_EQ(with_dtype(type, []<class T>() { return dtype_of<T>; }), type);
    EXPECT_EQ(with_dtype(type, []<class T>() { return sizeof(T); }), size_of(type)) << name(type);
  }
}

}  // namespace
}  // namespace ridge
