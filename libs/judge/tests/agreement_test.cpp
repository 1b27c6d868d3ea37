// SPDX-License-Identifier: Apache-2.0
#include "trial/agreement.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <ridge/base/dtype.hpp>

#include "exchange/layout.hpp"

namespace ridge::judge {
namespace {

using testing::HasSubstr;

constexpr std::size_t results = 4;

// Two members of one output of four floats.
assignment two_members() {
  assignment made;
  made.array_count = 1;
  made.members = 2;
  made.output_stride = 64;
  made.arrays[0] = {.name = {"out0"},
                    .type = static_cast<std::int32_t>(dtype::fp32),
                    .direction = 1,
                    .count = results,
                    .bytes = results * sizeof(float),
                    .offset = 16};
  return made;
}

class written {
 public:
  explicit written(float value) : bytes_(128, std::byte{0}) {
    for (std::size_t member = 0; member < 2; ++member) {
      for (std::size_t i = 0; i < results; ++i) set(member, i, value);
    }
  }
  void set(std::size_t member, std::size_t element, float value) {
    std::memcpy(bytes_.data() + member * 64 + 16 + element * sizeof(float), &value, sizeof(float));
  }
  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

TEST(agreement, of_equal_results_says_nothing) {
  EXPECT_EQ(disagreement(two_members(), 2, written(1).bytes(), written(1).bytes(), exact()), "");
}

TEST(agreement, names_the_first_element_that_differs) {
  written candidate(1);
  candidate.set(1, 2, 3);
  const auto why = disagreement(two_members(), 2, candidate.bytes(), written(1).bytes(), exact());
  EXPECT_THAT(why, HasSubstr("out0[2] of call 2 is 3, and the baseline's is 1"));
  EXPECT_EQ(disagreement(two_members(), 1, candidate.bytes(), written(1).bytes(), exact()), "");
}

TEST(agreement, allows_twice_the_tolerance) {
  written candidate(1);
  candidate.set(0, 0, 1.0015F);
  EXPECT_EQ(disagreement(two_members(), 2, candidate.bytes(), written(1).bytes(), {.abs = 1e-3}), "");
  EXPECT_NE(disagreement(two_members(), 2, candidate.bytes(), written(1).bytes(), {.abs = 5e-4}), "");
}

TEST(agreement, knows_poison_and_values_that_are_no_numbers) {
  written candidate(1), baseline(1);
  float poison;
  std::memset(&poison, 0xFF, sizeof(poison));
  candidate.set(0, 3, poison);
  EXPECT_THAT(disagreement(two_members(), 2, candidate.bytes(), baseline.bytes(), {.abs = 1}),
              HasSubstr("was never written"));
  candidate.set(0, 3, std::numeric_limits<float>::infinity());
  EXPECT_NE(disagreement(two_members(), 2, candidate.bytes(), baseline.bytes(), {.abs = 1}), "");
  baseline.set(0, 3, std::numeric_limits<float>::infinity());
  EXPECT_EQ(disagreement(two_members(), 2, candidate.bytes(), baseline.bytes(), {.abs = 1}), "");
}

}  // namespace
}  // namespace ridge::judge
