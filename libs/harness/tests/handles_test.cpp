// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/base/error.hpp>
#include <ridge/harness/experiment.hpp>

namespace ridge {
namespace {

using testing::HasSubstr;

inline constexpr phase loading{"loading"}, computing{"computing"}, unlisted_phase{"resting"};
inline constexpr observable first_latency{"latency"}, unlisted_value{"age"};

struct nothing_to_do {};

experiment with_handles(std::vector<phase> phases, std::vector<observable> observed,
                        std::vector<metric> metrics) {
  return experiment_of<nothing_to_do>{.id = "test.handles",
                                      .metrics = std::move(metrics),
                                      .phases = std::move(phases),
                                      .observed = std::move(observed)};
}

std::string refusal_of(const auto& act) {
  try {
    act();
  } catch (const precondition_violated& bug) {
    return bug.what();
  }
  return "";
}

// A clock that advances by one tick, a second, whenever it is read.
struct counting_clock {
  std::uint64_t ticks = 0;
  tick_source source() {
    return {[](void* self) { return static_cast<counting_clock*>(self)->ticks++; }, this, 1.0};
  }
};

TEST(handles, metrics_find_what_they_are_read_from_wherever_it_is_listed) {
  const auto e =
      with_handles({loading, computing}, {first_latency}, {goodput(computing), quantile(first_latency, 0.9)});
  EXPECT_EQ(e->metrics[0].id, 1U);
  EXPECT_EQ(e->metrics[1].id, 0U);
  EXPECT_EQ(e->metrics[1].definition.name, "latency");
}

TEST(handles, a_metric_of_something_unlisted_is_found_when_the_experiment_is_made) {
  EXPECT_THAT(
      refusal_of([] { (void)with_handles({loading}, {}, {goodput(unlisted_phase)}); }),
      HasSubstr("test.handles: metric \"goodput\" is read from \"resting\", and .phases lists loading"));
  EXPECT_THAT(refusal_of([] { (void)with_handles({}, {}, {quantile(unlisted_value, 0.5)}); }),
              HasSubstr(".observed lists none"));
  EXPECT_THAT(refusal_of([] {
                (void)with_handles({loading, loading}, {}, {time_per_call()});
              }),
              HasSubstr("lists \"loading\" twice"));
}

TEST(handles, a_body_marks_and_observes_what_is_listed) {
  counting_clock clock;
  const std::vector<std::string> phases{"computing", "loading"}, observed{"latency"};
  call c({.clock = clock.source(), .phases = phases, .observed = observed});
  {
    const auto outer = c.in(loading);    // from 0
    const auto inner = c.in(computing);  // from 1 to 2
  }
  EXPECT_EQ(c.phase_seconds(0), 1);
  EXPECT_EQ(c.phase_seconds(1), 2);
  const auto start = c.now();
  c.observe(first_latency, start, c.now());
  EXPECT_THAT(c.observed(0), testing::ElementsAre(1.0));
}

TEST(handles, a_body_that_marks_or_observes_something_unlisted_is_told_so) {
  counting_clock clock;
  const std::vector<std::string> phases{"loading"};
  call c({.clock = clock.source(), .phases = phases});
  EXPECT_THAT(refusal_of([&] { (void)c.in(unlisted_phase); }),
              HasSubstr("\"resting\" is not among the experiment's .phases, which lists loading"));
  const auto now = c.now();
  EXPECT_THAT(refusal_of([&] { c.observe(unlisted_value, now, now); }),
              HasSubstr(".observed, which lists none"));
}

}  // namespace
}  // namespace ridge
