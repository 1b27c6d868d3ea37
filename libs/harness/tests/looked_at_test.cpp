// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "data/compare_outputs.hpp"
#include "data/fingerprint.hpp"
#include "host_device.hpp"

namespace ridge::harness {
namespace {

constexpr std::size_t page = 4096, pages = 512, floats_per_page = page / sizeof(float);

class looked_at_arrays : public testing::Test {
 protected:
  looked_at_arrays() { std::ranges::fill(large, 1.0F), std::ranges::fill(small, 1.0F); }
  [[nodiscard]] bool differ(const fingerprint& before, std::uint64_t key, bool exact) const {
    return !disagreement(take_fingerprint(arrays, exact, key), before, {.rel = 1e-6}).empty();
  }

  std::unique_ptr<device::device> host = host_device_for_tests();
  memory arrays{*host, device::guard::red_zones, device::placement::ordinary, ""};
  std::span<float> large = arrays.out<float>(pages * floats_per_page + 100);
  std::span<float> small = arrays.out<float>(1000);
};

TEST_F(looked_at_arrays, one_page_of_each_eight_in_a_row_chosen_by_the_key) {
  const auto& array = arrays.arrays().front();
  std::map<std::size_t, int> chosen;
  for (std::uint64_t key = 0; key < 400; ++key) {
    const auto pieces = looked_at(arrays, array, key);
    ASSERT_EQ(pieces.size(), pages / 8 + 1);  // and the rest of 400 bytes
    for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
      const auto at = static_cast<std::size_t>(pieces[i].data() - array.bytes().data());
      EXPECT_EQ(pieces[i].size(), page);
      EXPECT_EQ(at / page / 8, i);
      ++chosen[at / page];
    }
    EXPECT_EQ(pieces.back().size(), 400U);
  }
  EXPECT_EQ(chosen.size(), pages);  // none is never looked at: 400 of 8 tries each
  EXPECT_EQ(looked_at(arrays, array, std::nullopt).size(), 1U);
  EXPECT_EQ(looked_at(arrays, arrays.arrays()[1], 7).size(), 1U) << "a small array is looked at whole";
}

TEST_F(looked_at_arrays, a_wrong_page_is_found_when_it_is_looked_at_and_many_are_always_found) {
  for (const bool exact : {false, true}) {
    int found = 0;
    for (std::uint64_t key = 0; key < 400; ++key) {
      const auto before = take_fingerprint(arrays, exact, key);
      large[17 * floats_per_page + 5] = 2;
      found += differ(before, key, exact) ? 1 : 0;
      large[17 * floats_per_page + 5] = 1;
    }
    EXPECT_GT(found, 25);
    EXPECT_LT(found, 80);
    const auto before = take_fingerprint(arrays, exact, 3);
    for (std::size_t i = 0; i < large.size(); i += floats_per_page) large[i] = 2;
    EXPECT_TRUE(differ(before, 3, exact));
    std::ranges::fill(large, 1.0F);
    EXPECT_FALSE(differ(before, 3, exact));
  }
}

TEST_F(looked_at_arrays, copies_of_pieces_are_compared_element_by_element) {
  result_bytes kept, expected;
  copy_results(arrays, kept, 11);
  EXPECT_EQ(kept[0].size(), pages / 8 * page + 400);
  EXPECT_EQ(kept[1].size(), small.size_bytes());
  for (std::size_t i = 0; i < large.size(); i += floats_per_page) large[i] = 2;
  copy_results(arrays, expected, 11);
  const auto seen = compare_outputs(views_of(kept), arrays, views_of(expected), {.rel = 1e-6});
  EXPECT_EQ(seen.compared, pages / 8 * floats_per_page + 100 + small.size());
  EXPECT_NE(seen.why.find("result 0: 65 of"), std::string::npos) << seen.why;
}

}  // namespace
}  // namespace ridge::harness
