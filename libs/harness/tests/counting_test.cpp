// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/base/error.hpp>
#include <ridge/harness/problem.hpp>
#include <ridge/harness/work.hpp>

namespace ridge {
namespace {

const problem counted_problem({{"n", std::int64_t{1000}},
                               {"rate", 0.5},
                               {"kernel", std::string("dot")},
                               {"shift", std::int64_t{-3}},
                               {"huge", std::int64_t{1} << 60}});

template <class Act>
std::string failure_of(const Act& act) {
  try {
    act();
  } catch (const failure& refused) {
    return refused.what();
  }
  return "";
}

TEST(problem, gives_each_axis_in_the_type_asked_for) {
  EXPECT_EQ(counted_problem.count("n"), 1000U);
  EXPECT_EQ(counted_problem.integer("shift"), -3);
  EXPECT_EQ(counted_problem.real("rate"), 0.5);
  EXPECT_EQ(counted_problem.real("n"), 1000.0);
  EXPECT_EQ(counted_problem.text("kernel"), "dot");
}

TEST(problem, an_unknown_axis_or_another_type_is_a_bug_that_names_it) {
  EXPECT_THROW((void)counted_problem.count("m"), precondition_violated);
  EXPECT_THROW((void)counted_problem.count("kernel"), precondition_violated);
  EXPECT_THROW((void)counted_problem.integer("rate"), precondition_violated);
  EXPECT_THROW((void)counted_problem.real("kernel"), precondition_violated);
  EXPECT_THROW((void)counted_problem.text("n"), precondition_violated);
}

TEST(problem, a_count_that_no_process_holds_is_refused_by_the_name_of_its_axis) {
  EXPECT_THAT(failure_of([] { (void)counted_problem.count("huge"); }),
              testing::HasSubstr("axis \"huge\" = 1152921504606846976"));
  EXPECT_THAT(failure_of([] { (void)counted_problem.count("shift"); }),
              testing::HasSubstr("axis \"shift\" = -3"));
}

TEST(work, is_built_from_elements_and_bytes) {
  const auto w = work::streaming(reads<float>(2, 10) + reads<std::uint8_t>(7), writes<double>(10))
                     .with_flop(20)
                     .with_items(5);
  EXPECT_EQ(w.bytes_read, 87);
  EXPECT_EQ(w.bytes_written, 80);
  EXPECT_EQ(w.flop, 20);
  EXPECT_EQ(w.items, 5);
}

TEST(work, a_product_that_overflows_is_refused) {
  const std::size_t side = std::size_t{1} << 32;
  EXPECT_THAT(failure_of([&] { (void)reads<float>(side, side); }),
              testing::HasSubstr("4294967296 times 4294967296"));
  EXPECT_NE(failure_of([] { (void)product(std::size_t{1} << 46, 4); }), "");
  EXPECT_EQ(product(std::size_t{1} << 46, 0), 0U);
}

}  // namespace
}  // namespace ridge
