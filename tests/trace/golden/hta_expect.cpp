// SPDX-License-Identifier: Apache-2.0
#include "hta_expect.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace ridge::trace::golden {

using json = nlohmann::json;

double slack_us(const hta_case& c, std::size_t works) {
  return c.options.round_to_us ? 1e-6 : 0.25 * static_cast<double>(works) / 1000;
}

void expect_near(const json& printed, double found, double slack, const std::string& label) {
  if (printed.is_null()) {
    EXPECT_TRUE(std::isnan(found)) << label << ": " << found;
    return;
  }
  EXPECT_NEAR(printed.get<double>(), found, slack) << label;
}

void expect_distribution(const json& printed, const std::string& prefix, const hta_distribution& found,
                         double slack) {
  expect_near(printed.at(prefix + "mean"), found.mean, slack, prefix + "mean");
  expect_near(printed.at(prefix + "std"), found.deviation, slack, prefix + "std");
  expect_near(printed.at(prefix + "min"), found.min, slack, prefix + "min");
  expect_near(printed.at(prefix + "25%"), found.p25, slack, prefix + "25%");
  expect_near(printed.at(prefix + "50%"), found.p50, slack, prefix + "50%");
  expect_near(printed.at(prefix + "75%"), found.p75, slack, prefix + "75%");
  expect_near(printed.at(prefix + "max"), found.max, slack, prefix + "max");
}

}  // namespace ridge::trace::golden
