// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <ridge/model/run_words.hpp>

namespace ridge::model {
namespace {

measurement failed(failure_kind kind, std::string why) {
  measurement m;
  m.refused = std::move(why);
  m.failure = kind;
  return m;
}

TEST(measurement, each_failure_has_its_word_and_only_wrong_outputs_are_called_wrong) {
  EXPECT_EQ(failure_in_words(failed(failure_kind::wrong_output, "element 7")), "wrong output: element 7");
  EXPECT_EQ(failure_in_words(failed(failure_kind::crashed, "was killed by SIGSEGV")),
            "crashed: was killed by SIGSEGV");
  EXPECT_EQ(failure_in_words(failed(failure_kind::timed_out, "did not end within 1 s")),
            "did not end in time: did not end within 1 s");
  EXPECT_EQ(failure_in_words(failed(failure_kind::out_of_memory, "was killed")), "out of memory: was killed");
  EXPECT_EQ(failure_in_words(failed(failure_kind::threw, "threw: boom")), "threw: boom");
  EXPECT_EQ(failure_in_words(failed(failure_kind::none, "of an older document")), "of an older document");
  EXPECT_EQ(failure_in_words({}), "");
}

TEST(run, failures_and_what_was_left_out_have_words) {
  run r;
  EXPECT_EQ(failures_in_words(r), "");
  EXPECT_EQ(left_out_in_words(r), "");
  r.families.emplace_back().measurements = {failed(failure_kind::crashed, "was killed by SIGSEGV"),
                                            failed(failure_kind::wrong_output, "element 7"),
                                            failed(failure_kind::wrong_output, "element 8"),
                                            {}};
  EXPECT_EQ(failures_in_words(r), "2 wrong output, 1 crashed");
  for (std::int64_t n = 1; n <= 6; ++n)
    r.left_out.push_back({"ch01.x", backend::cpu, {{"n", n}}, "the budget of 5 s was used up"});
  EXPECT_EQ(left_out_in_words(r),
            "6 problems (the budget of 5 s was used up): ch01.x n=1, ch01.x n=2, ch01.x n=3, ch01.x n=4 and "
            "2 more");
  r.left_out.insert(r.left_out.begin(), {"ch02.y", backend::cpu, {}, "the run was interrupted"});
  EXPECT_EQ(left_out_in_words(r),
            "1 problem (the run was interrupted): ch02.y; 6 problems (the budget of 5 s was used up): ch01.x "
            "n=1, ch01.x n=2, ch01.x n=3, ch01.x n=4 and 2 more");
}

}  // namespace
}  // namespace ridge::model
