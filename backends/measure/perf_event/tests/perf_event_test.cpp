// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cerrno>
#include <memory>
#include <optional>

#include <gtest/gtest.h>

#include <ridge/measure/conformance.hpp>

#include "../group_reading.hpp"
#include "../refusal.hpp"

namespace ridge::backends::measure_perf_event {

std::unique_ptr<measure::counters> make();

namespace {

const std::vector<std::string> names{"cycles", "instructions"};

TEST(decode_group, a_group_that_ran_all_the_time_is_taken_as_it_is) {
  const std::vector<std::uint64_t> words{2, 1000, 1000, 700, 900};
  const auto values = decode_group(words, names);
  ASSERT_EQ(values.size(), 2u);
  EXPECT_EQ(values[0].name, "cycles");
  EXPECT_EQ(values[0].value, 700);
  EXPECT_EQ(values[1].value, 900);
}

TEST(decode_group, a_group_that_shared_the_hardware_is_scaled) {
  const std::vector<std::uint64_t> words{2, 1000, 250, 10, 20};
  EXPECT_EQ(decode_group(words, names)[1].value, 80);
}

TEST(decode_group, what_cannot_be_true_is_nothing) {
  EXPECT_TRUE(decode_group(std::vector<std::uint64_t>{2, 1000, 0, 10, 20}, names).empty());
  EXPECT_TRUE(decode_group(std::vector<std::uint64_t>{1, 1000, 1000, 10, 20}, names).empty());
  EXPECT_TRUE(decode_group(std::vector<std::uint64_t>{2, 1000, 1000, 10}, names).empty());
  EXPECT_TRUE(decode_group({}, names).empty());
}

TEST(decode_count, what_was_enabled_and_never_counted_is_unknown_not_zero) {
  const auto count = [](std::uint64_t seen, std::uint64_t enabled, std::uint64_t ran) {
    return decode_count(std::array{seen, enabled, ran});
  };
  EXPECT_EQ(count(0, 0, 0), 0) << "no child has ended yet";
  EXPECT_EQ(count(0, 1000, 0), std::nullopt);
  EXPECT_EQ(count(70, 1000, 1000), 70);
  EXPECT_EQ(count(70, 1000, 500), 140);
}

TEST(refusal, says_what_is_in_the_way) {
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has(refusal(ENOENT, 2, "KVM"), "no hardware counters in this virtual machine (KVM)"));
  EXPECT_FALSE(has(refusal(ENOENT, 2, ""), "virtual machine"));
  EXPECT_TRUE(has(refusal(EACCES, 4, ""), "sysctl kernel.perf_event_paranoid=2"));
  EXPECT_TRUE(has(refusal(EPERM, 1, ""), "CAP_PERFMON"));
  EXPECT_TRUE(has(refusal(EACCES, std::nullopt, ""), "CAP_PERFMON"));
  EXPECT_TRUE(has(refusal(EBUSY, 2, ""), "busy"));
}

TEST(perf_event, conforms) { measure::conformance::expect_counters(*make()); }

}  // namespace
}  // namespace ridge::backends::measure_perf_event
