// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/judged_data.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "doubling.hpp"
#include "host_device.hpp"

namespace ridge::harness {
namespace {

using testing::HasSubstr;

ladder<doubling_workload> one_variant() { return {{.name = "twice", .is = role::baseline, .run = twice}}; }
problem hundred() { return problem({{"n", std::int64_t{100}}}); }

class judged : public testing::Test {
 protected:
  judged() { equipment.device = host.get(); }

  // What doubling the drawn inputs gives, as the bytes of another process's results.
  [[nodiscard]] static std::vector<float> doubled(const judged_data& data) {
    const auto drawn = data.arrays().front().bytes();
    std::vector<float> results(drawn.size() / sizeof(float));
    std::memcpy(results.data(), drawn.data(), drawn.size());
    for (float& x : results) x *= 2;
    return results;
  }
  [[nodiscard]] static std::string difference(judged_data& data, const std::vector<float>& results) {
    const std::span<const std::byte> bytes = std::as_bytes(std::span(results));
    return data.difference(std::span(&bytes, 1), 0);
  }

  std::unique_ptr<device::device> host = host_device_for_tests();
  instruments equipment{};
};

TEST_F(judged, data_are_a_function_of_their_key) {
  judged_data data(doubling(one_variant, 100), hundred(), equipment);
  data.draw(1);
  const auto first = doubled(data);
  data.draw(2);
  EXPECT_NE(doubled(data), first);
  data.draw(1);
  EXPECT_EQ(doubled(data), first);
}

TEST_F(judged, results_are_held_against_the_oracle_element_by_element) {
  judged_data data(doubling(one_variant, 100), hundred(), equipment);
  EXPECT_EQ(data.method(), "oracle");
  data.draw(7);
  data.compute_answers();
  auto results = doubled(data);
  EXPECT_EQ(difference(data, results), "");
  results.back() += 1;
  EXPECT_THAT(difference(data, results), HasSubstr("1 of"));
}

}  // namespace
}  // namespace ridge::harness
