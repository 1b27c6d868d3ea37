// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/number_type.hpp>

#include <gtest/gtest.h>

namespace ridge::trace {
namespace {

TEST(number_type, is_told_by_the_names_of_frameworks_and_of_catalogues) {
  EXPECT_EQ(number_type_of("c10::BFloat16"), number_type::bf16);
  EXPECT_EQ(number_type_of("torch.float16"), number_type::fp16);
  EXPECT_EQ(number_type_of("c10::Float8_e4m3fn"), number_type::fp8);
  EXPECT_EQ(number_type_of("fp8_e5m2"), number_type::fp8);
  EXPECT_EQ(number_type_of("e4m3"), number_type::fp8);
  EXPECT_EQ(number_type_of("TF32"), number_type::tf32);
  EXPECT_EQ(number_type_of("int8"), number_type::i8);
  EXPECT_EQ(number_type_of("Scalar"), number_type::unknown);
  EXPECT_EQ(number_type_of(""), number_type::unknown);
}

TEST(number_type, reads_every_name_that_it_writes) {
  for (int t = 1; t < number_type_count; ++t) {
    const auto type = static_cast<number_type>(t);
    if (type == number_type::complex64 || type == number_type::complex128) continue;  // "complex<float>"
    EXPECT_EQ(number_type_of(name(type)), type) << name(type);
  }
}

}  // namespace
}  // namespace ridge::trace
