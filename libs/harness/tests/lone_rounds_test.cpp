// SPDX-License-Identifier: Apache-2.0
#include "verify/lone_rounds.hpp"

#include <unistd.h>

#include <array>
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <ridge/base/sanitized.hpp>
#include <ridge/harness/runner.hpp>
#include <ridge/stats/median.hpp>

#include "doubling.hpp"
#include "host_device.hpp"
#include "run/family_state.hpp"
#include "run/progress_mark.hpp"

namespace ridge::harness {
namespace {

using testing::Each;
using testing::HasSubstr;
using testing::SizeIs;

constexpr std::int64_t lone_elements = 1 << 13;

lone_rounds taken(ladder_of<doubling_workload> variants, std::int64_t n = lone_elements,
                  progress_mark* progress = nullptr) {
  const auto where = host_device_for_tests();
  const instruments equipment{.device = where.get(), .progress = progress};
  const auto e = doubling(variants, n);
  const planned_family planned{e, e.problems().front(), model::backend::cpu};
  const auto options = short_session(0.5);
  family_state family(planned, equipment, options);
  return take_lone_rounds(family);
}

template <auto Candidate>
ladder<doubling_workload> beside_four_passes() {
  return {{.name = "four passes", .is = role::baseline, .run = in_passes<4>},
          {.name = "candidate", .run = Candidate}};
}

double ratio_of(const lone_rounds& seen) {
  return stats::median(seen.seconds[0]) / stats::median(seen.seconds[1]);
}

TEST(lone_rounds, show_what_a_variant_gains_by_itself) {
  const auto seen = taken(beside_four_passes<in_passes<1>>);
  EXPECT_EQ(seen.skipped, "");
  EXPECT_THAT(seen.wrong, Each(""));
  ASSERT_THAT(seen.seconds, SizeIs(2));
  EXPECT_EQ(seen.seconds[0].size(), seen.seconds[1].size());
  EXPECT_GE(seen.seconds[0].size(), 3u);
  EXPECT_GT(ratio_of(seen), 1.5) << "four passes against one";
  EXPECT_LT(ratio_of(seen), 10);
}

// The answers of whoever ran before on these data in this process.
std::array<float, lone_elements> left_source{}, left_target{};
void leaves_its_answers(doubling_workload& w, call& c) {
  in_passes<4>(w, c);
  std::ranges::copy(w.x, left_source.begin());
  std::ranges::copy(w.y, left_target.begin());
}
void takes_answers(doubling_workload& w, call& c) {
  if (std::memcmp(left_source.data(), w.x.data(), w.x.size_bytes()) == 0) {
    std::ranges::copy(left_target, w.y.begin());
  } else {
    in_passes<4>(w, c);
  }
}
TEST(lone_rounds, hold_no_answers_of_other_variants) {
  const auto seen = taken([]() -> ladder<doubling_workload> {
    return {{.name = "leaves", .is = role::baseline, .run = leaves_its_answers},
            {.name = "takes", .run = takes_answers}};
  });
  EXPECT_THAT(seen.wrong, Each(""));
  EXPECT_LT(ratio_of(seen), 2);
}

void forgets_the_last(doubling_workload& w, call& c) {
  const float poison = w.y.back();
  twice(w, c);
  w.y.back() = poison;
}
TEST(lone_rounds, compare_results_with_those_of_the_first_variant) {
  const auto seen = taken(beside_four_passes<forgets_the_last>);
  EXPECT_EQ(seen.wrong[0], "");
  EXPECT_NE(seen.wrong[1], "");
}

void ends_its_process(doubling_workload& w, call& c) {
  static int calls = 0;
  if (++calls == 4) _exit(0);
  twice(w, c);
}
TEST(lone_rounds, say_of_which_variant_a_process_ended) {
  const auto seen = taken(beside_four_passes<ends_its_process>);
  EXPECT_EQ(seen.wrong[0], "");
  EXPECT_THAT(seen.wrong[1], HasSubstr("ended the process"));
}

void writes_behind_its_output(doubling_workload& w, call& c) {
  twice(w, c);
  w.y.data()[w.y.size()] = 1;
}
TEST(lone_rounds, see_what_is_written_outside_of_arrays) {
  if (sanitized) GTEST_SKIP() << "the sanitizer ends a process that writes there";
  const auto seen = taken(beside_four_passes<writes_behind_its_output>);
  EXPECT_EQ(seen.wrong[0], "");
  EXPECT_THAT(seen.wrong[1], HasSubstr("array"));
}

TEST(lone_rounds, end_where_the_family_is_told_to_stop) {
  progress_mark mark;
  mark.stop = true;
  const auto seen = taken(beside_four_passes<twice>, lone_elements, &mark);
  EXPECT_THAT(seen.wrong, Each(""));
  EXPECT_THAT(seen.seconds, Each(SizeIs(0)));
}

TEST(lone_rounds, leave_out_families_whose_arrays_lie_in_different_ways) {
  const auto seen = taken([]() -> ladder<doubling_workload> {
    return {{.name = "ordinary", .is = role::baseline, .run = twice},
            {.name = "huge", .run = twice, .placement = device::placement::huge_pages}};
  });
  EXPECT_THAT(seen.skipped, HasSubstr("place their arrays differently"));
}

}  // namespace
}  // namespace ridge::harness
