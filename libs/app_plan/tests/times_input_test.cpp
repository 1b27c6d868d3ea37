// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "input/plan_cluster_input.hpp"
#include "input/plan_serve_options.hpp"
#include "input/plan_times.hpp"

namespace ridge::app_plan {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(plan_times, a_number_alone_is_in_the_unit_of_the_option) {
  EXPECT_DOUBLE_EQ(*seconds_of("--ttft", "500", millisecond_s), 0.5);
  EXPECT_DOUBLE_EQ(*seconds_of("--pause", "10", second_s), 10);
}

TEST(plan_times, a_unit_overrides_it) {
  EXPECT_DOUBLE_EQ(*seconds_of("--ttft", "2s", millisecond_s), 2);
  EXPECT_DOUBLE_EQ(*seconds_of("--ttft", "2 s", millisecond_s), 2);
  EXPECT_DOUBLE_EQ(*seconds_of("--ttft", "40us", millisecond_s), 40e-6);
  EXPECT_DOUBLE_EQ(*seconds_of("--pause", "500ms", second_s), 0.5);
  EXPECT_DOUBLE_EQ(*seconds_of("--failures", "1.5h", second_s), 5400);
  EXPECT_THAT(*times_between_colons("--deadlines", "500:2s", 1, 9, millisecond_s, ""), ElementsAre(0.5, 2));
}

TEST(plan_times, what_is_no_time_is_refused_by_the_option) {
  for (const auto* wrong : {"", "soon", "-1", "5 parsecs", "nan", "1e999"}) {
    const auto read = seconds_of("--ttft", wrong, millisecond_s);
    ASSERT_FALSE(read.ok()) << wrong;
    EXPECT_THAT(read.why().message, HasSubstr("--ttft"));
  }
}

TEST(plan_times, limits_of_a_cluster_are_milliseconds) {
  cluster_input_choice choice;
  choice.model.name = "llama-3.1-8b", choice.gpus = {"H100"}, choice.rate = 1;
  choice.ttft = "500", choice.tpot = "40";
  const auto asked = cluster_question_of(choice);
  ASSERT_TRUE(asked.ok()) << asked.why().text();
  EXPECT_DOUBLE_EQ(asked->slo.ttft_s, 0.5);
  EXPECT_DOUBLE_EQ(asked->slo.tpot_s, 0.04);
  choice.ttft = "0";
  EXPECT_FALSE(cluster_question_of(choice).ok());
}

TEST(plan_times, a_service_reads_its_times_alike) {
  service_choice choice;
  choice.model.name = "llama-3.1-8b", choice.gpu.name = "H100", choice.block_size = 16;
  choice.reject_ttft = "500", choice.deadlines = "500:2s", choice.failures = "2h:90", choice.replicas = 2;
  choice.autoscale = "1:4:0.6:2min";
  const auto made = service_of(choice, 0);
  ASSERT_TRUE(made.ok()) << made.why().text();
  EXPECT_DOUBLE_EQ(made->cluster.admission.ttft_limit_s, 0.5);
  EXPECT_THAT(made->cluster.deadline_s, ElementsAre(0.5, 2));
  EXPECT_DOUBLE_EQ(made->cluster.failures.mtbf_s, 7200);
  EXPECT_DOUBLE_EQ(made->cluster.failures.recovery_s, 90);
  EXPECT_DOUBLE_EQ(made->cluster.autoscaler.warm_up_s, 120);
}

}  // namespace
}  // namespace ridge::app_plan
