// SPDX-License-Identifier: Apache-2.0
#include "exchange/layout.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include <ridge/device/host_array.hpp>

namespace ridge::judge {
namespace {

using testing::HasSubstr;

array_record record(use direction, std::size_t count) {
  return {.use = direction,
          .type = dtype::fp32,
          .count = count,
          .owner = device::allocate_on_host({.bytes = count * sizeof(float)})};
}

std::vector<array_record> one_of_each() {
  std::vector<array_record> all;
  all.push_back(record(use::in, 1000));
  all.push_back(record(use::out, 10));
  all.push_back(record(use::inout, 7));
  all.push_back(record(use::in, 0));
  return all;
}

problem three_axes() {
  return problem({{"n", std::int64_t{10}}, {"rate", 0.5}, {"dtype", std::string("fp32")}});
}

TEST(layout, names_arrays_by_direction_and_describes_axes) {
  assignment made;
  ASSERT_TRUE(lay_out(one_of_each(), three_axes(), 1 << 20, 100, made));
  EXPECT_EQ(text_of(made.arrays[0].name), "in0");
  EXPECT_EQ(text_of(made.arrays[1].name), "out0");
  EXPECT_EQ(text_of(made.arrays[2].name), "inout0");
  EXPECT_EQ(text_of(made.arrays[3].name), "in1");
  EXPECT_EQ(made.parameters[0].integer, 10);
  EXPECT_EQ(made.parameters[1].real, 0.5);
  EXPECT_EQ(text_of(made.parameters[2].text), "fp32");
}

TEST(layout, fits_members_into_the_memory_that_is_given) {
  assignment small, large;
  ASSERT_TRUE(lay_out(one_of_each(), three_axes(), 0, 100, small));
  ASSERT_TRUE(lay_out(one_of_each(), three_axes(), 1 << 30, 100, large));
  EXPECT_EQ(small.members, 1U);
  EXPECT_EQ(large.members, 100U);
}

TEST(layout, keeps_arrays_apart_and_sees_what_is_written_between_them) {
  assignment made;
  ASSERT_TRUE(lay_out(one_of_each(), three_axes(), 1 << 20, 3, made));
  std::vector<std::byte> inputs(made.input_bytes), outputs(made.output_bytes);
  paint_guards(made, outputs);
  for (std::size_t member = 0; member < made.members; ++member) {
    for (std::size_t i = 0; i < made.array_count; ++i)
      std::ranges::fill(payload(made, member, i, inputs, outputs), std::byte{1});
  }
  EXPECT_EQ(guard_damage(made, outputs), "");
  payload(made, 1, 1, inputs, outputs).data()[10 * sizeof(float)] = std::byte{1};
  EXPECT_THAT(guard_damage(made, outputs), HasSubstr("out0: 1 bytes after the end"));
}

TEST(layout, aligns_arrays_of_a_gpu_as_its_allocator_does) {
  assignment made{.on_gpu = 1};
  ASSERT_TRUE(lay_out(one_of_each(), three_axes(), 1 << 20, 3, made));
  EXPECT_EQ(made.input_stride % 256, 0U);
  EXPECT_EQ(made.output_stride % 256, 0U);
  for (std::size_t i = 0; i < made.array_count; ++i) EXPECT_EQ(made.arrays[i].offset % 256, 0U) << i;
}

TEST(layout, visits_a_guard_on_both_sides_of_every_written_array) {
  assignment made;
  ASSERT_TRUE(lay_out(one_of_each(), three_axes(), 1 << 20, 3, made));
  std::vector<std::byte> outputs(made.output_bytes);
  std::size_t seen = 0;
  each_guard(made, outputs, [&](std::size_t, const array_place&, auto before, auto after) {
    EXPECT_EQ(before.size(), after.size());
    return ++seen < 5;
  });
  EXPECT_EQ(seen, 5U);
}

TEST(layout, refuses_files) {
  std::vector<array_record> all;
  all.push_back({.use = use::file, .type = dtype::u8, .count = 10});
  assignment made;
  const auto laid_out = lay_out(all, three_axes(), 1 << 20, 3, made);
  ASSERT_FALSE(laid_out);
  EXPECT_THAT(laid_out.why().text(), HasSubstr("file"));
}

}  // namespace
}  // namespace ridge::judge
