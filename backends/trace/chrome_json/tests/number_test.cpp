// SPDX-License-Identifier: Apache-2.0
#include "number.hpp"

#include <cinttypes>
#include <random>
#include <string>

#include <gtest/gtest.h>

namespace ridge::backends::trace_chrome_json {
namespace {

std::optional<std::int64_t> time_of(std::string text) {
  const auto size = text.size();
  text += ",";
  text.append(text_padding, '\0');
  json_text in{.end = text.data() + size + 1};
  std::optional<std::int64_t> ns;
  const auto* behind = read_time(text.data(), in, ns);
  EXPECT_EQ(behind, text.data() + size) << text;
  return ns;
}

TEST(number, times_are_exact) {
  const std::pair<const char*, std::int64_t> cases[]{{"0", 0},
                                                     {"1", 1000},
                                                     {"4026150069145.028", 4026150069145028},
                                                     {"1700000000000000.123", 1700000000000000123},
                                                     {"9223372036854775.807", 9223372036854775807},
                                                     {"1.7e15", 1700000000000000000},
                                                     {"2e0", 2000},
                                                     {"12.3456E+2", 1234560},
                                                     {"0.5", 500},
                                                     {"0.04", 40},
                                                     {"-3.5", -3500},
                                                     {"\"12.5\"", 12500},
                                                     {"0.0005", 0},
                                                     {"0.0015", 2},
                                                     {"0.0025", 2},
                                                     {"0.00250000001", 3},
                                                     {"1.23456789", 1235},
                                                     {"1623212388426902.0", 1623212388426902000},
                                                     {"500e-6", 0},
                                                     {"5e-4000000", 0}};
  for (const auto& [text, ns] : cases) EXPECT_EQ(time_of(text), ns) << text;
}

TEST(number, what_is_no_number_or_too_large_is_absent) {
  for (const auto* text :
       {"null", "true", "NaN", "-Infinity", "\"\"", "\"1.2.3\"", "\"abc\"", "[1]", "{\"a\":1}",
        "9223372036854775.808", "1e30", "\"-\"", "\"1e\"", "99999999999999999999"})
    EXPECT_EQ(time_of(text), std::nullopt) << text;
}

// Against whole-number arithmetic, for all lengths of both parts.
TEST(number, random_times_are_exact) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 100'000; ++i) {
    const auto ns = static_cast<std::int64_t>(random() >> (1 + random() % 62));
    char text[64];
    std::snprintf(text, sizeof text, "%" PRId64 ".%03" PRId64, ns / 1000, ns % 1000);
    ASSERT_EQ(time_of(text), ns) << text;
  }
}

}  // namespace
}  // namespace ridge::backends::trace_chrome_json
