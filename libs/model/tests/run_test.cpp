// SPDX-License-Identifier: Apache-2.0
#include <ridge/model/run.hpp>

#include <gtest/gtest.h>

namespace ridge::model {
namespace {

TEST(names, every_word_reads_back) {
  for (auto v : {verdict::better, verdict::worse, verdict::equivalent, verdict::different_but_small,
                 verdict::inconclusive, verdict::invalid, verdict::unverified}) {
    EXPECT_EQ(named<verdict>(name(v)), v);
  }
  EXPECT_FALSE(named<role>("fastest"));
}

TEST(problem, reads_as_a_person_would_write_it) {
  EXPECT_EQ(text(problem_point{{"n", std::int64_t{1 << 20}}, {"dtype", std::string("fp32")}}),
            "n=2^20 dtype=fp32");
}

TEST(words, follow_the_metric_and_the_direction) {
  comparison c{.ratio = 1.783};
  EXPECT_EQ(in_words(c), "1.78× faster");
  c.ratio = 1 / 1.02;
  EXPECT_EQ(in_words(c), "2.0 % slower");
  c.metric = {.name = "throughput", .unit = "items/s", .better = better::higher};
  c.ratio = 3;
  EXPECT_EQ(in_words(c), "3.00× more");
}

TEST(peak, finds_the_best_row_or_the_one_with_these_threads) {
  const peak p{.ceilings = {{.id = "cpu.triad", .value = 10, .threads = 1},
                            {.id = "cpu.triad", .value = 15, .threads = 2}}};
  EXPECT_EQ(p.find("cpu.triad")->threads, 2);
  EXPECT_EQ(p.find("cpu.triad", 1)->value, 10);
  EXPECT_EQ(p.find("gpu.triad"), nullptr);
}

}  // namespace
}  // namespace ridge::model
