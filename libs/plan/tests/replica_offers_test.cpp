// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/replica_offers.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/hardware/hardware_catalogue.hpp>
#include <ridge/plan/model_catalogue.hpp>

namespace ridge::plan {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class no_timer final : public serve::iteration_timer {
 public:
  [[nodiscard]] double seconds(const serve::iteration&) const override { return 1e-3; }
  [[nodiscard]] serve::decode_line decode(std::int64_t, std::int64_t) const override { return {}; }
};

accelerator gpu(std::string_view name) {
  return accelerator_named(hardware::catalogue::embedded(), name).value();
}

replica_offer offered(const char* model, const char* gpu_name, int tensor, std::string weights = {}) {
  const served_model m{.model = model_named(model).value(), .weight_format = std::move(weights)};
  return replica_of(m, gpu(gpu_name), tensor, 2, {}, 2048, [](const accelerator&, const parallel_layout&) {
    return result<std::shared_ptr<const serve::iteration_timer>>(std::make_shared<no_timer>());
  });
}

TEST(replica_offers, hold_what_weights_and_step_leave) {
  // 80 GiB · 0.92 less 14.96 GiB of weights and a few of step and context, at 128 KiB per token.
  const auto o = offered("llama-3.1-8b", "H100", 1);
  EXPECT_EQ(o.refused, "");
  EXPECT_GT(o.kv_tokens, 50.0 * (1 << 30) / (1 << 17));
  EXPECT_LT(o.kv_tokens, 58.6 * (1 << 30) / (1 << 17));
  EXPECT_EQ(o.usd_per_gpu_hour, 2);
  EXPECT_DOUBLE_EQ(o.busy_power_w, 490);
}

TEST(replica_offers, a_model_too_large_says_what_lacks) {
  const auto o = offered("llama-3.1-70b", "H100", 1);
  EXPECT_EQ(o.refused_by, binding::memory);
  EXPECT_THAT(o.refused, AllOf(HasSubstr("lacks"), HasSubstr("weights 131 GiB"), HasSubstr("80.0 GiB")));
  EXPECT_EQ(offered("llama-3.1-70b", "H100", 4).refused, "");
  EXPECT_EQ(offered("llama-3.1-70b", "H200", 1, "fp8").refused, "");
}

TEST(replica_offers, what_the_catalogue_lacks_is_no_guess) {
  const auto o = offered("llama-3.1-8b", "A10G", 1);
  EXPECT_EQ(o.refused_by, binding::unknown);
  EXPECT_THAT(o.refused, HasSubstr("matrix peaks"));
}

TEST(replica_offers, heads_that_cannot_be_cut_are_refused) {
  const auto o = offered("llama-3.1-8b", "H100", 3);  // of 32 heads
  EXPECT_EQ(o.refused_by, binding::layout);
  EXPECT_THAT(o.refused, HasSubstr("32"));
}

TEST(replica_offers, degrees_stay_within_the_links) {
  EXPECT_THAT(tensor_degrees(gpu("H100")), ElementsAre(1, 2, 4, 8));
  EXPECT_THAT(tensor_degrees(gpu("L40S")), ElementsAre(1, 2, 4, 8));
  EXPECT_THAT(tensor_degrees(gpu("GH200")), ElementsAre(1, 2, 4));
  EXPECT_THAT(tensor_degrees(gpu("GB200"), 64), ElementsAre(1, 2, 4, 8, 16, 32, 64));
}

}  // namespace
}  // namespace ridge::plan
